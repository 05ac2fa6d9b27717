"""The input of a run: parts that a task can open, and their batches as pairs of words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from skerry.cluster.id_codec import IdCodec, codec_of
from skerry.cluster.pairs import Pairs, interleaved
from skerry.engines.streaming.batches import batches_of
from skerry.engines.streaming.columns import as_integers, selected_edges
from skerry.errors import InputError, UnsupportedError
from skerry.formats.find import find_files
from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from skerry.graph.edge_source import Batch, EdgeSource
from skerry.graph.threshold import Threshold
from skerry.inputs.tables import table_source
from skerry.optional import require_arrow

__all__ = ["EdgeReader", "InputPart", "RowGroups", "TablePart", "VertexPart", "parts_of_files"]

BYTES_OF_EDGE = 4
"""An edge takes as many in any file that is not compressed: two digits, a blank, a line's end."""


class InputPart(Protocol):
    """Some edges of the input. Can be pickled, and opened by any task, more than once."""

    def open(self, options: ReadOptions) -> EdgeSource:
        """The edges, to be read in batches."""
        ...


@dataclass(frozen=True)
class EdgeReader:
    """How the batches of a part become pairs of words."""

    options: ReadOptions
    threshold: Threshold | None
    codec: IdCodec

    def pairs(self, part: InputPart) -> Iterator[Pairs]:
        """Edges, batch by batch."""
        source = part.open(self.options)
        with closing(batches_of(source, 1)) as batches:
            for batch in batches:
                selected = selected_edges(batch, self.threshold, source.name)
                ends = [
                    self.codec.encode(_integers(end, source), source.name)
                    for end in (selected.src, selected.dst)
                ]
                yield interleaved(*ends)

    def all_pairs(self, parts: Sequence[InputPart]) -> Iterator[Pairs]:
        """Edges of several parts."""
        for part in parts:
            yield from self.pairs(part)


def _integers(column: Any, source: EdgeSource) -> npt.NDArray[Any]:
    ids = as_integers(column, source.name)
    if ids is None:
        if not (column[0] if isinstance(column, tuple) else column):
            return np.empty(0, np.int64)
        raise InputError(
            f"{source.name}: ids must be integers here: text and other ids are numbered by "
            "skerry.ray and skerry.spark before"
        )
    return ids


@dataclass(frozen=True)
class TablePart:
    """A table in memory, of whatever kind skerry reads."""

    table: Any

    def open(self, options: ReadOptions) -> EdgeSource:
        """The edges of the chosen columns."""
        return table_source(self.table, options)


@dataclass(frozen=True)
class VertexPart:
    """Ids that are vertices whether or not they have an edge: loops that no threshold drops."""

    ids: Any

    def open(self, options: ReadOptions) -> EdgeSource:
        """A loop for each id."""
        del options
        ids = as_id_column(self.ids)
        weight = np.full(len(ids), np.inf)
        batch = Batch(ids, ids, weight, "vertices", only_vertices=True)
        return EdgeSource("vertices", "external", lambda _: iter([batch]))


def as_id_column(ids: Any) -> Any:
    """Ids as a column: an array of NumPy, or one of Arrow for all that is no integer."""
    if hasattr(ids, "combine_chunks"):
        return ids.combine_chunks()
    if hasattr(ids, "type"):
        return ids
    values = np.asarray(ids)
    return values if values.dtype.kind in "iu" else require_arrow("ids").array(ids)


@dataclass(frozen=True)
class FilePart:
    """A file, of any format."""

    path: str
    format: str | None = None

    def open(self, options: ReadOptions) -> EdgeSource:
        """The edges of the file."""
        return open_edges(self.path, options, self.format)


@dataclass(frozen=True)
class RowGroups:
    """Some row groups of a Parquet file."""

    path: str
    groups: tuple[int, ...]

    def open(self, options: ReadOptions) -> EdgeSource:
        """The edges of these row groups."""
        arrow = require_arrow("reading Parquet files")
        parquet = require_arrow("reading Parquet files", "pyarrow.parquet")
        facts = open_edges(self.path, options).facts
        names = [*facts.source, *facts.target, *([facts.weight] if facts.weight else [])]
        columns = list(dict.fromkeys(names))
        (file,) = find_files(self.path)

        def batches() -> Iterator[Any]:
            with closing(file.open_raw()) as raw, parquet.ParquetFile(raw) as opened:
                yield from opened.iter_batches(1 << 20, list(self.groups), columns)

        with closing(file.open_raw()) as raw, parquet.ParquetFile(raw) as opened:
            fields = [opened.schema_arrow.field(name) for name in columns]
        reader = arrow.RecordBatchReader.from_batches(arrow.schema(fields), batches())
        named = replace(options, source=facts.source, target=facts.target, weight=facts.weight)
        return replace(table_source(reader, named), name=self.path)


def parts_of_files(
    paths: Any, options: ReadOptions, format: str | None, wanted: int
) -> tuple[list[InputPart], EdgeSource]:
    """The files of paths as parts, at least ``wanted`` where files can be divided.

    Returns the whole input as one source, too: nothing of it is read but its schema.
    """
    source = open_edges(paths, options, format)
    files = find_files(paths, bare_names=format is not None)
    if source.facts.format != "parquet" or len(files) >= wanted:
        return [FilePart(file.name, format) for file in files], source
    parts: list[InputPart] = []
    parquet = require_arrow("reading Parquet files", "pyarrow.parquet")
    for file in files:
        with closing(file.open_raw()) as raw, parquet.ParquetFile(raw) as opened:
            count = opened.num_row_groups
        pieces = min(count, -(-wanted // len(files)))
        for groups in np.array_split(np.arange(count), pieces) if pieces else ():
            parts.append(RowGroups(file.name, tuple(int(group) for group in groups)))
    return parts or [FilePart(file.name, format) for file in files], source


def edge_bound(paths: Any, source: EdgeSource, format: str | None) -> int | None:
    """How many edges there are at most; None if nobody can say."""
    if source.num_edges is not None:
        return source.num_edges
    files = find_files(paths, bare_names=format is not None)
    if any(file.compression is not None or file.size is None for file in files):
        return None
    return sum(file.size or 0 for file in files) // BYTES_OF_EDGE + len(files)


def integer_codec(source: EdgeSource, parts: Sequence[InputPart], options: ReadOptions) -> IdCodec:
    """How the ids of an input are words, by the types of its first batch.

    Raises
    ------
    UnsupportedError
        If ids are vertex numbers: vertices without an edge would be missing from the answer.
    """
    if source.id_kind == "vertices":
        raise UnsupportedError(
            f"{source.name}: its ids are vertex numbers, and those without an edge would be "
            'missing here; say ids="external" where that is meant, or method="stream"'
        )
    for part in parts:
        with closing(batches_of(part.open(options), 1)) as batches:
            for batch in batches:
                if len(batch.src):
                    ends = [_integers(end, source) for end in (batch.src, batch.dst)]
                    return codec_of(*(end.dtype for end in ends))
    return IdCodec("int64")
