"""Ids that are not integers get numbers, exactly and in their own order, and become ids again.

Every task lists its distinct ids, sorted (`ListIds`). From samples of the lists come the ranges of
ids that parts own. The owner of a range sorts what tasks send it: the position of an id, with the
owner's number above it, is its number (`SplitIds`, `RankIds`, `WriteNumbers`). No hash decides
whether two ids are the same.

`SendRows`, `RequestTexts`, `AnswerTexts` and `WriteRows` go back from pairs of numbers to ids.
"""

from __future__ import annotations

import base64
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.cluster.driver import LabelFiles
from skerry.cluster.id_types import PURPOSE, check_id_types, distinct_sorted
from skerry.cluster.pairs import MAX_BLOB_BYTES, Blob, concatenated, sorted_pairs
from skerry.cluster.stage import EDGES, Inbox, Message, Step, report, send
from skerry.cluster.state import LABELS, StateError, StateFolder
from skerry.graph.arrow import arrow_view, numpy_view, plain_array
from skerry.optional import require_arrow

BOUNDS = "ids/bounds.json"
RANK_BITS = np.uint64(40)
"""Positions of ids in a range; the number of its part is above."""
RANK = np.uint64((1 << 40) - 1)
SAMPLES = 64
"""Ids of each task from which the ranges are chosen, for each part."""


def id_blobs(ids: Any) -> Iterator[Blob]:
    """An Arrow array as blobs, of half the largest size at most unless a single id is larger."""
    rows = max(1, len(ids) * (MAX_BLOB_BYTES // 2) // max(1, ids.get_total_buffer_size()))
    for begin in range(0, len(ids), rows):
        yield _id_blob(ids.slice(begin, rows))


def _id_blob(ids: Any) -> Blob:
    arrow = require_arrow(PURPOSE)
    sink = arrow.BufferOutputStream()
    batch = arrow.record_batch([ids], names=["id"])
    with arrow.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return np.frombuffer(sink.getvalue(), np.uint8)


def ids_of(blobs: Iterable[Blob]) -> Any:
    """The Arrow array of blobs, of which there is one at least."""
    arrow = require_arrow(PURPOSE)
    parts = []
    for blob in blobs:
        with arrow.ipc.open_stream(arrow.py_buffer(np.ascontiguousarray(blob))) as reader:
            parts += reader.read_all()["id"].chunks
    return arrow.concat_arrays(parts)


def write_column(state: StateFolder, name: str, column: Any) -> int:
    """Writes a file of one column, with sums of its pages, and returns its rows."""
    arrow = require_arrow(PURPOSE)
    parquet = require_arrow(PURPOSE, "pyarrow.parquet")
    with state.writable(name) as file:
        table = arrow.table([column], names=["id"])
        parquet.write_table(table, file, write_statistics=False, write_page_checksum=True)
    return len(column)


def read_column(state: StateFolder, name: str, rows: int | None = None) -> Any:
    """Reads a file of one column, and compares sums and rows with what was written."""
    arrow = require_arrow(PURPOSE)
    parquet = require_arrow(PURPOSE, "pyarrow.parquet")
    path = state.file(name)
    try:
        with state.open(path) as file:
            table = parquet.read_table(file, use_threads=False, page_checksum_verification=True)
        column = table["id"]
    except (OSError, KeyError, arrow.ArrowException) as error:
        raise StateError(
            f"{path}: a file of ids cannot be read: {error}; remove the folder {state.path} and "
            "run again"
        ) from None
    if rows is not None and len(column) != rows:
        raise StateError(
            f"{path}: holds {len(column):,} ids, not {rows:,}; remove the folder {state.path} and "
            "run again"
        )
    chunks = column.chunks
    return arrow.concat_arrays(chunks) if chunks else arrow.array([], column.type)


def _list_name(task: int) -> str:
    return f"ids/list-{task:05}.parquet"


def _number_name(task: int) -> str:
    return f"ids/numbers-{task:05}.parquet"


def _part_name(part: int) -> str:
    return f"ids/part-{part:05}.parquet"


@dataclass(frozen=True)
class ListIds:
    """Writes the distinct ids of a task, and reports some of them."""

    state: StateFolder
    parts: int

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        ids = distinct_sorted(ids_of([blob]) for blob in inbox.get(EDGES, ()))
        if ids is None:
            yield report({"task": task, "rows": None, "sample": ""})
            return
        rows = write_column(self.state, _list_name(task), ids)
        step = max(1, rows // (SAMPLES * self.parts))
        sample = ids.take(arrow_view(np.arange(step // 2, rows, step)))
        yield report({"task": task, "rows": rows, "sample": _text_of_ids(sample)})


def bounds_of(reports: list[dict[str, Any]], parts: int) -> Any:
    """The first id of each range but the first, from the samples of all tasks; None without ids."""
    samples = [
        _ids_of_text(each["sample"])
        for each in sorted(reports, key=lambda each: int(each["task"]))
        if each["rows"]
    ]
    ids = distinct_sorted(samples)
    if ids is None:
        return None
    return ids.take(arrow_view(len(ids) * np.arange(1, parts) // parts))


def _text_of_ids(ids: Any) -> str:
    """An Arrow array as JSON can hold it; empty for None."""
    return "" if ids is None else base64.b64encode(_id_blob(ids).tobytes()).decode()


def _ids_of_text(text: str) -> Any:
    return ids_of([np.frombuffer(base64.b64decode(text), np.uint8)]) if text else None


def _kept_bounds(state: StateFolder, reports: list[dict[str, Any]], parts: int) -> list[Any]:
    """The bounds of the first run with this state, which has the same ids.

    Samples depend on how ids lie in tasks, and the number of an id on the bounds: those of an
    earlier run, divided in another way, would go with other numbers.
    """
    known = state.read_json(BOUNDS)
    if known is None:
        known = {"ids": _text_of_ids(bounds_of(reports, parts))}
        state.write_json(BOUNDS, known)
    try:
        ids = _ids_of_text(known["ids"])
    except (KeyError, ValueError) as error:
        path = state.file(BOUNDS)
        raise StateError(f"{path}: is damaged: {error}; remove the folder {state.path}") from None
    return [] if ids is None else ids.to_pylist()


def pieces_of(ids: Any, bounds: list[Any]) -> list[Any]:
    """Sorted ids, cut at the bounds of ranges."""
    cuts = [bisect_left(range(len(ids)), bound, key=lambda i: ids[i].as_py()) for bound in bounds]
    ends = [0, *cuts, len(ids)]
    return [ids.slice(begin, end - begin) for begin, end in pairwise(ends)]


@dataclass(frozen=True)
class SplitIds:
    """Sends the distinct ids of a task to the owners of their ranges."""

    state: StateFolder
    rows: tuple[int | None, ...]
    bounds: tuple[Any, ...]

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        del inbox
        if self.rows[task] is None:
            return
        ids = read_column(self.state, _list_name(task), self.rows[task])
        for part, piece in enumerate(pieces_of(ids, list(self.bounds))):
            for blob in id_blobs(piece):
                yield Message(part, f"{task:09}", blob)


@dataclass(frozen=True)
class RankIds:
    """Sorts the ids of a range, and answers every task with the numbers of its ids."""

    state: StateFolder

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        compute = require_arrow(PURPOSE, "pyarrow.compute")
        lists = {channel: ids_of(blobs) for channel, blobs in sorted(inbox.items())}
        ids = distinct_sorted(lists.values())
        if ids is None:
            return
        write_column(self.state, _part_name(task), ids)
        base = np.uint64(task) << RANK_BITS
        for channel, requested in lists.items():
            ranks = numpy_view(compute.index_in(requested.cast(ids.type), value_set=ids))
            numbers = ranks.astype(np.uint64) | base
            yield from send(int(channel), f"{task:09}", numbers)


@dataclass(frozen=True)
class WriteNumbers:
    """Writes the numbers of a task's ids, in the order of its list."""

    state: StateFolder
    rows: tuple[int | None, ...]

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        answers = [blob.view(np.uint64) for _, blobs in sorted(inbox.items()) for blob in blobs]
        numbers = np.concatenate(answers) if answers else np.empty(0, np.uint64)
        if len(numbers) != (self.rows[task] or 0):
            raise StateError(f"{len(numbers):,} numbers came for {self.rows[task]:,} ids")
        write_column(self.state, _number_name(task), arrow_view(numbers))
        yield report({"task": task, "rows": len(numbers)})


def number_steps(
    state: StateFolder, reports: list[dict[str, Any]], tasks: int, parts: int
) -> list[Step]:
    """The steps that number ids whose lists were reported."""
    by_task = {int(each["task"]): each["rows"] for each in reports}
    if sorted(by_task) != list(range(tasks)):
        raise StateError(f"ids: {len(by_task):,} of {tasks:,} tasks reported")
    rows = tuple(by_task[task] for task in range(tasks))
    return [
        Step(SplitIds(state, rows, tuple(_kept_bounds(state, reports, parts))), tasks),
        Step(RankIds(state), parts),
        Step(WriteNumbers(state, rows), tasks),
    ]


@dataclass(frozen=True)
class TaskIds:
    """The ids of a task and their numbers, in files."""

    state: StateFolder
    task: int

    def encoder(self) -> TaskEncoder:
        """Reads the files."""
        numbers = numpy_view(read_column(self.state, _number_name(self.task)))
        if not len(numbers):
            return TaskEncoder(None, numbers)
        return TaskEncoder(read_column(self.state, _list_name(self.task), len(numbers)), numbers)


@dataclass(frozen=True)
class TaskEncoder:
    """Finds the numbers of ids."""

    ids: Any
    numbers: npt.NDArray[np.uint64]

    def encode(self, column: Any, name: str) -> npt.NDArray[np.uint64]:
        """The number of each id."""
        compute = require_arrow(PURPOSE, "pyarrow.compute")
        if not len(column):
            return np.empty(0, np.uint64)
        check_id_types([("the ids before", self.ids), (name, column)])
        ids = plain_array(column).cast(self.ids.type)
        positions = compute.index_in(ids, value_set=self.ids)
        if positions.null_count:
            raise StateError(f"{name}: has ids that it did not have when they were numbered")
        return np.asarray(self.numbers[numpy_view(positions)])


@dataclass(frozen=True)
class SendRows:
    """Sends pairs of numbers to the owners of their first."""

    labels: LabelFiles
    parts: int

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        del inbox
        pairs = sorted_pairs(self.labels.read(task))
        for part, piece in _by_part(pairs[0::2], self.parts):
            yield from send(part, "rows", pairs[2 * piece.start : 2 * piece.stop])


def _by_part(numbers: npt.NDArray[np.uint64], parts: int) -> Iterator[tuple[int, slice]]:
    """Sorted numbers, by the part that owns them."""
    firsts = np.arange(parts + 1, dtype=np.uint64) << RANK_BITS
    ends = np.searchsorted(numbers, firsts)
    for part, (begin, end) in enumerate(pairwise(ends.tolist())):
        yield part, slice(begin, end)


@dataclass(frozen=True)
class RequestTexts:
    """Requests the components of a part's rows from their owners."""

    parts: int

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        rows = sorted_pairs(concatenated(inbox.get("rows", ())))
        yield from send(task, "rows", rows)
        components = np.unique(rows[1::2])
        for part, piece in _by_part(components, self.parts):
            yield from send(part, f"{task:09}", components[piece])


@dataclass(frozen=True)
class AnswerTexts:
    """Answers requests for the ids of a range; rows stay where they are."""

    state: StateFolder

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        for blob in inbox.get("rows", ()):
            yield Message(task, "rows", blob)
        requests = {name: blobs for name, blobs in sorted(inbox.items()) if name != "rows"}
        if not requests:
            return
        ids = read_column(self.state, _part_name(task))
        for channel, blobs in requests.items():
            ranks = np.concatenate([blob.view(np.uint64) for blob in blobs]) & RANK
            texts = ids.take(arrow_view(ranks.astype(np.int64)))
            for blob in id_blobs(texts):
                yield Message(int(channel), f"{task:09}", blob)


@dataclass(frozen=True)
class WriteRows:
    """Writes the rows of a part under their ids."""

    state: StateFolder
    target: StateFolder

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        arrow = require_arrow(PURPOSE)
        parquet = require_arrow(PURPOSE, "pyarrow.parquet")
        rows = concatenated(inbox.get("rows", ()))
        if not len(rows):
            yield report({"name": None, "rows": 0})
            return
        answers = [ids_of(blobs) for name, blobs in sorted(inbox.items()) if name != "rows"]
        texts = arrow.concat_arrays(answers)
        components, positions = np.unique(rows[1::2], return_inverse=True)
        if len(texts) != len(components):
            raise StateError(f"{len(texts):,} ids came for {len(components):,} components")
        ids = read_column(self.state, _part_name(task))
        columns = [
            ids.take(arrow_view((rows[0::2] & RANK).astype(np.int64))),
            texts.take(arrow_view(positions.astype(np.int64))),
        ]
        name = f"part-{task:05}.parquet"
        with self.target.writable(name) as file:
            parquet.write_table(arrow.table(columns, names=LABELS), file)
        yield report({"name": name, "rows": len(rows) // 2})


def row_steps(labels: LabelFiles, target: StateFolder, parts: int) -> list[Step]:
    """The steps that write labels under their ids."""
    return [
        Step(SendRows(labels, parts), len(labels.names)),
        Step(RequestTexts(parts), parts),
        Step(AnswerTexts(labels.state), parts),
        Step(WriteRows(labels.state, target), parts),
    ]
