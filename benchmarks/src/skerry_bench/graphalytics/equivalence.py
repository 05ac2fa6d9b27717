"""LDBC Graphalytics' check of components: two labelings are right for each other if they are equal
up to the names of the components.

LDBC's rule for WCC ("equivalence", arXiv 2011.15028, section 2.4) compares an output with the
published one: both label the same vertices, vertices that share a label in one share it in the
other, and the reverse. So a bijection leads from the labels of one to those of the other. Labels
need not be ids of vertices, and their values mean nothing.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import InputError
from skerry.io import read_edges


@dataclass(frozen=True, slots=True, eq=False)
class Labeling:
    """Labels of vertices."""

    name: str
    """What messages call it."""
    ids: npt.NDArray[Any]
    labels: npt.NDArray[Any]
    """As many as ids."""


def read_labeling(path: str | os.PathLike[str]) -> Labeling:
    """The lines "vertex component" of a file, or of all files in a folder."""
    name = os.fspath(path)
    if Path(path).is_file() and not Path(path).stat().st_size:
        return Labeling(name, np.empty(0, np.int64), np.empty(0, np.int64))
    batches = list(read_edges(path, format="snap").open(1))
    columns = [[batch.src for batch in batches], [batch.dst for batch in batches]]
    ids, labels = (np.concatenate(parts or [np.empty(0, np.int64)]) for parts in columns)
    return Labeling(name, ids, labels)


def difference(expected: Labeling, actual: Labeling) -> str | None:
    """What is wrong with ``actual``; None if it is equivalent to ``expected``."""
    sides = [_by_id(side) for side in (expected, actual)]
    (ids, own), (other_ids, other) = sides
    if len(ids) != len(other_ids):
        return (
            f"{actual.name} labels {len(other_ids):,} vertices, but {expected.name} labels "
            f"{len(ids):,}"
        )
    differing = np.flatnonzero(ids != other_ids)
    if len(differing):
        first = int(differing[0])
        if ids[first] < other_ids[first]:
            return f"{actual.name} has no label for vertex {ids[first]}"
        return f"{expected.name} has no vertex {other_ids[first]}"
    return _split(ids, own, other, actual.name) or _joined(ids, own, other, actual.name)


def _by_id(side: Labeling) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    order = np.argsort(side.ids, kind="stable")
    ids = side.ids[order]
    repeated = np.flatnonzero(ids[1:] == ids[:-1])
    if len(repeated):
        raise InputError(f"{side.name}: vertex {ids[repeated[0]]} has more than one label")
    return ids, side.labels[order]


def _split(
    ids: npt.NDArray[Any], expected: npt.NDArray[Any], actual: npt.NDArray[Any], name: str
) -> str | None:
    """Two vertices of one component that have different labels."""
    pair = _disagreement(expected, actual)
    if pair is None:
        return None
    u, v = (int(each) for each in pair)
    return (
        f"{name}: vertices {ids[u]} and {ids[v]} are in one component, but have the labels "
        f"{actual[u]} and {actual[v]}"
    )


def _joined(
    ids: npt.NDArray[Any], expected: npt.NDArray[Any], actual: npt.NDArray[Any], name: str
) -> str | None:
    """Two vertices of different components that have one label."""
    pair = _disagreement(actual, expected)
    if pair is None:
        return None
    u, v = (int(each) for each in pair)
    return (
        f"{name}: vertices {ids[u]} and {ids[v]} are in different components, but both have the "
        f"label {actual[u]}"
    )


def _disagreement(
    keys: npt.NDArray[Any], values: npt.NDArray[Any]
) -> tuple[np.intp, np.intp] | None:
    """The first two positions with equal keys and different values."""
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    wrong = np.flatnonzero(values != values[first[inverse]])
    return None if not len(wrong) else (first[inverse[wrong[0]]], wrong[0])
