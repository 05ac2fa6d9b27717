"""Peers in processes of their own, for the runner: see `isolated` for what such a process does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import weakref
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from skerry.config import temporary_folder
from skerry.errors import SkerryError
from skerry_bench.implementation import Answer, Device, Graph, Peer, Scope
from skerry_bench.isolated import LABELS, store
from skerry_bench.peers import PEERS
from skerry_bench.samples import Pace

__all__ = ["Isolated", "Isolation", "PeerFailedError"]

MAKING = 10.0
"""Budgets, and seconds besides, that a process may take for making the peer's graph and imports."""


class PeerFailedError(SkerryError, RuntimeError):
    """A peer crashed, raised an error or did not come to an end."""


class Isolation:
    """Where graphs lie for the processes: each is written once, and gone with the next one."""

    def __init__(self, pace: Pace) -> None:
        self.pace = pace
        self._folder = tempfile.TemporaryDirectory(prefix="skerry-bench-", dir=temporary_folder())
        self._graph: weakref.ref[Graph] | None = None
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    def of(self, peer: Peer) -> Peer:
        """The same peer in processes of its own; what is not in the table of peers, as it is."""
        return Isolated(peer, self) if PEERS.get(peer.name) is peer else peer

    def stored(self, graph: Graph, form: str) -> Path:
        """The folder with a form of the graph."""
        folder = Path(self._folder.name, str(self._count))
        if self._graph is None or self._graph() is not graph:
            if folder.exists():
                for path in folder.iterdir():
                    path.unlink()
            self._count += 1
            self._graph = weakref.ref(graph)
            folder = Path(self._folder.name, str(self._count))
            folder.mkdir()
        store(graph, form, folder)
        return folder


@dataclass(frozen=True, slots=True)
class Isolated:
    """A peer of the table whose every measurement is a fresh process."""

    peer: Peer
    isolation: Isolation

    @property
    def name(self) -> str:
        """The peer's."""
        return self.peer.name

    @property
    def device(self) -> Device:
        """The peer's."""
        return self.peer.device

    @property
    def parallel(self) -> bool:
        """The peer's."""
        return self.peer.parallel

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The peer's."""
        return self.peer.scopes

    @property
    def max_entries(self) -> int | None:
        """The peer's."""
        return self.peer.max_entries

    def available(self) -> str | None:
        """As the peer says."""
        return self.peer.available()

    def version(self) -> str:
        """As the peer says."""
        return self.peer.version()

    def prepare(self, graph: Graph, threads: int) -> tuple[Path, int]:
        """Where the graph lies."""
        return self.isolation.stored(graph, "csr"), threads

    def solve(self, state: tuple[Path, int]) -> Answer:
        """Labels, samples and the peak of memory."""
        return self._run(*state, "solve")

    def end_to_end(self, graph: Graph, threads: int) -> Answer:
        """Labels, samples and the peak of memory."""
        return self._run(self.isolation.stored(graph, "edges"), threads, "end_to_end")

    def _run(self, folder: Path, threads: int, scope: Scope) -> Answer:
        pace = self.isolation.pace
        asked = (self.name, folder, scope, threads, pace.repeat, pace.budget)
        command = [sys.executable, "-m", "skerry_bench.isolated", *map(str, asked)]
        (folder / LABELS).unlink(missing_ok=True)
        told = _told(command, threads, pace.limit + MAKING * (pace.budget + 1))
        labels = np.load(folder / LABELS)
        seconds = tuple(map(float, told["seconds"]))
        return Answer(labels=labels, seconds=seconds, peak_bytes=told["peak_bytes"])


def _told(command: list[str], threads: int, limit: float) -> dict[str, Any]:
    """The line of JSON that a process prints at its end."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS")
    settings = dict.fromkeys(names, str(threads))
    try:
        done = subprocess.run(
            command,
            env=os.environ | settings,
            capture_output=True,
            text=True,
            check=False,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        raise PeerFailedError(f"was stopped after {limit:.0f} s") from None
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        killed = " (out of memory?)" if name == "SIGKILL" else ""
        raise PeerFailedError(f"crashed with {name}{killed}")
    if done.returncode:
        last = [line for line in done.stderr.splitlines() if line.strip()][-1:]
        raise PeerFailedError("".join(last) or f"ended with exit code {done.returncode}")
    try:
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        raise PeerFailedError(f"printed no result: {done.stdout[-200:]!r}") from None
    return found
