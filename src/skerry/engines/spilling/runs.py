"""The first pass over ids of any type: what fits in memory is joined there, and goes to disk.

A run is what was joined until the memory was full: its ids, ascending, and for each the smallest in
its set. So an id takes its bytes, compressed, and a label, however many edges it has in the run.
Runs are of no use to each other before `merge.py` finds out which of their ids are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from skerry.engines.spilling.checkpoints import Due
from skerry.engines.spilling.room import PART, Room
from skerry.engines.streaming.checkpoint_folder import SPILLED
from skerry.engines.streaming.external_ids import BYTES_OF_NEW, ExternalJoiner
from skerry.errors import InputError
from skerry.formats.spill_file import SpillFile, SpillFolder
from skerry.graph.arrow import as_arrow
from skerry.graph.batch_columns import bytes_of
from skerry.graph.edge_source import IdColumn, length, slice_of
from skerry.optional import require_arrow
from skerry.result.plan import PhaseTimer

PURPOSE = "spilling ids that are not integers"
CODECS = ("zstd", "lz4")
DAMAGED = "the checkpoint is damaged: the ids in {} are not those that were written"


class Part(NamedTuple):
    """Some ids of a run on disk."""

    begin: int
    """Where its bytes begin."""
    bytes: int
    rows: int
    checksum: int


class Run(NamedTuple):
    """What was joined until the memory was full."""

    ids: SpillFile
    """Bytes: Arrow's streams of a batch each."""
    parts: list[Part]
    labels: SpillFile
    sample: Any
    """The first id of each part, as `read` gives them."""

    def read(self, part: Part) -> tuple[Any, ...]:
        """The columns of some ids."""
        pa = require_arrow(PURPOSE)
        data = self.ids.part(part.begin, part.begin + part.bytes)
        if crc32(data.data) != part.checksum:
            raise InputError(DAMAGED.format("its files"))
        with pa.ipc.open_stream(pa.py_buffer(data)) as reader:
            return tuple(reader.read_next_batch().columns)

    def edges(self, piece: int) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
        """Pairs of positions that join its sets."""
        for begin, labels in self.labels.pieces(piece):
            own = np.arange(begin, begin + len(labels), dtype=labels.dtype)
            members = np.flatnonzero(labels != own)
            yield own[members], labels[members]


class RunWriter:
    """Takes edges between ids and writes runs."""

    def __init__(
        self, folder: SpillFolder, room: Room, threads: int, kept: str | None = None
    ) -> None:
        self._folder = folder
        self._room = room
        self._threads = threads
        self._kept = kept
        """A folder where files outlive the process, for a checkpoint."""
        self._piece = room.new_ids() // BYTES_OF_NEW
        self.runs: list[Run] = []
        self._due = Due()
        self._saved: list[dict[str, Any]] = []
        self._joiner = self._new_joiner()

    def _new_joiner(self) -> ExternalJoiner:
        joiner = ExternalJoiner(self._threads, PhaseTimer())
        joiner.use_table()
        return joiner

    def add(self, src: IdColumn, dst: IdColumn, name: str) -> None:
        """Takes edges."""
        for begin in range(0, length(src), self._piece):
            end = min(begin + self._piece, length(src))
            sources = slice_of(src, begin, end)
            targets = sources if dst is src else slice_of(dst, begin, end)
            new = BYTES_OF_NEW * (end - begin) + bytes_of(sources) + bytes_of(targets)
            if self._joiner.size and not self._room.fits_sets(self._joiner.nbytes, new):
                self.flush()
            self._joiner.add(sources, targets, name)

    def flush(self) -> None:
        """Writes what was joined so far."""
        ids, labels = self._joiner.finish()
        self._joiner = self._new_joiner()
        columns = tuple(map(as_arrow, ids if isinstance(ids, tuple) else (ids,)))
        files = self._files(len(self.runs), labels.dtype)
        for file in files:
            file.cut(0)  # of a run that was killed
        self.runs.append(_write(*files, columns, labels))

    def _files(self, number: int, kind: Any) -> tuple[SpillFile, SpillFile]:
        paths = (None, None) if self._kept is None else run_paths(self._kept, number)
        return self._folder.file(np.uint8, paths[0]), self._folder.file(kind, paths[1])

    def finish(self) -> list[Run]:
        """All runs, of which there is one at least."""
        if self._joiner.size or not self.runs:
            self.flush()
        self._joiner = self._new_joiner()
        return self.runs

    def is_due(self) -> bool:
        """Whether a checkpoint would be of use: memory was full, or time has passed."""
        return len(self.runs) > len(self._saved) or self._due.passed

    def saved(self) -> dict[str, Any]:
        """What a checkpoint says of the runs, whose files are safe on the disk from here on."""
        if self._joiner.size:
            self.flush()
        for run in self.runs[len(self._saved) :]:
            run.ids.sync()
            run.labels.sync()
            labels = [run.labels.size, run.labels.dtype.name, run.labels.checksum()]
            self._saved.append({"parts": run.parts, "labels": labels})
        self._due = Due()
        return {"runs": self._saved}

    def restore(self, described: dict[str, Any]) -> None:
        """Opens the runs of a checkpoint."""
        assert self._kept is not None
        try:
            for number, run in enumerate(described["runs"]):
                parts = [Part(*map(int, part)) for part in run["parts"]]
                size, kind, checksum = run["labels"]
                files = self._files(number, np.dtype(kind))
                ids, labels = (file.reopened() for file in files)
                rows = sum(part.rows for part in parts)
                if labels.size != size or rows != size or labels.checksum() != checksum:
                    raise InputError(DAMAGED.format(run_paths(self._kept, number)[1]))
                if ids.size != sum(part.bytes for part in parts):
                    raise InputError(DAMAGED.format(run_paths(self._kept, number)[0]))
                opened = Run(ids, parts, labels, None)
                firsts = [tuple(c[:1] for c in opened.read(part)) for part in parts]
                self.runs.append(opened._replace(sample=_joined(firsts) if firsts else None))
                self._saved.append(run)
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError("the checkpoint is damaged: its runs are not described") from None


def run_paths(folder: str, number: int) -> tuple[str, str]:
    """The files of a run that outlive the process: of ids, and of labels."""
    path = Path(folder, f"{SPILLED}{number}")
    return str(path.with_suffix(".ids")), str(path.with_suffix(".labels"))


def _write(file: SpillFile, kept_labels: SpillFile, columns: tuple[Any, ...], labels: Any) -> Run:
    """Writes a run."""
    pa = require_arrow(PURPOSE)
    codec = next((name for name in CODECS if pa.Codec.is_available(name)), None)
    options = pa.ipc.IpcWriteOptions(compression=codec)
    schema = pa.schema([(str(i), column.type) for i, column in enumerate(columns)])
    parts = []
    for begin in range(0, len(labels), PART):
        batch = pa.record_batch([column[begin : begin + PART] for column in columns], schema)
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, schema, options=options) as writer:
            writer.write_batch(batch)
        data = np.frombuffer(sink.getvalue(), np.uint8)
        parts.append(Part(file.size, len(data), batch.num_rows, crc32(data.data)))
        file.append(data)
    kept_labels.append(labels)
    first = as_arrow(np.arange(0, len(labels), PART))
    return Run(file, parts, kept_labels, tuple(column.take(first) for column in columns))


def _joined(parts: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """The columns of several parts, one after the other."""
    pa = require_arrow(PURPOSE)
    return tuple(pa.concat_arrays(columns) for columns in zip(*parts, strict=True))
