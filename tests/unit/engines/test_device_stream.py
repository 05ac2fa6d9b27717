"""Host graphs that pass by a GPU in chunks: here an emulated one, with very small chunks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.engines import device_stream
from skerry.union_find import device_forest
from skerry.union_find.streamed_forest import StreamedForest, bytes_of_stream
from support.emulated import emulated_gpu
from support.emulator import EmulatedRuntime, works
from support.graphs import medium_graphs

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

TYPES = ("u4", "i4", "u8", "i8", "u2")


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(device_stream, "STREAM_FROM", 0)
    monkeypatch.setattr(device_stream, "CHUNK", 100)
    monkeypatch.setattr(device_stream, "LEAST_CHUNK", 10)
    monkeypatch.setattr(device_forest, "LEAST_PIECE", 30)


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("kind", TYPES)
def test_edge_lists_in_chunks_have_the_labels_of_a_cpu(kind):
    for graph in medium_graphs()[:6]:
        edges = tuple(ends.astype(kind) for ends in (graph.src, graph.dst))
        if graph.n > np.iinfo(kind).max:
            continue
        for dtype in (np.uint32, np.int64):
            with emulated_gpu():
                result = skerry.connected_components(
                    edges, num_vertices=graph.n, device="cuda", dtype=dtype
                )
            assert np.array_equal(result.labels, graph.labels) and result.labels.dtype == dtype
            assert result.count == graph.count
            assert result.plan.algorithm == "stream" and result.plan.engine == "upload"
            assert result.plan.edges == len(graph.src) and result.verify()


@pytest.mark.usefixtures("small_chunks")
def test_tables_and_columns_with_a_step():
    graph = medium_graphs()[0]
    table = np.column_stack((graph.src, graph.dst)).astype(np.int64)
    with emulated_gpu():
        for given in (table, table[::-1], (table[:, 0], table[:, 1].astype(np.int32))):
            result = skerry.connected_components(given, num_vertices=graph.n, device="cuda")
            assert np.array_equal(result.labels, graph.labels)


@pytest.mark.usefixtures("small_chunks")
def test_graphs_without_vertices_or_edges():
    empty = np.empty(0, np.int64)
    with emulated_gpu():
        for n in (0, 3):
            result = skerry.connected_components((empty, empty), num_vertices=n, device="cuda")
            assert result.labels.tolist() == list(range(n))
        with pytest.raises(skerry.InputError, match=r"src\[0\]"):
            skerry.connected_components(([0], [0]), num_vertices=0, device="cuda")


@pytest.mark.usefixtures("small_chunks")
def test_the_number_of_vertices_is_found_before():
    with emulated_gpu():
        result = skerry.connected_components(([7, 3], [1, 4]), device="cuda")
    assert result.labels.tolist() == [0, 1, 2, 3, 3, 5, 6, 1]


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize(("bad", "kind"), [(-1, "i8"), (-1, "i4"), (500, "u4"), (2**32 + 3, "i8")])
def test_an_id_that_is_no_vertex_is_named_as_on_a_cpu(bad, kind):
    src, dst = np.arange(499, dtype=kind), np.arange(1, 500, dtype=kind)
    dst[321] = bad
    said = []
    for device in ("cpu", "cuda"):
        with emulated_gpu(), pytest.raises(skerry.InputError) as error:
            skerry.connected_components((src, dst), num_vertices=500, device=device)
        said.append(str(error.value))
    assert said[0] == said[1] and "dst[321]" in said[0]


@pytest.mark.parametrize("bad", [-1, 500, 2**32])
def test_small_graphs_that_are_copied_whole_are_checked_before(bad):
    dst = np.arange(1, 500)
    dst[321] = bad
    with emulated_gpu(), pytest.raises(skerry.InputError, match=r"dst\[321\]"):
        skerry.connected_components((np.arange(499), dst), num_vertices=500, device="cuda")


class Limited(EmulatedRuntime):
    """A device with little memory."""

    def __init__(self, free):
        super().__init__()
        self.free = free

    def available(self):
        return self.free

    def empty(self, count, dtype):
        if count * np.dtype(dtype).itemsize > self.free:
            raise MemoryError("out of memory")
        return super().empty(count, dtype)

    def upload(self, array, dtype=None):
        self.empty(array.size, array.dtype if dtype is None else dtype)
        return super().upload(array, dtype)


@pytest.mark.parametrize("form", ["edges", "csr"])
@pytest.mark.parametrize("known", [True, False])
def test_a_graph_that_does_not_fit_passes_by(form, known, monkeypatch):
    if known:
        monkeypatch.setattr(skerry.engines.device, "QUERY_FROM", 0)
    monkeypatch.setattr(device_stream, "LEAST_CHUNK", 10)
    rng = np.random.default_rng(3)
    src, dst = rng.integers(0, 300, (2, 5000))
    graph = (src, dst)
    if form == "csr":
        order = np.argsort(src, kind="stable")
        graph = skerry.Csr(np.searchsorted(src[order], np.arange(301)), dst[order])
    right = skerry.connected_components((src, dst), num_vertices=300)
    with emulated_gpu(Limited(10_000)):
        result = skerry.connected_components(graph, num_vertices=300, device="cuda")
        assert result.plan.engine == "upload" and result.plan.bytes <= 10_000
        with pytest.raises(skerry.DeviceMemoryError, match="the graph needs"):
            skerry.connected_components(graph, num_vertices=300, device="cuda", algorithm="ecl")
    assert np.array_equal(result.labels, right.labels)
    assert any("passed by" in note for note in result.plan.notes)


def test_vertices_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(device_stream, "STREAM_FROM", 0)
    with (
        emulated_gpu(Limited(10_000)),
        pytest.raises(skerry.DeviceMemoryError, match="100,000 vertices and the edges"),
    ):
        skerry.connected_components(([0], [1]), num_vertices=100_000, device="cuda")


def test_files_of_vertex_numbers_pass_by(tmp_path):
    rng = np.random.default_rng(4)
    table = rng.integers(0, 400, (3000, 2))
    np.save(tmp_path / "edges.npy", table)
    right = skerry.connected_components(tmp_path / "edges.npy", ids="vertices")
    seen = []
    with emulated_gpu():
        result = skerry.connected_components(
            tmp_path / "edges.npy",
            ids="vertices",
            device="cuda",
            stream=skerry.StreamOptions(progress=lambda edges, _: seen.append(edges)),
        )
        assert result.plan.engine == "streaming" and result.plan.device == "cuda"
        assert seen[-1] == 3000 and result.verify()
        external = skerry.connected_components(
            tmp_path / "edges.npy", ids="external", device="cuda"
        )
    assert external.plan.engine == "gathering" and external.count <= result.count
    assert np.array_equal(result.labels, right.labels)


def test_batches_grow_the_vertices_and_previous_answers_are_joined():
    batches = [([0, 1], [1, 2]), ([900], [901]), ([5], [2])]
    previous = skerry.connected_components(([900], [3]), num_vertices=902)
    with emulated_gpu():
        result = skerry.connected_components(iter(batches), ids="vertices", device="cuda")
        more = skerry.connected_components(
            iter(batches), ids="vertices", device="cuda", previous=previous
        )
    right = skerry.connected_components(iter(batches), ids="vertices")
    assert np.array_equal(result.labels, right.labels) and len(result.labels) == 902
    assert more.labels[901] == 3


def test_what_a_device_does_not_stream_is_refused(tmp_path):
    np.save(tmp_path / "edges.npy", np.zeros((3, 2), np.int64))
    stream = skerry.StreamOptions(checkpoint=tmp_path / "checkpoint")
    for option in ({"forest": True}, {"stream": stream}):
        with (
            emulated_gpu(),
            pytest.raises(skerry.UnsupportedError, match="cannot be used together"),
        ):
            skerry.connected_components(
                tmp_path / "edges.npy", ids="vertices", device="cuda", **option
            )


edges = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=40)


@settings(max_examples=40, deadline=None)
@given(st.lists(edges, max_size=6), st.integers(1, 9), st.sampled_from(["u4", "i8"]), st.booleans())
def test_every_prefix_of_a_stream_has_the_labels_of_a_cpu(stream, chunk, kind, pinned):
    runtime = EmulatedRuntime()
    forest, other = StreamedForest(runtime, chunk=chunk), skerry.UnionFind()
    for batch in stream:
        src, dst = (np.array([edge[side] for edge in batch], kind) for side in (0, 1))
        runtime.pinned = (src, dst) if pinned else ()
        other.union(src, dst)
        forest.grow(len(other))
        forest.join(src, dst, 1)
        src[:], dst[:] = 77, 78  # the memory of a batch may be used again
        assert forest.end() and forest.size == len(other)
        assert np.array_equal(forest.labels(), other.labels)
        assert forest.forest.count == other.count


def test_page_locked_memory_is_read_where_it_is():
    src, dst = np.random.default_rng(5).integers(0, 500, (2, 2000)).astype("i4")
    wide = src.astype("i8"), dst.astype("i8")
    right = skerry.connected_components((src, dst), num_vertices=500)
    for columns, ids in (((src, dst), None), (wide, np.dtype("u8")), (wide, None)):
        runtime = EmulatedRuntime()
        runtime.pinned = columns
        forest = StreamedForest(runtime, 500, chunk=128, ids=ids)
        forest.join_all(*columns, 2)
        assert np.array_equal(forest.release(), right.labels)


def test_an_id_beyond_the_vertices_is_reported_and_left_out():
    forest = StreamedForest(EmulatedRuntime(), 5, chunk=2)
    forest.join(np.array([0, 7, 1, -1, 3]), np.array([1, 2, 2, 0, 4]), 1)
    assert not forest.end()
    assert forest.labels().tolist() == [0, 0, 0, 3, 3]
    forest.join(np.array([4]), np.array([0]), 1)
    assert forest.release().tolist() == [0, 0, 0, 0, 0]


def test_memory_is_the_parent_array_a_bit_for_each_vertex_and_the_chunks():
    forest = StreamedForest(EmulatedRuntime(), 32_000, chunk=100)
    forest.join(np.array([0]), np.array([1]), 1)
    assert forest.nbytes == bytes_of_stream(32_000, 100) == 132_004 + 8 * 544 + 2400


def test_the_estimate_of_batches_on_a_gpu_is_of_the_forest_and_the_chunks():
    estimate = skerry.estimate(32_000, 10**9, form="batches", device="cuda")
    assert (estimate.graph, estimate.run) == (0, bytes_of_stream(32_000))
    gathered = skerry.estimate(32_000, 10**9, form="batches", device="cuda", algorithm="ecl")
    assert gathered.graph > 0, "an algorithm by name has the whole graph on the device"
