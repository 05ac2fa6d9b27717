"""Rows of the catalog, and their choices, by the kind of device that has them."""

from __future__ import annotations

import skerry


def rows_on(device):
    """The rows that run on ``"cpu"`` or on ``"cuda"``."""
    return tuple(row for row in skerry.catalog() if device in row.devices)


def names_on(device):
    """The same by name, and what chooses among them."""
    return ["auto", *(row.name for row in rows_on(device))]


def choices_on(device, row):
    """The choices of a row that this kind of device has, with their values (none: any number)."""
    return {
        name: values
        for name, values in row.choices.items()
        if not _refused(row.replace(**{name: values[0] if values else 1}), device)
    }


def _refused(row, device):
    try:
        row.check_device(device)
    except skerry.UnsupportedError:
        return True
    return False
