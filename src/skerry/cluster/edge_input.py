"""The input of a run: parts that a task can open, and their batches as pairs of words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from skerry.cluster.id_stages import TaskIds, id_blobs
from skerry.cluster.id_types import IdCodec, codec_of, distinct_sorted
from skerry.cluster.pairs import Blob, Pairs, blobs_of, interleaved
from skerry.cluster.state import WORDS
from skerry.engines.streaming.batches import batches_of
from skerry.errors import InputError, UnsupportedError
from skerry.formats.find import find_files
from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from skerry.graph.arrow import as_arrow
from skerry.graph.batch_columns import as_integers, selected_edges
from skerry.graph.edge_source import Batch, EdgeSource, length, slice_of
from skerry.graph.threshold import Threshold
from skerry.inputs.tables import table_source
from skerry.optional import require_arrow

BATCH_ROWS = 1 << 17
"""Rows of a Parquet file that are read at a time."""
SLICE_ROWS = 1 << 16
"""Edges that become pairs at a time."""
READ_BUFFER = 1 << 18
"""Bytes of a column that are read ahead: a row group may be larger than a task's memory."""
BYTES_OF_EDGE = 4
"""An edge takes as many in any file that is not compressed: two digits, a blank, a line's end."""


class InputPart(Protocol):
    """Some edges of the input. Can be pickled, and opened by any task, more than once."""

    def open(self, options: ReadOptions) -> EdgeSource:
        """The edges, to be read in batches."""
        ...


class BlobReader(Protocol):
    """What tasks get of the parts of the input."""

    def blobs(self, parts: Sequence[InputPart]) -> Iterator[Blob]:
        """Blobs, batch by batch."""
        ...


@dataclass(frozen=True)
class EdgeReader:
    """How the batches of a part become pairs of words."""

    options: ReadOptions
    threshold: Threshold | None
    codec: IdCodec
    ids: TaskIds | None = None
    """Numbers of the task's ids, where they are not integers."""

    def pairs(self, part: InputPart) -> Iterator[Pairs]:
        """Edges, batch by batch."""
        yield from self.all_pairs([part])

    def all_pairs(self, parts: Sequence[InputPart]) -> Iterator[Pairs]:
        """Edges of several parts."""
        encoder = None if self.ids is None else self.ids.encoder()
        for name, ends in _slices_of_ends(parts, self.options, self.threshold):
            if encoder is None:
                words = [self.codec.encode(_integers(end, name), name) for end in ends]
            else:
                words = [encoder.encode(end, name) for end in ends]
            yield interleaved(*words)

    def blobs(self, parts: Sequence[InputPart]) -> Iterator[Blob]:
        """The same, as they travel."""
        for pairs in self.all_pairs(parts):
            yield from blobs_of(pairs)


@dataclass(frozen=True)
class IdReader:
    """The distinct ids of batches, for `ListIds`."""

    options: ReadOptions
    threshold: Threshold | None

    def blobs(self, parts: Sequence[InputPart]) -> Iterator[Blob]:
        """Distinct ids, batch by batch."""
        for name, ends in batches_of_ends(parts, self.options, self.threshold):
            if any(isinstance(end, tuple) for end in ends):
                raise UnsupportedError(f"{name}: an id of several columns; make one of them")
            ids = distinct_sorted([as_arrow(end) for end in ends], name)
            yield from id_blobs(ids)


def batches_of_ends(
    parts: Sequence[InputPart], options: ReadOptions, threshold: Threshold | None
) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """The ends of edges, batch by batch, and what messages call their source."""
    for part in parts:
        source = part.open(options)
        with closing(batches_of(source, 1)) as batches:
            for batch in batches:
                selected = selected_edges(batch, threshold, source.name)
                yield source.name, (selected.src, selected.dst)


def _slices_of_ends(
    parts: Sequence[InputPart], options: ReadOptions, threshold: Threshold | None
) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """The same, few edges at a time: what is made of them must not take the size of a batch."""
    for name, ends in batches_of_ends(parts, options, threshold):
        for begin in range(0, length(ends[0]), SLICE_ROWS):
            first, second = (slice_of(end, begin, begin + SLICE_ROWS) for end in ends)
            yield name, (first, second)


def _integers(column: Any, name: str) -> npt.NDArray[Any]:
    ids = as_integers(column, name)
    if ids is None:
        if not length(column):
            return np.empty(0, np.int64)
        raise InputError(f"{name}: ids must be integers, as those before")
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
    """Some row groups of a Parquet file; without numbers, all."""

    path: str
    groups: tuple[int, ...] = ()

    def open(self, options: ReadOptions) -> EdgeSource:
        """The edges of these row groups."""
        arrow = require_arrow("reading Parquet files")
        parquet = require_arrow("reading Parquet files", "pyarrow.parquet")
        facts = open_edges(self.path, options).facts
        names = [*facts.source, *facts.target, *([facts.weight] if facts.weight else [])]
        columns = list(dict.fromkeys(names))
        (file,) = find_files(self.path)

        def batches() -> Iterator[Any]:
            with (
                closing(file.open_raw()) as raw,
                parquet.ParquetFile(raw, buffer_size=READ_BUFFER, pre_buffer=False) as opened,
            ):
                groups = list(self.groups or range(opened.num_row_groups))
                yield from opened.iter_batches(BATCH_ROWS, groups, columns, use_threads=False)

        with closing(file.open_raw()) as raw, parquet.ParquetFile(raw) as opened:
            fields = [opened.schema_arrow.field(name) for name in columns]
        reader = arrow.RecordBatchReader.from_batches(arrow.schema(fields), batches())
        named = replace(options, source=facts.source, target=facts.target, weight=facts.weight)
        return replace(table_source(reader, named), name=self.path)


def parts_of_files(
    paths: Any, options: ReadOptions, format: str | None, wanted: int
) -> tuple[list[InputPart], EdgeSource]:
    """The files of paths as parts, at least ``wanted`` where files can be divided.

    Returns a source of the whole input, too: nothing of it is read but its schema.
    """
    source = open_edges(paths, options, format)
    files = find_files(paths, bare_names=format is not None)
    if source.facts.format != "parquet":
        return [FilePart(file.name, format) for file in files], source
    if len(files) >= wanted:
        return [RowGroups(file.name) for file in files], source
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
    """How many edges there are at most; None if that is not known."""
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
    for ends in _first_ends(parts, options):
        integers = [as_integers(end, source.name) for end in ends]
        dtypes = [end.dtype for end in integers if end is not None]
        return codec_of(*dtypes) if len(dtypes) == 2 else WORDS
    return IdCodec("int64")


def has_integers(parts: Sequence[InputPart], options: ReadOptions) -> bool:
    """Whether ids are integers, by the types of the first batch; True without an id."""
    for ends in _first_ends(parts, options):
        return all(as_integers(end, "the input") is not None for end in ends)
    return True


def _first_ends(parts: Sequence[InputPart], options: ReadOptions) -> Iterator[tuple[Any, Any]]:
    """The ends of the first batch that is not empty."""
    for part in parts:
        with closing(batches_of(part.open(options), 1)) as batches:
            for batch in batches:
                if length(batch.src):
                    yield batch.src, batch.dst
                    return
