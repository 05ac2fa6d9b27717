"""Bytes that algorithms take on a CPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.algorithms.algorithm import Algorithm
from skerry.algorithms.passes import Finish, Hook, HookNth, Init, Stream
from skerry.errors import UnsupportedError

__all__ = ["bytes_of_conversion", "bytes_of_graph", "bytes_of_run", "working_bytes"]

STREAM_TABLE = 1 << 20  # bytes of the bitmap that `stream` keeps beside the labels


def bytes_of_graph(form: str, n: int, m: int, id_dtype: np.dtype[Any]) -> int:
    """Bytes of a graph of ``n`` vertices and ``m`` edges or stored entries."""
    if form == "csr":
        return 8 * (n + 1) + m * id_dtype.itemsize
    return 2 * m * id_dtype.itemsize


def bytes_of_run(spec: Algorithm, n: int, dtype: np.dtype[Any]) -> int:
    """Bytes of the labels and of the working memory of an algorithm made of passes."""
    if not all(isinstance(step, Init | Hook | HookNth | Finish | Stream) for step in spec.passes):
        raise UnsupportedError(
            f"the memory that {spec.name} takes on a CPU is not known; it is known for algorithms "
            "made of passes, such as stream, ecl and afforest"
        )
    return n * dtype.itemsize + working_bytes(spec)


def working_bytes(spec: Algorithm) -> int:
    """Bytes that passes take beside the labels."""
    return STREAM_TABLE if any(isinstance(step, Stream) for step in spec.passes) else 0


def bytes_of_conversion(spec: Algorithm, form: str, n: int, m: int, dtype: np.dtype[Any]) -> int:
    """Bytes of the graph in the form that an algorithm reads, where it comes in another."""
    if form == "edges" and spec.reads_rows("cpu"):
        return 8 * (n + 1) + 2 * m * dtype.itemsize
    if form == "csr" and spec.form == "edges":
        return m * dtype.itemsize
    return 0
