"""From an input to an answer with an engine in this process: routes, checks, files."""

from __future__ import annotations

import importlib.util
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
from skerry.cluster.choice import ClusterOptions, driver_refusal, engine_route, stream_route
from skerry.cluster.content_stages import ContentReader, SumContent, content_of_reports
from skerry.cluster.edge_input import (
    EdgeReader,
    TablePart,
    VertexPart,
    integer_codec,
    parts_of_files,
)
from skerry.cluster.id_stages import distinct_sorted
from skerry.cluster.id_types import IdCodec, check_id_types, codec_of
from skerry.cluster.solve import ClusterInput, distribute
from skerry.cluster.stage import Step
from skerry.cluster.state import StateError
from skerry.errors import ArgumentError, InputError, TargetError, UnsupportedError
from skerry.formats.options import ReadOptions
from skerry.graph.threshold import Threshold
from skerry.inputs.tables import table_source
from skerry.request import InputOptions, byte_count
from support.local_executor import LocalExecutor

READ = ReadOptions("src", "dst")


class LocalEngine:
    """All that an engine is, in this process."""

    single_machine = True
    translates = False
    worker_memory = 1 << 30

    def __init__(self, parts, threshold=None):
        self.parts = parts
        self.executor = LocalExecutor()
        self.reader = EdgeReader(READ, threshold, IdCodec("int64"))

    def read_tasks(self, tasks):
        return tasks

    def content(self, _tasks):
        reader = ContentReader(READ, self.reader.threshold)
        blobs = [list(reader.blobs([part])) for part in self.parts]
        return content_of_reports(self.executor.run([Step(SumContent(), len(blobs))], blobs))

    def source(self, tasks, reader):
        pieces = np.array_split(np.arange(len(self.parts)), tasks)
        return [[*reader.all_pairs([self.parts[i] for i in piece])] for piece in pieces]

    def read_labels(self, labels):
        return pa.concat_tables([pq.read_table(path) for path in labels.paths]).sort_by("id")

    def read_table(self, table):
        return table

    prepare = export = None


def edges(m=900, seed=3):
    rng = np.random.default_rng(seed)
    return pa.table({"src": rng.integers(-500, 500, m), "dst": rng.integers(-500, 500, m)})


def solve(table, parts=5, state=None, further=0, vertices=(), **options):
    rows = -(-len(table) // parts)
    engine = LocalEngine([TablePart(table.slice(i * rows, rows)) for i in range(parts)])
    engine.parts += [VertexPart(vertices)] if len(vertices) else []
    graph = ClusterInput(
        lambda: table_source(table, READ),
        len(table),
        lambda: engine.reader,
        InputOptions(),
        further=further,
    )
    return distribute(engine, graph, ClusterOptions(**options), state)


METHODS = ("stream", "forest", "contraction")


@pytest.mark.parametrize("method", METHODS)
def test_every_route_gives_the_labels_of_one_machine(tmp_path, method):
    table = edges()
    expected = skerry.connected_components(table).table()
    result = solve(table, method=method, tasks=3).checked()
    assert result.dataset.to_pydict() == expected.to_pydict()
    assert result.count == skerry.connected_components(table).count
    assert result.plan.vertices == result.num_vertices == len(expected)
    assert "verified" in result.plan.notes[-1]
    result.write(str(tmp_path / "out"))
    assert pq.read_table(tmp_path / "out").sort_by("id").to_pydict() == expected.to_pydict()
    assert (tmp_path / "out" / "_SUCCESS").exists()
    with pytest.raises(TargetError, match="not empty"):
        result.write(str(tmp_path / "out"))


def rows_of(result):
    return sorted(zip(*result.dataset.to_pydict().values(), strict=True))


@pytest.mark.parametrize("method", ["forest", "contraction"])
def test_a_state_is_of_the_edges_themselves(tmp_path, method):
    """The same number of rows says nothing; the order of rows, and who read them, may differ."""
    table, vertices = edges(), np.arange(1000, 3000)
    again = {"method": method, "tasks": 3, "state": str(tmp_path / "state")}
    wanted = rows_of(solve(table, vertices=vertices, **again))
    src, dst = (table[name].to_numpy() for name in ("src", "dst"))
    order = np.random.default_rng(1).permutation(len(src))
    shuffled = pa.table({"src": src[order], "dst": dst[order]})
    files = {path: path.read_bytes() for path in (tmp_path / "state").glob("*/*.parquet")}
    assert files
    assert rows_of(solve(shuffled, 2, vertices=vertices[::-1].copy(), **again)) == wanted
    changed = dst.copy()
    changed[450] += 1
    swapped = dst.copy()
    swapped[[3, 4]] = dst[[4, 3]]
    others = vertices.copy()
    others[1234] += 5000
    for other, further in (
        (pa.table({"src": src, "dst": changed}), vertices),
        (pa.table({"src": src, "dst": swapped}), vertices),
        (table, others),
        (pa.table({"src": np.append(src, 1), "dst": np.append(dst, 1)}), vertices),
    ):
        with pytest.raises(StateError, match="another run: other edges or vertices"):
            solve(other, vertices=further, **again)
    assert all(path.read_bytes() == data for path, data in files.items())
    assert rows_of(solve(table, vertices=vertices, **again)) == wanted


@pytest.mark.parametrize("method", METHODS)
def test_a_result_is_collected_for_names_changes_and_the_best_records(method):
    """As on one machine, over some days of random edges."""
    rng = np.random.default_rng(5)
    records = pa.table({"id": np.arange(-500, 500), "quality": rng.integers(0, 9, 1000)})
    earlier = here = None
    for day in range(5):
        table = edges(200 + 100 * (day % 3), seed=day)
        collected = solve(table, method=method, tasks=3).collect()
        single = skerry.connected_components(table, source="src", target="dst")
        if earlier is not None:
            assert collected.changes(earlier).counts == single.changes(here).counts
            collected, single = collected.named_after(earlier), single.named_after(here)
        assert collected.table().to_pydict() == single.table().to_pydict()
        best = [each.representatives(records, by="quality").rows for each in (collected, single)]
        assert np.array_equal(*best)
        earlier, here = collected, single


def test_without_success_nothing_is_complete(tmp_path):
    """A run that is stopped while it writes leaves no `_SUCCESS`."""
    result = solve(edges(), method="forest", tasks=3)

    def stop(*_):
        raise KeyboardInterrupt

    result._answer.executor.run = stop
    with pytest.raises(KeyboardInterrupt):
        result.write(str(tmp_path / "out"))
    assert not (tmp_path / "out" / "_SUCCESS").exists()


def test_the_route_follows_memory():
    def route(edges, available, here, **options):
        stated = ClusterOptions(**options)
        return stream_route(stated, edges, here) or engine_route(stated, edges, 4, available)

    assert route(1000, 1 << 20, 1 << 20).method == "stream"
    assert "fit one process" in route(1000, 1 << 20, 1 << 20).reason
    assert route(1000, 1 << 20, 1000).method == "forest"
    assert route(1000, 1000, 1000).method == "contraction"
    assert route(1000, 1000, 1 << 20, num_vertices=10).method == "stream"
    assert route(10**6, 1000, 100, num_vertices=10).method == "forest"
    assert route(None, 1 << 40, 1 << 40).method == "contraction"
    assert route(10**6, 1 << 40, 1 << 40, memory=1 << 26).method == "contraction"
    assert route(1000, 1 << 40, 1 << 40, method="forest").method == "forest"
    assert route(10**6, 1 << 25, 1000).tasks == 32  # 300 MB in pieces of 9.6, on 4 workers
    with pytest.raises(ArgumentError, match="method must be"):
        ClusterOptions(method="magic")
    with pytest.raises(ArgumentError, match="memory must be"):
        ClusterOptions(memory=0)


def test_wrong_labels_fail_their_check(tmp_path):
    """Labels of another graph: one vertex moved, components joined, a vertex lost."""
    table = edges(300)
    for change in ("move", "join", "lose"):
        folder = tmp_path / change
        result = solve(table, method="forest", tasks=2, state=str(folder))
        files = result._answer.labels
        path = folder / files.names[0]
        rows = pq.read_table(path).to_pandas()
        if change == "move":
            rows.loc[len(rows) - 1, "component"] = rows.loc[len(rows) - 1, "id"] - 1
        elif change == "join":
            rows["component"] = rows["component"].min()
        else:
            rows = rows[1:]
        pq.write_table(pa.table(rows.reset_index(drop=True)), path)
        with pytest.raises(StateError, match="not the"):  # the file is not what was written
            result.verify()
        pairs = IdCodec("int64").encode(rows.to_numpy().reshape(-1), "")
        facts = (type(files.facts[0]).of_pairs(pairs), *files.facts[1:])
        object.__setattr__(files, "facts", facts)
        verification = result.verify()
        assert not verification.ok
        assert verification.message


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "uint64"])
def test_ids_keep_their_order_and_type(dtype):
    info = np.iinfo(dtype)
    ids = np.array([info.min, info.min + 1, 0 if info.min else 3, info.max - 1, info.max], dtype)
    codec = codec_of(ids.dtype)
    words = codec.encode(ids, "x")
    assert (np.diff(words.astype(object)) >= 0).all() or info.min == 0
    assert np.array_equal(codec.decode(words), ids)
    assert codec.decode(words).dtype == ids.dtype


def test_ids_that_fit_no_type_are_refused():
    with pytest.raises(InputError, match="does not fit int64"):
        IdCodec("int64").encode(np.array([2**63], np.uint64), "x")
    with pytest.raises(InputError, match="-1 among ids of type uint64"):
        IdCodec("uint64").encode(np.array([-1]), "x")


def test_thresholds_and_further_vertices_reach_the_pairs():
    table = pa.table({"src": [1, 2], "dst": [3, 4], "weight": [0.1, 0.9]})
    options = ReadOptions("src", "dst", "weight")
    for keep, kept in (("above", [2, 4]), ("below", [1, 3])):
        reader = EdgeReader(options, Threshold(0.5, keep), IdCodec("uint64"))
        pairs = np.concatenate([*reader.all_pairs([TablePart(table), VertexPart([7])])])
        assert pairs.tolist() == [*kept, 7, 7]


def test_files_are_divided_by_row_groups(tmp_path):
    table = edges()
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=100)
    parts, source = parts_of_files(str(tmp_path), READ, None, 4)
    assert [len(part.groups) for part in parts] == [3, 2, 2, 2]
    codec = integer_codec(source, parts, READ)
    assert codec == IdCodec("int64")
    pairs = np.concatenate([*EdgeReader(READ, None, codec).all_pairs(parts)])
    assert codec.decode(pairs[0::2]).tolist() == table["src"].to_pylist()
    assert codec.decode(pairs[1::2]).tolist() == table["dst"].to_pylist()


def test_vertex_numbers_and_texts_are_refused(tmp_path):
    path = tmp_path / "x.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n")
    options = ReadOptions()
    parts, source = parts_of_files(str(path), options, None, 2)
    with pytest.raises(UnsupportedError, match="vertex numbers"):
        integer_codec(source, parts, options)
    texts = TablePart(pa.table({"src": ["a"], "dst": ["b"]}))
    with pytest.raises(InputError, match="must be integers"):
        list(EdgeReader(READ, None, IdCodec("int64")).pairs(texts))


@pytest.mark.parametrize(("further", "fits"), [(0, True), (10**6, False)])
def test_further_vertices_count_in_the_route(further, fits):
    """Each is read as a loop, and takes what an id takes."""
    result = solve(edges(10), parts=1, further=further, memory=48_000_000)
    assert ("fit one process" in " ".join(result.plan.notes)) == fits
    assert result.plan.edges == 10


def test_state_on_several_machines_must_be_named():
    table = edges(10)
    engine = LocalEngine([TablePart(table)])
    engine.single_machine = False
    graph = ClusterInput(
        lambda: table_source(table, READ), 10, lambda: engine.reader, InputOptions()
    )
    with pytest.raises(UnsupportedError, match="state= must name a folder"):
        distribute(engine, graph, ClusterOptions("forest"))


def test_what_fits_one_process_needs_no_engine(tmp_path):
    """Files are streamed where Ray is not even installed."""
    import skerry.ray

    pq.write_table(edges(), tmp_path / "edges.parquet")
    result = skerry.ray.distributed_components(str(tmp_path / "edges.parquet"))
    assert "fit one process" in result.plan.notes[-1]
    assert result.count == skerry.connected_components(edges()).count
    result.write(str(tmp_path / "out"))
    assert len(pq.read_table(tmp_path / "out")) == result.num_vertices


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed")
def test_a_missing_engine_names_its_extra(tmp_path):
    import skerry.ray

    pq.write_table(edges(), tmp_path / "edges.parquet")
    with pytest.raises(UnsupportedError, match=r"skerry\[ray\]"):
        skerry.ray.connected_components(str(tmp_path / "edges.parquet"), method="forest")


def test_the_engines_are_imported_with_their_first_use():
    import subprocess
    import sys

    code = (
        "import sys, skerry.ray, skerry.spark;"
        "print([name for name in ('ray', 'pyspark', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("size", "heap", "result_limit", "reason"),
    [
        (16 * 8_000_000, 1 << 30, 1 << 30, ""),  # as Spark has it if nothing is said
        (16 * 30_000_000, 1 << 30, 1 << 30, "480 MB of pairs are over 1/8 of the driver's heap"),
        (16 * 64_000_000, 4 << 30, 1 << 30, "spark.driver.memory"),
        (16 * 64_000_000, 16 << 30, 1 << 30, "spark.driver.maxResultSize"),
        (16 * 64_000_000, 16 << 30, 0, ""),  # 0: results of any size
    ],
)
def test_what_a_driver_of_the_jvm_cannot_hand_over_is_not_read_there(
    size, heap, result_limit, reason
):
    refusal = driver_refusal(size, heap, result_limit)
    assert reason in refusal
    assert bool(reason) == bool(refusal)
    table = edges(10)
    engine = LocalEngine([TablePart(table)])
    graph = ClusterInput(
        lambda: table_source(table, READ),
        10,
        lambda: engine.reader,
        InputOptions(),
        refusal=refusal,
    )
    plan = distribute(engine, graph, ClusterOptions()).plan
    assert plan.engine == ("local" if reason else "streaming")
    assert reason in plan.notes[-1]
    assert distribute(engine, graph, ClusterOptions("stream")).plan.engine == "streaming"


@pytest.mark.parametrize(
    ("types", "message"),
    [
        (
            ["int64", "string"],
            "src and dst: ids of type string after ids of type int64",
        ),
        (["string", "int32"], "cast one of them"),
        (["string", "binary"], "cast one of them"),
        (["int64", "float64"], "floats are not ids"),
        (["float32", "float32"], "src: floats are not ids"),
        (["int8", "uint64"], None),
        (["string", "large_string"], None),
        (["null", "string"], None),
        (["date32", "date32"], None),
    ],
)
def test_ids_of_a_cluster_are_those_of_one_machine(types, message):
    """Which ids there may be does not depend on the route, and none is cast."""
    columns = [pa.array([], getattr(pa, kind)()) for kind in types]
    pairs = list(zip(("src", "dst"), columns, strict=True))
    if message is None:
        check_id_types(pairs)
        return
    with pytest.raises(InputError, match=message):
        check_id_types(pairs)
    with pytest.raises(InputError, match=r"cast|floats"):
        distinct_sorted(columns)


def test_sizes_are_written_as_in_the_shell():
    import skerry.ray

    for size, number in (("4G", 4 << 30), ("1.5 GiB", 3 << 29), ("64mb", 1 << 26), (7, 7)):
        assert byte_count("memory", size) == number
    for size in ("", "4X", "-1", "0", 0, -3, True, 1.5, "9e9"):
        with pytest.raises(ArgumentError, match=r"memory must be"):
            skerry.ray.connected_components("nowhere", memory=size)


def test_a_state_without_the_package_of_its_address_names_it(monkeypatch):
    pytest.importorskip("fsspec")
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(UnsupportedError, match="s3fs"):
        solve(edges(10), method="forest", state="s3a://bucket/run")


def test_memory_that_cannot_hold_is_refused_with_the_least_that_would_do():
    def refused(message, edges=10**6, **options):
        with pytest.raises(ArgumentError, match=message):
            engine_route(ClusterOptions("contraction", **options), edges, 4, 1 << 40)

    refused("takes 48,000,000 bytes at least", memory=9000)
    refused("say tasks=13 or more, or memory=174000000 or more", memory=48_000_000, tasks=2)
    refused("say tasks=", edges=None, memory=64_000_000)
    stated = ClusterOptions("contraction", memory=48_000_000, tasks=13)
    assert engine_route(stated, 10**6, 4, 1).tasks == 13
    assert engine_route(ClusterOptions("contraction", memory=174_000_000, tasks=2), 10**6, 4, 1)
