"""Galois graphs (.gr, .vgr), versions 1 and 2.

A file has uint64 version, uint64 bytes of data an edge, uint64 n, uint64 m, and uint64 ends[n]:
where each row ends. The first row begins at 0. Then come m neighbors of 32 bits (version 1, padded
to a multiple of 8 bytes) or 64 bits (version 2), and the data of the edges. All is little-endian.
Only the size of the data is known, not whether it is integers or floating-point numbers: it is not
read.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from skerry.errors import InputError, UnsupportedError
from skerry.formats.options import ReadOptions
from skerry.formats.readers.array_sections import Section, check_size, opened, read_header
from skerry.formats.readers.csr_files import CsrFile, csr_source
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import EdgeSource

HEADER = np.dtype([(name, "<u8") for name in ("version", "edge_bytes", "n", "m")])
NEIGHBOR: dict[int, np.dtype[Any]] = {1: np.dtype("<u4"), 2: np.dtype("<u8")}
LARGEST = 2**48
"""Larger counts mean that the file has another format."""


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """Every entry of every row as an edge."""
    options.refuse_columns(file.name, "galois")
    if options.weight is not None:
        raise UnsupportedError(
            f"{file.name}: weight= is given, but a Galois file does not say what kind of numbers "
            "its weights are; convert it to another format"
        )
    header = read_header(file, HEADER, "galois")
    version, n, m = int(header["version"]), int(header["n"]), int(header["m"])
    if version not in NEIGHBOR:
        raise InputError(
            f"{file.name}: not a Galois file: the version is {version}; there are only 1 and 2"
        )
    edge_bytes = int(header["edge_bytes"])
    if max(n, m, edge_bytes) > LARGEST:
        raise InputError(
            f"{file.name}: the header says {n:,} vertices, {m:,} entries and {edge_bytes:,} bytes "
            "an edge: not a Galois file, or a damaged one"
        )
    ends = Section("offsets", HEADER.itemsize, np.dtype("<u8"), n)
    neighbors = Section("neighbors", ends.end, NEIGHBOR[version], m)
    data = m * edge_bytes
    padded = neighbors.end + (m % 2) * neighbors.dtype.itemsize
    # Galois' own programs disagree on whether version 2, or a file without data, is padded.
    sizes = neighbors.end + data, padded + data
    check_size(file, *sizes)
    graph = CsrFile(
        file.name,
        n,
        m,
        partial(opened, file, ends),
        partial(opened, file, neighbors, *sizes),
        ends_only=True,
        num_bytes=file.size,
    )
    return csr_source(graph, options)
