"""What both Ray and Spark promise: the labels of one machine, whatever dies, or a clear error."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cluster.acceptance import CASES, PUBLISHED, published, rows_of_sets
from cluster.conftest import edges
from cluster.engines import one_machine, processes
from cluster.sessions import python_path
from skerry.cluster.state import StateError
from skerry.errors import ArgumentError, InputError, TargetError
from support.histories import run_history, table_of

METHODS = ("stream", "forest", "contraction")
HISTORIES = int(os.environ.get("SKERRY_HISTORIES", "3"))


def written_in(folder):
    assert (folder / "_SUCCESS").exists()
    table = pq.read_table(folder).to_pydict()
    return sorted(zip(table["id"], table["component"], strict=True))


@pytest.mark.parametrize("method", METHODS)
def test_labels_are_those_of_one_machine(cluster, table, method, tmp_path):
    result = cluster.solve(cluster.given(table), method=method, verify=True)
    wanted = one_machine(table)
    assert cluster.rows(result.dataset) == wanted
    assert result.count == len({component for _, component in wanted})
    assert result.plan.engine == ("streaming" if method == "stream" else cluster.name)
    assert any("verified" in note for note in result.plan.notes)
    result.write(str(tmp_path / "out"))
    assert written_in(tmp_path / "out") == wanted
    summary = pq.read_table(tmp_path / "out" / "_summary.parquet").to_pylist()[0]
    assert (summary["vertices"], summary["components"]) == (len(wanted), result.count)
    with pytest.raises(TargetError, match="not empty"):
        result.write(str(tmp_path / "out"))


def test_random_histories_follow_the_rule(cluster, tmp_path):
    """Names of clusters from day to day; SKERRY_HISTORIES=50 runs as many histories."""

    def solve_day(pairs, as_id, method):
        given = cluster.given(table_of(pairs, as_id), pieces=2)
        return cluster.solve(given, method=method).collect()

    for seed in range(HISTORIES):
        method = METHODS[-1 - seed % 3]
        run_history(seed, tmp_path, solve_day=partial(solve_day, method=method))


@pytest.mark.usefixtures("many_rounds")
def test_many_rounds_and_parts(cluster, table):
    result = cluster.solve(cluster.given(table), method="contraction", tasks=4)
    assert len([note for note in result.plan.notes if note.startswith("round")]) > 2
    assert cluster.rows(result.dataset) == one_machine(table)


def test_what_fits_one_process_is_streamed(cluster, table):
    result = cluster.solve(cluster.given(table))
    assert result.plan.engine == "streaming"
    assert "fit one process" in result.plan.notes[-1]
    assert cluster.rows(result.dataset) == one_machine(table)


@pytest.mark.parametrize("method", METHODS)
def test_weights_and_further_vertices(cluster, table, method):
    vertices = [5, 10**9]
    for keep in (None, "below"):
        options = {"weight": "weight", "threshold": 0.6, "keep": keep}
        result = cluster.solve(
            cluster.given(table), cluster.ids(vertices), method=method, **options
        )
        assert cluster.rows(result.dataset) == one_machine(table, vertices=vertices, **options)


TEXTS = pa.table(
    {"src": ["kim", "bo", "al", "zoë", "kim"], "dst": ["lee", "al", "bo", "zoë", None]}
)


@pytest.mark.parametrize("method", METHODS)
def test_texts_are_numbered_exactly(cluster, table, method, tmp_path):
    columns = {name: [f"n{i}" for i in table[name].to_pylist()] for name in ("src", "dst")}
    many = pa.table(columns)
    for texts, options in ((many, {"verify": True}), (TEXTS, {"on_null": "drop"})):
        result = cluster.solve(
            cluster.given(texts), cluster.ids(["alone"]), method=method, tasks=3, **options
        )
        wanted = one_machine(texts, vertices=["alone"], on_null="drop")
        assert cluster.rows(result.dataset) == wanted
        result.write(str(tmp_path / str(len(texts))))
        assert written_in(tmp_path / str(len(texts))) == wanted
    with pytest.raises(InputError, match="null"):
        cluster.solve(cluster.given(TEXTS), method=method)


@pytest.mark.parametrize("method", ["auto", *METHODS])
def test_an_input_without_rows_has_no_components(cluster, table, method):
    result = cluster.solve(cluster.given(table.slice(0, 0)), method=method)
    assert (result.count, result.num_vertices) == (0, 0)


def test_wrong_input_is_refused(cluster, table):
    with pytest.raises(InputError, match=cluster.input_words):
        cluster.module.connected_components(table)
    with pytest.raises(ArgumentError, match="method must be"):
        cluster.solve(cluster.given(table), method="magic")
    with pytest.raises(InputError, match="no column"):
        cluster.solve(cluster.given(table), source="a", target="b")


@pytest.mark.usefixtures("many_rounds")
@pytest.mark.parametrize("kind", [0, 1])
def test_a_process_that_is_killed_changes_nothing(cluster, kind):
    if kind >= len(cluster.victims):
        pytest.skip("has one kind of process")
    table = edges(400_000, 600_000)
    done, killed = threading.Event(), []

    def kill():
        while not done.is_set() and not killed:
            for process in processes(cluster, kind)[-1:]:
                time.sleep(0.5)
                process.send_signal(signal.SIGKILL)
                killed.append(process.pid)
            time.sleep(0.01)

    given = cluster.given(table, 8)
    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    result = cluster.solve(given, method="contraction", tasks=8)
    done.set()
    killer.join(60)
    assert killed
    assert cluster.rows(result.dataset) == one_machine(table)


@pytest.mark.usefixtures("many_rounds")
def test_a_lost_state_file_is_an_error_that_names_it(cluster, tmp_path, table):
    def lose(sentence):
        if sentence.startswith("round 2"):
            (tmp_path / "round-000" / f"{cluster.lost}.parquet").unlink()

    options = {"method": "contraction", "tasks": 2, "state": str(tmp_path), "progress": lose}
    with pytest.raises(StateError, match=cluster.lost):
        cluster.solve(cluster.given(table), **options)


@pytest.mark.parametrize("kind", [pa.int64(), pa.string()])
def test_a_state_is_of_the_edges_and_vertices_themselves(cluster, tmp_path, kind):
    """As many other rows are refused; the same in another order and other pieces go on."""
    table = edges(500, 700).select(["src", "dst"]).cast(pa.schema([("src", kind), ("dst", kind)]))
    known = pa.array(range(10**6, 10**6 + 1500)).cast(kind)
    others = pa.array([*range(10**6, 10**6 + 1499), 5]).cast(kind)

    def solve(table, vertices=known, pieces=3):
        options = {"method": "contraction", "tasks": 2, "state": str(tmp_path)}
        given = cluster.given(table, pieces)
        return cluster.rows(cluster.solve(given, cluster.ids(vertices), **options).dataset)

    wanted = solve(table)
    src, dst = (table[name].to_pylist() for name in ("src", "dst"))
    dst[3] = dst[4]
    changed = pa.table({"src": src, "dst": dst}, table.schema)
    for other in ({"table": changed}, {"table": table, "vertices": others}):
        with pytest.raises(StateError, match="another run: other edges or vertices"):
            solve(**other)
    assert solve(table.take(np.random.default_rng(1).permutation(700)), pieces=4) == wanted


DRIVER = """
import os, sys
import skerry.cluster.driver
skerry.cluster.driver._fits = lambda _, files: files.total("minima") <= 100
{start}
def stop(sentence):
    print(sentence, flush=True)
    if sentence.startswith("round 2") and sys.argv[3] == "die":
        os.kill(os.getpid(), 9)
result = module.distributed_components(
    edges, method="contraction", tasks=4, state=sys.argv[2], progress=stop
)
print("resumed", [note for note in result.plan.notes if "earlier run" in note])
result.write(sys.argv[2] + "-out")
"""


def test_a_driver_that_is_killed_goes_on(cluster, tmp_path, table):
    script, state = tmp_path / "driver.py", tmp_path / "state"
    script.write_text(DRIVER.format(start=cluster.driver))
    cluster.stop()
    pq.write_table(table, tmp_path / "edges.parquet", row_group_size=1000)
    command = [sys.executable, str(script), str(tmp_path / "edges.parquet"), str(state)]
    environment = {**os.environ, "PYTHONPATH": python_path()}
    ends = [
        subprocess.run([*command, end], env=environment, capture_output=True, text=True)
        for end in ("die", "live")
    ]
    cluster.start()
    first, second = ends
    assert first.returncode == -signal.SIGKILL, first.stdout + first.stderr
    assert second.returncode == 0, second.stderr
    assert "1 rounds were done by an earlier run" in second.stdout
    assert "round 1" not in second.stdout
    assert written_in(tmp_path / "state-out") == one_machine(table)


BY_ROUNDS_ON_SPARK = ("no vertex", "two triangles and two alone", "friends")


def solved(cluster, case, method):
    kind = pa.string() if isinstance(case.vertices, str) else pa.int64()
    ends = list(zip(*case.edges, strict=True)) or [(), ()]
    names = ("src", "dst")
    table = pa.table({name: pa.array(end, kind) for name, end in zip(names, ends, strict=True)})
    vertices = cluster.ids(list(case.vertices), kind)
    result = cluster.solve(cluster.given(table, 2), vertices, method=method, tasks=2, verify=True)
    return cluster.rows(result.dataset)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CASES)
def test_the_graphs_of_graphframes_suite(cluster, name, method):
    if (cluster.name, method) == ("spark", "contraction") and name not in BY_ROUNDS_ON_SPARK:
        pytest.skip("rounds of Spark take long")
    assert solved(cluster, CASES[name], method) == rows_of_sets(CASES[name].components)


@pytest.mark.skipif(not PUBLISHED, reason="no graphs of LDBC beside the repository")
@pytest.mark.parametrize("method", ["forest", "contraction"])
@pytest.mark.parametrize("name", PUBLISHED)
def test_published_labels_of_ldbc(cluster, name, method):
    if (cluster.name, method) == ("spark", "contraction"):
        pytest.skip("rounds of Spark take long")
    case = published(name)
    assert solved(cluster, case, method) == rows_of_sets(case.components)
