"""The sets of a `UnionFind` as a file: labels, and external ids where there are some."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.union_find.saved_file import SavedFile, write_saved
from skerry.union_find.saved_ids import ids_from_sections, sections_of_ids
from skerry.union_find.snapshot import checked_labels


class SavedSets(NamedTuple):
    """Sets as they are saved."""

    labels: npt.NDArray[Any]
    """Canonical labels: of vertices, or of the ids in ascending order."""
    ids: Any
    """Columns, or a list of Python objects; None for vertex numbers."""
    dtype: np.dtype[Any] | None
    """The type of the parent array, if the caller has chosen it."""


def save_sets(path: str | os.PathLike[str], sets: SavedSets) -> None:
    """Writes sets to a file, which replaces one that is there."""
    description: dict[str, Any] = {
        "ids": None,
        "vertices": len(sets.labels),
        "dtype": None if sets.dtype is None else sets.dtype.name,
    }
    sections = {"labels": sets.labels}
    if sets.ids is not None:
        description["ids"], arrays = sections_of_ids(sets.ids)
        sections |= arrays
    write_saved(path, description, sections)


def load_sets(path: str | os.PathLike[str]) -> SavedSets:
    """Reads and checks a file; the labels of vertex numbers are mapped, and copied on write."""
    description, sections = SavedFile(path).read()
    name = description.get("dtype")
    if "labels" not in sections or name not in (None, "uint32", "uint64"):
        raise InputError(f"{path}: its description is damaged")
    labels = checked_labels(sections["labels"], os.fspath(path))
    if description.get("vertices") != len(labels):
        raise InputError(f"{path}: its description and its labels differ")
    ids = description.get("ids")
    if ids is not None:
        ids = ids_from_sections(ids, sections, os.fspath(path))
    return SavedSets(labels, ids, None if name is None else np.dtype(name))
