"""ECL graphs (.egr): the binary CSR of the ECL programs (Burtscher, Texas State University).

int32 n, int32 m, int32 nindex[n + 1], int32 nlist[m] and, if the file goes on, int32 eweight[m],
all little-endian. m counts entries: an undirected edge has two. Many of the published files hold
both directions, some only one; either is a valid input here.
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

NUMBER = np.dtype("<i4")
HEADER = np.dtype([("n", NUMBER), ("m", NUMBER)])


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """Every entry of every row as an edge."""
    options.refuse_columns(file.name, "egr")
    header = read_header(file, HEADER, "egr")
    n, m = int(header["n"]), int(header["m"])
    if n < 0 or m < 0:
        raise InputError(
            f"{file.name}: the header says {n} vertices and {m} entries: counts cannot be negative"
        )
    offsets = Section("offsets", HEADER.itemsize, NUMBER, n + 1)
    neighbors = Section("neighbors", offsets.end, NUMBER, m)
    weights = Section("weights", neighbors.end, NUMBER, m)
    sizes = neighbors.end, weights.end
    check_size(file, *sizes)
    if file.compression is None and file.size == neighbors.end:
        options.refuse_weight(file.name, "egr")
    graph = CsrFile(
        file.name,
        n,
        m,
        partial(opened, file, offsets),
        partial(opened, file, neighbors, *sizes),
        partial(opened, file, weights),
        num_bytes=file.size,
    )
    return csr_source(graph, options)
