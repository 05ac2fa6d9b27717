"""The labels that a command writes: which of them, where to, and whether that can be done."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.formats.writers.graph import check_output
from skerry.graph.edge_source import IdKind
from skerry.result.components import Components

__all__ = ["Output"]

STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class Output:
    """Where labels go, and which."""

    path: str
    largest: int | None = None
    """Only those of so many of the largest components."""
    min_size: int = 1
    """Only those of components with at least so many members."""

    @property
    def to_stdout(self) -> bool:
        """Whether they go to standard output, as CSV."""
        return self.path == STANDARD_OUTPUT

    def check(self, inputs: list[str], id_kind: IdKind) -> None:
        """Raises now, before any work, if labels of such ids could not be written later."""
        if self.to_stdout:
            return
        row = check_output(self.path, "labels")
        target = os.path.realpath(self.path)
        if any(os.path.realpath(one) == target for one in inputs):
            raise InputError(f"{self.path}: is an input; its labels would overwrite it")
        if row.name != "npy":
            return
        if id_kind == "external":
            raise UnsupportedError(
                f"{self.path}: an array has no place for ids, and the ids here are names; write "
                '.parquet, .arrow or .csv, or say ids="vertices" if they are numbers 0..n-1'
            )
        if self.largest is not None or self.min_size > 1:
            raise UnsupportedError(
                f"{self.path}: an array holds the labels of all vertices; to write some of them, "
                "write .parquet, .arrow or .csv"
            )

    def write(self, result: Components) -> int:
        """Writes the whole file or nothing; says how many rows."""
        from skerry.formats.writers import labels as write_labels

        answer = self._answer(result)
        if not self.to_stdout:
            write_labels.write_labels(answer, self.path)
        else:
            sys.stdout.flush()
            write_labels.csv(answer, sys.stdout.buffer, "standard output")
            sys.stdout.buffer.flush()
        return len(answer)

    def _answer(self, result: Components) -> Any:
        if not self.to_stdout and check_output(self.path, "labels").name == "npy":
            return result.labels
        if self.largest is None:
            return result.table()
        import pyarrow as pa

        return result.table().filter(pa.array(_chosen(result, self.largest, self.min_size)))


def _chosen(result: Components, largest: int, min_size: int) -> npt.NDArray[np.bool_]:
    """Which vertices are in one of the largest components; of equals, the first come first."""
    sizes = np.bincount(result.labels, minlength=result.num_vertices)
    labels = np.flatnonzero(sizes >= min_size)
    kept = labels[np.argsort(-sizes[labels], kind="stable")[:largest]]
    flags = np.zeros(len(sizes), np.bool_)
    flags[kept] = True
    mask: npt.NDArray[np.bool_] = flags[result.labels]
    return mask
