"""Stages of a check: every edge of the input joins equal labels.

Ids and labels are sent to the owners of ids, and so are edges, by their one end; the label of that
end then travels to the owner of the other. Nothing is shared with the stages that solve but the
sorting and sending of pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import skerry._native as _native
from skerry.cluster.driver import LabelFiles
from skerry.cluster.pairs import Pairs, concatenated, pairs_of, sorted_pairs, split_by_owner
from skerry.cluster.stage import EDGES, Inbox, Message, Step, report, send


@dataclass(frozen=True)
class SendEnds:
    """Sends edges to the owners of their first ends; tasks behind those of edges send labels."""

    edge_tasks: int
    parts: int
    labels: LabelFiles

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        if task >= self.edge_tasks:
            labels = self.labels.read(task - self.edge_tasks)
            for part, pairs in enumerate(split_by_owner(labels, self.parts)):
                yield from send(part, "labels", pairs)
            return
        for blob in inbox.get(EDGES, ()):
            for part, pairs in enumerate(split_by_owner(pairs_of(blob), self.parts)):
                yield from send(part, "ends", pairs)


@dataclass(frozen=True)
class SendLabels:
    """Sends the label of one end of every edge to the owner of the other end."""

    parts: int

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        labels, repeated = _table(inbox)
        yield from send(task, "labels", labels)
        ends = sorted_pairs(concatenated(inbox.get("ends", ())))
        matched = np.empty_like(ends)
        written, missing = _native.match_pairs(ends, labels, False, matched)
        for part, pairs in enumerate(split_by_owner(matched[: 2 * written], self.parts)):
            yield from send(part, "labeled", pairs)
        yield from send(task, "missing", np.array([missing, repeated], np.uint64))


@dataclass(frozen=True)
class CompareLabels:
    """Compares the labels of both ends."""

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        del task
        labels, repeated = _table(inbox)
        labeled = sorted_pairs(concatenated(inbox.get("labeled", ())))
        different = np.empty_like(labeled)
        written, missing = _native.match_pairs(labeled, labels, True, different)
        before = concatenated(inbox.get("missing", ()))
        yield report(
            {
                "edges": len(labeled) // 2,
                "different": written,
                "missing": missing + int(before[0]),
                "repeated": repeated + int(before[1]),
                "vertices": len(labels) // 2,
                "components": int(np.count_nonzero(labels[0::2] == labels[1::2])),
            }
        )


def _table(inbox: Inbox) -> tuple[Pairs, int]:
    """The labels of ids, and how many ids have more than one."""
    labels = sorted_pairs(concatenated(inbox.get("labels", ())))
    return labels, int(np.count_nonzero(labels[2::2] == labels[:-2:2]))


def check_steps(labels: LabelFiles, tasks: int, parts: int) -> list[Step]:
    """The steps of a check whose edges come in ``tasks`` tasks."""
    return [
        Step(SendEnds(tasks, parts, labels), tasks + len(labels.names)),
        Step(SendLabels(parts), parts),
        Step(CompareLabels(), parts),
    ]
