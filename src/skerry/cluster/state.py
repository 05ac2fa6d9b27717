"""The state of a run: pairs in Parquet files, each with the count and sum that it must have.

A file that is missing, cut short, or of another run raises `StateError`: a run stops rather than
continue with less than it had.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np

from skerry.cluster.id_types import IdCodec
from skerry.cluster.pairs import Pairs, interleaved
from skerry.errors import SkerryError
from skerry.formats.source import is_remote, remote_filesystem
from skerry.formats.writers.atomic_file import atomic_file, local_path
from skerry.graph.arrow import arrow_view, numpy_view
from skerry.ids.content_sum import ContentSum
from skerry.optional import require_arrow

WORDS = IdCodec("uint64")
"""Of files that only skerry reads."""
LABELS = ["id", "component"]
"""Columns of the answer."""
PURPOSE = "the state of a run on a cluster"
BATCH_ROWS = 1 << 17
"""Pairs that are read or written at a time."""
JOB = "job.json"
"""Says what the state is of."""
READ_BUFFER = 1 << 18
"""Bytes of a column that are read ahead."""


class StateError(SkerryError, OSError):
    """The state of a run is missing or not what was written."""


class StateFolder(NamedTuple):
    """A folder that all workers and the driver see under one path or address."""

    path: str

    def file(self, *names: str) -> str:
        """The path of a file in it."""
        return "/".join([self.path.rstrip("/"), *names])

    def write_pairs(self, name: str, pairs: Pairs, codec: IdCodec = WORDS) -> ContentSum:
        """Writes a file of pairs: complete or not there, and the same if written twice.

        With a codec other than `WORDS`, the file has columns of ids and their components.
        """
        arrow = require_arrow(PURPOSE)
        parquet = require_arrow(PURPOSE, "pyarrow.parquet")
        names = ["first", "second"] if codec is WORDS else LABELS
        steps = range(0, max(1, len(pairs)), 2 * BATCH_ROWS)

        def batch(begin: int) -> Any:
            some = pairs[begin : begin + 2 * BATCH_ROWS]
            words = [np.ascontiguousarray(some[i::2]) for i in (0, 1)]
            return arrow.record_batch([arrow_view(codec.decode(w)) for w in words], names=names)

        first = batch(0)
        with (
            self.writable(name) as file,
            parquet.ParquetWriter(
                file, first.schema, compression="none", use_dictionary=False, write_statistics=False
            ) as writer,
        ):
            for begin in steps:
                writer.write_batch(first if not begin else batch(begin))
        return ContentSum.of_pairs(pairs)

    def read_pairs(self, name: str, facts: ContentSum, codec: IdCodec = WORDS) -> Pairs:
        """Reads a file of pairs and compares it with what was written."""
        pairs = np.empty(2 * facts[0], np.uint64)
        end = 0
        for batch in self.batches_of_pairs(name, facts, codec):
            pairs[end : end + len(batch)] = batch
            end += len(batch)
        return pairs

    def batches_of_pairs(
        self, name: str, facts: ContentSum, codec: IdCodec = WORDS
    ) -> Iterator[Pairs]:
        """The pairs of a file, some at a time; compared with what was written at the end."""
        path, read = self.file(name), ContentSum()
        for batch in self._batches(path):
            columns = [numpy_view(column) for column in batch.columns]
            pairs = interleaved(*(codec.encode(column, path) for column in columns))
            read = read.plus(ContentSum.of_pairs(pairs))
            if read.rows > facts[0]:
                break
            yield pairs
        if read != tuple(facts):
            raise StateError(
                f"{path}: the file holds {read.rows:,} pairs that are not the {facts[0]:,} that "
                f"were written; remove the folder {self.path} and run again"
            )

    def _batches(self, path: str) -> Iterator[Any]:
        arrow = require_arrow(PURPOSE)
        parquet = require_arrow(PURPOSE, "pyarrow.parquet")
        try:
            with (
                self.open(path) as file,
                parquet.ParquetFile(file, buffer_size=READ_BUFFER, pre_buffer=False) as opened,
            ):
                yield from opened.iter_batches(BATCH_ROWS, use_threads=False)
        except (OSError, arrow.ArrowException) as error:
            raise StateError(
                f"{path}: a file of the run's state cannot be read: {error}; remove the folder "
                f"{self.path} and run again"
            ) from None

    def write_json(self, name: str, value: Mapping[str, Any]) -> None:
        """Writes a small file: complete or not there."""
        with self.writable(name) as file:
            file.write(json.dumps(value, sort_keys=True, indent=1).encode())

    def read_json(self, name: str) -> dict[str, Any] | None:
        """A small file; None if it is not there."""
        path = self.file(name)
        try:
            with self.open(path) as file:
                data = file.read()
        except FileNotFoundError:
            return None
        try:
            value = json.loads(data)
        except ValueError as error:
            raise StateError(f"{path}: is damaged: {error}; remove the folder") from None
        if not isinstance(value, dict):
            raise StateError(f"{path}: is damaged; remove the folder")
        return value

    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""
        path = self.file(name)
        if is_remote(path):
            system, inner = remote_filesystem(path)
            return bool(system.exists(inner))
        return Path(local_path(path)).exists()

    def remove(self, name: str) -> None:
        """Removes a file or folder in it, if there is one."""
        path = self.file(name)
        if is_remote(path):
            system, inner = remote_filesystem(path)
            with suppress(FileNotFoundError):
                system.rm(inner, recursive=True)
            return
        local = Path(local_path(path))
        if local.is_dir():
            shutil.rmtree(local, ignore_errors=True)
        else:
            local.unlink(missing_ok=True)

    def remove_run(self) -> None:
        """Removes what a run that has ended has left, and the folder if nothing else is in it."""
        if not self.exists(JOB):
            return
        for name in ("labels", "rows", "ids", "ids.json", JOB):  # the job claims all others
            self.remove(name)
        if not is_remote(self.path):
            with suppress(OSError):
                self.local.rmdir()

    def open(self, path: str) -> Any:
        """A file to read."""
        if is_remote(path):
            system, inner = remote_filesystem(path)
            return system.open(inner, "rb")
        return Path(local_path(path)).open("rb")

    @contextmanager
    def writable(self, name: str) -> Iterator[Any]:
        """A file to write: complete or not there."""
        path = self.file(name)
        self.make_parent(path)
        with atomic_file(path) as file:
            yield file

    @property
    def local(self) -> Path:
        """The folder, of this machine."""
        return Path(local_path(self.path))

    def make_parent(self, path: str) -> None:
        """The folder of a file, where a file system has folders."""
        if is_remote(path):
            system, inner = remote_filesystem(path)
            system.makedirs(str(PurePosixPath(inner).parent), exist_ok=True)
            return
        Path(local_path(path)).parent.mkdir(parents=True, exist_ok=True)
