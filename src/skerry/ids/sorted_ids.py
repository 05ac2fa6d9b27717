"""`External` under the method names that callers still use; to be deleted with the last of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.graph.arrow import arrow_view
from skerry.ids.id_space import External

__all__ = ["SortedIds"]


class SortedIds(External):
    """Ids in ascending order; those made of several columns are tuples."""

    @property
    def parts(self) -> tuple[Any, ...]:
        """The columns as Arrow arrays, one or several."""
        return tuple(
            arrow_view(part) if isinstance(part, np.ndarray) else part for part in self._parts
        )

    def rank(self, value: Any) -> int:
        """As `position`."""
        return self.position(value)

    def ranks(self, column: Any) -> npt.NDArray[np.int64]:
        """As `positions`."""
        return self.positions(column)
