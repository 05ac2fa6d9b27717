"""Which rows of a source the edges of its batches are, for the recorder of a forest."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from skerry.engines.streaming.columns import (
    checked_weights,
    length,
    location,
    row_count,
    rows_of,
)
from skerry.engines.streaming.recorder import Recorder
from skerry.errors import InputError
from skerry.graph.edge_source import Batch


class RecordedRows:
    """Counts rows over all batches, in the order in which they come."""

    def __init__(self, threads: int) -> None:
        self.recorder = Recorder(threads)
        self._next = 0
        self._has_weights: bool | None = None

    def begin(self, batch: Batch, mask: npt.NDArray[np.bool_] | None, name: str) -> None:
        """The edges of this batch that the mask keeps are joined next."""
        if batch.only_vertices:
            self.recorder.begin_loops()
            return
        weights = None
        if batch.weight is not None:
            weights = checked_weights(batch, name)
            weights = weights if mask is None else weights[mask]
        if length(batch.src):
            if self._has_weights is None:
                self._has_weights = weights is not None
            if self._has_weights != (weights is not None):
                raise InputError(
                    f"{location(name, batch)}: some edges have weights and others have none"
                )
        self.recorder.begin(self._next, rows_of(batch, mask), weights)
        self._next += row_count(batch)

    def end(self) -> None:
        """What is joined now are no edges."""
        self.recorder.begin_loops()
