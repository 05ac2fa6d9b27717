"""The parameters of generators: their kinds and bounds, and values from text.

A definition annotates its parameters with a type and, by a name of this module such as `Count`,
with the bounds of the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from operator import index
from typing import Annotated, Any, Literal, NamedTuple

from skerry.errors import ArgumentError

MAX_COMPONENTS = 10**8
"""Sizes are listed one by one: more would fill the memory."""


class Bounds(NamedTuple):
    """The smallest and the largest value of a parameter."""

    low: float
    high: float = inf
    must: str = ""
    """What an error says; by default it names the bounds."""

    def check(self, name: str, value: float) -> None:
        """Raises if the value is out of bounds, or NaN."""
        if not self.low <= value <= self.high:
            limits = f"at least {self.low}" if self.high == inf else f"in {self.low}..{self.high}"
            raise ArgumentError(f"{name} must {self.must or f'be {limits}'}, got {value}")


SEED = Bounds(0, 2**64 - 1, "be an integer in 0..2**64 - 1")

Count = Annotated[int, Bounds(0, must="not be negative")]
Positive = Annotated[int, Bounds(1)]
Seed = Annotated[int, SEED]
Probability = Annotated[float, Bounds(0, 1, "be a probability")]
Share = Annotated[float, Bounds(0, 1, "be a share in 0..1")]


def check_size(total: int) -> None:
    """Raises if a graph has too many vertices or edges."""
    if total >= 2**62:
        raise ArgumentError("a graph must have fewer than 2**62 vertices and edges")


def as_integer(probability: float) -> int:
    """A probability in units of ``2**-32``."""
    return round(probability * 2**32)


Kind = Literal["int", "float", "bool", "sizes"]

KINDS: Mapping[Kind, str] = {
    "int": "an integer, such as 1000000, 1e6 or 2^20",
    "float": "a number",
    "bool": "true or false",
    "sizes": "sizes with plus signs between them, such as 1000+20x5 for one of 1000 and 20 of 5",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a generator.

    Immutable; threads may share it.

    Attributes
    ----------
    name
        Its name.
    kind
        ``"int"``, ``"float"``, ``"bool"`` or ``"sizes"``.
    required
        Whether it has no default.
    default
        None where it is required, or where leaving it out has a meaning of its own.
    summary
        What it means.
    bounds
        The smallest and the largest value; None if the generator itself checks the value.
    """

    name: str
    kind: Kind
    required: bool
    default: Any
    summary: str
    bounds: Bounds | None = None

    def read(self, value: Any) -> Any:
        """The value, from text or as it is.

        Parameters
        ----------
        value
            Text such as ``"2^20"``, or a value.

        Returns
        -------
        object
            An int, float, bool or list of ints.
        """
        try:
            return READERS[self.kind](value)
        except (TypeError, ValueError, OverflowError):
            raise ArgumentError(f"{self.name} must be {KINDS[self.kind]}, got {value!r}") from None


def integer(value: Any) -> int:
    """An integer: 1000, 1_000, 1e6, 2^20 or 2**20."""
    if isinstance(value, bool):
        raise TypeError(value)
    if not isinstance(value, str):
        return index(value)
    base, power, exponent = value.replace("**", "^").partition("^")
    if power:
        raised = int(exponent)
        if not 0 <= raised <= 64 or abs(int(base)) > 2**16:
            raise ValueError(value)
        return int(int(base) ** raised)
    if "e" not in value.lower() and "." not in value:
        return int(value)
    number = float(value)
    if number != int(number) or abs(number) > 2**53:
        raise ValueError(value)
    return int(number)


def number(value: Any) -> float:
    """A number: 0.5, 1e-3 or 17/24."""
    if isinstance(value, bool):
        raise TypeError(value)
    if not isinstance(value, str):
        return float(value)
    above, slash, below = value.partition("/")
    if slash and not float(below):
        raise ValueError(value)
    return float(above) / float(below) if slash else float(above)


def switch(value: Any) -> bool:
    """True or false."""
    text = str(value).lower()
    if text not in ("true", "yes", "1", "false", "no", "0"):
        raise ValueError(value)
    return text in ("true", "yes", "1")


def sizes(value: Any) -> list[int]:
    """Sizes of components: a list, or text such as 1000+20x5."""
    if not isinstance(value, str):
        return [integer(size) for size in value]
    listed: list[int] = []
    for part in value.split("+"):
        count, times, size = part.partition("x")
        if times and not 0 <= integer(count) <= MAX_COMPONENTS:
            raise ValueError(value)
        listed += [integer(size)] * integer(count) if times else [integer(part)]
    return listed


READERS: Mapping[Kind, Callable[[Any], Any]] = {
    "int": integer,
    "float": number,
    "bool": switch,
    "sizes": sizes,
}
"""From text or a value to the value; a TypeError or ValueError if it is of another kind."""
