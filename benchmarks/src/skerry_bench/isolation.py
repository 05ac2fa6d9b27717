"""Runs each peer in a process of its own; `isolated` is what that process does."""

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

from skerry import SkerryError
from skerry.config import temporary_folder
from skerry_bench.implementation import Device, Graph, Peer, PeerAnswer, Scope
from skerry_bench.isolated import LABELS, store
from skerry_bench.peers import PEERS
from skerry_bench.sampler import SamplingPolicy

PREPARATION = 10.0
"""Budgets, plus as many seconds, that a process may take for imports and building its graph."""


class PeerFailedError(SkerryError, RuntimeError):
    """A peer crashed, raised an error or did not end in time."""


class Isolation:
    """A folder with the current graph for the processes; the next graph replaces it."""

    def __init__(self, policy: SamplingPolicy, *, energy: bool = False) -> None:
        self.policy = policy
        self.energy = energy
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
        """The peer in processes of its own; a peer that is not in `PEERS` is returned as it is."""
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
    """A peer of `PEERS`, measured in a fresh process each time."""

    peer: Peer
    isolation: Isolation

    @property
    def name(self) -> str:
        """As of the peer."""
        return self.peer.name

    @property
    def device(self) -> Device:
        """As of the peer."""
        return self.peer.device

    @property
    def parallel(self) -> bool:
        """As of the peer."""
        return self.peer.parallel

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """As of the peer."""
        return self.peer.scopes

    @property
    def max_entries(self) -> int | None:
        """As of the peer."""
        return self.peer.max_entries

    def available(self) -> str | None:
        """As of the peer."""
        return self.peer.available()

    def version(self) -> str:
        """As of the peer."""
        return self.peer.version()

    def prepare(self, graph: Graph, threads: int) -> tuple[Path, int]:
        """The folder of the graph."""
        return self.isolation.stored(graph, "csr"), threads

    def solve(self, state: tuple[Path, int]) -> PeerAnswer:
        """Labels, samples and peak memory."""
        return self._run(*state, "solve")

    def end_to_end(self, graph: Graph, threads: int) -> PeerAnswer:
        """Labels, samples and peak memory."""
        return self._run(self.isolation.stored(graph, "edges"), threads, "end_to_end")

    def _run(self, folder: Path, threads: int, scope: Scope) -> PeerAnswer:
        policy = self.isolation.policy
        arguments = (self.name, folder, scope, threads, policy.repeat, policy.budget)
        command = [sys.executable, "-m", "skerry_bench.isolated", *map(str, arguments)]
        command += ["--energy"] if self.isolation.energy else []
        (folder / LABELS).unlink(missing_ok=True)
        limit = policy.limit + PREPARATION * (policy.budget + 1)
        output = run_process(command, threads, limit)
        labels = np.load(folder / LABELS)
        seconds = tuple(map(float, output["seconds"]))
        return PeerAnswer(
            labels=labels,
            seconds=seconds,
            peak_bytes=output["peak_bytes"],
            energy=output.get("energy"),
        )


def run_process(command: list[str], threads: int, limit: float) -> dict[str, Any]:
    """The line of JSON that a process prints at its end; `PeerFailedError` if there is none."""
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
        output: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        raise PeerFailedError(f"printed no result: {done.stdout[-200:]!r}") from None
    return output
