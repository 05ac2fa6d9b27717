"""One peer on one graph, in a process of its own: ``python -m skerry_bench.isolated --help``.

A library that crashes, leaks, takes all threads or never returns then affects only its own result,
and the peak memory is that of the call. Every peer is measured this way; see `Isolation`.

The process reads the graph from a folder of ``.npy`` files and runs the peer on a graph of a few
vertices first (imports, threads, compilers), then once on the graph to warm up and for the peak
memory, then for the samples. Each answer is converted to labels of smallest members outside of the
timing, and all answers must be equal. The last one is written to the folder, where the runner
compares it with the verified answer. A line of JSON has the samples and the peak.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import Csr, Edges
from skerry.graph.build import csr_from_edges
from skerry_bench.energy import energy_per_call, find_meters
from skerry_bench.energy_meters import Meter
from skerry_bench.gpu_device import pci_address
from skerry_bench.implementation import Answer, Device, Graph, PeerAnswer
from skerry_bench.memory import with_peak

LABELS = "labels.npy"
FORMS = {"edges": ("src", "dst"), "csr": ("offsets", "neighbors")}


def store(graph: Graph, form: str, folder: Path) -> None:
    """Writes the form ``"edges"`` or ``"csr"`` of a graph, unless it is there already."""
    arrays: Any = graph.edges if form == "edges" else graph.csr
    for name in FORMS[form]:
        if not (folder / f"{name}.npy").exists():
            np.save(folder / f"{name}.npy", getattr(arrays, name))
    (folder / "vertices").write_text(str(arrays.num_vertices))


class HostGraph:
    """A graph whose forms are loaded on first use."""

    def __init__(self, name: str, edges: Callable[[], Edges], csr: Callable[[], Csr]) -> None:
        self.name = name
        self._edges = edges
        self._csr = csr

    @cached_property
    def edges(self) -> Edges:
        """The edge list."""
        return self._edges()

    @cached_property
    def csr(self) -> Csr:
        """The symmetric CSR with sorted rows."""
        return self._csr()

    @cached_property
    def device_edges(self) -> Any:
        """The edge list on the current GPU."""
        import cupy

        src, dst = cupy.asarray(self.edges.src), cupy.asarray(self.edges.dst)
        return SimpleNamespace(src=src, dst=dst, num_vertices=self.edges.num_vertices)

    @cached_property
    def device_csr(self) -> Any:
        """The CSR on the current GPU."""
        import cupy

        rows = self.csr
        offsets, neighbors = cupy.asarray(rows.offsets), cupy.asarray(rows.neighbors)
        return SimpleNamespace(offsets=offsets, neighbors=neighbors)


def stored_graph(folder: Path) -> HostGraph:
    """The graph in a folder that `store` wrote to."""

    def array(name: str) -> npt.NDArray[Any]:
        return np.load(folder / f"{name}.npy")  # type: ignore[no-any-return]

    return HostGraph(
        folder.name,
        lambda: Edges(array("src"), array("dst"), int((folder / "vertices").read_text())),
        lambda: Csr(array("offsets"), array("neighbors"), symmetric=True, sorted_rows=True),
    )


def small_graph() -> HostGraph:
    """A path and an isolated vertex, to start threads and compile kernels."""
    ids = np.arange(64, dtype=np.uint32)
    edges = Edges(ids[:-1], ids[1:], 65)
    return HostGraph("small", lambda: edges, lambda: csr_from_edges(edges, 1))


def measure(
    call: Callable[[], Answer],
    *,
    repeat: int,
    budget: float,
    peak: bool = True,
    meters: Sequence[Meter] = (),
) -> tuple[dict[str, Any], npt.NDArray[Any]]:
    """Samples, the peak memory, and the answer, which must be the same each time.

    If the warm-up takes half of the budget, or no samples are wanted, it is the only sample.
    """

    def once() -> tuple[Answer, float]:
        begin = perf_counter()
        answer = call()
        return answer, perf_counter() - begin

    (answer, first), peak_bytes = with_peak(once) if peak else (once(), None)
    expected = smallest_members(_labels(answer))
    samples, spent = [], first
    if first >= budget / 2 or not repeat:
        samples.append(first)
    while not samples or (len(samples) < repeat and spent + first <= budget):
        del answer  # its memory is free for the next answer
        answer, seconds = once()
        if not np.array_equal(smallest_members(_labels(answer)), expected):
            raise RuntimeError("two runs gave different components")
        samples.append(seconds)
        spent += seconds
    output: dict[str, Any] = {"seconds": samples, "peak_bytes": peak_bytes}
    if meters:
        output["energy"], _ = energy_per_call(call, meters)
    return output, expected


def _meters(device: Device) -> Sequence[Meter]:
    return find_meters(device, pci_address() if device == "cuda" else "")[0]


def _labels(answer: Answer) -> npt.NDArray[Any]:
    labels: Any = answer.labels if isinstance(answer, PeerAnswer) else answer
    return np.asarray(labels.get() if hasattr(labels, "get") else labels)


def smallest_members(labels: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Converts labels of any values to labels of smallest members, which can be compared.

    >>> smallest_members(np.array([7, -1, 7, 4]))
    array([0, 1, 0, 3])
    """
    n = len(labels)
    if n and (labels.min() < 0 or int(labels.max()) > 4 * n):
        labels = np.unique(labels, return_inverse=True)[1]
    first = np.zeros(int(labels.max()) + 1 if n else 0, np.int64)
    first[labels[::-1]] = np.arange(n)[::-1]  # the last write to an index counts
    return first[labels]  # type: ignore[no-any-return]


def main(arguments: list[str]) -> None:
    """``PEER FOLDER solve|end_to_end THREADS REPEAT BUDGET [--energy]``."""
    from skerry_bench.peers import PEERS

    energy = arguments[6:] == ["--energy"]
    arguments = arguments[:6] if energy else arguments
    if (
        len(arguments) != 6
        or arguments[0] not in PEERS
        or arguments[2] not in ("solve", "end_to_end")
    ):
        usage = "PEER FOLDER solve|end_to_end THREADS REPEAT BUDGET [--energy]"
        print(f"python -m skerry_bench.isolated {usage}\npeers: {', '.join(PEERS)}")
        raise SystemExit(0 if "--help" in arguments else 2)
    peer, folder, scope = PEERS[arguments[0]], Path(arguments[1]), arguments[2]
    threads, repeat, budget = int(arguments[3]), int(arguments[4]), float(arguments[5])
    graph: Graph = stored_graph(folder)
    if scope == "solve":
        peer.solve(peer.prepare(small_graph(), threads))
        state = peer.prepare(graph, threads)
        call = lambda: peer.solve(state)  # noqa: E731
    else:
        peer.end_to_end(small_graph(), threads)
        _ = graph.edges if peer.device == "cpu" else graph.device_edges  # loaded before the timing
        call = lambda: peer.end_to_end(graph, threads)  # noqa: E731
    on_host = peer.device == "cpu"
    meters = _meters(peer.device) if energy else ()
    output, labels = measure(call, repeat=repeat, budget=budget, peak=on_host, meters=meters)
    np.save(folder / LABELS, labels)
    print(json.dumps(output))


if __name__ == "__main__":
    main(sys.argv[1:])
