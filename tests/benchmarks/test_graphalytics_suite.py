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
from skerry_bench.graphalytics import graphs, jobs
from skerry_bench.graphalytics.graphs import PUBLISHED, GraphalyticsWorkload, Published
from skerry_bench.results import read_results
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
