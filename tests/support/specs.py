"""Algorithms of the catalog, and their choices, by the kind of device that has them."""

from __future__ import annotations

import skerry
from skerry.algorithms.number_ranges import NUMBER_RANGES, WORDS

READ_ROWS = (
    "auto",
    "rows[rest=skip]",
    "rows[seconds=join]",
    "rows[rest=join,join=window]",
    "rows[rest=join,join=as-read]",
)
"""The solver of rows, left to itself and with each of its stages forced."""


def specs_on(device):
    """The algorithms that run on ``"cpu"`` or on ``"cuda"``."""
    return tuple(spec for spec in skerry.catalog() if device in spec.devices)


def names_on(device):
    """Their names, and "auto"."""
    return ["auto", *(spec.name for spec in specs_on(device))]


def choices_on(device, spec):
    """The choices of an algorithm on this kind of device, with their values (none: any number)."""
    return {
        name: values
        for name, values in spec.choices.items()
        if not _refused(
            spec.replace(**{name: values[0] if values else NUMBER_RANGES[name].low}), device
        )
    }


SWITCHES = {"jumps": 2, "drop": 0}
"""Numbers by the letter of a paper; of the other switches it is 1."""


def letters(device):
    """Names of all algorithms with one choice that is a word, or a switch, and not its default."""
    for spec in specs_on(device):
        own = set(choices_on(device, spec))
        for choice in sorted(own & {*WORDS, "drop", "jumps", "prefetch", "repeat"}):
            for value in WORDS[choice][1:] if choice in WORDS else (SWITCHES.get(choice, 1),):
                yield f"{spec.name}[{choice}={value}]"


def _refused(spec, device):
    try:
        spec.check_device(device)
    except skerry.UnsupportedError:
        return True
    return False
