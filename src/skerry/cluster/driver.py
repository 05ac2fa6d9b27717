"""The driver: which stages run, in which rounds, and where a run goes on that was stopped.

It holds counts and names of files, never edges.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from skerry.cluster.contraction_stages import (
    Close,
    FinishRound,
    HeapEdges,
    PickRepresentatives,
    RoundFiles,
    SpreadEdges,
    WalkBack,
    block_pair,
    files_of_reports,
)
from skerry.cluster.counted import counted
from skerry.cluster.forest_stages import FAN_IN, SpreadLabels, WriteLabels, merge_steps
from skerry.cluster.id_types import IdCodec
from skerry.cluster.pairs import Pairs
from skerry.cluster.stage import Executor, Step
from skerry.cluster.state import JOB, WORDS, StateError, StateFolder
from skerry.ids.content_sum import ContentSum
from skerry.result.plan import PhaseTimer

_log = logging.getLogger(__name__)


Method = Literal["forest", "contraction"]

BYTES_PER_VERTEX = 90
"""What a task takes at its peak for each vertex that it joins: the table of ids (25), parents, and
the pairs that it sends with the room in which they are sorted. Measured: docs/cluster.md."""
BYTES_PER_MESSAGE = 150
"""What a part takes at its peak for each vertex of each task that is sent to it, the messages
themselves included, where all vertices are different."""
BYTES_OF_PAIR = 16
"""Of a forest that is sent, for each vertex."""
BYTES_TO_READ = 24_000_000
"""What a task takes whatever it gets: a batch that is read, what is made of it, buffers of files,
and what libraries allocate with their first use."""
MAX_ROUNDS = 100
"""More would mean that contraction does not contract: 2^100 vertices do not exist."""
DONE = "labels/done.json"
"""Is there when all labels are; then rounds are removed."""
FULL_TABLE = 0.75
"""Blocks of ids are chosen to fill this part of a table: they are not of one size."""
BYTES_OF_EDGE = 32
"""What a task that joins two blocks holds for each edge that is sent to it."""


@dataclass(frozen=True)
class Job:
    """What is solved, and how. A run goes on only with the state of an equal job."""

    state: StateFolder
    method: Method
    tasks: int
    """Tasks that read the input."""
    parts: int
    """Parts that vertices are divided into, in contraction; files of labels."""
    memory: int
    """Bytes that a task may use; decides when what is left is solved in one task."""
    codec: IdCodec = WORDS
    """How the ids of the input are words."""
    room: int = 1 << 62
    """Ids that a task of contraction joins at a time."""
    seed: int = 0
    identity: dict[str, Any] = field(default_factory=dict)
    """What makes the input what it is, as JSON."""

    def as_json(self) -> dict[str, Any]:
        """What must be equal for a run to go on.

        Not the number of tasks that read the input, nor what each of them read: a round that is
        done depends on the set of edges only.
        """
        return {
            "method": self.method,
            "parts": self.parts,
            "seed": self.seed,
            "ids": self.codec.dtype,
            "identity": self.identity,
        }


@dataclass(frozen=True)
class LabelFiles:
    """The answer: pairs of ids and labels in Parquet files."""

    state: StateFolder
    codec: IdCodec
    names: tuple[str, ...]
    facts: tuple[ContentSum, ...]
    components: int
    rounds: tuple[dict[str, int], ...]
    """Of every round: vertices before it, vertices and edges left after it."""
    resumed: int
    """Rounds that an earlier run had done."""

    @property
    def vertices(self) -> int:
        """Rows of all files."""
        return sum(each.rows for each in self.facts)

    @property
    def paths(self) -> list[str]:
        """All files, which have the columns ``id`` and ``component``."""
        return [self.state.file(name) for name in self.names]

    def as_json(self) -> dict[str, Any]:
        """What a later call needs to go on from here."""
        facts = [list(each) for each in self.facts]
        return {
            "names": self.names,
            "facts": facts,
            "components": self.components,
            "rounds": self.rounds,
        }

    def read(self, part: int) -> Pairs:
        """Pairs of ids and labels, as words."""
        return self.state.read_pairs(self.names[part], self.facts[part], self.codec)


Progress = Callable[[str], None]


def solve(
    executor: Executor,
    job: Job,
    source: Any,
    timer: PhaseTimer,
    progress: Progress | None = None,
) -> LabelFiles:
    """Runs a job to its end, from where its state says.

    Parameters
    ----------
    executor
        The engine.
    job
        What to solve and how.
    source
        The engine's own input.
    timer
        Takes the times of rounds.
    progress
        Called with a sentence before every round.

    Raises
    ------
    StateError
        If the state is of another job, or a file of it is missing or damaged.
    """
    tell = progress or (lambda _: None)
    claim(job)
    labels = _finished_labels(job)
    if labels is None:
        labels = _solved(executor, job, source, timer, tell)
        job.state.write_json(DONE, labels.as_json())
    for number in range(len(labels.rounds)):
        job.state.remove(f"round-{number:03}")
    return labels


def _solved(
    executor: Executor, job: Job, source: Any, timer: PhaseTimer, tell: Progress
) -> LabelFiles:
    if job.method == "forest":
        tell("joining edges")
        with timer.phase("join, merge forests, write"):
            return _merge_forests(executor, job, source)
    rounds, vertices = _finished_rounds(job)
    resumed = len(rounds)
    while not rounds or not _fits(job, rounds[-1]):
        if len(rounds) == MAX_ROUNDS:
            raise StateError(f"{MAX_ROUNDS} rounds did not contract the graph")
        tell(f"round {len(rounds) + 1}" + _left(rounds))
        with timer.phase(f"round {len(rounds) + 1}"):
            files, count = _run_round(executor, job, rounds[-1] if rounds else None, source)
        rounds.append(files)
        vertices.append(count)
    tell(f"labels after {len(rounds)} rounds" + _left(rounds))
    with timer.phase("last forests, walk back, write"):
        steps: list[Step] = []
        if rounds[-1].total("edges"):
            edges = rounds[-1].edges.read_by(executor.workers)
            steps, files_left = merge_steps(edges.readers, edges)
            steps.append(Step(Close(rounds[-1], files_left), 1))
        steps += [Step(WalkBack(each, job.codec), job.parts) for each in reversed(rounds)]
        reports = executor.run(counted(steps), name="labels")
    table = tuple(
        {"vertices": count, "left": each.total("minima"), "edges": each.total("edges")}
        for count, each in zip(vertices, rounds, strict=True)
    )
    return _label_files(job, reports, table, resumed)


def _merge_forests(executor: Executor, job: Job, source: Any) -> LabelFiles:
    steps, _ = merge_steps(job.tasks, None)
    steps += [Step(SpreadLabels(job.parts), 1), Step(WriteLabels(job.state, job.codec), job.parts)]
    return _label_files(job, executor.run(counted(steps), source, "forests"), (), 0)


def _left(rounds: list[RoundFiles]) -> str:
    if not rounds:
        return ""
    return f": {rounds[-1].total('minima'):,} vertices and {rounds[-1].total('edges'):,} edges left"


def _fits(job: Job, files: RoundFiles) -> bool:
    """Whether what is left can be solved in one task; nothing is left without edges."""
    forests = min(FAN_IN, job.parts) * BYTES_OF_PAIR  # each may have all vertices
    left = files.total("minima") * (BYTES_PER_VERTEX + forests)
    return files.total("edges") == 0 or left <= job.memory


def _key(job: Job, number: int) -> int:
    """The key of a round's ranks: 64 bits, another in every round."""
    return (0x9E3779B97F4A7C15 * (2 * number + 1) + 0xD1342543DE82EF95 * job.seed) % 2**64


def _run_round(
    executor: Executor, job: Job, previous: RoundFiles | None, source: Any
) -> tuple[RoundFiles, int]:
    number = 0 if previous is None else previous.number + 1
    key = _key(job, number)
    steps = [
        *_heap_steps(executor, job, previous, key),
        Step(PickRepresentatives(key, job.parts, previous), job.parts),
        Step(FinishRound(RoundFiles(job.state, number, ())), job.parts),
    ]
    own = source if previous is None else None
    reports = executor.run(counted(steps), own, f"round {number + 1}")
    files = files_of_reports(job.state, number, reports, job.parts)
    vertices = sum(each["vertices"] for each in reports)
    if files.total("records") != vertices:
        raise StateError(
            f"round {number}: {vertices:,} vertices, {files.total('records'):,} recorded"
        )
    if previous is not None and vertices > previous.total("minima"):
        raise StateError(f"round {number}: more vertices than the round before left")
    # The last file of the round: it counts as done when this is there.
    facts = [{kind: list(each) for kind, each in part.items()} for part in files.facts]
    job.state.write_json(_manifest(number), {"vertices": vertices, "facts": facts})
    _log.info("round %d: %d vertices, %d left", number, vertices, files.total("minima"))
    return files, vertices


def _heap_steps(executor: Executor, job: Job, previous: RoundFiles | None, key: int) -> list[Step]:
    """The steps that join edges: those of the input, or those that a round has left."""
    if previous is None:
        return [Step(HeapEdges(key, job.parts, None, job.room, executor.in_order), job.tasks)]
    files = previous.edges.read_by(executor.workers)
    blocks = _blocks(job, previous)
    if blocks == 1:
        return [Step(HeapEdges(key, job.parts, files, job.room), files.readers)]
    return [
        Step(SpreadEdges(blocks, files), files.readers),
        Step(HeapEdges(key, job.parts, None, job.room), block_pair(blocks - 1, blocks - 1) + 1),
    ]


def _blocks(job: Job, previous: RoundFiles) -> int:
    """Blocks of ids of which two fit a table; 1 where they would not leave fewer edges."""
    vertices, edges = previous.total("minima"), previous.total("edges")
    if vertices <= job.room:
        return 1
    by_ids = 2 * vertices / (FULL_TABLE * job.room)
    by_edges = math.sqrt(2 * edges * BYTES_OF_EDGE / job.memory)
    blocks = math.ceil(max(by_ids, by_edges))
    return blocks if (blocks + 1) * vertices < edges else 1


def _manifest(number: int) -> str:
    return f"round-{number:03}/done.json"


def claim(job: Job) -> None:
    """Writes what the state is of; to be called before anything else is written there.

    Raises
    ------
    StateError
        If the state is of another input or of other options. It stays as it is.
    """
    known, now = job.state.read_json(JOB), json.loads(json.dumps(job.as_json()))
    if known is None:
        job.state.write_json(JOB, now)
    elif known != now:
        raise StateError(
            f"{job.state.path}: holds the state of another run: {_difference(known, now)}; name "
            "another folder, or remove this one"
        )


def _difference(known: dict[str, Any], now: dict[str, Any]) -> str:
    """What differs between two jobs."""
    before, after = known.get("identity"), now["identity"]
    names = [name for name in now if known.get(name) != now[name]]
    if "identity" in names and isinstance(before, dict):
        names += [name for name in after if before.get(name) != after[name]]
        names.remove("identity")
    if "content" in names:
        return f"other edges or vertices ({_rows(before)} and {_rows(after)})"
    return "other options: " + ", ".join(names or ["of an earlier version"])


def _rows(identity: Any) -> str:
    content = identity.get("content")
    return f"{content[0]:,} rows" if isinstance(content, list) and content else "unknown"


def _finished_rounds(job: Job) -> tuple[list[RoundFiles], list[int]]:
    """The rounds that an earlier run has done."""
    rounds: list[RoundFiles] = []
    vertices: list[int] = []
    while (done := job.state.read_json(_manifest(len(rounds)))) is not None:
        facts = tuple(
            {kind: ContentSum(*each) for kind, each in part.items()} for part in done["facts"]
        )
        if len(facts) != job.parts:
            raise StateError(f"{job.state.path}: a round of {len(facts)} parts, not {job.parts}")
        rounds.append(RoundFiles(job.state, len(rounds), facts))
        vertices.append(done["vertices"])
    return rounds, vertices


def _finished_labels(job: Job) -> LabelFiles | None:
    """The labels that an earlier run has completed."""
    done = job.state.read_json(DONE)
    if done is None:
        return None
    names, rounds = tuple(done["names"]), tuple(done["rounds"])
    for name in names:
        if not job.state.exists(name):
            raise StateError(
                f"{job.state.file(name)}: is missing; remove the folder {job.state.path} and run "
                "again"
            )
    facts = tuple(ContentSum(*each) for each in done["facts"])
    return LabelFiles(
        job.state, job.codec, names, facts, done["components"], rounds, resumed=len(rounds)
    )


def _label_files(
    job: Job, reports: list[dict[str, Any]], rounds: tuple[dict[str, int], ...], resumed: int
) -> LabelFiles:
    by_name = {each["name"]: each for each in reports}
    if len(by_name) != job.parts:
        raise StateError(f"labels: {len(by_name):,} of {job.parts:,} files were written")
    names = tuple(sorted(by_name))
    facts = tuple(ContentSum(*by_name[name]["facts"]) for name in names)
    components = sum(each["components"] for each in by_name.values())
    files = LabelFiles(job.state, job.codec, names, facts, components, rounds, resumed)
    if rounds and files.vertices != rounds[0]["vertices"]:
        raise StateError(
            f"{rounds[0]['vertices']:,} vertices, but {files.vertices:,} labels were written"
        )
    return files
