"""Serialized graphs of the GAP Benchmark Suite (.sg, and .wsg with weights).

bool directed, int64 m, int64 n, int64 offsets[n + 1], int32 neighbors[m] (in .wsg each followed by
its int32 weight), all little-endian and unaligned. A directed graph has the same again for the
incoming edges, which add no information and are not read. m counts entries: an undirected edge has
two.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from skerry.errors import InputError
from skerry.formats.options import ReadOptions
from skerry.formats.readers.array_sections import Section, check_size, opened, read_header
from skerry.formats.readers.csr_files import CsrFile, csr_source
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import EdgeSource

HEADER = np.dtype([("directed", "u1"), ("m", "<i8"), ("n", "<i8")])
OFFSET = np.dtype("<i8")
NEIGHBOR = np.dtype("<i4")
WEIGHTED = np.dtype([("v", "<i4"), ("w", "<i4")])


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """Every entry of every row as an edge; entries have weights if the suffix is ``.wsg``."""
    options.refuse_columns(file.name, "sg")
    weighted = file.suffix == ".wsg"
    if not weighted:
        options.refuse_weight(file.name, "sg")
    header = read_header(file, HEADER, "sg")
    directed, n, m = int(header["directed"]), int(header["n"]), int(header["m"])
    if directed > 1:
        raise InputError(f"{file.name}: not an sg file: its first byte is {directed}, not 0 or 1")
    if n < 0 or m < 0:
        raise InputError(
            f"{file.name}: the header says {n} vertices and {m} entries: counts cannot be negative"
        )
    offsets = Section("offsets", HEADER.itemsize, OFFSET, n + 1)
    neighbors = Section("neighbors", offsets.end, WEIGHTED if weighted else NEIGHBOR, m)
    once = neighbors.end
    size = 2 * once - HEADER.itemsize if directed else once
    check_size(file, size)
    graph = CsrFile(
        file.name,
        n,
        m,
        partial(opened, file, offsets),
        partial(opened, file, neighbors, size),
        num_bytes=file.size,
    )
    return csr_source(graph, options)
