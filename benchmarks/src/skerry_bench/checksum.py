"""A checksum of a graph that is the same on every machine and device.

Of the symmetric CSR with sorted rows, without loops and repeats, of which a graph has only one:
offsets as 64-bit numbers, neighbors as 32-bit ones while these suffice, little-endian. Hashed in
parts, so that all cores can: the checksum is the hash of the parts' hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.graph.csr import Csr
from skerry.graph.edges import vertex_dtype

__all__ = ["checksum"]

PART = 1 << 22  # numbers a part; part of the definition


def checksum(graph: Csr, threads: int = 1) -> str:
    """16 bytes of BLAKE2, in hexadecimal."""
    neighbors = graph.neighbors[: graph.num_entries]
    kind = vertex_dtype(graph.num_vertices)
    parts = [*_parts(graph.offsets, np.dtype(np.uint64)), *_parts(neighbors, kind)]
    whole = hashlib.blake2b(digest_size=16)
    whole.update(np.array([graph.num_vertices, graph.num_entries], "<u8").tobytes())
    with ThreadPoolExecutor(threads) as pool:
        for digest in pool.map(_digest, parts):
            whole.update(digest)
    return whole.hexdigest()


def _parts(
    array: npt.NDArray[Any], kind: np.dtype[Any]
) -> Iterator[tuple[npt.NDArray[Any], np.dtype[Any]]]:
    for begin in range(0, len(array), PART):
        yield array[begin : begin + PART], kind.newbyteorder("<")


def _digest(part: tuple[npt.NDArray[Any], np.dtype[Any]]) -> bytes:
    array, kind = part
    return hashlib.blake2b(np.ascontiguousarray(array, kind).data, digest_size=16).digest()
