"""What an engine is: it says which options it honors, solves a source, and verifies labels."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from skerry.request import SolveOptions
from skerry.result.components import Components
from skerry.result.estimate import Estimate
from skerry.result.verify import Verification


class GraphSize(NamedTuple):
    """The size of a graph, as far as memory depends on it."""

    num_vertices: int
    num_entries: int
    """Edges, or stored entries of a CSR."""
    form: str
    """``"edges"``, ``"csr"`` or ``"batches"``."""
    id_dtype: np.dtype[Any]
    """Type of the ids of the input."""


class Engine(Protocol):
    """Solves sources of one class."""

    name: ClassVar[str]
    source: ClassVar[type]
    """The class of sources that it takes."""
    honors: ClassVar[frozenset[str]]
    """Names of the fields of `SolveOptions` that it honors; others are refused."""

    def refusal(self, source: Any, options: SolveOptions) -> str | None:
        """Why this engine does not run here, or None if it does; imports nothing heavy.

        Empty where the options say it themselves: `skerry.engines.refusal` names them then. What is
        not in ``honors`` need not be looked at.
        """
        ...

    def estimate(self, size: GraphSize, options: SolveOptions) -> Estimate:
        """Bytes that a run takes."""
        ...

    def solve(self, source: Any, options: SolveOptions) -> Components:
        """The components, under the ids of the source."""
        ...

    def verify(self, source: Any, labels: Any, threads: int) -> Verification:
        """Checks labels, in any of the forms of label_input.py, against a source."""
        ...
