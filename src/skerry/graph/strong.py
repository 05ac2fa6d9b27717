"""Strongly connected components of rows: the native call, and what it needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.edges import vertex_dtype
from skerry.graph.vertex_ids import CHANGED
from skerry.threads import THREADS_FROM, resolve_threads


def strong_components(graph: Csr) -> tuple[int, npt.NDArray[Any]]:
    """The number of strong components, and that of each vertex: a reverse topological order.

    An edge leads to a component of the same or of a smaller number. Raises `InputError` if an
    offset or a neighbor is out of range; who can say which looks before or after.
    """
    n = graph.num_vertices
    threads = resolve_threads(None) if n + graph.num_entries >= THREADS_FROM else 1
    labels = np.empty(n, vertex_dtype(n))
    count, faulty = _native.strong_components(graph.offsets, graph.neighbors, labels, threads)
    if faulty:
        raise InputError(CHANGED)
    return count, labels


def rows_of_targets(rows: npt.NDArray[Any], targets: npt.NDArray[Any], n: int) -> Csr:
    """The edges as rows. The last edge of a vertex comes first: it is searched last."""
    offsets = np.zeros(n + 1, np.uint64)
    np.cumsum(np.bincount(rows, minlength=n), out=offsets[1:])
    backwards = targets[::-1][np.argsort(rows[::-1], kind="stable")]
    return Csr(offsets, np.ascontiguousarray(backwards, vertex_dtype(n)))
