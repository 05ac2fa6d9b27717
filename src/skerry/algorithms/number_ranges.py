"""The words and numbers that kernels take as choices, and what each may be.

A kernel gets no number outside its range: it would have to run as something else than was chosen.
"""

from __future__ import annotations

from typing import NamedTuple

from skerry.errors import ArgumentError

WORDS = {
    "contract": ("seen", "hash"),
    "cut": ("program", "paper"),
    "direction": ("down", "alternate"),
    "end": ("larger", "smaller"),
    "filter": ("jumped", "letter"),
    "finish": ("early", "late"),
    "flatten": ("multiple", "single"),
    "hook": ("checked", "blind"),
    "keep": ("least", "last"),
    "leave": ("never", "connected"),
    "loads": ("device", "plain"),
    "permute": ("computed", "stored"),
    "join": ("auto", "window", "as-read"),
    "rest": ("auto", "skip", "join"),
    "seconds": ("auto", "join", "leave"),
    "shortcut": ("root", "steps"),
    "strategy": ("auto", "links", "direct", "plain"),
    "team": ("large", "always"),
    "triangle": ("both", "lower"),
}
"""Choices that are words, by name. A kernel gets the position of the word."""


class NumberRange(NamedTuple):
    """The values that a number may take, both ends included."""

    low: float
    high: float
    integer: bool = True

    def __str__(self) -> str:
        kind = "a whole number" if self.integer else "a number"
        return f"{kind} in {_written(self.low)}..{_written(self.high)}"

    def __contains__(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        in_range = self.low <= value <= self.high  # false for NaN
        return in_range and (not self.integer or value == int(value))


def _written(bound: float) -> str:
    power = int(bound).bit_length() - 1
    return f"2**{power}" if power > 30 and bound == 2**power else f"{bound:g}"


_COUNT = NumberRange(0, 2**62)
_COUNT_FROM_1 = NumberRange(1, 2**62)
_SWITCH = NumberRange(0, 1)

NUMBER_RANGES = {
    "aggressive": _SWITCH,
    "beta": NumberRange(0.001, 1, integer=False),
    "block": _COUNT_FROM_1,
    # Fewer vertices a block make more counters than they save; more have no bits in a narrow id.
    "block_bits": NumberRange(8, 31),
    "block_from": _COUNT_FROM_1,
    "chunk": _COUNT,
    "density": NumberRange(0, 1, integer=False),
    "drop": _SWITCH,
    "jumps": NumberRange(1, 2),
    "plant": _SWITCH,
    "prefetch": _SWITCH,
    "push_first": _SWITCH,
    "q": NumberRange(1e-30, 1e30, integer=False),
    "random": _SWITCH,
    "repeat": _SWITCH,
    "samples": NumberRange(0, 64),
    "seed": NumberRange(0, 2**53),  # beyond it a float has no integer of its own for each seed
    "segments": _COUNT,
    "serial_below": _COUNT,
    "share": _COUNT,
    "tries": NumberRange(0, 2),
    "warp_from": _COUNT_FROM_1,
}
"""By the name of the choice; a name means the same number in every algorithm."""


def number_of(name: str, value: str | float) -> float:
    """What a kernel gets for the value of a choice."""
    return float(WORDS[name].index(value) if isinstance(value, str) else value)


def check_number(algorithm: str, name: str, value: object) -> None:
    """Checks a number that was chosen.

    Raises
    ------
    InputError
        If it is not in the range of its choice.
    """
    if value not in NUMBER_RANGES[name]:
        raise ArgumentError(f"{name} of {algorithm} must be {NUMBER_RANGES[name]}, got {value!r}")
