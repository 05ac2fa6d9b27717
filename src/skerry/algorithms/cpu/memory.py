"""Bytes that algorithms take on a CPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.algorithms.algorithm import Algorithm
from skerry.algorithms.passes import Finish, Hook, HookNth, Init, Stream
from skerry.errors import UnsupportedError

STREAM_TABLE_BITS = 23  # binary logarithm of the most bits that `stream` keeps: see members.h
STAGE, STAGE_GROUPS = 1 << 27, 4  # entries that are held while rows are built: see build.h


def bytes_of_graph(form: str, n: int, m: int, id_dtype: np.dtype[Any]) -> int:
    """Bytes of a graph of ``n`` vertices and ``m`` edges or stored entries."""
    if form == "csr":
        return 8 * (n + 1) + m * id_dtype.itemsize
    return 2 * m * id_dtype.itemsize


def bytes_of_run(spec: Algorithm, n: int, dtype: np.dtype[Any]) -> int:
    """Bytes of the labels and of the working memory of an algorithm.

    One made of passes takes exactly this; `stream` takes less where no component is large.
    """
    labels = n * dtype.itemsize
    if spec.name == "rows":
        return labels
    if not all(isinstance(step, Init | Hook | HookNth | Finish | Stream) for step in spec.passes):
        raise UnsupportedError(
            f"the memory that {spec.name} takes on a CPU is not known; it is known for rows and "
            "for algorithms made of passes, such as stream, ecl and afforest"
        )
    streams = any(isinstance(step, Stream) for step in spec.passes)
    return labels + (_bytes_of_table(n) if streams else 0)


def _bytes_of_table(n: int) -> int:
    """Bytes of the set that `stream` keeps: a bit for a vertex or, of large graphs, for more."""
    shift = max(0, n.bit_length() - STREAM_TABLE_BITS)
    words = (max(n - 1, 0) >> shift) // 64 + 1
    return 8 << (words - 1).bit_length()  # a power of two: see members.h


def bytes_of_conversion(spec: Algorithm, form: str, n: int, m: int, dtype: np.dtype[Any]) -> int:
    """Bytes at the peak of bringing a graph into the form that an algorithm reads."""
    if form == "edges" and spec.reads_rows("cpu"):
        entries = 2 * m
        staged = entries if entries <= STAGE else max(entries // STAGE_GROUPS, STAGE)
        return 8 * (n + 1) + entries * dtype.itemsize + staged * (4 + dtype.itemsize)
    if form == "csr" and spec.form == "edges":
        return m * dtype.itemsize
    return 0
