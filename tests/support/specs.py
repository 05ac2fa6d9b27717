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


SWITCHES = {"jumps": 2, "drop": 0, "prefetch": 1, "repeat": 1}
"""Choices that are numbers, by the letter of a paper."""


def letters(device):
    """Names of all algorithms with one choice that is a word, or a switch, and not its default."""
    for spec in specs_on(device):
        for choice, values in choices_on(device, spec).items():
            words = values if choice == "schedule" else WORDS.get(choice)
            others = words[1:] if words == values and words else ()
            for value in (SWITCHES[choice],) if choice in SWITCHES else others:
                yield f"{spec.name}[{choice}={value}]"


def _refused(spec, device):
    try:
        spec.check_device(device)
    except skerry.UnsupportedError:
        return True
    return False
