"""Which vertices there are: the options that `skerry components` and `verify` share for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skerry.cli.errors import UsageError
from skerry.cli.input_options import InputArguments, copied_pipe, parse_columns
from skerry.cli.wording import VERTICES_FILE, spoken
from skerry.errors import UnsupportedError
from skerry.formats.columns import USUAL_NAMES, VERTEX_NAMES, choose_vertices
from skerry.formats.file_columns import format_of_path, read_array, read_with_dropped, typed_columns
from skerry.formats.find import find_files
from skerry.formats.options import Columns, OnNull
from skerry.formats.source import STANDARD_INPUT, SourceFile, is_pipe
from skerry.inputs.vertices import FurtherVertices
from skerry.request import IdChoice

HEADINGS = {
    *("id", "ids", "vertex", "vertices", "node", "nodes", "name", "key", "uid", "uuid", "doc_id"),
    *(name for pair in USUAL_NAMES for name in pair if len(name) > 1),
}
"""Names that a column of ids usually has."""


@dataclass(frozen=True, slots=True)
class VertexArguments:
    """The arguments of a command that say which vertices there are, beside those with an edge."""

    file: str | None = None
    column: Sequence[str] = ()
    header: bool | None = None
    num_vertices: int | None = None
    ids: IdChoice = "auto"

    @property
    def id_kind(self) -> IdChoice:
        """What the ids are: with a number of vertices, vertex numbers."""
        implied = self.ids == "auto" and self.num_vertices is not None
        return "vertices" if implied else self.ids

    def check(self) -> None:
        """Raises if options of the list are given without the list."""
        if self.file is None and (self.column or self.header is not None):
            raise UsageError("--vertices-column and --vertices-header need --vertices: a file")

    def files(self) -> list[SourceFile]:
        """The files of the list; a pipe, which is no file, is left out."""
        if self.file == "-":  # a file, where standard input is one; it is not read here
            return [SourceFile(STANDARD_INPUT, None, None, Path("/dev/stdin"))]
        return [] if self.file is None or is_pipe(self.file) else find_files(self.file)

    def read(self, arguments: InputArguments, *other_inputs: str) -> FurtherVertices | None:
        """The ids of the list, if there is one."""
        if self.file is None:
            return None
        path = copied_pipe(self.file, [*arguments.inputs, *other_inputs])
        columns = parse_columns(self.column)
        return read_vertices(
            *(path, arguments.id_width, columns, self.header, arguments.on_null),
            as_text=bool(arguments.ids_as_text),
        )

    def keywords(self, arguments: InputArguments, *other_inputs: str) -> dict[str, Any]:
        """The options by which a graph is solved or verified; reads the list."""
        return {
            "vertices": self.read(arguments, *other_inputs),
            "num_vertices": self.num_vertices,
            "ids": self.id_kind,
            "threshold": arguments.threshold,
            "keep": arguments.keep,
        }


def read_vertices(
    path: str,
    width: int = 1,
    columns: Columns | None = None,
    header: bool | None = None,
    on_null: OnNull = "error",
    as_text: bool = False,
) -> FurtherVertices:
    """The ids in a file of any format that lists vertices.

    Without ``columns`` these are all of its columns, if they are ``width``, or that called ``id``.
    An array of NumPy has no columns: its values are the ids.
    """
    with spoken(VERTICES_FILE):
        if format_of_path(path) == "npy":
            return FurtherVertices(read_array(path))
        if columns is not None and (len(columns) if isinstance(columns, tuple) else 1) != width:
            raise UsageError(f"--vertices-column must name as many columns as an id has: {width}")
        text = format_of_path(path) in ("csv", "tsv")
        if header is not None and not text:
            raise UnsupportedError(f"{path}: --vertices-header is for CSV and TSV files")
        if text and header is None:
            header = _has_header(path, width, columns)
        if columns is None:
            columns = _vertex_columns(path, width, header)
        read, dropped = read_with_dropped(path, columns, header, on_null, as_text)
        return FurtherVertices(read if width > 1 else read[0], dropped)


def _vertex_columns(path: str, width: int, header: bool | None) -> Columns:
    names = [name for name, _ in typed_columns(find_files(path)[0], None, header=header)]
    if not names:  # no table: the first columns of an edge list
        return tuple(range(width))
    return choose_vertices(path, names, width, "name it: --vertices-column")


def _has_header(path: str, width: int, columns: Columns | None) -> bool | None:
    """True if text begins with usual names of columns, or one is named; None if that is unclear."""
    requested = columns if isinstance(columns, tuple) else (columns,)
    if any(isinstance(column, str) for column in requested):
        return True
    file = find_files(path)[0]
    names = [name.lower() for name, _ in typed_columns(file, None, header=True)]
    usual = all(name in HEADINGS for name in names[:width])
    return True if names and (usual or set(names) & set(VERTEX_NAMES)) else None
