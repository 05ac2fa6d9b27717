"""The labels that a command writes: which of them, and where to."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.cli.errors import UsageError
from skerry.cli.format_numbers import plural
from skerry.cli.terminal import TerminalWriter, standard_output
from skerry.errors import UnsupportedError
from skerry.formats.overwriting import STANDARD_OUTPUT
from skerry.formats.records import check_column, open_records
from skerry.formats.writers.labels import RowProgress, csv
from skerry.formats.writers.write import check_output, write_labels, write_sizes
from skerry.graph.edge_source import IdKind
from skerry.result.components import Components


class StandardOutput(io.RawIOBase):
    """Standard output for data; what goes wrong there is an `OutputError`."""

    def __init__(self) -> None:
        super().__init__()
        sys.stdout.flush()
        self._terminal = TerminalWriter() if sys.stdout.isatty() else None

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, data: Any) -> int:
        """Writes all of it."""
        view = memoryview(data).cast("B")
        with standard_output():
            if self._terminal is None:
                sys.stdout.buffer.write(view)
            else:
                self._terminal.write(view)
        return len(view)

    def flush(self) -> None:
        """Writes what is in the buffer."""
        with standard_output():
            sys.stdout.flush()


@dataclass(frozen=True, slots=True)
class Output:
    """Where labels are written, and which; or the sizes of components."""

    path: str
    largest: int | None = None
    """Only the labels of this many of the largest components."""
    min_size: int = 1
    """Only the labels of components with at least this many members."""
    sizes: bool = False
    """A row for each component, largest first, rather than one for each vertex."""

    @property
    def to_stdout(self) -> bool:
        """Whether labels go to standard output, as CSV."""
        return self.path == STANDARD_OUTPUT

    def check(self, id_kind: IdKind) -> None:
        """Raises before any work if labels for such ids could not be written."""
        if self.to_stdout:
            return
        output_format = check_output(self.path, "labels")
        if output_format.name != "npy":
            return
        if id_kind == "external":
            raise UnsupportedError(
                f"{self.path}: an array holds labels without ids, and the input has external ids; "
                'write .parquet, .arrow or .csv, or use ids="vertices" if ids are numbers 0..n-1'
            )
        if not self.sizes and (self.largest is not None or self.min_size > 1):
            raise UnsupportedError(
                f"{self.path}: an array holds the labels of all vertices; to write some of them, "
                "write .parquet, .arrow or .csv"
            )

    def write(self, result: Components, progress: RowProgress | None = None) -> str:
        """Writes the complete file or nothing; returns what was written, for the summary."""
        rows = self._size_rows(result) if self.sizes else self._rows(result)
        if self.to_stdout:
            out = StandardOutput()
            csv(rows, out, "standard output", progress)
            out.flush()
        elif self.sizes:
            write_sizes(rows, self.path, progress=progress)
        else:
            write_labels(rows, self.path, progress=progress)
        count = len(next(iter(rows.values())) if isinstance(rows, dict) else rows)
        noun = "size" if self.sizes else "label"
        return f"{plural(count, noun, f'{noun}s')} to {self.path}"

    def _size_rows(self, result: Components) -> dict[str, Any]:
        columns = result._size_columns(self.min_size)
        return {name: column[: self.largest] for name, column in columns.items()}

    def _rows(self, result: Components) -> Any:
        format = "csv" if self.to_stdout else check_output(self.path, "labels").name
        if format == "npy":
            return result._file_labels()
        if self.largest is None:
            return result._file_table(format, self.min_size)
        columns = result.columns()
        mask = _in_largest(result, self.largest, self.min_size)
        rows = {name: _select(column, mask) for name, column in columns.items()}
        return result._with_identities(rows, format, np.unique(result._dense[0][mask]))


@dataclass(frozen=True, slots=True, kw_only=True)
class BestRecords(Output):
    """The best record of each component, by a column of files of records."""

    records: str
    by: str

    def check(self, id_kind: IdKind) -> None:
        """Raises before any work if records could not be written or read."""
        del id_kind
        if self.to_stdout:
            raise UsageError("--best writes records to a file: name it by --output")
        if self.largest is not None or self.min_size > 1:
            raise UsageError(
                "--best keeps a record of each component: not with --largest, "
                "--min-size or --drop-singletons"
            )
        check_output(self.path, "labels")
        check_column(open_records(self.records), self.by)

    def write(self, result: Components, progress: RowProgress | None = None) -> str:
        """Writes the complete file or nothing; returns what was written, for the summary."""
        del progress
        best = result.representatives(self.records, by=self.by)
        count = plural(best.write(self.path), "record", "records")
        return f"{count} to {self.path}, {best.unclustered:,} of them in no component"


def output_of(
    path: str | None, largest: int | None, min_size: int, best: str | None, records: str | None
) -> Output | None:
    """Where labels are written, or with ``--best`` records; None: nowhere."""
    if (best is None) != (records is None) or (best is not None and path is None):
        raise UsageError("--best, --records and --output belong together")
    if path is None:
        return None
    if best is None or records is None:
        return Output(path, largest, min_size)
    return BestRecords(path, largest, min_size, records=records, by=best)


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
