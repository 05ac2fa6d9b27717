"""Measures a graph of the corpus on a CPU: calls from Python, peers in their own processes."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import skerry
from skerry import Csr
from skerry.config import temporary_folder
from skerry.graph.build import csr_from_edges
from skerry_bench.corpus.forms import form_of, one_direction
from skerry_bench.corpus.implementations import implementation_of, is_peer, peer_key, split_name
from skerry_bench.corpus.peer_process import FILES, PeerProcess
from skerry_bench.corpus.record import Result
from skerry_bench.corpus.rotation import SlowRule, burst, rotate
from skerry_bench.isolation import PeerFailedError
from skerry_bench.sampler import TimeLimitError, time_limit
from skerry_bench.workload import WrongAnswerError, same_partition

RAM_DISK = Path("/dev/shm")

PATIENCE, MIN_LIMIT = 50.0, 1.0
"""A call is stopped after so many times the time of ``auto``, but not before so many seconds."""


def verified_labels(name: str, rows: Csr, threads: int | None) -> Any:
    """The labels that all others are compared with, checked by the independent verifier."""
    labels = skerry.connected_components(rows, threads=threads).labels
    checked = skerry.verify(rows, labels)
    if not checked:
        raise WrongAnswerError(f"the answer of auto on {name}: {checked.message}")
    return labels


def _timed(
    rows: Csr, algorithm: str, threads: int | None, labels: Any, limit: float | None = None
) -> Callable[[], float]:
    """A function that times one call; the first answer is compared."""
    compared = False
    graph: Any = one_direction(rows) if form_of(algorithm, "cpu") == "edges" else rows

    def once() -> float:
        nonlocal compared
        with time_limit(None if compared else limit):
            begin = perf_counter()
            answer = skerry.connected_components(graph, algorithm=algorithm, threads=threads).labels
            seconds = perf_counter() - begin
        if not compared and not np.array_equal(answer, labels):
            raise WrongAnswerError(f"labels of {algorithm} differ from those of auto")
        compared = True
        return seconds

    return lambda: burst(once)


def measure_on_cpu(
    name: str,
    rows: Csr,
    labels: Any,
    algorithms: Sequence[str],
    peers: Mapping[str, PeerProcess],
    threads: int | None,
    repeat: int = 9,
    rule: SlowRule | None = None,
) -> list[Result]:
    """The results of ``auto``, of the algorithms and of the peers, all in turn."""
    calls = {"auto": _timed(rows, "auto", threads, labels)}
    limit = max(MIN_LIMIT, PATIENCE * calls["auto"]())
    for algorithm in algorithms:
        calls[algorithm] = _timed(rows, *split_name(algorithm, threads), labels, limit)
    failed = _load_peers(rows, peers)
    for peer in sorted(peers.keys() - failed.keys()):
        calls[peer_key(peer)] = partial(peers[peer].time, limit)
    samples = rotate(calls, repeat, rule, failures=(PeerFailedError, TimeLimitError))
    for peer in peers.keys() - failed.keys():
        sample = samples[peer_key(peer)]
        if sample.error is None:
            sample.error = _wrong(peers[peer], labels)
    chosen = skerry.connected_components(rows, threads=threads).plan
    return [
        Result(
            graph=name,
            implementation=implementation_of(each),
            device="cpu",
            threads=threads if is_peer(each) else split_name(each, threads)[1],
            clock="wall",
            peer=is_peer(each),
            seconds=() if sample.error else tuple(sample.seconds),
            ran=f"{chosen.algorithm}, {chosen.threads} threads" if each == "auto" else None,
            error=sample.error,
        )
        for each, sample in samples.items()
    ] + [
        Result(name, peer, "cpu", threads, "wall", True, (), error=reason)
        for peer, reason in failed.items()
    ]


def _load_peers(rows: Csr, peers: Mapping[str, PeerProcess]) -> dict[str, str]:
    """Gives every peer the graph; returns why some did not take it."""
    failed: dict[str, str] = {}
    if not peers:
        return failed
    size = 4 * (rows.num_vertices + rows.num_entries)
    roomy = RAM_DISK.is_dir() and shutil.disk_usage(RAM_DISK).free > 2 * size
    parent = RAM_DISK if roomy else temporary_folder()
    folder = Path(tempfile.mkdtemp(prefix="skerry-corpus-", dir=parent))
    try:
        for file, array in zip(FILES, (rows.offsets, rows.neighbors), strict=True):
            np.save(folder / f"{file}.npy", array.astype(np.int32))
        for name, peer in peers.items():
            try:
                peer.load(folder)
            except PeerFailedError as error:
                failed[name] = str(error)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return failed


def _wrong(peer: PeerProcess, labels: Any) -> str | None:
    """Why a peer's answer is not taken, or None."""
    with tempfile.TemporaryDirectory(dir=temporary_folder()) as folder:
        path = Path(folder) / "labels.npy"
        try:
            peer.save_labels(path)
        except PeerFailedError as error:
            return str(error)
        components = int(np.count_nonzero(labels == np.arange(len(labels))))
        right = same_partition(np.load(path), labels, components)
    return None if right else "its labels are not the components of the graph"


@cache
def _ten_edges() -> Csr:
    ids = np.arange(11, dtype=np.uint32)
    return csr_from_edges(skerry.Edges(ids[:-1], ids[1:], 11))


def time_ten_edges(threads: int | None = None, calls: int = 200) -> float:
    """Seconds of a call on ten edges as rows: what no graph can be faster than."""
    rows = _ten_edges()
    samples = []
    for _ in range(calls):
        begin = perf_counter()
        _ = skerry.connected_components(rows, threads=threads).labels
        samples.append(perf_counter() - begin)
    return float(np.median(samples))
