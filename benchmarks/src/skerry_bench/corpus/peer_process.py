"""A process for each peer: it holds the library and one graph, and times single calls on request.

`ChildProcess` and `skerry_bench.child` are its two ends, which records of forced paths use, too.

The parent writes commands to its input, one a line, and reads one line of JSON for each. What the
library prints goes to the process' standard error. Between requests the process is stopped: the
threads of some libraries wait awake, and would take the cores of whoever is measured next.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from skerry_bench.child import answer_requests
from skerry_bench.corpus.peer_library import PeerGraph, load_cpu
from skerry_bench.corpus.rotation import burst
from skerry_bench.external import THREAD_VARIABLES
from skerry_bench.isolation import PeerFailedError


class ChildProcess:
    """The parent's side; a process that failed is started again for the next request."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        variables: Mapping[str, str] | None = None,
        limit: float = 15.0,
    ) -> None:
        self.name = name
        self.limit = limit
        """Seconds after which a request is given up."""
        self._command = [sys.executable, *command]
        self._environment = os.environ | (variables or {})
        self._process: subprocess.Popen[str] | None = None

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def request(self, request: dict[str, Any], limit: float | None = None) -> dict[str, Any]:
        """The answer to a request, which is given up after a limit of its own."""
        process = self._started()
        seconds = self.limit if limit is None else limit
        assert process.stdin is not None and process.stdout is not None
        try:
            process.send_signal(signal.SIGCONT)
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], seconds)
            line = process.stdout.readline() if ready else None
        except OSError:
            line = ""
        if not line:
            self.close()
            reason = "crashed" if line is not None else f"was stopped after {seconds:.1f} s"
            raise PeerFailedError(f"{self.name} {reason}")
        process.send_signal(signal.SIGSTOP)
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise PeerFailedError(f"{self.name}: {answer['error']}")
        return answer

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        return self._process


class PeerProcess(ChildProcess):
    """A process that holds a peer's library."""

    def __init__(self, name: str, library: Path, threads: int, limit: float = 15.0) -> None:
        variables = dict.fromkeys(THREAD_VARIABLES, str(threads))
        super().__init__(name, ["-m", __name__, str(library)], variables, limit)

    def load(self, folder: Path) -> None:
        """Reads the graph of a folder."""
        self.request({"load": str(folder)})

    def time(self, limit: float | None = None) -> float:
        """Seconds of one call."""
        return float(self.request({"time": 1}, limit)["seconds"])

    def save_labels(self, path: Path) -> None:
        """Writes the labels as a ``.npy`` file."""
        self.request({"labels": str(path)})


class _Server:
    """The child's side."""

    def __init__(self, library: Path) -> None:
        self.functions = load_cpu(library)
        self.graph: PeerGraph | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """What a request returns."""
        if "load" in request:
            if self.graph is not None:
                self.graph.close()
            folder = Path(request["load"])
            offsets, neighbors = (np.load(folder / f"{name}.npy") for name in FILES)
            self.graph = PeerGraph(self.functions, offsets, neighbors)
            return {}
        assert self.graph is not None
        if "labels" in request:
            np.save(request["labels"], self.graph.labels())
            return {}
        return {"seconds": burst(self._timed)}

    def _timed(self) -> float:
        assert self.graph is not None
        begin = perf_counter()
        self.graph.solve()
        return perf_counter() - begin


FILES = ("offsets", "neighbors")
"""Of a graph's folder: int32 arrays."""


def main(library: str) -> None:
    """Answers a peer's requests."""
    answer_requests(lambda: _Server(Path(library)).answer)


if __name__ == "__main__":
    main(sys.argv[1])
