"""Writes the answer: a component for every vertex, in slices, so that memory stays bounded.

The answer is a table with a row for each vertex (its id and its component), or the array of labels
alone; then the vertices are 0..n-1, and tables get them as the column ``vertex``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from skerry.errors import InputError, UnsupportedError
from skerry.formats.writers.atomic_file import whole_file
from skerry.formats.writers.graph import check_output
from skerry.formats.writers.tables import parquet_writer, text_writer

__all__ = ["arrow", "csv", "npy", "parquet", "tsv", "write_labels"]

ROWS = 1 << 20
"""Rows that are written at a time."""


def write_labels(answer: Any, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Writes the whole file or nothing; the format is told by the suffix, or by its name.

    ``answer`` is a pyarrow Table, as ``result.table()`` gives it, or the array ``result.labels``.
    NPY takes the array only.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "labels.csv")
    ...     write_labels(np.array([0, 0, 2]), path)
    ...     print(path.read_text(), end="")
    vertex,component
    0,0
    1,0
    2,2
    """
    row = check_output(path, "labels", format)
    if not isinstance(answer, pa.Table):
        answer = np.asarray(answer)
        if answer.ndim != 1 or answer.dtype.kind not in "iu":
            raise InputError(
                f"labels are a table or a one-dimensional array of integers, got {answer.dtype} of "
                f"shape {answer.shape}"
            )
    write = row.function("write_labels")
    with whole_file(path) as file:
        write(answer, file, os.fspath(path))


def parquet(answer: Any, file: Any, _: str) -> None:
    """Apache Parquet."""
    schema, batches = _table(answer)
    with parquet_writer(file, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)


def arrow(answer: Any, file: Any, _: str) -> None:
    """An Arrow IPC file, which is Feather too."""
    schema, batches = _table(answer)
    with pa.ipc.new_file(file, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)


def csv(answer: Any, file: Any, path: str) -> None:
    """Commas, with a header."""
    _text(answer, file, path, ",")


def tsv(answer: Any, file: Any, path: str) -> None:
    """Tabs, with a header."""
    _text(answer, file, path, "\t")


def _text(answer: Any, file: Any, path: str, delimiter: str) -> None:
    schema, batches = _table(answer)
    try:
        with text_writer(file, schema, delimiter, header=True) as writer:
            for batch in batches:
                writer.write_batch(batch)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise UnsupportedError(
            f"{path}: these ids cannot be written as text ({error}); write Parquet or Arrow"
        ) from None


def npy(answer: Any, file: Any, path: str) -> None:
    """The array of labels."""
    if isinstance(answer, pa.Table):
        raise UnsupportedError(
            f"{path}: an array has no place for the ids of vertices; write Parquet, Arrow or CSV, "
            "or write the array of labels"
        )
    np.lib.format.write_array_header_1_0(
        file, {"descr": answer.dtype.str, "fortran_order": False, "shape": answer.shape}
    )
    for begin in range(0, len(answer), ROWS):
        file.write(np.ascontiguousarray(answer[begin : begin + ROWS]).data.cast("B"))


def _table(answer: Any) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    if isinstance(answer, pa.Table):
        return answer.schema, iter(answer.to_batches(max_chunksize=ROWS))
    kind = pa.from_numpy_dtype(answer.dtype)
    schema = pa.schema([("vertex", kind), ("component", kind)])

    def batches() -> Iterator[pa.RecordBatch]:
        for begin in range(0, len(answer), ROWS):
            labels = np.ascontiguousarray(answer[begin : begin + ROWS])
            vertices = np.arange(begin, begin + len(labels), dtype=answer.dtype)
            yield pa.RecordBatch.from_arrays([pa.array(vertices), pa.array(labels)], schema=schema)

    return schema, batches()
