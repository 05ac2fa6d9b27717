"""Algorithms of the catalog, and their choices, by the kind of device that has them."""

from __future__ import annotations

import skerry
from skerry.algorithms.number_ranges import NUMBER_RANGES

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


def _refused(spec, device):
    try:
        spec.check_device(device)
    except skerry.UnsupportedError:
        return True
    return False
