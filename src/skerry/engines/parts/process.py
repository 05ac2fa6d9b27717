"""A part in a process of its own, on the cores of one NUMA node, over memory that is shared.

The memory has no name and the process reads its commands from a pipe: whatever ends this process,
nothing is left. The other one allocates its parent array itself, so it lies in the memory of its
node. Its border comes through a pipe.
"""

from __future__ import annotations

import json
import mmap
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.engines.parts.part import Border, HostPart, StoppedError
from skerry.errors import SkerryError
from skerry.graph.csr import Csr
from skerry.threads import resolve_threads

PROGRAM = (
    "import json, sys; task = json.loads(sys.stdin.buffer.readline()); sys.path[:] = task['path']; "
    "from skerry.engines.parts.process import serve; serve(task)"
)
LINE = 64  # bytes: arrays begin at a multiple of it


def _shared_memory(size: int) -> tuple[int, mmap.mmap]:
    """Bytes, and the descriptor by which other processes map them."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("skerry")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, max(size, 1))
    return descriptor, mmap.mmap(descriptor, max(size, 1))


class SharedGraph:
    """A copy of a graph, and room for the labels, which other processes read and write."""

    def __init__(self, graph: Csr, kind: np.dtype[Any], threads: int) -> None:
        n, m = graph.num_vertices, graph.num_entries
        read, rows = _shared_memory(bytes_of_rows(n, m, kind))
        written, labels = _shared_memory(n * kind.itemsize)
        self.descriptors = read, written
        self.task = {"vertices": n, "entries": m, "type": kind.name, "symmetric": graph.symmetric}
        for array, copy in zip(graph.arrays(), _rows_in(rows, n, m, kind), strict=True):
            _native.copy_ids(array[: len(copy)], copy, threads)
        self.labels = np.frombuffer(labels, kind, n)

    def close(self) -> None:
        """Gives the memory back, once other processes have ended."""
        self.labels = self.labels[:0].copy()
        for descriptor in self.descriptors:
            os.close(descriptor)


def bytes_of_rows(vertices: int, entries: int, labels: np.dtype[Any]) -> int:
    """Bytes of a copy of a graph."""
    return -(-8 * (vertices + 1) // LINE) * LINE + entries * labels.itemsize


def _rows_in(
    memory: mmap.mmap, n: int, m: int, labels: np.dtype[Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    offsets = np.frombuffer(memory, np.uint64, n + 1)
    return offsets, np.frombuffer(memory, labels, m, -(-8 * (n + 1) // LINE) * LINE)


class ProcessPart:
    """Rows that another process joins."""

    def __init__(self, shared: SharedGraph, cores: Sequence[int], threads: int) -> None:
        self._shared = shared
        self._cores, self._threads = list(cores), threads
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def start(self) -> None:
        """Starts the process, and waits until it is ready."""
        pipe = subprocess.PIPE
        # In a group of its own: Ctrl-C in a terminal is for us, and we end it.
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=pipe,
            stdout=pipe,
            pass_fds=self._shared.descriptors,
            process_group=0,
        )
        self._process = process
        task = {
            **self._shared.task,
            "path": [path for path in sys.path if path],
            "descriptors": self._shared.descriptors,
            "cores": self._cores,
            "threads": self._threads,
        }
        self._request(task)

    def _request(self, command: Any) -> dict[str, Any]:
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        if self._stopped:  # before the process was there to be ended
            process.kill()
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(command).encode() + b"\n")
            process.stdin.flush()
        line = process.stdout.readline()
        if not line and self._stopped:
            raise StoppedError
        if not line:
            raise SkerryError(
                f"the process of a part has ended with status {process.wait()}; what it wrote is "
                "above. Where memory was short, name fewer parts"
            )
        answer: dict[str, Any] = json.loads(line)
        if "memory" in answer:
            raise MemoryError(answer["memory"])
        return answer

    def join(self, rows: range) -> None:
        """Joins the entries of some rows."""
        self._request([rows.start, rows.stop])

    def finish(self, rows: Sequence[range], labels: npt.NDArray[Any]) -> Border:
        """Copies the labels from the memory that is shared, and reads the border."""
        size = self._request([[own.start, own.stop] for own in rows])["border"]
        assert self._process is not None and self._process.stdout is not None
        for own in rows:
            written = slice(own.start, own.stop)
            _native.copy_ids(self._shared.labels[written], labels[written], self._threads)
        pairs = np.frombuffer(self._process.stdout.read(size), labels.dtype)
        return Border(*pairs.reshape(2, -1))

    def stop(self) -> None:
        """Ends the process."""
        self._stopped = True
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """Ends the process, and waits until it is gone."""
        process = self._process
        if process is not None:
            process.kill()
            process.communicate()


def serve(task: dict[str, Any]) -> None:
    """The other process: answers each command by a line, until there are no more."""
    if task["cores"]:
        os.sched_setaffinity(0, task["cores"])
    n, m, kind = task["vertices"], task["entries"], np.dtype(task["type"])
    rows, labels = (mmap.mmap(descriptor, 0) for descriptor in task["descriptors"])
    graph = Csr(*_rows_in(rows, n, m, kind), symmetric=task["symmetric"])
    part = HostPart(graph, kind, resolve_threads(task["threads"]))
    out = np.frombuffer(labels, kind, n)
    try:
        part.start()
        _write({})
        while line := sys.stdin.buffer.readline():
            command = json.loads(line)
            if isinstance(command[0], int):
                part.join(range(*command))
                _write({})
            else:
                border = part.finish([range(*own) for own in command], out)
                _write({"border": border.nbytes}, *border)
    except MemoryError as error:
        _write({"memory": str(error)})


def _write(answer: dict[str, Any], *arrays: npt.NDArray[Any]) -> None:
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
    for array in arrays:
        sys.stdout.buffer.write(array.data)
    sys.stdout.buffer.flush()
