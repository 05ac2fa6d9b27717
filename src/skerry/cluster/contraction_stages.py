"""Route (b), for vertices that fit no worker: rounds of randomized contraction.

Bögeholz, Brand & Todor, "In-database connected component analysis" (ICDE 2020): in every round
each vertex is contracted into the neighbor that a hash ranks first. Departures: every task joins
its edges before they are sent (`HeapEdges`), and sends each of its trees as a heap of 8 children,
in the order of the same hash. So a vertex gets at most 9 messages from a task, where an edge list
or a star may give it millions; and all but the roots of heaps have a neighbor to go into.

A round has three stages: `HeapEdges`, `PickRepresentatives` and `FinishRound`; `SpreadEdges` comes
before them where that leaves fewer edges. Vertices of a round
keep ids of the input, so that the same id may stand for another set in every round. A round writes
for every part: ``records`` (representative, vertex), ``minima`` (representative, smallest id of the
input that it stands for), ``edges`` of the next round. `Close` solves what is left; `WalkBack` goes
from the labels of a round's representatives to those of its vertices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import skerry._native as _native
from skerry.cluster.edge_pieces import EdgePieces, add_while_room
from skerry.cluster.forest_stages import EdgeFiles, edges_of, joined, write_labels
from skerry.cluster.id_types import IdCodec
from skerry.cluster.joiner import TaskJoiner
from skerry.cluster.pairs import (
    Pairs,
    concatenated,
    grouped_by_owner,
    keep_first,
    overlay,
    sorted_pairs,
    split_by_owner,
    swapped,
)
from skerry.cluster.stage import EDGES, Inbox, Message, report, send
from skerry.cluster.state import StateError, StateFolder
from skerry.formats.memory import give_back_memory
from skerry.ids.content_sum import ContentSum


@dataclass(frozen=True)
class RoundFiles:
    """What a round has written: for every part, its files by kind."""

    state: StateFolder
    number: int
    facts: tuple[Mapping[str, ContentSum], ...]

    def name(self, kind: str, part: int) -> str:
        """The file of a part."""
        return f"round-{self.number:03}/{kind}-{part:05}.parquet"

    def read(self, kind: str, part: int) -> Pairs:
        """Sorted pairs of a part."""
        return self.state.read_pairs(self.name(kind, part), self.facts[part][kind])

    @property
    def edges(self) -> EdgeFiles:
        """The edges of the next round."""
        names = tuple(self.name("edges", part) for part in range(len(self.facts)))
        facts = tuple(each["edges"] for each in self.facts)
        return EdgeFiles(self.state, names, facts, len(names))

    def total(self, kind: str) -> int:
        """Pairs of all parts."""
        return sum(each[kind][0] for each in self.facts)


@dataclass(frozen=True)
class SpreadEdges:
    """Sends edges to tasks that each join all edges between the ids of two blocks.

    Edges come in no order: a table of a part of the ids finds few edges whose ends it has already,
    so that a round leaves as many edges as it got. Between two blocks of few ids, only a forest is
    left of any number of edges.
    """

    blocks: int
    files: EdgeFiles

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        del inbox
        for pairs in self.files.batches(task):
            for first, some in enumerate(grouped_by_owner(pairs, self.blocks)):
                for second, between in enumerate(grouped_by_owner(swapped(some), self.blocks)):
                    yield from send(block_pair(first, second), EDGES, between)


def block_pair(first: int, second: int) -> int:
    """The number of an unordered pair of blocks, from 0 on."""
    low, high = sorted((first, second))
    return high * (high + 1) // 2 + low


@dataclass(frozen=True)
class HeapEdges:
    """Joins the edges of a task; sends every vertex, with its parent, to the part that owns it."""

    key: int
    parts: int
    files: EdgeFiles | None = None
    room: int = 1 << 62
    """Ids that are joined at a time: then their trees are sent, and the next begin."""
    in_order: bool = True
    """Whether a task that runs again gets its edges in the same order."""

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        for joiner in self.joiners(edges_of(task, inbox, self.files)):
            yield from self.trees(joiner)
            give_back_memory()

    def trees(self, joiner: TaskJoiner) -> Iterator[Message]:
        """What is sent of a table; nothing of it is held when the next begins."""
        for part, pairs in enumerate(split_by_owner(joiner.heaps(self.key), self.parts)):
            yield from send(part, "candidates", pairs)

    def joiners(self, edges: Iterable[Pairs]) -> Iterator[TaskJoiner]:
        """All edges, joined in as many tables as have room for them."""
        if not self.in_order:
            yield from EdgePieces(self.room).joiners(edges)
            return
        joiner = TaskJoiner()
        for pairs in edges:
            begin = 0
            while begin < len(pairs):
                begin += add_while_room(joiner, pairs[begin:], self.room)
                if begin < len(pairs):
                    yield joiner
                    joiner = TaskJoiner()
        yield joiner


@dataclass(frozen=True)
class PickRepresentatives:
    """Chooses the representative of each vertex, and sends it to those who need it.

    The owner of a neighbor gets the edge between the neighbor and the representative; the owner of
    the representative gets the vertex, and the smallest id that it stands for.
    """

    key: int
    parts: int
    previous: RoundFiles | None = None

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        candidates = sorted_pairs(concatenated(inbox.get("candidates", ())))
        chosen, edges = np.empty_like(candidates), np.empty_like(candidates)
        vertex_count, edge_count = _native.pick_pairs(candidates, self.key, chosen, edges)
        del candidates
        chosen = chosen[: 2 * vertex_count]
        yield from send(task, "chosen", chosen)
        for part, pairs in enumerate(split_by_owner(edges[: 2 * edge_count], self.parts)):
            yield from send(part, "half edges", pairs)
        del edges
        for part, pairs in enumerate(split_by_owner(swapped(chosen), self.parts)):
            yield from send(part, "records", pairs)
        if self.previous is not None:  # in the first round a vertex stands for itself
            minima = self.previous.read("minima", task)
            matched = matching(chosen, minima, f"round {self.previous.number}")
            for part, pairs in enumerate(split_by_owner(matched, self.parts)):
                yield from send(part, "minima", keep_first(pairs))


@dataclass(frozen=True)
class FinishRound:
    """Replaces the second ends of edges, drops loops and repeats, and writes the round's files."""

    files: RoundFiles

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        chosen = concatenated(inbox.get("chosen", ()))  # sorted, of one sender
        half_edges = sorted_pairs(concatenated(inbox.get("half edges", ())))
        where = f"round {self.files.number}"
        edges = sorted_pairs(matching(half_edges, chosen, where, drop_loops=True))
        del half_edges
        records = sorted_pairs(concatenated(inbox.get("records", ())))
        if self.files.number:
            minima = keep_first(sorted_pairs(concatenated(inbox.get("minima", ()))))
        else:
            minima = keep_first(records.copy())
        if len(minima) != len(keep_first(records.copy())):
            raise StateError(f"{where}: a representative has no smallest id")
        written = {"edges": edges, "records": records, "minima": minima}
        facts = {
            kind: self.files.state.write_pairs(self.files.name(kind, task), pairs)
            for kind, pairs in written.items()
        }
        yield report({"part": task, "vertices": len(chosen) // 2, "facts": facts})


@dataclass(frozen=True)
class Close:
    """Solves what the last round left, in one task, and sends labels to the owners of vertices."""

    last: RoundFiles
    files: EdgeFiles | None = None

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        parts = len(self.last.facts)
        minima = np.concatenate([self.last.read("minima", part) for part in range(parts)])
        labels = joined(task, inbox, self.files).labels(sorted_pairs(minima))
        for part, pairs in enumerate(split_by_owner(labels, parts)):
            yield from send(part, "labels", pairs)


@dataclass(frozen=True)
class WalkBack:
    """From the labels of a round's representatives to those of its vertices."""

    files: RoundFiles
    codec: IdCodec

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        labels = sorted_pairs(concatenated(inbox.get("labels", ())))
        # A representative without an edge was in no later round: its component is complete.
        table = overlay(self.files.read("minima", task), labels)
        where = f"round {self.files.number}"
        if len(table) != 2 * self.files.facts[task]["minima"][0]:
            raise StateError(f"{where}: a label came for a vertex that is not there")
        vertices = matching(self.files.read("records", task), table, where)
        if self.files.number == 0:
            labels = sorted_pairs(vertices)
            yield report(write_labels(self.files.state, task, labels, self.codec))
            return
        for part, pairs in enumerate(split_by_owner(vertices, len(self.files.facts))):
            yield from send(part, "labels", pairs)


def matching(pairs: Pairs, table: Pairs, where: str, drop_loops: bool = False) -> Pairs:
    """(key, x) to (x, table[key]); both sorted. A key that the table lacks is a lost message."""
    matched = np.empty_like(pairs)
    written, missing = _native.match_pairs(pairs, table, drop_loops, matched)
    if missing:
        raise StateError(f"{where}: {missing:,} vertices are not where they must be")
    return matched[: 2 * written]


def files_of_reports(
    state: StateFolder, number: int, reports: list[dict[str, Any]], parts: int
) -> RoundFiles:
    """What the parts of a round report, in their order."""
    by_part = {each["part"]: each for each in reports}
    if sorted(by_part) != list(range(parts)):
        raise StateError(f"round {number}: {len(by_part):,} of {parts:,} parts reported")
    facts = tuple(
        {kind: ContentSum(*values) for kind, values in by_part[part]["facts"].items()}
        for part in range(parts)
    )
    return RoundFiles(state, number, facts)
