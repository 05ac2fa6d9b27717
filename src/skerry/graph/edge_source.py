"""Edges that come in batches: what every file reader and every table gives, and a fold takes.

The whole edge list is never in memory: a stream is read batch by batch, and can be read again from
its beginning where its source allows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy.typing as npt

__all__ = ["Batch", "EdgeSource", "IdColumn", "IdKind"]

IdColumn = Any
"""The ids of one end of some edges.

A one-dimensional NumPy array of integers, a pyarrow Array (of any type that can be an id), or, for
ids made of several columns, a tuple of those.
"""

IdKind = Literal["vertices", "external"]
"""What an id is.

``"vertices"``: the number of a vertex, 0..n-1; all of them are in the graph, with edges or without.
``"external"``: a name; the graph has the vertices whose names occur.
"""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some edges."""

    src: IdColumn
    dst: IdColumn
    """As many as ``src``, and of the same types."""
    weight: npt.NDArray[Any] | None = None
    """A number for each edge, where the stream was asked for weights."""
    place: str = ""
    """Where these edges stand in their source, for messages: ``"row group 3"``, ``"line 17"``."""
    consumed: int = 0
    """How many bytes of the source were read for them (before decompression), for progress."""


@dataclass(frozen=True, slots=True)
class EdgeSource:
    """Edges to be read in batches."""

    name: str
    """What messages call it: usually a path."""
    id_kind: IdKind
    open: Callable[[int], Iterator[Batch]]
    """Begins to read with so many threads; closing the iterator (``.close()``) ends the reading and
    frees what it holds."""
    num_vertices: int | None = None
    """Where the source says it (a header); always None for names."""
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
