"""The options of the writers of graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ExternalIds = Literal["refuse", "vertices", "ranks"]
"""What external ids become in a format of vertex numbers.

``"refuse"``: an error. ``"vertices"``: integers are taken as vertex numbers, so that those which do
not occur become vertices without an edge. ``"ranks"``: 0..n-1 in the ids' own order; the ids
themselves are lost.
"""


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """The options of a writer of graphs."""

    path: str
    """For messages."""
    threads: int
    external_ids: ExternalIds = "refuse"
