"""A stage that says what an input is: how many pairs it has, and the sum of their hashes.

A run continues the rounds of an earlier one only where this is the same. Neither the names of
files nor their times tell what a data set holds, and equal numbers of rows do not either. It is
computed from the ids themselves, before any of them is numbered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skerry.cluster.edge_input import InputPart, batches_of_ends
from skerry.cluster.pairs import Blob
from skerry.cluster.stage import EDGES, Inbox, Message, report
from skerry.formats.options import ReadOptions
from skerry.graph.threshold import Threshold
from skerry.ids.content_sum import ContentSum


@dataclass(frozen=True)
class ContentReader:
    """The sum of the edges that are used, and of further vertices, as a blob for each batch."""

    options: ReadOptions
    threshold: Threshold | None

    def blobs(self, parts: Sequence[InputPart]) -> Iterator[Blob]:
        """Sums, batch by batch."""
        for _, ends in batches_of_ends(parts, self.options, self.threshold):
            rows, checksum = ContentSum.of(*ends)
            words = [rows, checksum % 2**64, checksum >> 64]
            yield np.array(words, np.uint64).view(np.uint8)


@dataclass(frozen=True)
class SumContent:
    """Adds up the sums of a task."""

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        del task
        total = ContentSum()
        for blob in inbox.get(EDGES, ()):
            rows, low, high = (int(word) for word in blob.view(np.uint64))
            total = total.plus((rows, high << 64 | low))
        yield report(total)


def content_of_reports(reports: Sequence[Any]) -> ContentSum:
    """The sum of all tasks."""
    total = ContentSum()
    for each in reports:
        total = total.plus(each)
    return total
