"""`Objects` under the method names that callers still use; to be deleted with the last of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.ids.id_space import Objects

__all__ = ["ObjectIds"]


class ObjectIds(Objects):
    """Any hashable objects, in the order in which they came."""

    @property
    def parts(self) -> tuple[Any, ...]:
        """The one column as Arrow holds it, if it can."""
        return (self.column(np.arange(len(self))),)

    def rank(self, value: Any) -> int:
        """As `position`."""
        return self.position(value)

    def ranks(self, values: Any) -> npt.NDArray[np.int64]:
        """As `positions`."""
        return self.positions(values)
