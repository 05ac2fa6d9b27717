"""Ids that come one by one, as Python's integers, text and tuples of those: numbered by a dict.

It needs no pyarrow, and a look-up costs less than a call of native code. The rules are those of
`skerry.ids.numbering`, which takes over as soon as arrays come: all ids are of one kind, and each
can be held by a column.
"""

from __future__ import annotations

from sys import getsizeof
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.ids.chunks import float_error
from skerry.ids.columns import integer_array
from skerry.optional import require_arrow
from skerry.union_find.forest import Forest

__all__ = ["ObjectIds", "column_of", "kind_of"]

LOWEST, HIGHEST = -(2**63), 2**64 - 1


def kind_of(value: Any) -> Any:
    """The kind of an id that a dict may number: int, str or a tuple of these; None for others."""
    kind = type(value)
    if kind is int or kind is str:
        return kind
    if kind is tuple and value:
        kinds = tuple(map(type, value))
        return kinds if all(part is int or part is str for part in kinds) else None
    return None


class ObjectIds:
    """The numbers of ids, by a dict; and the forest of these numbers."""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest
        """Beside the ids, so that a reader without a lock has numbers of the right forest."""
        self.values: list[Any] = []
        self.numbers: dict[Any, int] = {}
        """Of ids of one kind only: 1, True and 1.0 are one key of a dict."""
        self.kind: Any = None
        """int, str, or a tuple of these."""
        self._bounds: dict[int, tuple[int, int]] = {}
        """The smallest and the largest integer of each column."""
        self._order: npt.NDArray[np.uint32] | None = None

    @property
    def size(self) -> int:
        """Distinct ids so far."""
        return len(self.values)

    @property
    def nbytes(self) -> int:
        """Memory held, about: the objects themselves may be shared."""
        return getsizeof(self.numbers) + getsizeof(self.values)

    def check(self, *values: Any) -> None:
        """Raises if these cannot all be ids here; adds nothing."""
        kind = self.kind
        bounds = dict(self._bounds)
        for value in values:
            own = kind_of(value)
            if own is None:
                raise _not_an_id(value)
            if kind is None:
                kind = own
            if own != kind:
                raise InputError(
                    f"ids of type {_name(own)} after ids of type {_name(kind)}: {value!r}"
                )
            if value not in self.numbers:
                for column, part in enumerate(value if own.__class__ is tuple else (value,)):
                    _check_part(part, column, bounds)

    def number_pair(self, u: Any, v: Any) -> tuple[int, int]:
        """The numbers of two ids; new ones get the next, if both can be ids here."""
        if type(u) is type(v) is self.kind and _is_harmless(u) and _is_harmless(v):
            return self._next(u), self._next(v)
        self.check(u, v)
        return self.number_one(u), self.number_one(v)

    def _next(self, value: Any) -> int:
        size = len(self.values)
        number = self.numbers.setdefault(value, size)
        if number == size:
            self.values.append(value)
            self._order = None
        return number

    def number_one(self, value: Any) -> int:
        """The number of an id that `check` has let through; a new one gets the next."""
        number = self.numbers.get(value)
        if number is None:
            if self.kind is None:
                self.kind = kind_of(value)
            for column, part in enumerate(value if type(value) is tuple else (value,)):
                _check_part(part, column, self._bounds)
            number = self._next(value)
        return number

    def find_one(self, value: Any) -> int:
        """The number of an id, -1 if it has none."""
        kind = kind_of(value)
        if kind is None or kind != self.kind:
            return -1
        return self.numbers.get(value, -1)

    def value(self, number: int) -> Any:
        """The id of a number."""
        return self.values[number]

    def order(self) -> npt.NDArray[np.uint32]:
        """The numbers in ascending order of their ids."""
        if self._order is None:
            ranked = sorted(range(len(self.values)), key=self.values.__getitem__)
            self._order = np.array(ranked, np.uint32)
        return self._order

    def objects(self) -> list[Any]:
        """The ids in ascending order."""
        return [self.values[number] for number in self.order().tolist()]


def column_of(values: list[Any]) -> Any:
    """Ids as columns: NumPy for integers, Arrow for text, a tuple of those for tuples."""
    kind = kind_of(values[0]) if values else int
    if kind.__class__ is tuple:
        return tuple(column_of(list(part)) for part in zip(*values, strict=True))
    if kind is int:
        return integer_array(values) if values else np.empty(0, np.int64)
    return require_arrow("a column of ids that are text (list(sets) needs none)").array(values)


def _is_harmless(value: Any) -> bool:
    """Whether an int or text can be an id whatever the others are."""
    return value.isascii() if type(value) is str else 0 <= value < -LOWEST


def _check_part(part: int | str, column: int, bounds: dict[int, tuple[int, int]]) -> None:
    """Raises if no column could hold this beside those before; notes the bounds of integers."""
    if isinstance(part, str):
        if not part.isascii():
            try:
                part.encode()
            except UnicodeEncodeError as error:
                raise InputError(f"the id {part!r} is not valid text: {error}") from None
        return
    low, high = bounds.get(column, (0, 0))
    low, high = bounds[column] = min(low, part), max(high, part)
    if low < LOWEST or high > HIGHEST:
        raise InputError(f"the id {part} does not fit into 64 bits; make the ids text")
    if low < 0 and high >= -LOWEST:
        raise InputError(
            "negative ids and ids of 2^63 or more in one graph: no integer type holds both; make "
            "them strings"
        )


def _not_an_id(value: Any) -> InputError:
    if isinstance(value, float):
        return float_error()
    if value is None:
        return InputError("an id is missing (None); drop or fill it first")
    return InputError(f"{value!r} of type {type(value).__qualname__} is not an id")


def _name(kind: Any) -> str:
    return f"({', '.join(map(_name, kind))})" if isinstance(kind, tuple) else str(kind.__name__)
