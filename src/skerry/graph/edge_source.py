"""Edges that come in batches: what every file reader and every table gives, and engines read.

The whole edge list is never in memory: a stream is read batch by batch, and can be read again from
its beginning where its source allows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar

import numpy.typing as npt

Item = TypeVar("Item")

IdColumn = Any
"""The ids of one end of some edges.

A one-dimensional NumPy array of integers, a pyarrow Array (of any type that can be an id), or, for
ids made of several columns, a tuple of those.
"""


def length(column: IdColumn) -> int:
    """Number of ids."""
    return len(column[0]) if isinstance(column, tuple) else len(column)


def slice_of(column: IdColumn, begin: int, end: int | None = None) -> IdColumn:
    """Some of the ids, as a view."""
    if isinstance(column, tuple):
        return tuple(slice_of(part, begin, end) for part in column)
    return column[begin:end]


IdKind = Literal["vertices", "external"]
"""What an id means.

``"vertices"``: a vertex number, 0..n-1; all of them are in the graph, with or without edges.
``"external"``: any other id; the vertices of the graph are the ids that occur.
"""


@dataclass(frozen=True, slots=True)
class InputFacts:
    """What was taken from an input: shown by the plan, by ``--json`` and by ``skerry info``.

    Immutable; threads may share it.
    """

    format: str = ""
    """The format of the files, or the kind of object (``"table"``, ``"edges"``, ``"csr"``)."""
    source: tuple[str, ...] = ()
    """Columns that hold one end of each edge; empty where there are no columns to choose from."""
    target: tuple[str, ...] = ()
    """Columns that hold the other end."""
    weight: str | None = None
    """Column of the weights, where a threshold was given."""
    header: bool | None = None
    """Whether the first line of delimited text was taken as names of the columns."""
    delimiter: str | None = None
    """Character between the columns of delimited text."""
    first_id: int = 0
    """What the input calls vertex 0."""
    groups: tuple[str, ...] = ()
    """Columns of keys: rows with equal keys are one group; of lists, their column."""
    files: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """Absolute paths, or addresses, of the files."""

    def as_json(self) -> dict[str, Any]:
        """All but the files, by name.

        Returns
        -------
        dict
            Values that JSON knows, by the names of the fields.
        """
        return {name: value for name, value in asdict(self).items() if name != "files"}

    def __str__(self) -> str:
        parts = [self.format or "unknown format"]
        if self.source:
            other = ("groups", self.groups) if self.groups else ("target", self.target)
            parts.append(f"source {', '.join(self.source)}; {other[0]} {', '.join(other[1])}")
        if self.weight is not None:
            parts.append(f"weight {self.weight}")
        if self.header is not None:
            parts.append("with a header" if self.header else "without a header")
        if self.delimiter is not None:
            parts.append(f"delimiter {self.delimiter!r}")
        if self.first_id:
            parts.append(f"first vertex is {self.first_id}")
        return "; ".join(parts)


class GroupedIds(NamedTuple):
    """Rows of ids and keys, before they are edges: both ends of a batch, for inputs/groups.py."""

    ids: IdColumn
    keys: IdColumn
    """Rows with equal keys are one group."""
    within: bool = False
    """Whether keys are counted again in every batch, and ascend: those of lists."""


class ReadPosition(NamedTuple):
    """A point between two batches from which a source can be read on.

    Immutable; threads may share it.
    """

    offset: tuple[int, ...] = ()
    """`Batch.next_offset` of the last batch that was read; empty: the beginning."""
    edges: int = 0
    """Edges that were joined before, for progress."""
    bytes: int = 0
    """Bytes of the source that were read before, for progress."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some edges.

    Immutable; threads may share it while its arrays do not change.
    """

    src: IdColumn
    """Ids of one end of each edge."""
    dst: IdColumn
    """As many as ``src``, and of the same types."""
    weight: npt.NDArray[Any] | None = None
    """A number for each edge, where the stream was asked for weights."""
    location: str = ""
    """Where these edges stand in their source, for messages: ``"row group 3"``, ``"line 17"``."""
    consumed: int = 0
    """How many bytes of the source were read for them (before decompression), for progress."""
    dropped: int = 0
    """Edges beside these that were left out, since an end or the weight is null."""
    only_vertices: bool = False
    """Whether these are no edges but loops that name vertices: they are not counted as edges."""
    rows: npt.NDArray[Any] | None = None
    """Which rows of this part of the source the edges are, counted from 0; None: all, unless some
    were dropped."""
    num_rows: int | None = None
    """Rows of this part of the source; None: as many as edges, and those that were dropped."""
    next_offset: tuple[int, ...] | None = None
    """Where the next batch begins, in numbers that `EdgeSource.open_at` understands; None: this is
    no point to go on from."""


@dataclass(frozen=True, slots=True)
class EdgeSource:
    """Edges to be read in batches.

    Immutable; threads may share it, and each may read it if it is repeatable.
    """

    name: str
    """What messages call it: usually a path."""
    id_kind: IdKind
    """Whether ids are vertex numbers or external."""
    open: Callable[[int], Iterator[Batch]]
    """Begins to read with so many threads; closing the iterator (``.close()``) ends the reading and
    frees what it holds."""
    num_vertices: int | None = None
    """Where the source says it (a header); always None for external ids."""
    first_id: int = 0
    """What the source calls vertex 0: 1 in Matrix Market. The batches count from 0 all the same."""
    num_edges: int | None = None
    """Edges that will come, where the source says so beforehand."""
    num_bytes: int | None = None
    """What `Batch.consumed` will add up to, where known."""
    decoded: bool = False
    """Whether reading computes so much that it should have half of the threads."""
    repeatable: bool = True
    """Whether `open` may be called again: not for a reader that is used up."""
    facts: InputFacts = InputFacts()
    """What was taken from the input."""
    open_at: Callable[[int, ReadPosition], Iterator[Batch]] | None = None
    """As `open`, from a position on, and every batch says where the next begins. None: it is always
    read from its beginning."""
    identity: Callable[[], dict[str, Any]] | None = None
    """What is read, and how, as JSON: files with size and time of their last change, format and
    columns. Equal where a second reading gives the same edges in the same order. None: unknown."""


def row_count(batch: Batch) -> int:
    """Rows of the source that a batch was made of."""
    return length(batch.src) + batch.dropped if batch.num_rows is None else batch.num_rows


@contextmanager
def closed_after(batches: Iterator[Item]) -> Iterator[Iterator[Item]]:
    """What `EdgeSource.open` gives, or another iterator, for a ``with`` that ends the reading."""
    try:
        yield batches
    finally:
        close: Any = getattr(batches, "close", None)
        if close is not None:
            close()
