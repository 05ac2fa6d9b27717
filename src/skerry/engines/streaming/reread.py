"""The edges of files, tables and batches, read again: for questions that come after the answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import numpy.typing as npt

from skerry.engines.streaming.batches import batches_of
from skerry.errors import InputError, UnsupportedError
from skerry.graph.batch_columns import as_integers, kept_mask, masked, rows_of, same_width
from skerry.graph.edge_source import Batch, EdgeSource, row_count
from skerry.graph.threshold import Threshold
from skerry.ids.id_space import Counted, IdSpace
from skerry.result.forest import CHANGED_SINCE, EdgeBatch, ReadEdges
from skerry.result.id_finder import UNKNOWN, IdFinder, id_finder


def edge_reader(
    edges: EdgeSource, ids: IdSpace, threads: int, threshold: Threshold | None
) -> ReadEdges:
    """A function that reads the edges of a source again, ends by their positions in ``ids``."""

    def read() -> Iterator[EdgeBatch]:
        if not edges.repeatable:
            raise UnsupportedError(
                f"{edges.name} was used up by reading it: its edges can be asked for only where "
                "they can be read again"
            )
        finder = None if isinstance(ids, Counted) else id_finder(ids, threads)
        first = 0
        with closing(batches_of(edges, threads)) as batches:
            for batch in batches:
                if batch.only_vertices:
                    continue
                mask = kept_mask(batch, threshold, edges.name)
                selected = batch if mask is None else masked(batch, mask)
                src, dst = _positions(selected, finder, threads)
                weight = None if batch.weight is None else np.asarray(batch.weight)
                if weight is not None and mask is not None:
                    weight = weight[mask]
                yield EdgeBatch(src, dst, first, row_count(batch), rows_of(batch, mask), weight)
                first += row_count(batch)

    return read


def _positions(
    batch: Batch, finder: IdFinder | None, threads: int
) -> tuple[npt.NDArray[np.unsignedinteger], npt.NDArray[np.unsignedinteger]]:
    if finder is None:
        integers = [as_integers(end, "edges") for end in (batch.src, batch.dst)]
        if integers[0] is None or integers[1] is None:
            raise InputError(CHANGED_SINCE)
        src, dst = same_width(integers[0], integers[1])
        return src.view(f"u{src.itemsize}"), dst.view(f"u{dst.itemsize}")
    src, dst = finder.find(batch.src, threads), finder.find(batch.dst, threads)
    if (src == UNKNOWN).any() or (dst == UNKNOWN).any():
        raise InputError(CHANGED_SINCE)
    return src, dst
