"""Binary formats: bytes by hand, graphs against scipy, and all that can be wrong with them."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry.errors import InputError, UnsupportedError
from skerry.formats.prefetch import prefetch, prefetch_parts
from support.paths import SHARED
from support.streams import edges_in, read, weights_in

NATIVE = SHARED / "graphs/native"

# The path 0 - 1 - 2 and the lone vertex 3, both directions.
OFFSETS = [0, 1, 3, 4, 4]
NEIGHBORS = [1, 0, 2, 1]
EDGES = [(0, 1), (1, 0), (1, 2), (2, 1)]


def pack(kind, *numbers):
    return struct.pack(f"<{len(numbers)}{kind}", *numbers)


def egr(n=4, m=4, offsets=OFFSETS, neighbors=NEIGHBORS, rest=b""):
    return pack("i", n, m, *offsets, *neighbors) + rest


def sg(directed=0, n=4, m=4, offsets=OFFSETS, neighbors=NEIGHBORS, rest=b""):
    head = bytes([directed]) + pack("q", m, n, *offsets)
    return head + pack("i", *neighbors) + rest


def galois(version=1, edge_bytes=0, n=4, m=4, ends=OFFSETS[1:], neighbors=NEIGHBORS, rest=b""):
    head = pack("Q", version, edge_bytes, n, m, *ends)
    return head + pack("I" if version == 1 else "Q", *neighbors) + rest


def npy(array):
    import io

    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


WEIGHTED_NEIGHBORS = [1, 50, 0, 50, 2, 70, 1, 70]
RIGHT = {
    "a.egr": egr(),
    "weighted.egr": egr(rest=pack("i", 50, 50, 70, 70)),
    "a.sg": sg(),
    "directed.sg": sg(directed=1, rest=pack("q", *OFFSETS) + pack("i", *NEIGHBORS)),
    "a.wsg": sg(neighbors=WEIGHTED_NEIGHBORS),
    "v1.gr": galois(),
    "v1data.gr": galois(edge_bytes=4, rest=b"abcd" * 4),
    "v2.vgr": galois(2),
    "v2data.gr": galois(2, edge_bytes=8, rest=b"abcdefgh" * 4),
    "a.npy": npy(np.array(EDGES)),
    "across.npy": npy(np.array(EDGES, np.uint8).T.copy()),
    "fortran.npy": npy(np.asfortranarray(np.array(EDGES, np.int32))),
    "swapped.npy": npy(np.array(EDGES, ">u4")),
    "a.u32": pack("I", *np.ravel(EDGES)),
    "a.u64": pack("Q", *np.ravel(EDGES)),
}
VERTICES = {".npy": None, ".u32": None, ".u64": None}


@pytest.mark.parametrize("rows", [1, 3, 1000])
@pytest.mark.parametrize("name", RIGHT)
def test_bytes_by_hand(name, rows, tmp_path):
    path = tmp_path / name
    path.write_bytes(RIGHT[name])
    stream = read(path, batch_rows=rows)
    assert edges_in(stream) == EDGES
    assert edges_in(stream) == EDGES  # and again
    assert stream.num_vertices == VERTICES.get(path.suffix, 4)
    assert stream.num_edges == 4
    assert stream.id_kind == ("external" if path.suffix in (".u32", ".u64") else "vertices")
    batches = list(stream.open(1))
    assert sum(batch.consumed for batch in batches) == stream.num_bytes == len(RIGHT[name])
    assert all(batch.location for batch in batches)
    assert all(len(batch.src) <= rows for batch in batches)


COMPRESS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("name", RIGHT)
def test_compressed(name, suffix, tmp_path):
    path = tmp_path / f"{name}{suffix}"
    path.write_bytes(COMPRESS[suffix](RIGHT[name]))
    assert edges_in(read(path, batch_rows=3)) == EDGES


@pytest.mark.parametrize("name", ["weighted.egr", "weighted.egr.gz", "a.wsg"])
def test_weights(name, tmp_path):
    path = tmp_path / name
    data = RIGHT[name.removesuffix(".gz")]
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    assert weights_in(read(path, weight="weight", batch_rows=3)) == [50, 50, 70, 70]


EMPTY = {
    "a.egr": egr(0, 0, [0], []),
    "a.sg": sg(0, 0, 0, [0], []),
    "a.vgr": galois(1, 0, 0, 0, [], []),
    "a.npy": npy(np.empty((0, 2), np.int64)),
    "b.npy": npy(np.empty((2, 0), np.int64)),
    "a.u32": b"",
}


@pytest.mark.parametrize("name", EMPTY)
def test_graphs_without_edges(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(EMPTY[name])
    assert edges_in(read(path)) == []


def test_vertices_without_edges_at_the_end_and_a_row_longer_than_a_batch(tmp_path):
    path = tmp_path / "star.egr"
    path.write_bytes(egr(7, 5, [0, 0, 5, 5, 5, 5, 5, 5], [0, 2, 3, 4, 5]))
    stream = read(path, batch_rows=2)
    assert edges_in(stream) == [(1, 0), (1, 2), (1, 3), (1, 4), (1, 5)]
    assert stream.num_vertices == 7


WRONG = {
    "a.egr": [
        (egr()[:5], "header of a egr file has 8 bytes, the file only 5"),
        (egr()[:-3], "truncated.*44 bytes, 3 of them are missing"),
        (egr() + b"abc", "47 bytes, but its header implies 44 or 60"),
        (egr(n=-4), "counts cannot be negative"),
        (egr(offsets=[0, 3, 1, 4, 4]), "offsets fall from 3 to 1 at vertex 1"),
        (egr(offsets=[1, 1, 3, 4, 4]), "first offset is 1"),
        (egr(offsets=[0, 1, 3, 3, 3]), "offsets end at 3, but the header says 4"),
        (egr(offsets=[0, 1, 9, 9, 9]), "row of vertex 1 ends at entry 9"),
        (egr(neighbors=[1, 0, 4, 1]), "entry 2, of vertex 1, is 4, but the graph has 4 vertices"),
        (egr(neighbors=[1, -1, 2, 1]), "entry 1, of vertex 1, is -1"),
    ],
    "a.sg": [
        (sg()[:16], "header of a sg file has 17 bytes"),
        (sg()[:-1], "truncated.*1 of them are missing"),
        (sg(directed=7), "first byte is 7"),
        (sg(directed=1), "truncated"),
        (sg(m=-1), "counts cannot be negative"),
        (sg(n=2**40), "truncated"),
        (sg(neighbors=[1, 0, 2, 2**30]), "is 1073741824, but the graph has 4 vertices"),
    ],
    "a.vgr": [
        (galois()[:31], "header of a galois file has 32 bytes"),
        (galois()[:-4], "4 of them are missing"),
        (galois(version=3), "version is 3"),
        (galois(n=2**60), "not a Galois file, or a damaged one"),
        (galois(ends=[1, 3, 2**63 + 5, 4]), "offsets fall"),
        (galois(2, neighbors=[1, 0, 2, 2**40]), "is 1099511627776"),
    ],
    "a.npy": [
        (b"\x93NUMPY", "not a complete file by numpy.save"),
        (b"nonsense" * 20, "not a file written by numpy.save"),
        (npy(np.array(EDGES))[:-1], "1 of them are missing"),
        (npy(np.array(EDGES, float)), "ids must be integers, got float64"),
        (npy(np.arange(3)), r"shape \(m, 2\) or \(2, m\), got \(3,\)"),
        (npy(np.zeros((3, 3), int)), r"got \(3, 3\)"),
    ],
    "a.u32": [(b"12345678abc", "1 pairs of 32-bit ids and 3 bytes more")],
    "a.u64": [(b"1234567", "0 pairs of 64-bit ids and 7 bytes more")],
}
CASES = [(name, *case) for name, cases in WRONG.items() for case in cases]


@pytest.mark.parametrize(("name", "data", "words"), CASES)
def test_wrong_files(name, data, words, tmp_path):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=words) as caught:
        edges_in(read(path))
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(("name", "keep"), [("a.egr", 41), ("a.sg", 20), ("a.npy", 140)])
def test_truncated_inside_the_compression(name, keep, tmp_path):
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress(RIGHT[name][:keep]))
    with pytest.raises(InputError, match=r"the file ends within its \w+: [\d,]+ bytes of them"):
        edges_in(read(path))
    path.write_bytes(gzip.compress(RIGHT[name])[:-12])
    with pytest.raises(InputError, match="gzip data is truncated"):
        edges_in(read(path))


def test_a_truncated_raw_file_inside_the_compression(tmp_path):
    path = tmp_path / "a.u32.gz"
    path.write_bytes(gzip.compress(b"12345678abc"))
    with pytest.raises(InputError, match="1 pairs of 32-bit ids and 3 bytes more"):
        edges_in(read(path))


@given(cut=st.integers(0, 59), change=st.binary(min_size=1, max_size=4))
@pytest.mark.parametrize("name", ["a.egr", "a.sg", "a.vgr", "a.npy"])
def test_damaged_bytes_never_crash_and_never_leave_the_range(name, cut, change, tmp_path_factory):
    """Whatever the bytes: an error, or edges between the vertices that the header promises."""
    data = bytearray({**RIGHT, "a.vgr": galois()}[name])
    data[cut % len(data) : cut % len(data) + len(change)] = change
    path = tmp_path_factory.mktemp("files") / name
    path.write_bytes(bytes(data))
    try:
        stream = read(path)
        pairs = edges_in(stream)
    except (InputError, UnsupportedError):
        return
    if stream.num_vertices is not None:
        assert all(0 <= end < stream.num_vertices for pair in pairs for end in pair)


def test_what_means_nothing_is_refused(tmp_path):
    for name, data in RIGHT.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(UnsupportedError, match="source= and target= mean nothing"):
            read(path, source=0, target=1)
    for name in ("a.egr", "a.sg", "a.npy", "a.u32"):
        with pytest.raises(InputError, match="no weights"):
            read(tmp_path / name, weight="w")
    with pytest.raises(UnsupportedError, match="does not say what kind of numbers"):
        read(tmp_path / "v1data.gr", weight="w")


def test_a_two_by_two_array_is_said_to_be_ambiguous(tmp_path):
    np.save(tmp_path / "a.npy", [[0, 1], [2, 3]])
    with pytest.warns(UserWarning, match="its rows are taken as edges"):
        stream = read(tmp_path / "a.npy")
    assert edges_in(stream) == [(0, 1), (2, 3)]


@given(
    pairs=st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=20),
    kind=st.sampled_from(["csr", "csc", "coo", "bsr", "dia"]),
    compressed=st.booleans(),
)
def test_scipy_matrices(pairs, kind, compressed, tmp_path_factory):
    sparse = pytest.importorskip("scipy.sparse")
    path = tmp_path_factory.mktemp("files") / "a.npz"
    src, dst = np.array(pairs, int).reshape(-1, 2).T
    matrix = sparse.coo_array((np.ones(len(src)), (src, dst)), (9, 9))
    sparse.save_npz(path, matrix.asformat(kind), compressed)
    stream = read(path, batch_rows=7)
    assert stream.num_vertices == 9
    assert set(edges_in(stream)) == set(pairs)


def test_npz_of_two_columns(tmp_path):
    np.savez(tmp_path / "a.npz", src=[0, 1, 5], dst=np.array([1, 2, 5], np.uint32))
    assert edges_in(read(tmp_path / "a.npz", batch_rows=2)) == [(0, 1), (1, 2), (5, 5)]


def archive(**arrays):
    import io

    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


WRONG_ARCHIVES = [
    (b"PK nonsense", "not a complete .npz file"),
    (archive(src=[1], dst=[1])[:-30], "not a complete .npz file"),
    (archive(a=[1]), "holds the arrays a; needs src and dst"),
    (archive(src=[1, 2], dst=[1]), "src has 2 ids and dst 1"),
    (archive(src=[1.0], dst=[1.0]), "src: ids must be integers, got float64"),
    (archive(src=[[1]], dst=[[1]]), "src must be one-dimensional"),
    (archive(src=np.array([1], np.int64), dst=np.array([1], np.uint64)), "store both in one type"),
    (archive(src=np.array([None]), dst=np.array([None])), "ids must be integers, got object"),
    (archive(format=b"csr", shape=[2, 3]), r"square, got shape \(2, 3\)"),
    (archive(format=b"csr", shape=[2, 2], indptr=[0, 1, 1]), "array indices cannot be read"),
    (archive(format=b"csr", shape=[2, 2], indptr=[0, 1], indices=[0]), "2 vertices need 3"),
    (archive(format=b"csr", shape=[2, 2], indptr=[0, 2, 2], indices=[0]), "ends at entry 2"),
    (archive(format=b"csr", shape=[2, 2], indptr=[0, 1, 1], indices=[5]), "is 5, but the graph"),
    (archive(format=b"csr", shape=[2, 2], indptr=[0, 1, 1], indices=[0.5]), "must be integers"),
    (archive(format=b"xyz", shape=[2, 2]), "scipy cannot read"),
]


@pytest.mark.parametrize(("data", "words"), WRONG_ARCHIVES)
def test_wrong_archives(data, words, tmp_path):
    path = tmp_path / "a.npz"
    path.write_bytes(data)
    with pytest.raises(InputError, match=words):
        edges_in(read(path))


def test_a_damaged_member_of_an_archive(tmp_path):
    path = tmp_path / "a.npz"
    data = bytearray(archive(src=np.arange(1000), dst=np.arange(1000)))
    data[3000] ^= 255
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match="damaged"):
        edges_in(read(path))


def test_reading_ahead_stops_when_the_consumer_goes():
    closed = []

    def numbers():
        try:
            yield from range(10**9)
        finally:
            closed.append(True)

    items = prefetch(numbers)
    assert [next(items), next(items)] == [0, 1]
    items.close()
    assert closed == [True]


def test_reading_ahead_raises_after_what_came_before():
    def numbers():
        yield 1
        raise InputError("bad")

    items = prefetch(numbers)
    assert next(items) == 1
    with pytest.raises(InputError, match="bad"):
        next(items)


@given(sizes=st.lists(st.integers(0, 5), max_size=12), lanes=st.integers(1, 5))
def test_prefetch_parts_keep_the_order(sizes, lanes):
    parts = [(number, size) for number, size in enumerate(sizes)]

    def items(own):
        for part in own:
            for item in range(part[1]):
                yield part, (part[0], item)

    right = [(number, item) for number, size in parts for item in range(size)]
    assert list(prefetch_parts(parts, items, lanes)) == right


@pytest.mark.skipif(not NATIVE.is_dir(), reason=f"no {NATIVE}")
def test_a_published_graph():
    stream = read(NATIVE / "USA-road-d.NY.egr.gz")
    src, dst = np.concatenate([[b.src, b.dst] for b in stream.open(2)], axis=1)
    assert (stream.num_vertices, len(src)) == (264_346, 730_100)
    assert skerry.connected_components((src, dst), num_vertices=264_346).count == 1
