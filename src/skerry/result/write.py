"""Writes a result to a file. Imported when a result is written: it brings the table of formats."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from skerry.errors import UnsupportedError
from skerry.formats.writers.write import check_output, write_labels, write_sizes
from skerry.ids.id_space import Counted

if TYPE_CHECKING:
    from skerry.result.tabular import Tabular


def write_result(
    result: Tabular,
    path: str | os.PathLike[str],
    format: str | None,
    sizes: bool,
    min_size: int,
) -> None:
    """Writes the labels of a result, or the sizes of its components."""
    chosen = check_output(path, "labels", format)
    if sizes:
        write_sizes(result._size_columns(min_size), path, format)
    elif chosen.name != "npy":
        write_labels(result._file_columns(min_size), path, format)
    elif isinstance(result._ids, Counted) and min_size == 1:
        write_labels(result._file_labels(), path, format)
    else:
        raise UnsupportedError(
            f"{os.fspath(path)}: an array holds the labels of all vertices 0..n-1, and nothing "
            "else; write Parquet, Arrow or CSV"
        )
