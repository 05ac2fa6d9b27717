"""Runs on the corpus: samples in turn, peers as libraries, records, summaries, a GPU (emulated)."""

from __future__ import annotations

import ctypes
import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import skerry
from lab.emulated_gpu import emulated_gpu
from lab.peer_libraries import compile_peers
from skerry_bench import gpu_device
from skerry_bench.cli.command import bench_app
from skerry_bench.cli.run_command import split_names
from skerry_bench.corpus import cpu
from skerry_bench.corpus.catalog import catalog
from skerry_bench.corpus.gpu import measure_on_gpu
from skerry_bench.corpus.implementations import OWN
from skerry_bench.corpus.peer_library import libraries
from skerry_bench.corpus.peer_process import PeerProcess
from skerry_bench.corpus.record import GraphRecord, Record, Result, read_record
from skerry_bench.corpus.rotation import SlowRule, burst, rotate
from skerry_bench.corpus.run import CorpusOptions, run_corpus, selected
from skerry_bench.corpus.store import Store
from skerry_bench.corpus.summary import compare, tables
from skerry_bench.isolation import PeerFailedError
from skerry_bench.results import Gpu
from support.emulator import works

PEER = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { int64_t n; const int32_t *offsets, *ends; int32_t *labels; } State;
void *skerry_peer_prepare(int64_t n, int64_t m, const int32_t *offsets, const int32_t *ends) {
  State *s = malloc(sizeof(State));
  (void)m;
  s->n = n; s->offsets = offsets; s->ends = ends; s->labels = malloc(4 * (n + 1));
  return s;
}
const int32_t *skerry_peer_solve(void *state) {
  State *s = state;
  int changed = 1;
  printf("peers may print\n");
  for (int64_t v = 0; v < s->n; v++) s->labels[v] = v;
  while (changed) {
    changed = 0;
    for (int64_t v = 0; v < s->n; v++)
      for (int32_t i = s->offsets[v]; i < s->offsets[v + 1]; i++)
        if (s->labels[s->ends[i]] < s->labels[v]) {
          s->labels[v] = s->labels[s->ends[i]];
          changed = 1;
        }
  }
  BREAK
  return s->labels;
}
void skerry_peer_free(void *state) { free(((State *)state)->labels); free(state); }
"""
BROKEN = {
    "good": "",
    "liar": "s->labels[0] = 7777;",
    "crash": "abort();",
}
SMALL = ("grid-12", "tiny-10")
RULE = SlowRule(pause=0.0)


@pytest.fixture(scope="module")
def peers(tmp_path_factory):
    """A folder of libraries: one that is right, one that lies, one that crashes."""
    return compile_peers(tmp_path_factory.mktemp("peers"), PEER, BROKEN)


def graph_named(name):
    return next(graph for graph in catalog() if graph.name == name)


def test_samples_are_taken_in_turn_and_each_round_begins_with_the_next():
    seen = []
    calls = {name: lambda name=name: seen.append(name) or 0.1 for name in "abc"}
    samples = rotate(calls, 3, RULE)
    assert "".join(seen) == "abc" + "abc" + "bca" + "cab"
    assert all(each.seconds == [0.1] * 3 for each in samples.values())


def test_a_slow_implementation_has_its_warm_up_as_its_only_sample():
    samples = rotate({"fast": lambda: 0.01, "slow": lambda: 5.0}, 9, RULE)
    assert (len(samples["fast"].seconds), samples["slow"].seconds) == (9, [5.0])


def test_an_implementation_that_fails_does_not_end_the_others():
    def fail():
        raise PeerFailedError("no")

    samples = rotate({"a": lambda: 0.1, "b": fail}, 2, RULE, failures=(PeerFailedError,))
    assert samples["b"].error == "no" and samples["b"].median == float("inf")
    assert len(samples["a"].seconds) == 2


def test_rounds_end_when_the_budget_of_a_graph_is_spent():
    samples = rotate({"a": lambda: 0.1}, 9, SlowRule(budget=-1.0, pause=0.0, min_rounds=2))
    assert len(samples["a"].seconds) == 2


def test_short_calls_are_timed_in_bursts_without_the_first():
    times = iter([0.001, *[1e-4] * 5])
    assert burst(lambda: next(times)) == 1e-4
    times = iter([0.01, 0.008, 0.1])
    assert burst(lambda: next(times)) == 0.008
    assert burst(lambda: 0.5) == 0.5


def test_a_run_compares_auto_own_algorithms_and_peers(peers, tmp_path):
    output = tmp_path / "run.jsonl"
    options = CorpusOptions(names=SMALL, threads=2, peers=peers, repeat=2, output=output)
    record = run_corpus(options)
    by_name = {(each.graph, each.implementation): each for each in record.results}
    for graph in SMALL:
        assert len(by_name[graph, "auto"].seconds) == 2 and by_name[graph, "auto"].ran
        ran = {implementation for name, implementation in by_name if name == graph}
        assert {name for own in OWN["cpu"] for name in (own, f"{own}@1")} <= ran
        assert by_name[graph, "good"].seconds and by_name[graph, "good"].peer
        assert "not the components" in by_name[graph, "liar"].error
        assert "crashed" in by_name[graph, "crash"].error
        assert not by_name[graph, "liar"].seconds
    features = record.graphs["grid-12"].features
    assert (features["vertices"], features["max_degree"], features["components"]) == (1024, 4, 1)
    assert all(graph.ten_edges > 0 for graph in record.graphs.values())
    again = read_record(output)
    assert (again.graphs, again.results) == (record.graphs, record.results)
    assert len(run_corpus(options).results) == len(record.results)  # nothing is measured twice
    with pytest.raises(skerry.SkerryError, match="threads 2, not 1"):
        run_corpus(replace(options, threads=1))


def test_a_wrong_answer_of_ours_ends_the_run(monkeypatch):
    monkeypatch.setattr(cpu, "verified_labels", lambda *_: None)
    rows = Store(None).load(graph_named("tiny-10"))
    wrong = np.zeros(rows.num_vertices, np.uint32)
    with pytest.raises(RuntimeError, match="differ"):
        cpu.measure_on_cpu("tiny-10", rows, wrong, [], {}, 1, 1, RULE)


def test_a_peer_that_hangs_is_stopped(peers, tmp_path):
    np.save(tmp_path / "offsets.npy", np.zeros(2, np.int32))
    np.save(tmp_path / "neighbors.npy", np.zeros(0, np.int32))
    peer = PeerProcess("good", libraries(peers)["good"], 1, limit=0.0)
    with pytest.raises(PeerFailedError, match="stopped"):
        peer.load(tmp_path)
    peer.limit = 60.0
    peer.load(tmp_path)  # started again
    assert peer.time() >= 0
    peer.close()


def test_a_call_of_ours_is_stopped_at_its_limit(monkeypatch):
    def forever(rows, algorithm="auto", threads=None):
        while algorithm == "ecl":
            pass
        return solve(rows, algorithm=algorithm, threads=threads)

    solve = skerry.connected_components
    monkeypatch.setattr(skerry, "connected_components", forever)
    monkeypatch.setattr(cpu, "MIN_LIMIT", 0.05)
    rows = Store(None).load(graph_named("tiny-10"))
    labels = solve(rows).labels
    results = cpu.measure_on_cpu("tiny-10", rows, labels, ["ecl", "rows"], {}, 1, 2, RULE)
    by_name = {each.implementation: each for each in results}
    assert "time limit" in by_name["ecl"].error and len(by_name["rows"].seconds) == 2


def test_a_time_budget_leaves_graphs_out():
    said = []
    record = run_corpus(CorpusOptions(time_budget=0.0, max_entries=1 << 12), said.append)
    assert not record.graphs and "time budget" in said[-1]


def test_a_graph_that_cannot_be_made_is_left_out(monkeypatch):
    def load(*_):
        raise ImportError("no scipy")

    monkeypatch.setattr(Store, "load", load)
    said = []
    assert not run_corpus(CorpusOptions(names=("tiny-10",)), said.append).graphs
    assert said == ["1/1 tiny-10: left out: no scipy"]


def test_a_run_takes_a_half_and_sizes_in_a_mixed_order():
    graphs = selected(CorpusOptions("checking", min_entries=1 << 12, max_entries=1 << 16))
    assert {graph.half for graph in graphs} == {"checking"}
    logs = [graph.log for graph in graphs]
    assert set(logs) <= set(range(12, 17)) and logs != sorted(logs)
    with pytest.raises(skerry.SkerryError, match="no graph"):
        selected(CorpusOptions(names=("nothing",)))


def record_of(*rows, device="cpu", clock="wall"):
    record = Record()
    for name, entries, auto, own, peer, hub in rows:
        features = dict.fromkeys(("vertices", "degree", "near", "largest"), 1.0)
        features |= {"entries": entries, "max_degree": entries if hub else 1}
        times = {"auto": auto, "ecl": own, "gapbs": peer}
        results = [
            Result(name, which, device, 2, clock, which == "gapbs", (seconds,))
            for which, seconds in times.items()
        ]
        record.add(GraphRecord(name, "tuning", (name,), features, 1e-5), results)
    return record


def test_a_summary_has_means_the_tail_by_name_and_the_regret():
    record = record_of(
        ("a", 1 << 20, 1.0, 0.5, 2.0, False),
        ("b", 1 << 21, 1.0, 1.0, 0.5, False),
        ("c", 1 << 10, 1.0, 2.0, 0.8, True),
    )
    text = tables(record, "cpu")
    large = next(line for line in text.splitlines() if line.startswith("| from"))
    assert large == "| from 1,048,576 entries | 2 | 1.000 | 1 of 2 | 1 of 2 | 1.414 | 2.00 (a) |"
    small = next(line for line in text.splitlines() if line.startswith("| below "))
    assert small == "| below | 1 | 0.800 | 1 of 1 | 0 of 1 | 1.000 | 1.00 (c) |"
    assert "plus 10.0 us: 1 of 1 (c)" in text
    assert "| 1.00; 1 of 2 below 0.9, 1 of 2 below 0.75 | 0.80; 1 of 1" in text.splitlines()[-1]
    assert [row.regret for row in compare(record, "wall")] == [1.0, 2.0, 1.0]


def test_on_a_gpu_hubs_are_not_in_means_and_twenty_microseconds_are_level():
    record = record_of(
        ("a", 1 << 22, 60e-6, 60e-6, 50e-6, False),
        ("b", 1 << 22, 90e-6, 90e-6, 50e-6, False),
        ("hub", 1 << 22, 1.0, 1.0, 100.0, True),
        device="cuda",
        clock="queued",
    )
    line = next(line for line in tables(record, "cuda").splitlines() if line.startswith("| from"))
    assert "| 3 | 0.680 | 1 of 2 | 1 of 2 |" in line


@pytest.mark.skipif(not works(), reason="needs a C++ compiler")
def test_a_graph_is_measured_on_a_gpu_by_both_clocks(monkeypatch):
    busy = []
    hooks = {"keep_busy": lambda: busy.append(1), "stream": lambda: 5}
    gpu = emulated_gpu(monkeypatch, Gpu("emulated", "1", "13"), **hooks)
    rows = Store(None).load(graph_named("tiny-10"))
    labels = _labels(rows)

    def answering(answer, status=0):
        def bind(n, entries, *_):
            assert (n, entries) == (rows.num_vertices, rows.num_entries)

            def queue(stream, out, _scratch):
                assert stream == 5
                (ctypes.c_int32 * n).from_address(out)[:] = answer
                return status

            return queue

        return bind

    right = labels.tolist()
    peers = {
        "ecl": answering(right),
        "liar": answering([0] * len(right)),
        "refuses": answering(right, 2),
    }
    results = measure_on_gpu("tiny-10", rows, labels, ["rows"], peers, gpu, 2)
    by_name = {(each.implementation, each.clock): each for each in results}
    assert len(results) == 2 * 5
    for clock in ("queued", "device"):
        assert all(len(by_name[name, clock].seconds) == 2 for name in ("auto", "rows", "ecl"))
        assert "not the components" in by_name["liar", clock].error
        assert "returned 2" in by_name["refuses", clock].error
    assert len(busy) == 3 * 3  # only before queued calls: one to warm up and two samples


def _labels(rows):
    src = np.repeat(np.arange(rows.num_vertices), np.diff(rows.offsets.astype(np.int64)))
    labels = np.arange(rows.num_vertices, dtype=np.uint32)
    while True:
        before = labels.copy()
        np.minimum.at(labels, src, labels[rows.neighbors])
        if (labels == before).all():
            return labels


def test_a_comma_between_brackets_does_not_separate_algorithms():
    names = "ecl@1,rows[a=1,q=2],none,,bfs"
    assert split_names(names) == ("ecl@1", "rows[a=1,q=2]", "none", "bfs")


def test_the_command_lists_makes_measures_and_sums_up(tmp_path):
    runner = CliRunner()

    def bench(*words):
        return runner.invoke(bench_app, ["corpus", *words])

    listed = bench("--list", "--half", "checking", "--max-entries", "2^12")
    assert listed.exit_code == 0 and "checking" in listed.stdout and "tuning" not in listed.stdout
    output = str(tmp_path / "run.jsonl")
    words = ["tiny-10", "--algorithms", "ecl", "--repeat", "1", "--threads", "1", "-o", output]
    measured = bench(*words, "--cache", str(tmp_path / "cache"))
    assert measured.exit_code == 0 and "tiny-10: auto" in measured.stdout
    assert list((tmp_path / "cache").glob("*/tiny-10.neighbors.npy"))
    lines = (tmp_path / "run.jsonl").read_text().splitlines()
    assert {json.loads(line)["kind"] for line in lines} == {"run", "graph", "result"}
    again = bench("--summary", "-o", output)
    assert again.exit_code == 0 and "| tiny-10 | tuning |" in again.stdout
    for wrong in (["--half", "both"], ["--make-only"], ["--summary"], ["--max-entries", "many"]):
        assert bench(*wrong).exit_code == 2


def test_a_gpu_that_is_missing_is_an_error(monkeypatch):
    def missing():
        raise skerry.UnsupportedError("no GPU")

    monkeypatch.setattr(gpu_device, "this_gpu", missing)
    with pytest.raises(skerry.UnsupportedError):
        run_corpus(CorpusOptions(device="cuda", names=("tiny-10",)))


def test_a_name_that_no_graph_has_is_not_ignored():
    with pytest.raises(skerry.SkerryError, match="is called tiny-11, typo in this half"):
        selected(CorpusOptions(names=("tiny-10", "typo", "tiny-11")))
