"""What questions about vertices take, for type checkers: one id, or many."""

from __future__ import annotations

from datetime import date
from typing import Any, TypeAlias
from uuid import UUID

import numpy as np
import numpy.typing as npt

SingleId: TypeAlias = "int | str | bytes | date | UUID | np.integer[Any] | np.datetime64"
"""An id that is one for sure: a tuple may be one of several columns, or several columns."""

ManyIds: TypeAlias = "list[Any] | npt.NDArray[Any]"
"""Many ids for sure; columns of other libraries are neither, for type checkers."""
