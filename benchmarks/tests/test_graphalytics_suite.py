"""The suite of LDBC's graphs: counts, records and the table of its metrics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import skerry
from skerry.errors import ArgumentError
from skerry.generators import graph500_reference
from skerry_bench.cli.command import bench_app
from skerry_bench.cli.graphalytics_command import scales_of
from skerry_bench.graphalytics import graphs, jobs, suite
from skerry_bench.graphalytics import raw as raw_graphs
from skerry_bench.graphalytics.graphs import PUBLISHED, GraphalyticsWorkload, Published
from skerry_bench.graphalytics.raw import RawWorkload
from skerry_bench.results import GraphLine, Result, read_results
from skerry_bench.workload import WrongAnswerError
from support.emulator import EmulatedRuntime, works


def slow_graph(scale):
    """Ids and edges of LDBC's graph of a scale, by sets."""
    raw = graph500_reference(scale)
    pairs = zip(raw.src.tolist(), raw.dst.tolist(), strict=True)
    edges = {(min(u, v), max(u, v)) for u, v in pairs if u != v}
    return sorted({end for edge in edges for end in edge}), sorted(edges)


@pytest.mark.parametrize("scale", [3, 8])
def test_loops_repeats_and_isolated_vertices_are_left_out(scale):
    ids, edges = slow_graph(scale)
    work = GraphalyticsWorkload(scale, 2)
    assert work.ids.tolist() == ids
    named = zip(work.ids[work.edges.src].tolist(), work.ids[work.edges.dst].tolist(), strict=True)
    assert list(named) == edges
    assert (work.num_vertices, work.num_edges, work.num_entries) == (
        len(ids),
        len(edges),
        2 * len(edges),
    )
    assert work.csr.degrees().min() > 0
    assert work.components == skerry.connected_components(work.edges).count


@pytest.mark.skipif(not works(), reason="needs a C++ compiler")
def test_a_device_makes_the_same_graph():
    host, work = GraphalyticsWorkload(7, 1), GraphalyticsWorkload(7, 1, EmulatedRuntime())
    assert work.num_vertices == host.num_vertices
    for name in ("offsets", "neighbors"):
        np.testing.assert_array_equal(getattr(work.device_csr, name), getattr(host.csr, name))
        np.testing.assert_array_equal(getattr(work.csr, name), getattr(host.csr, name))
    for name in ("src", "dst"):
        np.testing.assert_array_equal(getattr(work.device_edges, name), getattr(host.edges, name))
    np.testing.assert_array_equal(work.ids, host.ids)


def test_counts_other_than_the_published_ones_are_wrong(monkeypatch):
    ids, edges = slow_graph(5)
    right = Published(len(ids), len(edges), {})
    monkeypatch.setattr(graphs, "PUBLISHED", {5: right})
    assert GraphalyticsWorkload(5, 1).num_edges == len(edges)
    monkeypatch.setattr(graphs, "PUBLISHED", {5: Published(len(ids), len(edges) + 1, {})})
    with pytest.raises(WrongAnswerError, match=f"LDBC publishes {len(ids)} and {len(edges) + 1}"):
        _ = GraphalyticsWorkload(5, 1).edges


@pytest.mark.parametrize("on_device", [False, True])
def test_raw_edges_are_checked_where_they_are(on_device, monkeypatch):
    if on_device and not works():
        pytest.skip("needs a C++ compiler")
    work = RawWorkload(8, 1, EmulatedRuntime() if on_device else None)
    raw, cleaned = graph500_reference(8), GraphalyticsWorkload(8, 1)
    answer = skerry.connected_components(raw)
    vars(work)["_checked"] = answer.count, work._digest(answer.labels)  # the emulator has no auto
    work._check_edges(answer.labels)
    assert work._count(answer.labels) == answer.count
    assert answer.count == cleaned.components + 256 - cleaned.num_vertices
    assert work.check(answer) == "count"
    assert (work.num_vertices, work.num_edges, work.num_entries) == (256, 4096, 8192)
    monkeypatch.setattr(raw_graphs, "PART", 100)
    assert work.check(answer) == "count"
    for vertex in (0, 99, 100, 255):
        labels = answer.labels.copy()
        labels[vertex] = 255 - labels[vertex]
        assert work._digest(labels) != work._checked[1]


def test_wrong_labels_of_raw_edges_are_noticed(monkeypatch):
    work = RawWorkload(6, 1)
    labels = skerry.connected_components(work.edges).labels
    assert work.components == len(np.unique(labels))
    with pytest.raises(WrongAnswerError, match="joins different labels"):
        work._check_edges(np.arange(64, dtype=np.uint32))
    with pytest.raises(WrongAnswerError, match="is not the smallest vertex"):
        work._count(np.full(64, 63, np.uint32))
    other = skerry.connected_components((labels[:0], labels[:0]), num_vertices=64)
    with pytest.raises(WrongAnswerError, match="are not the components of graph500-6-raw"):
        work.check(other)
    monkeypatch.setattr(raw_graphs, "PUBLISHED", {6: Published(63, 1, {})})
    with pytest.raises(WrongAnswerError, match="have an edge; LDBC publishes 63"):
        work._check_edges(labels)


def test_raw_edges_are_measured(tmp_path):
    record = tmp_path / "run.jsonl"
    words = ["graphalytics", "--scales", "8,9", "--raw", "--repeat", "1", "-o", str(record)]
    answer = CliRunner().invoke(bench_app, words)
    assert answer.exit_code == 0, answer.output
    results = read_results([record]).results
    assert [(line.graph, line.input) for line in results] == [
        ("graph500-8-raw", "edges"),
        ("graph500-9-raw", "edges"),
    ]
    (row,) = (line for line in answer.output.splitlines() if line.startswith("| graph500-8-raw |"))
    assert row.startswith("| graph500-8-raw | 256 | 4,096 |")
    assert row.endswith("|  |")  # LDBC has no such graph, and so no EVPS


def test_the_throughput_counts_what_ldbc_counts():
    def row(name, vertices, edges):
        graph = GraphLine("r", name, False, "graph500", vertices, edges, 2 * edges, 1, "c")
        fields = {"device": "cuda", "components": 1, "input": "edges", "scope": "end_to_end"}
        result = Result("r", "graphalytics", name, "auto", seconds=(0.5,), **fields)
        return suite.tables([result], [graph]).splitlines()[4].split("|")[-2].strip()

    assert row("graph500-9", 300, 700) == "2e+03"
    expected = f"{(2_396_657 + 64_155_735) / 0.5:.3g}"
    assert row("graph500-22-raw", 2**22, 2**26) == row("graph500-22", 2_396_657, 64_155_735)
    assert row("graph500-22-raw", 2**22, 2**26) == expected


def test_published_scales():
    assert list(PUBLISHED) == list(range(22, 31))
    assert (PUBLISHED[22].vertices, PUBLISHED[22].edges) == (2_396_657, 64_155_735)
    assert scales_of("22, 24-26") == (22, 24, 25, 26)
    with pytest.raises(ArgumentError, match="--scales must be numbers"):
        scales_of("big")


def test_the_command_measures_and_records(tmp_path):
    record = tmp_path / "run.jsonl"
    words = ["graphalytics", "--scales", "9", "--repeat", "1", "-o", str(record)]
    answer = CliRunner().invoke(bench_app, words)
    assert answer.exit_code == 0, answer.output
    assert "LDBC Graphalytics, WCC (not an audited LDBC result)" in answer.output
    assert "| load, s | makespan, s | processing, s | EVPS |" in answer.output
    results = read_results([record]).results
    kinds = {(line.implementation, line.input, line.scope) for line in results}
    assert kinds == {
        ("auto", "csr", "solve"),
        ("auto", "edges", "end_to_end"),
        ("load", "file", "end_to_end"),
        ("makespan", "file", "end_to_end"),
    }
    (makespan,) = (line for line in results if line.implementation == "makespan")
    assert 0 <= makespan.statistics["processing_seconds"] < min(makespan.seconds)
    refused = CliRunner().invoke(bench_app, ["graphalytics", "--scales", "31"])
    assert refused.exit_code != 0
    assert "scales are in 1..30" in refused.output


def test_a_job_with_a_wrong_answer_is_noticed(monkeypatch):
    work = GraphalyticsWorkload(6, 1)
    job = jobs.Job("makespan", "cpu", 1, 1)
    call = job.prepare(work)
    start, texts = jobs.Job._start, []

    def wrong_labels(command):
        texts.append(start(command))
        output = Path(command[command.index("execute") + 2])
        lines = output.read_text().splitlines()
        lines[-1] = f"{lines[-1].split()[0]} 77777"
        output.write_text("\n".join(lines) + "\n")
        return texts[0]

    monkeypatch.setattr(jobs.Job, "_start", staticmethod(wrong_labels))
    with pytest.raises(WrongAnswerError, match="are in one component, but have the labels"):
        call()
    other_count = texts[0].replace(" edges", "1 edges")
    monkeypatch.setattr(jobs.Job, "_start", staticmethod(lambda _: other_count))
    with pytest.raises(WrongAnswerError, match="makespan of graph500-6 reports"):
        call()
