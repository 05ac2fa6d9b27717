"""A checksum of a graph that is the same on every machine and device.

It is computed from the symmetric CSR with sorted rows and without loops and repeats, which is
unique: 64-bit offsets and 32-bit neighbors (64-bit if needed), little-endian. Blocks are hashed in
parallel; the checksum is the hash of their hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import Csr
from skerry.graph.edges import vertex_dtype

BLOCK = 1 << 22  # numbers per block; part of the definition


def checksum(graph: Csr, threads: int = 1) -> str:
    """16 bytes of BLAKE2b, in hexadecimal."""
    neighbors = graph.neighbors[: graph.num_entries]
    kind = vertex_dtype(graph.num_vertices)
    blocks = [*_blocks(graph.offsets, np.dtype(np.uint64)), *_blocks(neighbors, kind)]
    total = hashlib.blake2b(digest_size=16)
    total.update(np.array([graph.num_vertices, graph.num_entries], "<u8").tobytes())
    with ThreadPoolExecutor(threads) as pool:
        for digest in pool.map(_digest, blocks):
            total.update(digest)
    return total.hexdigest()


def _blocks(
    array: npt.NDArray[Any], kind: np.dtype[Any]
) -> Iterator[tuple[npt.NDArray[Any], np.dtype[Any]]]:
    for begin in range(0, len(array), BLOCK):
        yield array[begin : begin + BLOCK], kind.newbyteorder("<")


def _digest(block: tuple[npt.NDArray[Any], np.dtype[Any]]) -> bytes:
    array, kind = block
    return hashlib.blake2b(np.ascontiguousarray(array, kind).data, digest_size=16).digest()
