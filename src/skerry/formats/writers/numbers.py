"""Graphs whose vertices are numbers: Matrix Market, the binary CSR formats, NumPy and raw pairs."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from skerry.errors import InputError, UnsupportedError
from skerry.formats.writers.graph import WriteOptions
from skerry.formats.writers.renumber import as_numbers, opened, with_isolated
from skerry.formats.writers.tables import text_writer
from skerry.graph.build import csr_from_edges
from skerry.graph.csr import Csr
from skerry.graph.edge_source import Batch, EdgeSource
from skerry.graph.edges import Edges, vertex_dtype

__all__ = ["egr", "matrix_market", "npy", "raw32", "raw64", "sg"]

INT32 = 2**31 - 1
ENTRIES = 1 << 22
"""Entries that are converted and written at a time."""


def matrix_market(stream: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Matrix Market: coordinate, symmetric, the lower triangle, as edges come.

    Symmetric, since the graph is undirected: readers (scipy, SuiteSparse, GraphBLAS) then make both
    directions of every edge, where ``general`` would give a directed graph. Its entries stand on or
    below the diagonal, so the larger end is the row. Edges that come twice are written twice; those
    who read a pattern take repeated entries as one.
    """
    graph = as_numbers(stream, options)
    n, m = graph.num_vertices, graph.num_edges
    with closing(graph.batches()) as batches:
        first = next(batches, None)
        weighted = first is not None and first.weight is not None
        field = "real" if weighted else "pattern"
        file.write(f"%%MatrixMarket matrix coordinate {field} symmetric\n{n} {n} {m}\n".encode())
        columns = [("row", pa.uint64()), ("column", pa.uint64())]
        columns += [("weight", pa.float64())] if weighted else []
        schema = pa.schema(columns)
        with text_writer(file, schema, " ", header=False) as writer:
            while first is not None:
                writer.write_batch(_lower_triangle(first, schema))
                first = next(batches, None)


def _lower_triangle(batch: Batch, schema: pa.Schema) -> pa.RecordBatch:
    ends = [batch.src.astype(np.uint64), batch.dst.astype(np.uint64)]
    arrays = [np.maximum(*ends) + np.uint64(1), np.minimum(*ends) + np.uint64(1)]
    if batch.weight is not None:
        arrays.append(np.asarray(batch.weight, np.float64))
    return pa.RecordBatch.from_arrays([pa.array(array) for array in arrays], schema=schema)


def npy(stream: EdgeSource, file: Any, options: WriteOptions) -> None:
    """An array of shape (m + 1, 2): the last row is a loop at the last vertex, n - 1.

    By that, an array that holds only edges says how many vertices there are. With a single edge
    there are two such rows: of a 2 x 2 array nobody could say how it is to be read.
    """
    graph = as_numbers(stream, options)
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


def raw32(stream: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Pairs of little-endian 32-bit ids."""
    _raw(stream, file, options, np.dtype("<u4"))


def raw64(stream: EdgeSource, file: Any, options: WriteOptions) -> None:
    """Pairs of little-endian 64-bit ids."""
    _raw(stream, file, options, np.dtype("<u8"))


def _raw(stream: EdgeSource, file: Any, options: WriteOptions, dtype: np.dtype[Any]) -> None:
    name = f"raw{8 * dtype.itemsize}"
    if stream.id_kind == "vertices":
        graph = as_numbers(stream, options)
        batches = with_isolated(graph.batches(), graph.num_vertices)
    else:
        batches = _named(stream, options, name)
    with closing(batches):
        for batch in batches:
            _refuse_weight(batch, options, name)
            for ids in (batch.src, batch.dst):
                _check_fit(ids, dtype, stream, batch, name)
            file.write(_pairs(batch, dtype))


def _named(stream: EdgeSource, options: WriteOptions, name: str) -> Generator[Batch, None, None]:
    """Integer names, as arrays."""
    with opened(stream, options.threads) as batches:
        for batch in batches:
            ends = []
            for end in (batch.src, batch.dst):
                ids = None if isinstance(end, tuple) else np.asarray(end)
                if ids is None or ids.dtype.kind not in "iu":
                    raise UnsupportedError(
                        f"{options.path}: {name} files hold unsigned integers, but the ids of "
                        f"{stream.name} are not; write Parquet, Arrow or CSV"
                    )
                ends.append(ids)
            yield Batch(ends[0], ends[1], batch.weight, batch.place)


def _check_fit(
    ids: npt.NDArray[Any], dtype: np.dtype[Any], stream: EdgeSource, batch: Batch, name: str
) -> None:
    if len(ids):
        low, high = int(ids.min()), int(ids.max())
        if low < 0 or high > np.iinfo(dtype).max:
            wrong = low if low < 0 else high
            raise InputError(
                f"{stream.name}: {batch.place}: the id {wrong} does not fit into {name}; write "
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


def egr(stream: EdgeSource, file: Any, options: WriteOptions) -> None:
    """ECL graph; the CSR, both directions of every edge once, is built in memory."""
    csr = _rows(stream, options, "egr")
    n, m = csr.num_vertices, csr.num_entries
    if m > INT32:
        raise InputError(
            f"{options.path}: {m:,} entries do not fit into an egr file, whose counts have 32 bits "
            f"(at most {INT32:,}); write .sg"
        )
    file.write(np.array([n, m], "<i4").tobytes())
    _write_as(file, csr.offsets, "<i4")
    _write_as(file, csr.neighbors, "<i4")


def sg(stream: EdgeSource, file: Any, options: WriteOptions) -> None:
    """GAPBS graph, undirected; the CSR, both directions of every edge once, is built in memory."""
    csr = _rows(stream, options, "sg")
    file.write(b"\0" + np.array([csr.num_entries, csr.num_vertices], "<i8").tobytes())
    _write_as(file, csr.offsets, "<i8")
    _write_as(file, csr.neighbors, "<i4")


def _rows(stream: EdgeSource, options: WriteOptions, name: str) -> Csr:
    """The whole graph as sorted rows: these formats hold nothing else."""
    graph = as_numbers(stream, options)
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
