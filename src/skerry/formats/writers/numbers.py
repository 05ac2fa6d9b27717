"""Formats of vertex numbers: Matrix Market, binary CSR, NumPy and raw pairs."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.formats.writers.integer_text import write_rows
from skerry.formats.writers.options import WriteOptions
from skerry.formats.writers.renumber import as_vertices, with_isolated
from skerry.formats.writers.tables import text_writer
from skerry.graph.build import csr_from_edges
from skerry.graph.csr import Csr
from skerry.graph.edge_source import Batch, EdgeSource, closed_after
from skerry.graph.edges import Edges, vertex_dtype
from skerry.optional import require_arrow

INT32 = 2**31 - 1
ENTRIES = 1 << 22
"""Entries that are converted and written at a time."""


def matrix_market(source: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Matrix Market: coordinate, symmetric, the lower triangle, as edges come.

    Symmetric, since the graph is undirected: readers (scipy, SuiteSparse, GraphBLAS) then make both
    directions of every edge, where ``general`` would give a directed graph. The entries are on or
    below the diagonal, so the larger end is the row. Repeated edges are written repeatedly; readers
    of a pattern count them once.
    """
    graph = as_vertices(source, options)
    n, m = graph.num_vertices, graph.num_edges
    with closing(graph.batches()) as batches:
        first = next(batches, None)
        weighted = first is not None and first.weight is not None
        field = "real" if weighted else "pattern"
        file.write(f"%%MatrixMarket matrix coordinate {field} symmetric\n{n} {n} {m}\n".encode())
        if first is None:
            return
        if weighted:
            _write_weighted_entries(chain((first,), batches), file, options)
        else:
            for batch in chain((first,), batches):
                write_rows(file, _lower_triangle(batch), " ")


def _write_weighted_entries(batches: Iterable[Batch], file: Any, options: WriteOptions) -> None:
    pa = require_arrow(f"{options.path}: writing weights as text")
    fields = [("row", pa.uint64()), ("column", pa.uint64()), ("weight", pa.float64())]
    schema = pa.schema(fields)
    with text_writer(file, schema, " ", header=False) as writer:
        for batch in batches:
            columns = [*_lower_triangle(batch), np.asarray(batch.weight, np.float64)]
            arrays = [pa.array(column) for column in columns]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))


def _lower_triangle(batch: Batch) -> list[npt.NDArray[np.uint64]]:
    """The rows and columns of the entries, counted from 1."""
    ends = [batch.src.astype(np.uint64), batch.dst.astype(np.uint64)]
    return [np.maximum(*ends) + np.uint64(1), np.minimum(*ends) + np.uint64(1)]


def npy(source: EdgeSource, file: Any, options: WriteOptions) -> None:
    """An array of shape (m + 1, 2): the last row is a loop at the last vertex, n - 1.

    So an array that holds only edges has the number of vertices. With a single edge there are two
    such rows: a 2 x 2 array would be ambiguous.
    """
    graph = as_vertices(source, options)
    n, m = graph.num_vertices, graph.num_edges
    dtype = vertex_dtype(n).newbyteorder("<")
    loops = 0 if n == 0 else 2 if m == 1 else 1
    header = {"descr": dtype.str, "fortran_order": False, "shape": (m + loops, 2)}
    np.lib.format.write_array_header_1_0(file, header)
    with closing(graph.batches()) as batches:
        for batch in batches:
            _refuse_weight(batch, options, "npy")
            file.write(_pairs(batch, dtype))
    file.write(np.full((loops, 2), max(n - 1, 0), dtype).tobytes())


def raw32(source: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Pairs of little-endian 32-bit ids."""
    _raw(source, file, options, np.dtype("<u4"))


def raw64(source: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Pairs of little-endian 64-bit ids."""
    _raw(source, file, options, np.dtype("<u8"))


def _raw(source: EdgeSource, file: Any, options: WriteOptions, dtype: np.dtype[Any]) -> None:
    name = f"raw{8 * dtype.itemsize}"
    if source.id_kind == "vertices":
        graph = as_vertices(source, options)
        batches = with_isolated(graph.batches(), graph.num_vertices)
    else:
        batches = _integer_batches(source, options, name)
    with closing(batches):
        for batch in batches:
            _refuse_weight(batch, options, name)
            for ids in (batch.src, batch.dst):
                _check_fit(ids, dtype, source, batch, name)
            file.write(_pairs(batch, dtype))


def _integer_batches(
    source: EdgeSource, options: WriteOptions, name: str
) -> Generator[Batch, None, None]:
    """External ids that are integers, as arrays."""
    with closed_after(source.open(options.threads)) as batches:
        for batch in batches:
            ends = []
            for end in (batch.src, batch.dst):
                ids = None if isinstance(end, tuple) else np.asarray(end)
                if ids is None or ids.dtype.kind not in "iu":
                    raise UnsupportedError(
                        f"{options.path}: {name} files hold unsigned integers, but the ids of "
                        f"{source.name} are not; write Parquet, Arrow or CSV"
                    )
                ends.append(ids)
            yield Batch(ends[0], ends[1], batch.weight, batch.location)


def _check_fit(
    ids: npt.NDArray[Any], dtype: np.dtype[Any], source: EdgeSource, batch: Batch, name: str
) -> None:
    if len(ids):
        low, high = int(ids.min()), int(ids.max())
        if low < 0 or high > np.iinfo(dtype).max:
            bad_id = low if low < 0 else high
            raise InputError(
                f"{source.name}: {batch.location}: the id {bad_id} does not fit into {name}; write "
                "Parquet, or raw64 if it is not negative"
            )


def _pairs(batch: Batch, dtype: np.dtype[Any]) -> Any:
    pairs = np.empty((len(batch.src), 2), dtype)
    pairs[:, 0], pairs[:, 1] = batch.src, batch.dst
    return pairs.data.cast("B") if len(pairs) else b""


def _refuse_weight(batch: Batch, options: WriteOptions, name: str) -> None:
    if batch.weight is not None:
        raise UnsupportedError(
            f"{options.path}: weights are not written to {name} files; read without weights, or "
            "write Parquet, CSV, .wel or .mtx"
        )


def egr(source: EdgeSource, file: Any, options: WriteOptions) -> None:
    """ECL graph; the CSR, both directions of every edge once, is built in memory."""
    csr = _rows(source, options, "egr")
    n, m = csr.num_vertices, csr.num_entries
    if m > INT32:
        raise InputError(
            f"{options.path}: {m:,} entries do not fit into an egr file, whose counts have 32 bits "
            f"(at most {INT32:,}); write .sg"
        )
    file.write(np.array([n, m], "<i4").tobytes())
    _write_as(file, csr.offsets, "<i4")
    _write_as(file, csr.neighbors, "<i4")


def sg(source: EdgeSource, file: Any, options: WriteOptions) -> None:
    """GAPBS graph, undirected; the CSR, both directions of every edge once, is built in memory."""
    csr = _rows(source, options, "sg")
    file.write(b"\0" + np.array([csr.num_entries, csr.num_vertices], "<i8").tobytes())
    _write_as(file, csr.offsets, "<i8")
    _write_as(file, csr.neighbors, "<i4")


def _rows(source: EdgeSource, options: WriteOptions, name: str) -> Csr:
    """The graph in memory as sorted rows: these formats hold nothing else."""
    graph = as_vertices(source, options)
    n, m = graph.num_vertices, graph.num_edges
    if n > INT32:
        raise InputError(
            f"{options.path}: {n:,} vertices do not fit into an {name} file, whose ids have 32 "
            f"bits (at most {INT32:,})"
        )
    src, dst = (np.empty(m, vertex_dtype(n)) for _ in range(2))
    done = 0
    with closing(graph.batches()) as batches:
        for batch in batches:
            _refuse_weight(batch, options, name)
            end = done + len(batch.src)
            src[done:end], dst[done:end] = batch.src, batch.dst
            done = end
    return csr_from_edges(Edges(src, dst, n), options.threads)


def _write_as(file: Any, values: npt.NDArray[Any], dtype: str) -> None:
    for begin in range(0, len(values), ENTRIES):
        file.write(values[begin : begin + ENTRIES].astype(dtype).data.cast("B"))
