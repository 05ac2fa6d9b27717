"""Runs with ``spill=`` on small graphs whose passes all occur: tiny chunks, ranges and blocks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np

from skerry.engines.spilling import engine, runs
from skerry.engines.spilling.room import Room
from skerry.engines.streaming.external_ids import BYTES_OF_NEW
from skerry.result import spilled

LIMIT = 1 << 50
"""A limit that is never reached: the sizes of the passes are those of `TinyRoom`."""


class TinyRoom(Room):
    """Sizes that are drawn at random."""

    random = np.random.default_rng(0)

    def holds(self, *_):
        return False

    def check(self, *_):
        pass

    def _draw(self, high):
        return int(self.random.integers(1, high))

    def chunk(self):
        return self._draw(200)

    def bits(self, _):
        return self._draw(6) - 1

    def piece(self):
        return self._draw(100)

    def sorted_ids(self):
        return self._draw(200)

    def block(self, *_):
        return self._draw(300)

    def new_ids(self):
        return BYTES_OF_NEW * self._draw(100)

    def fits_sets(self, *_):
        return self._draw(3) == 1

    def merged_ids(self, *_):
        return self._draw(200)


@contextmanager
def tiny_passes(seed: int) -> Iterator[None]:
    """Within the block, every run with ``spill=`` goes to disk in small parts."""
    TinyRoom.random = np.random.default_rng(seed)
    with (
        patch.object(engine, "Room", TinyRoom),
        patch.object(spilled, "PIECE", 7 + seed % 50),
        patch.object(runs, "PART", 3 + seed % 20),
    ):
        yield
