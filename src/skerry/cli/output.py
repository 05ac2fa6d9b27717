"""The labels that a command writes: which of them, and where to."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.formats.writers.labels import csv
from skerry.formats.writers.write import check_output, write_labels
from skerry.graph.edge_source import IdKind
from skerry.result.components import Components

__all__ = ["Output"]

STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class Output:
    """Where labels are written, and which."""

    path: str
    largest: int | None = None
    """Only the labels of this many of the largest components."""
    min_size: int = 1
    """Only the labels of components with at least this many members."""

    @property
    def to_stdout(self) -> bool:
        """Whether labels go to standard output, as CSV."""
        return self.path == STANDARD_OUTPUT

    def check(self, inputs: list[str], id_kind: IdKind) -> None:
        """Raises before any work if labels for such ids could not be written."""
        if self.to_stdout:
            return
        output_format = check_output(self.path, "labels")
        path = os.path.realpath(self.path)
        if any(os.path.realpath(each) == path for each in inputs):
            raise InputError(f"{self.path}: is an input; its labels would overwrite it")
        if output_format.name != "npy":
            return
        if id_kind == "external":
            raise UnsupportedError(
                f"{self.path}: an array holds labels without ids, and the input has external ids; "
                'write .parquet, .arrow or .csv, or use ids="vertices" if ids are numbers 0..n-1'
            )
        if self.largest is not None or self.min_size > 1:
            raise UnsupportedError(
                f"{self.path}: an array holds the labels of all vertices; to write some of them, "
                "write .parquet, .arrow or .csv"
            )

    def write(self, result: Components) -> int:
        """Writes the complete file or nothing; returns the number of rows."""
        rows = self._rows(result)
        if not self.to_stdout:
            write_labels(rows, self.path)
        else:
            sys.stdout.flush()
            csv(rows, sys.stdout.buffer, "standard output")
            sys.stdout.buffer.flush()
        return len(rows if isinstance(rows, np.ndarray) else next(iter(rows.values())))

    def _rows(self, result: Components) -> Any:
        if not self.to_stdout and check_output(self.path, "labels").name == "npy":
            return result.labels
        columns = result.columns()
        if self.largest is None:
            return columns
        mask = _in_largest(result, self.largest, self.min_size)
        return {name: _select(column, mask) for name, column in columns.items()}


def _select(column: Any, mask: npt.NDArray[np.bool_]) -> Any:
    return column[mask] if isinstance(column, np.ndarray) else column.filter(mask)


def _in_largest(result: Components, largest: int, min_size: int) -> npt.NDArray[np.bool_]:
    """Which vertices are in one of the largest components; of equal ones, the first win."""
    sizes = np.bincount(result.labels, minlength=result.num_vertices)
    labels = np.flatnonzero(sizes >= min_size)
    kept = labels[np.argsort(-sizes[labels], kind="stable")[:largest]]
    flags = np.zeros(len(sizes), np.bool_)
    flags[kept] = True
    mask: npt.NDArray[np.bool_] = flags[result.labels]
    return mask
