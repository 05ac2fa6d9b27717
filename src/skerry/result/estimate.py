"""How much memory a call takes, known before it runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """Bytes that a call takes. Immutable; threads may share it."""

    algorithm: str
    """The catalog's name of what would run."""
    device: str
    """``"cpu"`` or ``"cuda"``."""
    graph: int
    """The graph itself, in the form and width given."""
    run: int
    """What the run allocates beside it: labels, and whatever the algorithm needs."""
    conversion: int
    """What bringing the graph into the form and width that the algorithm reads adds to the peak."""

    @property
    def total(self) -> int:
        """All of it."""
        return self.graph + self.run + self.conversion
