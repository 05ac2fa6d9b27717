"""Checkpoints of a run: what was joined so far as sets, how far the input was read, and of what.

Sets are saved as an answer is: ids in ascending order and a label for each. So a checkpoint does
not depend on how a joiner holds them, and going on is to join each id with its label. What was read
after the last checkpoint is read again, and joining edges again changes nothing.

The edges that were joined are known by their content, a sum that does not depend on their order. A
run goes on at the position of the checkpoint where the system vouches that no file was written to
since. Otherwise it reads all files from their beginning, and compares what it joined before.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter, time_ns
from typing import Any, ClassVar, TypeVar

from skerry.engines.streaming.checkpoint_folder import CheckpointFolder
from skerry.engines.streaming.joined_sets import Counts, Joiner, Sets
from skerry.errors import InputError
from skerry.formats.saved_file import Saved
from skerry.formats.saved_sets import ids_from_sections, sections_of_ids
from skerry.graph.edge_source import Batch, ReadPosition, length, slice_of
from skerry.graph.stored_labels import checked_labels
from skerry.ids.content_sum import ContentSum
from skerry.inputs.sources import StreamSource
from skerry.request import Checkpoint
from skerry.result.plan import PhaseTimer

_log = logging.getLogger(__name__)


FIRST_SECONDS = 10.0
"""Before the first checkpoint, and at least between two."""
PAUSE = 60
"""Times the seconds that a checkpoint takes, until the next: so all take less than 2% of a run."""
VERSION = "the version of skerry"
NONE_LEFT = "no checkpoint: the run before this one ended before its first; began at the beginning"
SETTLED_NS = 2_000_000_000
"""The coarsest clock of a file system: that of FAT has steps of two seconds."""
PIECE = 1 << 18
"""Edges that are summed at a time: their words are 4 MB."""
SECONDS_A_BYTE = 4e-9
"""What a byte of the joiner's memory takes, until the first checkpoint was measured."""


class Checkpoints:
    """Writes a checkpoint now and then, and restores the last one."""

    spills: ClassVar[bool] = False
    """Whether what was joined goes to files of its own."""

    def __init__(
        self, folder: CheckpointFolder, run: dict[str, Any], versions: Sequence[Any] = ()
    ) -> None:
        self._folder = folder
        self._run = run
        self._versions = [*versions]
        self._began = time_ns()
        self._content = ContentSum()
        """Of the edges that were read, in this run or before its checkpoint."""
        self._joined: ContentSum | None = None
        """Of those before the checkpoint, while they are read again to be compared."""
        self.continued = False
        self.notes: tuple[str, ...] = ()
        """For the plan: where this run began."""
        self._last = perf_counter()
        self._next = self._last + FIRST_SECONDS
        self._seconds_a_byte = SECONDS_A_BYTE

    def restore(self, joiner: Joiner, counts: Counts, timer: PhaseTimer) -> ReadPosition:
        """Brings a joiner and its counts to where the last checkpoint was; says where to go on.

        Raises
        ------
        InputError
            If the checkpoint is damaged, or of another run.
        """
        path = str(self._folder.path)
        return self._restored(lambda saved: joiner.restore(_sets_of(saved, path)), counts, timer)

    def _restored(
        self, restore: Callable[[Saved], None], counts: Counts, timer: PhaseTimer
    ) -> ReadPosition:
        if not self._folder.path.exists():
            if self._folder.was_in_use:
                self.notes = (NONE_LEFT,)
                _log.info("%s: %s", self._folder.path, NONE_LEFT)
            return ReadPosition()
        with timer.phase("restore checkpoint"), self._unused():
            saved = self._folder.load()
            assert saved is not None  # the folder is locked
            _check_same(saved.description.get("run"), self._run)
            restore(saved)
            offset = _offset_of(saved, counts)
            content = _content_of(saved)
            unchanged = _is_unchanged(saved, self._versions)
        self.continued = True
        note = f"continued from a checkpoint: {counts.edges:,} edges were joined before"
        if unchanged:
            self._content = content
            position = ReadPosition(offset, counts.edges, counts.bytes)
        else:
            note += ", and read again, since a file was written, moved or copied"
            self._joined = content
            position = ReadPosition((), counts.edges, 0)
            counts.bytes = counts.dropped = 0
        self.notes = (note,)
        _log.info("%s: %s", self._folder.path, note)
        return position

    def unseen(self, batch: Batch, threads: int) -> Batch:
        """The edges of a batch that were not joined before; all are added to the sum."""
        rows = length(batch.src)
        begin = 0
        if self._joined is not None:
            begin = min(rows, self._joined.rows - self._content.rows)
            self._add(batch, 0, begin, threads)
            self._compare(is_end=False)
        self._add(batch, begin, rows, threads)
        if not begin:
            return batch
        src, dst = (slice_of(column, begin, rows) for column in (batch.src, batch.dst))
        return replace(
            batch, src=src, dst=src if batch.dst is batch.src else dst, weight=None, rows=None
        )

    def end(self) -> None:
        """Raises if the source has ended before the edges that were joined before."""
        self._compare(is_end=True)

    def _add(self, batch: Batch, begin: int, end: int, threads: int) -> None:
        for first in range(begin, end, PIECE):
            last = min(first + PIECE, end)
            src, dst = (slice_of(column, first, last) for column in (batch.src, batch.dst))
            self._content = self._content.plus(ContentSum.of(src, dst, threads))

    def _compare(self, is_end: bool) -> None:
        """Compares what was read again, once it is as much as was joined before."""
        if self._joined is None or (self._content.rows < self._joined.rows and not is_end):
            return
        if self._content != self._joined:
            with self._unused():
                raise InputError(
                    "the checkpoint is of another run: its files were changed since, in the part "
                    f"that was read before ({self._joined.rows:,} edges)"
                )
        self._joined = None

    @contextmanager
    def _unused(self) -> Iterator[None]:
        """Says what can be done about a checkpoint that cannot be used."""
        try:
            yield
        except InputError as error:
            raise InputError(
                f"{error}; nothing of it was used: delete {self._folder.path} to start again, or "
                "name another folder"
            ) from None

    def write_if_due(
        self, joiner: Joiner, counts: Counts, offset: tuple[int, ...] | None, timer: PhaseTimer
    ) -> None:
        """Writes a checkpoint behind a batch, if enough time has passed since the last."""
        begin = perf_counter()
        if begin < self._next or offset is None or self._joined is not None:
            return
        size = max(joiner.nbytes, 1)
        self._next = self._last + max(FIRST_SECONDS, PAUSE * self._seconds_a_byte * size)
        if begin < self._next:
            return
        with timer.phase("write checkpoint"):
            self._write(joiner.sets(), counts, offset)
        self._last = perf_counter()
        seconds = self._last - begin
        self._seconds_a_byte = seconds / size
        self._next = self._last + max(FIRST_SECONDS, PAUSE * seconds)
        _log.info("%s: written in %.1f s", self._folder.path, seconds)

    @property
    def folder(self) -> str:
        """Where it is."""
        return str(self._folder.path.parent)

    @property
    def compares(self) -> bool:
        """Whether edges that were joined before are being read again."""
        return self._joined is not None

    def _write(self, sets: Sets, counts: Counts, offset: tuple[int, ...]) -> None:
        description: dict[str, Any] = {"ids": None}
        sections = {"labels": sets.labels}
        if sets.ids is not None:
            description["ids"], arrays = sections_of_ids(sets.ids)
            columns = sets.ids if isinstance(sets.ids, tuple) else (sets.ids,)
            description["types"] = [str(getattr(column, "type", "")) for column in columns]
            sections |= arrays
        self._store(description, sections, counts, offset)

    def _store(
        self,
        description: dict[str, Any],
        sections: dict[str, Any],
        counts: Counts,
        offset: tuple[int, ...],
    ) -> None:
        common = {
            "run": self._run,
            "offset": offset,
            "counts": [counts.edges, counts.bytes, counts.dropped],
            "content": self._content,
            "versions": self._versions,
            "began": self._began,
        }
        self._folder.store(common | description, sections)


Kind = TypeVar("Kind", bound=Checkpoints)


@contextmanager
def opened_checkpoints(
    source: StreamSource, checkpoint: Checkpoint, kind: type[Kind]
) -> Iterator[Kind]:
    """The checkpoints of a run; removed at its end, unless it fails or the caller keeps them."""
    folder = CheckpointFolder(checkpoint.folder)
    with folder.locked():
        run, versions = _run_of(source)
        yield kind(folder, {**run, "spill": kind.spills}, versions)
        if not checkpoint.keep:
            folder.remove()


def _run_of(source: StreamSource) -> tuple[dict[str, Any], list[Any]]:
    """All that the joined edges depend on but the content of files, by its name; their versions."""
    edges, options = source.edges, source.options
    assert edges.identity is not None
    run: dict[str, Any] = _as_json(
        {
            VERSION: sys.modules["skerry"].__version__,
            **edges.identity(),
            "ids": edges.id_kind,
            "num_vertices": options.num_vertices,
            "threshold": options.threshold,
            "keep": options.keep or "above",
        }
    )
    versions = [version for _, _, version in run["files"]]
    run["files"] = [[name, size] for name, size, _ in run["files"]]
    return run, versions


def _is_unchanged(saved: Saved, versions: list[Any]) -> bool:
    """Whether no file was written to since the run of a checkpoint began.

    A file that was written just before may have been written to once more with the same time.
    """
    began = saved.description.get("began")
    if type(began) is not int or saved.description.get("versions") != versions:
        return False
    times = [time for _, *local in versions for time in local]
    return all(time < began - SETTLED_NS for time in times)


def _content_of(saved: Saved) -> ContentSum:
    """The sum of the edges before a checkpoint."""
    content = saved.description.get("content")
    if not isinstance(content, list) or [type(each) for each in content] != [int, int]:
        raise InputError("the checkpoint is damaged: it does not say which edges were joined")
    return ContentSum(*content)


def _as_json(value: Any) -> Any:
    """A value as it is when it was written as JSON and read again."""
    if isinstance(value, dict):
        return {name: _as_json(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [_as_json(each) for each in value]
    return value.item() if hasattr(value, "item") else value


def _check_same(before: Any, now: dict[str, Any]) -> None:
    """Raises if a checkpoint is of another run, and says what differs."""
    if not isinstance(before, dict):
        raise InputError("the checkpoint is damaged: it does not say of what it is")
    differing = [name for name in now if before.get(name) != now[name]]
    if not differing and before.keys() == now.keys():
        return
    name = differing[0] if differing else VERSION
    if name == "files":
        text = _changed_file(before.get(name), now[name])
    else:
        option = name if name == VERSION else f"{name}="
        text = f"{option} was {_shown(before.get(name))} and is {_shown(now[name])} now"
    raise InputError(f"the checkpoint is of another run: {text}")


def _shown(value: Any) -> str:
    """The value of an option, in no language."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "on" if value else "off"
    return "not stated" if value is None else str(value)


def _changed_file(before: Any, now: list[list[Any]]) -> str:
    if not isinstance(before, list) or [each[0] for each in before] != [each[0] for each in now]:
        return "it reads other files"
    index = next(i for i, each in enumerate(now) if before[i] != each)
    name, size = now[index]
    return f"{name} had {before[index][1]:,} bytes and has {size:,} now"


def _sets_of(saved: Saved, origin: str) -> Sets:
    kinds = saved.description.get("ids")
    labels = checked_labels(saved.sections.get("labels"), origin)
    if kinds is None:
        return Sets(labels)
    ids = ids_from_sections(kinds, saved.sections, origin)
    columns = ids if isinstance(ids, tuple) else (ids,)
    types = saved.description.get("types")
    if not isinstance(types, list) or len(types) != len(columns):
        raise InputError(f"{origin}: its ids are not described")
    if any(len(column) != len(labels) for column in columns):
        raise InputError(f"{origin}: its ids and its labels differ")
    typed = tuple(
        column.cast(kind) if kind == "large_string" else column
        for column, kind in zip(columns, types, strict=True)
    )
    return Sets(labels, typed if isinstance(ids, tuple) else typed[0])


def _offset_of(saved: Saved, counts: Counts) -> tuple[int, ...]:
    """Where to go on; sets the counts."""
    numbers, offset = saved.description.get("counts"), saved.description.get("offset")
    for each in (numbers, offset):
        if not isinstance(each, list) or not all(type(number) is int for number in each):
            raise InputError("the checkpoint is damaged: it does not say how far it is")
    if not isinstance(numbers, list) or len(numbers) != 3 or not isinstance(offset, list):
        raise InputError("the checkpoint is damaged: it does not say how far it is")
    counts.edges, counts.bytes, counts.dropped = numbers
    return tuple(offset)
