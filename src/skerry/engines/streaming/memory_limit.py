"""A bound on memory: what would break it is refused before it is allocated."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MemoryLimit"]


@dataclass(frozen=True, slots=True)
class MemoryLimit:
    """A number of bytes, or None for no limit."""

    bytes: int | None

    def check(self, needed: int, purpose: str) -> None:
        """Raises `MemoryError` if ``needed`` bytes are too many."""
        if self.bytes is not None and needed > self.bytes:
            raise MemoryError(
                f"{purpose} take {needed:,} bytes, and the limit is {self.bytes:,}; raise it, or "
                "run on a machine with more memory"
            )
