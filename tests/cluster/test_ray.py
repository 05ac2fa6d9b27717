"""What only `skerry.ray` has, on a local cluster of two workers: files, blocks, the command."""

from __future__ import annotations

import json
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import ray

import skerry.ray
from cluster.conftest import edges
from cluster.engines import one_machine
from skerry.cluster.ray_input import RayEngine
from skerry.errors import InputError, UnsupportedError
from skerry.request import InputOptions
from support.cli import ok

METHODS = ("stream", "forest", "contraction")


@pytest.mark.parametrize("method", METHODS)
def test_files_are_read_by_tasks(ray_cluster, tmp_path, table, method):
    for number in range(3):
        part = table.slice(number * 2000, 2000)
        pq.write_table(part, tmp_path / f"{number}.parquet", row_group_size=500)
    dataset = skerry.ray.connected_components(
        str(tmp_path), source="src", target="dst", method=method, tasks=8
    )
    assert ray_cluster.rows(dataset) == one_machine(table)


def test_large_ids_keep_their_type(ray_cluster):
    high = pa.table(
        {"src": np.array([2**64 - 1, 7], np.uint64), "dst": np.array([9, 9], np.uint64)}
    )
    result = skerry.ray.distributed_components(ray_cluster.given(high, 1), method="contraction")
    assert ray_cluster.rows(result.dataset) == [(7, 7), (9, 7), (2**64 - 1, 7)]
    small = high.cast(pa.schema([("src", pa.uint64()), ("dst", pa.uint64())])).slice(1)
    narrow = small.cast(pa.schema([("src", pa.int16()), ("dst", pa.int16())]))
    dataset = skerry.ray.connected_components(ray_cluster.given(narrow, 1), method="forest")
    assert dataset.schema().types == [pa.int16(), pa.int16()]


def test_files_of_vertex_numbers_are_refused_and_nulls_are_an_error(ray_cluster, tmp_path):
    path = tmp_path / "edges.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n")
    with pytest.raises(UnsupportedError, match="vertex numbers"):
        skerry.ray.connected_components(str(path), method="forest")
    path = tmp_path / "edges.txt"
    path.write_text("0 1\n")
    dataset = skerry.ray.connected_components(str(path), method="forest")
    assert ray_cluster.rows(dataset) == [(0, 0), (1, 0)]
    nulls = ray_cluster.given(pa.table({"src": [1, None], "dst": [2, 3]}), 1)
    with pytest.raises(InputError, match="null"):
        skerry.ray.connected_components(nulls, method="forest")
    dataset = skerry.ray.connected_components(nulls, method="forest", on_null="drop")
    assert ray_cluster.rows(dataset) == [(1, 1), (2, 1)]


@pytest.mark.parametrize("method", ["auto", *METHODS])
def test_the_data_set_is_computed_once_and_only_what_is_needed(
    ray_cluster, tmp_path, table, method
):
    def slow(batch):
        (tmp_path / uuid4().hex).touch()
        return batch

    wide = table.append_column("payload", pa.array(["x" * 100] * len(table)))
    dataset = ray_cluster.given(wide, 3).map_batches(slow, batch_format="pyarrow", batch_size=None)
    blocks = len([*tmp_path.iterdir()])
    options = {} if method == "auto" else {"state": str(tmp_path / "state"), "tasks": 2}
    result = ray_cluster.solve(dataset, method=method, **options)
    assert ray_cluster.rows(result.dataset) == one_machine(table)
    computed = [path for path in tmp_path.iterdir() if path.is_file()]
    assert blocks < len(computed) <= 4  # the pieces that were given
    engine = RayEngine(dataset, InputOptions("src", "dst"), None)
    assert {name for block in engine.blocks for name in ray.get(block).column_names} == {
        "src",
        "dst",
    }


def test_tasks_are_named_by_round_and_stage(ray_cluster, table, monkeypatch):
    names = set()
    real = ray.remote_function.RemoteFunction.options

    def noted(self, **options):
        names.add(options.get("name"))
        return real(self, **options)

    monkeypatch.setattr(ray.remote_function.RemoteFunction, "options", noted)
    ray_cluster.solve(ray_cluster.given(table), method="contraction", tasks=2)
    assert {"skerry round 1 HeapEdges", "skerry labels WalkBack"} <= names


@pytest.mark.usefixtures("ray_cluster")
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
    assert rows == one_machine(table)
    assert report["vertices"] == len(rows)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.usefixtures("ray_cluster")
def test_ids_of_two_types_are_refused_on_every_route(method):
    """Also where they come in another block: none is cast to the type of those before."""
    texts, numbers = {"src": ["2"], "dst": ["02"]}, {"src": [2], "dst": [3]}
    both = {"src": [2], "dst": ["02"]}
    for tables in ([both], [texts, numbers], [numbers, texts], [{"src": [0.5], "dst": [1.5]}]):
        dataset = ray.data.from_arrow([pa.table(each) for each in tables])
        with pytest.raises(InputError):
            skerry.ray.connected_components(dataset, method=method)
