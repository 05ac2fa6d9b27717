"""Peers: each finds the components of awkward graphs, in this process and in one of its own."""

from __future__ import annotations

import subprocess
import sys
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from lab.fake_peer import FakePeer
from skerry.errors import InputError
from skerry.graph.build import csr_from_edges
from skerry_bench import isolated, isolation
from skerry_bench.implementation import PeerAnswer
from skerry_bench.isolated import HostGraph, measure, small_graph, store, stored_graph
from skerry_bench.isolation import Isolated, Isolation, PeerFailedError
from skerry_bench.options import Options
from skerry_bench.peers import PEERS
from skerry_bench.peers.adapter import DeferredLabels
from skerry_bench.peers.members import labels_of_sets
from skerry_bench.run import choose_peers, run_suite
from skerry_bench.sampler import SamplingPolicy, take_samples
from support import oracle

ON_CPU = [peer for peer in PEERS.values() if peer.device == "cpu"]
FAST = SamplingPolicy(2, 60.0)  # no test is to fail on a busy machine
# Warnings of others are not ours to mend: networkit's and python-graphblas' imports have some.
pytestmark = pytest.mark.filterwarnings("default")


def made(n, listed, dtype=np.uint32):
    src, dst = np.array(listed, dtype).reshape(-1, 2).T.copy()
    pairs = skerry.Edges(src, dst, n)
    return HostGraph("made", lambda: pairs, lambda: csr_from_edges(pairs, 1))


def awkward(dtype=np.uint32):
    """Loops, repeats, both directions, vertices without an edge, and a long path."""
    random = np.random.default_rng(4)
    pairs = [(3, 3), (5, 6), (6, 5), (5, 6), (9, 7), (7, 8), (0, 199)]
    pairs += [(v + 1, v) for v in range(20, 60)] + random.integers(100, 190, (60, 2)).tolist()
    return made(201, pairs, dtype)


def present(name):
    peer = PEERS[name]
    if peer.available() is not None:
        pytest.skip(peer.available())
    return peer


def answer_of(found):
    labels = found.labels if isinstance(found, PeerAnswer) else found
    return oracle.smallest_members(np.asarray(labels.get() if hasattr(labels, "get") else labels))


@pytest.mark.parametrize("name", [peer.name for peer in ON_CPU])
@pytest.mark.parametrize("dtype", [np.uint32, np.int64])
def test_answers(name, dtype):
    peer = present(name)
    for graph in (awkward(dtype), made(3, [], dtype), made(2, [(1, 0)], dtype), small_graph()):
        pairs = graph.edges
        right = oracle.flood_labels(pairs.num_vertices, pairs.src, pairs.dst)
        if "solve" in peer.scopes:
            state = peer.prepare(graph, 1)
            for _ in range(2):
                assert np.array_equal(answer_of(peer.solve(state)), right)
        assert np.array_equal(answer_of(peer.end_to_end(graph, 1)), right)


@pytest.mark.parametrize("peer", PEERS.values(), ids=PEERS)
def test_every_peer_says_what_it_is(peer):
    assert peer.name in PEERS and peer.device in ("cpu", "cuda")
    assert peer.scopes and {*peer.scopes} <= {"solve", "end_to_end"}
    missing = peer.available()
    assert missing or peer.version()[0].isdigit()
    if peer.device == "cuda":
        assert missing or "cupy" in sys.modules


def test_the_table_needs_no_library():
    code = "import sys, skerry_bench.peers; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert not loaded & {peer.package.partition(".")[0] for peer in PEERS.values()}


def test_names():
    assert [*choose_peers("igraph,scipy,igraph")] == ["igraph", "scipy"]
    assert {peer.device for peer in choose_peers("all").values()} == {"cpu", "cuda"}
    with pytest.raises(InputError, match="no peer 'boost'; there are: none, installed, all, scipy"):
        choose_peers("boost")


def test_groups_become_labels():
    assert labels_of_sets([{1, 3}, {0}], 4).tolist() == [1, 0, -1, 0]
    assert labels_of_sets([], 2).tolist() == [-1, -1]


@given(st.lists(st.integers(-3, 5), max_size=40), st.sampled_from([1, 10**12]))
def test_smallest_members(labels, factor):
    found = isolated.smallest_members(np.array(labels, np.int64) * factor)
    assert found.tolist() == [labels.index(label) for label in labels]


def test_a_graph_in_a_folder(tmp_path):
    graph = awkward(np.int64)
    for form in ("edges", "csr"):
        store(graph, form, tmp_path)
    again = stored_graph(tmp_path)
    assert again.edges.num_vertices == 201 and again.edges.src.dtype == np.int64
    assert np.array_equal(again.edges.dst, graph.edges.dst)
    assert np.array_equal(again.csr.neighbors, graph.csr.neighbors)
    assert again.csr.symmetric


def test_samples_have_to_agree():
    told, labels = measure(lambda: np.array([4, 4, 2]), repeat=3, budget=9)
    assert len(told["seconds"]) == 3 and labels.tolist() == [0, 0, 2]
    answers = iter([np.array([0, 0, 2]), np.array([0, 1, 2])])
    with pytest.raises(RuntimeError, match="different components"):
        measure(lambda: next(answers), repeat=3, budget=9)
    for few in ({"repeat": 3, "budget": 0.0}, {"repeat": 0, "budget": 9}):
        assert len(measure(lambda: np.array([1]), **few)[0]["seconds"]) == 1


def test_labels_are_fetched_once_the_clock_has_stopped():
    fetched = []
    answer = PeerAnswer(labels=DeferredLabels(lambda: fetched.append(1) or [0, 0]))
    measure(lambda: answer, repeat=1, budget=1, peak=False)
    assert len(fetched) == 2


@pytest.mark.parametrize("name", ["scipy", "polars"])
def test_in_a_process_of_its_own(name):
    peer = present(name)
    graph = awkward()
    right = oracle.flood_labels(201, graph.edges.src, graph.edges.dst)
    with Isolation(FAST) as place:
        alone = place.of(peer)
        assert isinstance(alone, Isolated) and alone.scopes == peer.scopes
        assert alone.version() == peer.version() and alone.available() is None
        found = alone.end_to_end(graph, 1)
        assert np.array_equal(found.labels, right)
        assert len(found.seconds) == 2 and found.peak_bytes >= 0
        if "solve" in peer.scopes:
            state = alone.prepare(graph, 1)
            samples = take_samples(lambda: alone.solve(state), lambda _: "labels", FAST)
            assert len(samples.seconds) == 2 and samples.peak is not None
            assert np.array_equal(samples.answer.labels, right)


def test_only_the_table_can_be_asked_elsewhere():
    peer = FakePeer()
    with Isolation(FAST) as place:
        assert place.of(peer) is peer


def test_each_graph_is_written_once():
    with Isolation(FAST) as place:
        one, two = awkward(), small_graph()
        first = place.stored(one, "edges")
        assert place.stored(one, "csr") == first and (first / "offsets.npy").exists()
        second = place.stored(two, "edges")
        assert second != first and not [*first.iterdir()]
        gone = weakref.ref(two)
        del two
        assert gone() is None  # the folder does not keep a graph in memory
    assert not second.exists()


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "crashed with SIGSEGV"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", r"SIGKILL \(out of memory"),
        ("raise MemoryError('no room')", "MemoryError: no room"),
        ("raise SystemExit(7)", "exit code 7"),
        ("print('fine')", "printed no result: 'fine"),
        ("pass", "printed no result"),
        ("import time; time.sleep(60)", "stopped after 0 s"),
    ],
)
def test_what_goes_wrong_there_is_told_here(code, message):
    with pytest.raises(PeerFailedError, match=message):
        isolation.run_process([sys.executable, "-c", code], 1, 0.3 if "sleep" in code else 30)


def test_threads_are_told():
    code = "import os, json; print(json.dumps({'n': os.environ['POLARS_MAX_THREADS']}))"
    assert isolation.run_process([sys.executable, "-c", code], 3, 30) == {"n": "3"}


def test_a_run_with_a_peer_that_crashes(monkeypatch):
    peer = present("scipy")

    def crash(command, *_):
        raise PeerFailedError(f"crashed with SIGSEGV in {command[2]}")

    monkeypatch.setattr(isolation, "run_process", crash)
    options = Options(
        "smoke",
        scale=0.001,
        repeat=1,
        algorithms=("auto",),
        names=("grid",),
        peers={"scipy": peer},
    )
    lines = run_suite(options, None).journal.lines
    assert {one.implementation for one in lines.results} == {"auto"}
    reasons = [one.reason for one in lines.skipped]
    assert len(reasons) == 2 and all("crashed with SIGSEGV" in reason for reason in reasons)
