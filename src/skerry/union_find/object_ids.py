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
from skerry.ids.external import External
from skerry.optional import require_arrow
from skerry.union_find.forest import Forest

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
        self._signs: dict[int, tuple[int, int]] = {}
        """-1 for each column with a negative integer, 1 for one of 2^63 or more; and the number of
        the first id that has one."""
        self._order: npt.NDArray[np.uint32] = np.empty(0, np.uint32)

    @property
    def size(self) -> int:
        """Distinct ids so far."""
        return len(self.values)

    def settle(self) -> None:
        """Takes away the ids that the forest does not have."""
        size = self.forest.size
        for value in self.values[size:]:  # they come here before they come to `numbers`
            if self.numbers.get(value, -1) >= size:
                del self.numbers[value]
        del self.values[size:]
        self._signs = {c: sign for c, sign in self._signs.items() if sign[1] < size}
        if not size:
            self.kind = None

    @property
    def nbytes(self) -> int:
        """Memory held, about: the objects themselves may be shared."""
        return getsizeof(self.numbers) + getsizeof(self.values)

    def check(self, *values: Any) -> None:
        """Raises if these cannot all be ids here; adds nothing."""
        kind = self.kind
        signs = dict(self._signs)
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
                    _check_part(part, column, signs, 0)

    def number_pair(self, u: Any, v: Any) -> tuple[int, int]:
        """The numbers of two ids; new ones get the next, if both can be ids here."""
        if type(u) is type(v) is self.kind and _is_harmless(u) and _is_harmless(v):
            return self._next(u), self._next(v)
        self.check(u, v)
        return self.number_one(u), self.number_one(v)

    def _next(self, value: Any) -> int:
        number = self.numbers.get(value)
        if number is None:
            number = len(self.values)
            self.values.append(value)
            self.numbers[value] = number
        return number

    def number_list(self, values: list[Any]) -> list[int]:
        """The numbers of ids; new ones get the next, if all can be ids here."""
        self.check(*values)
        return list(map(self.number_one, values))

    def number_one(self, value: Any) -> int:
        """The number of an id that `check` has let through; a new one gets the next."""
        number = self.numbers.get(value)
        if number is None:
            if self.kind is None:
                self.kind = kind_of(value)
            for column, part in enumerate(value if type(value) is tuple else (value,)):
                _check_part(part, column, self._signs, len(self.values))
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
        if len(self._order) != len(self.values):
            ranked = sorted(range(len(self.values)), key=self.values.__getitem__)
            self._order = np.array(ranked, np.uint32)
        return self._order

    def objects(self) -> list[Any]:
        """The ids in ascending order."""
        return [self.values[number] for number in self.order().tolist()]

    def space(self) -> External:
        """The same as the ids of a graph."""
        return External(column_of(self.objects()))

    def take(self, numbers: npt.NDArray[Any]) -> Any:
        """The ids of numbers, as columns."""
        return column_of([self.values[number] for number in numbers.tolist()])


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


def _check_part(
    part: int | str, column: int, signs: dict[int, tuple[int, int]], number: int
) -> None:
    """Raises if no column could hold this beside those before; notes the signs of integers."""
    if isinstance(part, str):
        if not part.isascii():
            try:
                part.encode()
            except UnicodeEncodeError as error:
                raise InputError(f"the id {part!r} is not valid text: {error}") from None
        return
    if not LOWEST <= part <= HIGHEST:
        raise InputError(f"the id {part} does not fit into 64 bits; make the ids text")
    sign = -1 if part < 0 else 1 if part >= -LOWEST else 0
    if sign and signs.setdefault(column, (sign, number))[0] != sign:
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
