"""What a run has joined so far, apart from how it is held: what a checkpoint is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy.typing as npt


class Sets(NamedTuple):
    """What was joined."""

    labels: npt.NDArray[Any]
    """For every vertex, the smallest in its set; vertices are positions in ``ids``."""
    ids: Any = None
    """Columns of external ids, ascending; None for vertex numbers."""


class Joiner(Protocol):
    """Joins edges; see vertex_ids.py and external_ids.py."""

    @property
    def nbytes(self) -> int:
        """Bytes that it holds."""

    def sets(self) -> Sets:
        """What was joined so far; it stays as it is."""

    def restore(self, sets: Sets) -> None:
        """Joins what was joined when these sets were made; nothing was joined before."""


@dataclass(slots=True)
class Counts:
    """How far a run is."""

    edges: int = 0
    bytes: int = 0
    dropped: int = 0
