"""The scripts that LDBC's driver calls: a graph is loaded, solved, validated and unloaded."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest

from lab.paths import LAB
from skerry.errors import InputError
from skerry_bench.graphalytics.equivalence import Labeling, difference, read_labeling
from skerry_bench.graphalytics.job import main
from skerry_bench.graphalytics.stored import load_graph, read_stored

SCRIPTS = LAB / "graphalytics/bin/sh"
VERTICES = "7\n9000000000000000000\n3\n12\n40\n5\n"
EDGES = "7 3 0.5\n9000000000000000000 12 0.25\n3 7 0.5\n12 12 1\n"
EXPECTED = {7: 0, 3: 0, 12: 1, 9 * 10**18: 1, 40: 2, 5: 3}
JOB = {"--job-id": "j", "--algorithm": "wcc", "--input-path": "a", "--output-path": "b"}
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")


@pytest.fixture
def graph(tmp_path):
    """The files of a graph whose two names differ."""
    (tmp_path / "a.v").write_text(VERTICES)
    (tmp_path / "b.e").write_text(EDGES)
    return {
        "--input-vertex-path": tmp_path / "a.v",
        "--input-edge-path": tmp_path / "b.e",
        "--output-path": tmp_path / "stored",
    }


def environment(python=sys.executable):
    return {**os.environ, "SKERRY_PYTHON": str(python)}


def run(script, options, python=sys.executable):
    words = [str(word) for option in options.items() for word in option]
    command = ["bash", str(SCRIPTS / script), *words]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment(python), check=False
    )
    return done.returncode, done.stdout + done.stderr


def is_right(path):
    expected = Labeling("expected", np.array(list(EXPECTED)), np.array(list(EXPECTED.values())))
    return difference(expected, read_labeling(path)) is None


@needs_bash
def test_load_execute_validate_unload(tmp_path, graph):
    code, text = run("prepare-benchmark.sh", {})
    assert (code, "is ready" in text) == (0, True), text
    named = {"--graph-name": "small"}
    code, text = run(
        "load-graph.sh", {**named, **graph, "--directed": "true", "--weighted": "true"}
    )
    assert (code, text) == (0, "loaded 6 vertices and 4 edges\n")
    output, logs = tmp_path / "out" / "small-WCC", tmp_path / "logs"
    job = {"--job-id": "j1", "--algorithm": "wcc", "--input-path": graph["--output-path"]}
    code, text = run(
        "execute-job.sh",
        {**job, "--output-path": output, "--log-path": logs, "--num-threads": 2},
    )
    assert code == 0, text
    stamps = re.findall(r"Processing (starts|ends) at: (\d+)\n", text)
    assert [word for word, _ in stamps] == ["starts", "ends"]
    assert 0 <= int(stamps[1][1]) - int(stamps[0][1]) < 60_000
    assert text.endswith("6 vertices, 4 edges, 4 components\n")
    assert [path.name for path in logs.iterdir()] == ["j1.log"]
    assert is_right(output)
    other = {"--job-id": "j2", "--algorithm": "WCC", "--input-dir": graph["--output-path"]}
    code, text = run("execute-job.sh", {**other, "--output-file": tmp_path / "out"})
    assert code == 0, text
    assert is_right(tmp_path / "out" / "j2")
    code, text = run("unload-graph.sh", {**named, "--output-path": graph["--output-path"]})
    assert (code, text) == (0, "")
    assert not graph["--output-path"].exists()


@needs_bash
@pytest.mark.parametrize(
    ("script", "options", "message"),
    [
        ("load-graph.sh", {"--graph-name": "a"}, "--input-vertex-path is missing"),
        ("load-graph.sh", {"--graph": "a"}, "there is no option --graph; there are: --graph-name"),
        ("unload-graph.sh", {"--graph-name": ""}, "--graph-name is missing"),
        ("terminate-job.sh", {"--job-id": "a"}, "--log-path is missing"),
        (
            "execute-job.sh",
            {**JOB, "--algorithm": "bfs"},
            "skerry has wcc only",
        ),
        (
            "execute-job.sh",
            {**JOB, "--num-machines": 2},
            "runs on one machine, --num-machines is 2",
        ),
    ],
)
def test_bad_options_are_refused(script, options, message):
    code, text = run(script, options)
    assert code == 2
    assert message in text


@needs_bash
def test_a_failed_job_fails(tmp_path):
    job = {"--job-id": 1, "--algorithm": "wcc", "--input-path": tmp_path / "none"}
    for log in ({}, {"--log-path": tmp_path}):
        code, text = run("execute-job.sh", {**job, "--output-path": tmp_path / "out", **log})
        assert code == 1
        assert "holds no graph that was loaded" in text


@needs_bash
def test_a_job_is_terminated(tmp_path):
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    words = [str(word) for option in {**JOB, "--log-path": tmp_path}.items() for word in option]
    command = ["bash", str(SCRIPTS / "execute-job.sh"), *words]
    with subprocess.Popen(command, env=environment(slow), cwd=tmp_path) as process:
        number = tmp_path / "j.pid"
        deadline = time.monotonic() + 30
        while not (number.exists() and number.read_text()) and time.monotonic() < deadline:
            time.sleep(0.01)
        ended = {"--job-id": "j", "--log-path": tmp_path}
        assert run("terminate-job.sh", ended) == (0, "")
        assert process.wait(30) not in (0, None)
    assert run("terminate-job.sh", ended) == (0, "")


def test_a_stored_graph_is_the_files(graph):
    folder = graph["--output-path"]
    loaded = load_graph(graph["--input-vertex-path"], graph["--input-edge-path"], folder)
    stored = read_stored(folder)
    assert stored.ids.tolist() == sorted(EXPECTED)
    assert (stored.csr.num_vertices, stored.csr.num_entries, stored.edges) == (6, 4, 4)
    np.testing.assert_array_equal(stored.csr.neighbors, loaded.csr.neighbors)
    with pytest.raises(InputError, match="holds a graph already; unload it first"):
        load_graph(graph["--input-vertex-path"], graph["--input-edge-path"], folder)
    np.save(folder / "ids.npy", stored.ids[1:])
    with pytest.raises(InputError, match="its files are not of one graph"):
        read_stored(folder)


@pytest.mark.parametrize(
    ("vertices", "message"),
    [("7\n3\n12\n", "is no vertex of .*a.v"), ("7\n" + VERTICES, "has 7 lines, but there are 6")],
)
def test_vertices_that_do_not_fit_the_edges_are_refused(graph, vertices, message):
    graph["--input-vertex-path"].write_text(vertices)
    folder = graph["--output-path"]
    with pytest.raises(InputError, match=message):
        load_graph(graph["--input-vertex-path"], graph["--input-edge-path"], folder)
    assert not folder.exists()


def test_graphs_without_edges_and_without_vertices(tmp_path):
    for vertices, name in (("5\n9\n", "isolated"), ("", "empty")):
        (tmp_path / "a.v").write_text(vertices)
        (tmp_path / "a.e").write_text("")
        folder, output = str(tmp_path / name), tmp_path / f"{name}.wcc"
        assert main(["load", str(tmp_path / "a.v"), str(tmp_path / "a.e"), folder]) == 0
        assert main(["execute", folder, str(output)]) == 0
        assert output.read_text() == "".join(f"{v} {v}\n" for v in vertices.split())
        assert main(["unload", folder]) == 0


def test_only_the_files_of_the_graph_are_removed(graph):
    folder = graph["--output-path"]
    load_graph(graph["--input-vertex-path"], graph["--input-edge-path"], folder)
    (folder / "mine.txt").write_text("stays")
    assert main(["unload", str(folder)]) == 0
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
