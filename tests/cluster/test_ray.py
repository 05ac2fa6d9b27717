"""`skerry.ray` on a local cluster of two workers: the labels of one machine, whatever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import ray

import skerry.ray
from cluster.conftest import edges, expected, own_processes
from cluster.sessions import python_path, start_ray
from skerry.cluster.state import LABELS, StateError
from skerry.errors import InputError, TargetError, UnsupportedError
from support.cli import ok

pytestmark = pytest.mark.usefixtures("ray_cluster")
METHODS = ("stream", "forest", "contraction")


def dataset_of(table, blocks=5):
    rows = -(-len(table) // blocks)
    return ray.data.from_arrow([table.slice(i * rows, rows) for i in range(blocks)])


def rows_of(dataset):
    tables = ray.get(dataset.to_arrow_refs())
    columns = [pa.chunked_array([table[name] for table in tables]) for name in LABELS]
    return sorted(zip(*(column.to_pylist() for column in columns), strict=True))


@pytest.mark.parametrize("method", METHODS)
def test_labels_are_those_of_one_machine(table, method):
    result = skerry.ray.distributed_components(
        dataset_of(table), source="src", target="dst", method=method, verify=True
    )
    assert rows_of(result.dataset) == expected(table, source="src", target="dst")
    assert result.count == len({component for _, component in rows_of(result.dataset)})
    assert result.plan.engine == ("streaming" if method == "stream" else "ray")
    assert any("verified" in note for note in result.plan.notes)


@pytest.mark.usefixtures("many_rounds")
def test_many_rounds_and_parts(table):
    result = skerry.ray.distributed_components(
        dataset_of(table), source="src", target="dst", method="contraction", tasks=4
    )
    assert len([note for note in result.plan.notes if note.startswith("round")]) > 2
    assert rows_of(result.dataset) == expected(table, source="src", target="dst")


def test_what_fits_one_process_is_streamed(table):
    result = skerry.ray.distributed_components(dataset_of(table), source="src", target="dst")
    assert "fit one process" in result.plan.notes[-1]
    assert rows_of(result.dataset) == expected(table, source="src", target="dst")


@pytest.mark.parametrize("method", METHODS)
def test_weights_and_further_vertices(table, method):
    options = {"source": "src", "target": "dst", "threshold": 0.6, "vertices": [5, 10**9]}
    dataset = skerry.ray.connected_components(dataset_of(table), method=method, **options)
    assert rows_of(dataset) == expected(table, **options)
    options["keep"] = "below"
    dataset = skerry.ray.connected_components(dataset_of(table), method=method, **options)
    assert rows_of(dataset) == expected(table, **options)


@pytest.mark.parametrize("method", METHODS)
def test_files_are_read_by_tasks(tmp_path, table, method):
    for number in range(3):
        part = table.slice(number * 2000, 2000)
        pq.write_table(part, tmp_path / f"{number}.parquet", row_group_size=500)
    dataset = skerry.ray.connected_components(
        str(tmp_path), source="src", target="dst", method=method, tasks=8
    )
    assert rows_of(dataset) == expected(table, source="src", target="dst")


@pytest.mark.parametrize("method", METHODS)
def test_texts_are_numbered_exactly(tmp_path, table, method):
    texts = pa.table({name: [f"n{i}" for i in table[name].to_pylist()] for name in ("src", "dst")})
    result = skerry.ray.distributed_components(
        dataset_of(texts), method=method, tasks=3, vertices=["alone"], verify=True
    )
    wanted = expected(texts, vertices=["alone"])
    assert rows_of(result.dataset) == wanted
    result.write(str(tmp_path / "out"))
    written = pq.read_table(tmp_path / "out").sort_by("id").to_pydict()
    assert list(zip(written["id"], written["component"], strict=True)) == wanted


def test_large_ids_keep_their_type():
    high = pa.table(
        {"src": np.array([2**64 - 1, 7], np.uint64), "dst": np.array([9, 9], np.uint64)}
    )
    result = skerry.ray.distributed_components(dataset_of(high, 1), method="contraction")
    assert rows_of(result.dataset) == [(7, 7), (9, 7), (2**64 - 1, 7)]
    small = high.cast(pa.schema([("src", pa.uint64()), ("dst", pa.uint64())])).slice(1)
    narrow = small.cast(pa.schema([("src", pa.int16()), ("dst", pa.int16())]))
    dataset = skerry.ray.connected_components(dataset_of(narrow, 1), method="forest")
    assert dataset.schema().types == [pa.int16(), pa.int16()]


def test_what_is_written_is_complete(tmp_path, table):
    for method in METHODS:
        result = skerry.ray.distributed_components(
            dataset_of(table), source="src", target="dst", method=method
        )
        path = tmp_path / method
        result.write(str(path))
        assert (path / "_SUCCESS").exists()
        written = pq.read_table(path).sort_by("id")
        rows = list(zip(*(column.to_pylist() for column in written.columns), strict=True))
        assert rows == expected(table, source="src", target="dst")
        summary = pq.read_table(path / "_summary.parquet").to_pylist()[0]
        assert (summary["vertices"], summary["components"]) == (len(rows), result.count)
        with pytest.raises(TargetError, match="not empty"):
            result.write(str(path))


def test_wrong_input_is_refused(tmp_path, table):
    with pytest.raises(InputError, match="Ray Dataset"):
        skerry.ray.connected_components(table)
    with pytest.raises(InputError, match="method must be"):
        skerry.ray.connected_components(dataset_of(table), method="magic")
    path = tmp_path / "edges.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n")
    with pytest.raises(UnsupportedError, match="vertex numbers"):
        skerry.ray.connected_components(str(path), method="forest")
    path = tmp_path / "edges.txt"
    path.write_text("0 1\n")
    dataset = skerry.ray.connected_components(str(path), method="forest")
    assert rows_of(dataset) == [(0, 0), (1, 0)]
    nulls = pa.table({"src": [1, None], "dst": [2, 3]})
    with pytest.raises(InputError, match="null"):
        skerry.ray.connected_components(dataset_of(nulls, 1), method="forest")
    dataset = skerry.ray.connected_components(dataset_of(nulls, 1), method="forest", on_null="drop")
    assert rows_of(dataset) == [(1, 1), (2, 1)]


def test_the_command_solves_on_ray(tmp_path):
    table = edges(600_000, 400_000)  # more than one process may take
    pq.write_table(table, tmp_path / "edges.parquet", row_group_size=50_000)
    arguments = ["components", tmp_path / "edges.parquet", "--engine", "ray", "--verify", "--json"]
    arguments += ["--source", "src", "--target", "dst", "--limit-memory", "48MB"]
    arguments += ["-o", tmp_path / "out", "--state", tmp_path / "state"]
    report = json.loads(ok(*arguments))
    assert report["plan"]["engine"] == "ray"
    assert report["verified"]
    written = pq.read_table(tmp_path / "out").sort_by("id")
    rows = list(zip(*(column.to_pylist() for column in written.columns), strict=True))
    assert rows == expected(table, source="src", target="dst")
    assert report["vertices"] == len(rows)


def workers():
    """Processes of this cluster that run our tasks at this moment."""
    return own_processes(lambda line: line.startswith("ray::run_task"))


class Killer(threading.Thread):
    """Kills a worker that is at work, some times."""

    def __init__(self, times):
        super().__init__(daemon=True)
        self.times, self.killed, self.done = times, 0, False

    def run(self):
        while not self.done and self.killed < self.times:
            for process in workers()[:1]:
                process.send_signal(signal.SIGKILL)
                self.killed += 1
                time.sleep(1)
            time.sleep(0.01)


@pytest.mark.usefixtures("many_rounds")
@pytest.mark.parametrize("method", ["forest", "contraction"])
def test_a_worker_that_is_killed_changes_nothing(method):
    table = edges(400_000, 600_000)
    killer = Killer(2)
    killer.start()
    dataset = skerry.ray.connected_components(
        dataset_of(table, 8), source="src", target="dst", method=method, tasks=8
    )
    killer.done = True
    killer.join()
    assert killer.killed
    assert rows_of(dataset) == expected(table, source="src", target="dst")


@pytest.mark.usefixtures("many_rounds")
def test_a_lost_state_file_is_an_error_that_names_it(tmp_path, table):
    def lose(sentence):
        if sentence.startswith("round 2"):
            (tmp_path / "round-000" / "records-00001.parquet").unlink()

    with pytest.raises(StateError, match="records-00001"):
        skerry.ray.connected_components(
            dataset_of(table),
            source="src",
            target="dst",
            method="contraction",
            state=str(tmp_path),
            progress=lose,
        )


DRIVER = """
import os, sys
import ray, skerry.ray
import skerry.cluster.driver
skerry.cluster.driver._fits = lambda _, files: files.total("minima") <= 100
ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
def stop(sentence):
    print(sentence, flush=True)
    if sentence.startswith("round 3") and sys.argv[3] == "die":
        os.kill(os.getpid(), 9)
result = skerry.ray.distributed_components(
    sys.argv[1], source="src", target="dst", method="contraction", tasks=4,
    state=sys.argv[2], progress=stop,
)
print("resumed", [note for note in result.plan.notes if "earlier run" in note])
result.write(sys.argv[2] + "-out")
"""


def test_a_driver_that_is_killed_goes_on(tmp_path, table):
    ray.shutdown()
    script, state = tmp_path / "driver.py", tmp_path / "state"
    script.write_text(DRIVER)
    pq.write_table(table, tmp_path / "edges.parquet", row_group_size=1000)
    command = [sys.executable, str(script), str(tmp_path / "edges.parquet"), str(state)]
    environment = {**os.environ, "PYTHONPATH": python_path()}
    first = subprocess.run([*command, "die"], env=environment, capture_output=True, text=True)
    assert first.returncode == -signal.SIGKILL
    second = subprocess.run([*command, "live"], env=environment, capture_output=True, text=True)
    assert second.returncode == 0, second.stderr
    assert "2 rounds were done by an earlier run" in second.stdout
    assert "round 1" not in second.stdout
    written = pq.read_table(f"{state}-out").sort_by("id")
    rows = list(zip(*(column.to_pylist() for column in written.columns), strict=True))
    assert rows == expected(table, source="src", target="dst")
    start_ray()


@pytest.mark.parametrize("method", ["auto", *METHODS])
def test_a_data_set_without_rows_has_no_components(method):
    none = ray.data.from_items([{"src": 1, "dst": 2}]).filter(lambda row: row["src"] > 5)
    result = skerry.ray.distributed_components(none, method=method)
    assert (result.count, result.num_vertices) == (0, 0)


@pytest.mark.parametrize("method", METHODS)
def test_ids_of_two_types_are_refused_on_every_route(method):
    """Also where they come in another block: none is cast to the type of those before."""
    texts, numbers = {"src": ["2"], "dst": ["02"]}, {"src": [2], "dst": [3]}
    both = {"src": [2], "dst": ["02"]}
    for tables in ([both], [texts, numbers], [numbers, texts], [{"src": [0.5], "dst": [1.5]}]):
        dataset = ray.data.from_arrow([pa.table(each) for each in tables])
        with pytest.raises(InputError):
            skerry.ray.connected_components(dataset, method=method)


@pytest.mark.parametrize("kind", [pa.int64(), pa.string()])
def test_a_state_is_of_the_edges_and_vertices_themselves(tmp_path, kind):
    """As many other rows are refused; the same in another order and other blocks go on."""
    table = edges(500, 700).select(["src", "dst"]).cast(pa.schema([("src", kind), ("dst", kind)]))
    vertices = pa.array(range(10**6, 10**6 + 1500)).cast(kind)
    others = pa.array([*range(10**6, 10**6 + 1499), 5]).cast(kind)

    def solve(table, vertices=vertices, blocks=3):
        options = {"method": "contraction", "tasks": 2, "state": str(tmp_path)}
        data = dataset_of(table, blocks)
        return rows_of(skerry.ray.connected_components(data, vertices=vertices, **options))

    wanted = solve(table)
    src, dst = (table[name].to_pylist() for name in ("src", "dst"))
    dst[3] = dst[4]
    changed = pa.table({"src": src, "dst": dst}, table.schema)
    for other in ({"table": changed}, {"table": table, "vertices": others}):
        with pytest.raises(StateError, match="another run: other edges or vertices"):
            solve(**other)
    assert solve(table.take(np.random.default_rng(1).permutation(700)), blocks=4) == wanted
