"""Tables in files: Parquet, Arrow, delimited text and GraphML; their columns, and what is wrong."""

from __future__ import annotations

import datetime
import gzip
import threading

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import ipc

import skerry
from skerry.errors import InputError, UnsupportedError
from skerry.formats.readers.delimited import _wait_for_arrow
from support.paths import SHARED
from support.streams import edges_in, read, weights_in

GRAPHS = SHARED / "graphs"


def write_stream(table, path):
    with ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)


WRITE = {
    "a.parquet": lambda table, path: pq.write_table(table, path, row_group_size=2),
    "a.feather": lambda table, path: feather.write_feather(table, path, chunksize=2),
    "plain.arrow": lambda table, path: feather.write_feather(table, path, "uncompressed"),
    "a.arrows": write_stream,
}
TABLE = pa.table({"src": [1, 5, 7], "score": [0.5, 1.0, 2.0], "dst": [5, -7, 2**60]})
EDGES = [(1, 5), (5, -7), (7, 2**60)]


@pytest.fixture(params=WRITE)
def written(request, tmp_path):
    """Writes a table in each columnar format, and gives the path."""

    def write(table):
        path = tmp_path / request.param
        WRITE[request.param](table, path)
        return path

    return write


@pytest.mark.parametrize("rows", [1, 2, 1000])
def test_edges_and_weights(written, rows):
    path = written(TABLE)
    stream = read(path, batch_rows=rows)
    assert stream.id_kind == "external"
    assert edges_in(stream) == EDGES
    assert edges_in(stream, threads=1) == EDGES
    assert weights_in(read(path, weight="score", batch_rows=rows)) == [0.5, 1.0, 2.0]
    batches = list(stream.open(2))
    consumed = sum(batch.consumed for batch in batches)
    left = 8 if path.suffix == ".arrows" else 0  # the mark of the end may not have been read yet
    assert stream.num_bytes - left <= consumed <= stream.num_bytes == path.stat().st_size
    assert all(len(batch.src) <= rows for batch in batches)
    assert batches[-1].location.startswith(("row group", "record batch"))


def test_compressed_from_outside(written):
    path = written(TABLE)
    packed = path.with_name(f"{path.name}.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert edges_in(read(packed)) == EDGES


@pytest.mark.parametrize(
    ("names", "right"),
    [
        (["src", "x", "dst"], [(0, 2)]),
        (["target", "x", "source"], [(2, 0)]),
        (["x", "From", "TO"], [(1, 2)]),
        (["x", "id1", "id2"], [(1, 2)]),
        (["unique_id_r", "unique_id_l", "p"], [(1, 0)]),
    ],
)
def test_the_usual_columns(written, names, right):
    path = written(pa.table([[0], [1], [2]], names))
    assert edges_in(read(path)) == right


def test_columns_by_name_and_number(written):
    path = written(pa.table({"a1": ["x"], "a2": ["y"], "a3": ["z"], "a4": ["w"]}))
    assert edges_in(read(path, source="a3", target="a1")) == [("z", "x")]
    assert edges_in(read(path, source=3, target=0)) == [("w", "x")]
    assert edges_in(read(path, source="a2", target="a2")) == [("y", "y")]
    several = read(path, source=("a1", 1), target=("a4", "a3"))
    assert edges_in(several) == [(("x", "y"), ("w", "z"))]


def test_what_cannot_be_columns(written):
    table = pa.table({"k": ["a"], "n": [1], "f": [1.5], "l": [[1]], "m": ["b"]})
    path = written(table)
    for options, words in (
        ({}, "which columns .* is not clear; .*there are: k, n, f, l, m"),
        ({"source": "k", "target": "z"}, "no column z; there are: k, n, f, l, m"),
        ({"source": 0, "target": 9}, "no column 9: the file has 5"),
        ({"source": "k", "target": "n"}, "must be of one kind"),
        ({"source": "f", "target": "n"}, "cannot be floating-point"),
        ({"source": "l", "target": "n"}, "single values"),
        ({"source": "k", "target": "m", "weight": "k"}, "weights must be numbers"),
        ({"source": "k", "target": "m", "weight": "zz"}, "no column zz"),
    ):
        with pytest.raises(InputError, match=words) as caught:
            read(path, **options)
        assert str(caught.value).startswith(str(path))
    with pytest.raises(InputError, match="an edge needs two columns"):
        read(written(pa.table({"x": [1]})))


INT, UINT = pa.int64(), pa.uint64()
TYPES = [
    (pa.array([1], pa.int32()), pa.array([-2], INT), INT, (1, -2)),
    (pa.array([1], pa.uint8()), pa.array([-2], pa.int8()), pa.int16(), (1, -2)),
    (pa.array([1], INT), pa.array([2**64 - 1], UINT), UINT, (1, 2**64 - 1)),
    (pa.array(["a"]), pa.array(["b"], pa.large_string()), pa.large_string(), ("a", "b")),
    (pa.array(["a"]).dictionary_encode(), pa.array(["b"]), pa.string(), ("a", "b")),
    (pa.array([b"a"]), pa.array([b"b"]), pa.binary(), (b"a", b"b")),
    (
        pa.array([datetime.date(2020, 1, 2)]),
        pa.array([datetime.date(2020, 1, 3)]),
        pa.date32(),
        (datetime.date(2020, 1, 2), datetime.date(2020, 1, 3)),
    ),
]


@pytest.mark.parametrize(("one", "other", "kind", "right"), TYPES)
def test_types_of_both_ends_become_one(written, one, other, kind, right):
    stream = read(written(pa.table({"src": one, "dst": other})))
    (batch,) = stream.open(2)
    assert batch.src.type == batch.dst.type == kind
    assert edges_in(stream) == [right]


def test_a_negative_id_beside_unsigned_ones(written):
    table = pa.table({"src": [-1, 5], "dst": pa.array([2**63 - 1, 7], pa.uint64())})
    result = skerry.connected_components(read(written(table)))
    assert (result.ids.tolist(), result.count) == ([-1, 5, 7, 2**63 - 1], 2)
    path = written(pa.table({"src": [-1], "dst": pa.array([2**63], pa.uint64())}))
    with pytest.raises(InputError, match="no integer type holds both"):
        skerry.connected_components(path)


def test_nulls_are_named(written):
    path = written(pa.table({"src": [1, 2, 3], "dst": [1, 2, None], "w": [None, 1.0, 2.0]}))
    with pytest.raises(InputError, match=r"(row group|record batch).*column dst is null in row"):
        edges_in(read(path))
    path = written(pa.table({"src": [1], "dst": [1], "w": pa.array([None], pa.float64())}))
    with pytest.raises(InputError, match="the weight w is null in row 0"):
        weights_in(read(path, weight="w"))


def test_the_number_of_vertices_in_the_metadata(written):
    table = pa.table({"src": [0], "dst": [2]}).replace_schema_metadata({"n_vertices": "5"})
    stream = read(written(table))
    assert (stream.id_kind, stream.num_vertices) == ("vertices", 5)
    assert edges_in(stream) == [(0, 2)]
    text = pa.table({"src": ["a"], "dst": ["b"]}).replace_schema_metadata({"n_vertices": "5"})
    assert read(written(text)).id_kind == "external"
    odd = table.replace_schema_metadata({"n_vertices": "many"})
    assert read(written(odd)).id_kind == "external"


def test_tables_without_rows(written):
    assert edges_in(read(written(TABLE.slice(0, 0)))) == []


@given(
    rows=st.lists(st.tuples(*[st.text(min_size=1, max_size=5)] * 2), max_size=30),
    group=st.integers(1, 10),
    batch=st.integers(1, 10),
    threads=st.integers(1, 4),
)
def test_any_row_groups_in_any_lanes(rows, group, batch, threads, tmp_path_factory):
    path = tmp_path_factory.mktemp("files") / "a.parquet"
    src, dst = ([row[end] for row in rows] for end in (0, 1))
    table = pa.table({"src": pa.array(src, pa.string()), "dst": pa.array(dst, pa.string())})
    pq.write_table(table, path, row_group_size=group)
    assert edges_in(read(path, batch_rows=batch), threads) == rows


@pytest.mark.parametrize("keep", [3, 20, -8, -1])
def test_truncated(written, keep):
    path = written(pa.table({"src": np.arange(1000), "dst": np.arange(1000)}))
    path.write_bytes(path.read_bytes()[:keep])
    if path.suffix == ".arrows" and keep == -8:
        return  # the end of a stream may be left out
    with pytest.raises(InputError, match=r"incomplete|truncated or damaged|is empty"):
        edges_in(read(path))


def test_a_damaged_row_group_is_named(tmp_path):
    path = tmp_path / "a.parquet"
    table = pa.table({"src": np.arange(1000), "dst": np.arange(1000)})
    pq.write_table(table, path, row_group_size=100, use_dictionary=False, write_page_checksum=True)
    column = pq.ParquetFile(path).metadata.row_group(7).column(1)
    data = bytearray(path.read_bytes())
    middle = column.data_page_offset + column.total_compressed_size // 2
    data[middle : middle + 8] = b"\xff" * 8
    path.write_bytes(bytes(data))
    for rows in (100, 1000):
        with pytest.raises(InputError, match="row group 7 cannot be read, the file is damaged"):
            edges_in(read(path, batch_rows=rows))


@given(place=st.integers(0, 10**6), byte=st.sampled_from([0, 1, 127, 255]))
@pytest.mark.parametrize("name", ["a.parquet", "a.feather", "plain.arrow"])
def test_damaged_bytes_never_crash(name, place, byte, tmp_path_factory):
    path = tmp_path_factory.mktemp("files") / name
    words = pa.array(["a", "bcd", "", "ef"] * 5)
    WRITE[name](pa.table({"src": words, "dst": words.dictionary_encode()}), path)
    data = bytearray(path.read_bytes())
    data[place % len(data)] = byte
    path.write_bytes(bytes(data))
    try:
        for batch in read(path).open(2):
            batch.src.validate()
            assert len(batch.src) == len(batch.dst)
    except (InputError, UnsupportedError) as error:
        assert str(error).startswith(str(path))


def test_columns_of_one_name(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table([[1], [2], [3]], ["src", "dst", "dst"]), path)
    with pytest.raises(InputError, match="2 columns are called dst"):
        read(path, source="src", target="dst")
    with pytest.raises(InputError, match="several columns are called dst"):
        read(path, source=0, target=1)


def test_a_folder_of_mixed_schemas(tmp_path):
    pq.write_table(pa.table({"src": [1], "dst": [2]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"src": [3], "dst": [4]}), tmp_path / "2.parquet")
    assert edges_in(read(tmp_path)) == [(1, 2), (3, 4)]
    pq.write_table(pa.table({"src": ["a"], "dst": ["b"]}), tmp_path / "3.parquet")
    with pytest.raises(InputError, match=r"1\.parquet has src - dst \(int64\).*3\.parquet has"):
        read(tmp_path)


def test_feather_version_1_is_refused(tmp_path):
    (tmp_path / "a.feather").write_bytes(b"FEA1" + b"\0" * 100)
    with pytest.raises(UnsupportedError, match="version 1"):
        read(tmp_path / "a.feather")


def test_going_away_ends_the_threads(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(
        pa.table({"src": np.arange(10_000), "dst": np.arange(10_000)}), path, row_group_size=10
    )
    before = threading.active_count()
    batches = read(path, batch_rows=10).open(4)
    next(batches)
    assert threading.active_count() > before
    batches.close()
    assert threading.active_count() == before


REMOTE = {
    "a.parquet": TABLE,
    "a.arrow": TABLE,
    "a.arrows": TABLE,
    "a.csv": "src,dst\n1,5\n5,-7\n7,1152921504606846976\n",
    "a.u64": np.array([[1, 5], [5, 7]], "<u8").tobytes(),
    "a.egr": np.array([2, 1, 0, 1, 1, 1], "<i4").tobytes(),
}


@pytest.mark.parametrize("name", REMOTE)
def test_remote(name, tmp_path):
    fsspec = pytest.importorskip("fsspec")
    data = REMOTE[name]
    if data is TABLE:
        WRITE.get(name, WRITE["plain.arrow"])(TABLE, tmp_path / name)
        data = (tmp_path / name).read_bytes()
    with fsspec.open(f"memory://tests/{name}", "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
    right = {"a.u64": [(1, 5), (5, 7)], "a.egr": [(0, 1)]}
    assert edges_in(read(f"memory://tests/{name}")) == right.get(name, EDGES)


TEXTS = {
    "two plain": ("1,2\n3,4\n", [(1, 2), (3, 4)]),
    "header": ("x,y\n1,2\n", [(1, 2)]),
    "usual header of text": ("source,target\na,b\n", [("a", "b")]),
    "no header of text": ("1a,2\nb,c\n", [("1a", "2"), ("b", "c")]),
    "comments": ("# a\n\n% b\n1,2\n", [(1, 2)]),
    "comments and header": ("# a\nsrc,dst\n1,2\n", [(1, 2)]),
    "crlf": ("src,dst\r\n1,2\r\n3,4\r\n", [(1, 2), (3, 4)]),
    "no end of line": ("1,2\n3,4", [(1, 2), (3, 4)]),
    "byte order mark": ("\ufeff1,2\n", [(1, 2)]),
    "mark and header": ("\ufeffsrc,dst\n1,2\n", [(1, 2)]),
    "semicolons": ("1;2\n3;4\n", [(1, 2), (3, 4)]),
    "pipes": ("src|dst\na|b\n", [("a", "b")]),
    "more columns": ("id1,id2,p\n1,2,0.5\n", [(1, 2)]),
    "quotes": ('src,dst\n"a,1","b""2"\n"c\nd",e\n', [("a,1", 'b"2'), ("c\nd", "e")]),
    "quoted header": ('"src","dst"\n1,2\n', [(1, 2)]),
    "negative": ("-1,2\n", [(-1, 2)]),
    "huge": (f"1,{2**64 - 1}\n", [(1, 2**64 - 1)]),
    "leading zeros": ("007,7\n", [("007", "7")]),
    "too large for 64 bits": (f"1,{2**64}\n", [("1", str(2**64))]),
    "one end is text": ("1,a\n2,b\n", [("1", "a"), ("2", "b")]),
    "missing words are ids": ("src,dst\nNA,null\n", [("NA", "null")]),
    "only a header": ("src,dst\n", []),
    "only comments": ("# nothing\n", []),
    "nothing": ("", []),
    "blanks around": ("1 , 2\n3, 4 \n", [(1, 2), (3, 4)]),
    "tabs around": ("1\t,2\n", [(1, 2)]),
    "signs": ("1,-2\n-3,4\n", [(1, -2), (-3, 4)]),
    "blank lines": ("1,2\n\n3,4\n\n", [(1, 2), (3, 4)]),
}


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("case", TEXTS)
def test_delimited_text(case, suffix, tmp_path):
    text, right = TEXTS[case]
    path = tmp_path / f"a.csv{suffix}"
    data = text.encode()
    path.write_bytes(gzip.compress(data) if suffix else data)
    assert edges_in(read(path)) == right
    assert edges_in(read(path), threads=1) == right


def test_tabs(tmp_path):
    (tmp_path / "a.tsv").write_text("src\tdst\na b\tc,d\n")
    assert edges_in(read(tmp_path / "a.tsv")) == [("a b", "c,d")]


def test_columns_of_text(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,name,other,score\n1,x,2,0.5\n3,y,4,2\n")
    assert edges_in(read(path, source="id", target="other")) == [(1, 2), (3, 4)]
    assert edges_in(read(path, source=1, target=1)) == [("x", "x"), ("y", "y")]
    assert weights_in(read(path, source=0, target=2, weight="score")) == [0.5, 2.0]
    assert weights_in(read(path, source=0, target=2, weight=3)) == [0.5, 2.0]
    several = read(path, source=("id", "name"), target=("other", "name"))
    assert edges_in(several) == [((1, "x"), (2, "x")), ((3, "y"), (4, "y"))]
    assert edges_in(read(path, source="id", target="other", ids_as_text=True))[0] == ("1", "2")
    assert len(edges_in(read(path, source=1, target=1, header=False))) == 3
    for options, words in (
        ({"source": "id", "target": "zz"}, "no column zz; there are: id, name, other, score"),
        ({"source": 0, "target": 2, "weight": "name"}, "are not numbers"),
    ):
        with pytest.raises(InputError, match=words):
            read(path, **options)
    with pytest.raises(InputError, match="floating-point"):
        read(path, source="id", target="score")
    path.write_text("id,name,id\n1,x,2\n")
    assert edges_in(read(path, source=0, target=2)) == [(1, 2)]
    with pytest.raises(InputError, match="2 columns are called id"):
        read(path, source="id", target="id")


MANY = f"{10**17},{10**17 + 1}\n" * 30_000  # more than is looked at beforehand, in few rows
BAD_TEXTS = [
    (f"{MANY}2,x\n3,4\n", "line 30001: .*'x' is not an integer; .*ids_as_text=True"),
    (f"{MANY}2\n", "line 30001: 1 columns instead of 2: '2'"),
    (f"{MANY}2,\n", "line 30001: column 1: the id is missing"),
    (f"{MANY}2,{2**64}\n", r"line 30001: .* does not fit into int64"),
    (f"# a\n\nsrc,dst\n{MANY}2,x\n", "line 30004: column dst: 'x' is not an integer"),
    (f"{MANY}1,2,3\n", "line 30001: 3 columns instead of 2"),
    (f"{MANY}1,2,\n", "line 30001: 3 columns instead of 2"),
    (f"{MANY}1 2,3\n", "line 30001: column 0: '1 2' is not an integer"),
    (f"{MANY}1,2 3\n", "line 30001: column 1: '2 3' is not an integer"),
    (f"{MANY}1;2\n", "line 30001: 1 columns instead of 2"),
    (f"{MANY}#1,2\n", "line 30001: column 0: '#1' is not an integer"),
    (f"{MANY}1.5,2\n", "line 30001: column 0: '1.5' is not an integer"),
    ("src,dst\na,b\nc,d,e\n", "line 3: 3 columns instead of 2"),
    ("1\n2\n", "an edge needs two columns"),
    ("1.0,2.0\n", "floating-point"),
]


@pytest.mark.parametrize(("text", "words"), BAD_TEXTS)
def test_a_bad_row_is_named_by_its_line(text, words, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=words) as caught:
        edges_in(read(path))
    assert str(caught.value).startswith(str(path))


def test_text_that_is_not_text(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"src,dst\na,b\n\xff\xfe,c\n")
    with pytest.raises(InputError, match="line 3: column src: the text is not in UTF-8"):
        edges_in(read(path))


@given(
    rows=st.lists(
        st.tuples(*[st.text("ab\"',;\n \té0", min_size=1, max_size=4)] * 2), min_size=1, max_size=20
    )
)
def test_what_pythons_csv_writes_is_read(rows, tmp_path_factory):
    import csv

    path = tmp_path_factory.mktemp("files") / "a.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("src", "dst"), *rows])
    stream = read(path, ids_as_text=True, delimiter=",")
    assert edges_in(stream) == rows


GRAPHML = """<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="edge" attr.name="weight" attr.type="double"/>
  <graph edgedefault="undirected">
    <node id="a"/><node id="b"><data key="x">1</data></node><node id="c"/>
    <edge source="a" target="b"><data key="d0">2.5</data></edge>
  </graph>
</graphml>"""


def test_graphml(tmp_path):
    path = tmp_path / "a.graphml"
    path.write_text(GRAPHML)
    assert edges_in(read(path, batch_rows=2)) == [("a", "a"), ("b", "b"), ("c", "c"), ("a", "b")]
    assert weights_in(read(path, weight="weight")) == [np.inf, np.inf, np.inf, 2.5]
    for change, words in (
        (("</graph>", ""), "not complete, well-formed XML: .* line"),
        (('target="b"', ""), "has no target"),
        (("2.5", "x"), "a - b has no number as its weight"),
    ):
        path.write_text(GRAPHML.replace(*change))
        with pytest.raises(InputError, match=words):
            edges_in(read(path, weight="weight"))
    path.write_text("<svg/>")
    with pytest.raises(InputError, match="its root is <svg>"):
        edges_in(read(path))
    path.write_text(GRAPHML.replace("<edge", "<hyperedge/><edge"))
    with pytest.raises(UnsupportedError, match="hyperedges"):
        edges_in(read(path))


@pytest.mark.parametrize("name", ["graphml", "gml", "gexf", "pajek", "adjlist"])
def test_what_networkx_writes(name, tmp_path):
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph([("a", "b"), ("b", "c")], name="g")
    graph.add_node("d")
    networkx.set_edge_attributes(graph, 2.5, "weight")
    path = tmp_path / ("a.net" if name == "pajek" else f"a.{name}")
    getattr(networkx, f"write_{name}")(graph, path)
    found = edges_in(read(path))
    assert {frozenset(pair) for pair in found} == {
        *map(frozenset, ["a", "b", "c", "d", "ab", "bc"])
    }
    if name != "adjlist":
        assert weights_in(read(path, weight="weight"))[-2:] == [2.5, 2.5]
    path.write_bytes(b"nonsense [ <")
    if name != "adjlist":
        with pytest.raises(InputError, match=r"expected a section|within a list|well-formed"):
            edges_in(read(path))


SHARED = sorted(GRAPHS.glob("*.edges.parquet"), key=lambda path: path.stat().st_size)[:6]


@pytest.mark.skipif(not SHARED, reason=f"no graphs in {GRAPHS}")
@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.name)
def test_published_graphs(path):
    told = pq.read_schema(path).metadata
    stream = read(path)
    assert (stream.id_kind, stream.num_vertices) == ("vertices", int(told[b"n_vertices"]))
    src, dst = np.concatenate([[batch.src, batch.dst] for batch in stream.open(2)], axis=1)
    assert len(src) == stream.num_edges == int(told[b"n_edges"])
    found = skerry.connected_components((src, dst), num_vertices=stream.num_vertices)
    assert found.count == int(told[b"n_components"])


@pytest.mark.skipif(not (GRAPHS / "native").is_dir(), reason=f"no {GRAPHS}/native")
def test_a_published_csv():
    pairs = edges_in(read(GRAPHS / "native/PP-Pathways_ppi.csv.gz"))
    assert len({frozenset(pair) for pair in pairs if pair[0] != pair[1]}) == 338_636
    assert len({end for pair in pairs for end in pair}) == 21_557


def strictly(text, delimiter):
    """What the native parser finds in a text of two columns: pairs, or None if it is wrong."""
    from skerry import _native

    data = np.frombuffer(text.encode() + b"\n" * _native.TEXT_PADDING, np.uint8)
    src, dst = (np.empty(len(data), np.uint64) for _ in range(2))
    size = len(data) - _native.TEXT_PADDING
    edges, *_, wrong = _native.edges_of_text(
        data, size, src, dst, None, "", delimiter, False, (0, 1, 2), None, True
    )
    pairs = zip(src[:edges].view(np.int64), dst[:edges].view(np.int64), strict=True)
    return None if wrong else [(int(u), int(v)) for u, v in pairs]


def by_python(text, delimiter):
    pairs = []
    for line in text.split("\n"):
        if line.strip(" \t") in ("", "\r") and (delimiter == "," or "\t" not in line):
            continue
        cells = line.removesuffix("\r").replace("\r", "x").split(delimiter)
        try:
            u, v = (int(cell.strip(" " if delimiter == "\t" else " \t")) for cell in cells)
        except ValueError:
            return None
        pairs.append((u, v))
    return pairs


CELLS = st.sampled_from(
    ["0", "17", "-2", " 3", "4 ", "5\r", "", " ", "x", "1 2", "1;2", "6.5", "7"]
)


@given(
    rows=st.lists(st.lists(CELLS, min_size=1, max_size=3), max_size=4),
    delimiter=st.sampled_from(",\t"),
)
def test_the_strict_parser_agrees_with_python(rows, delimiter):
    text = "".join(delimiter.join(row) + "\n" for row in rows)
    assert strictly(text, delimiter) == by_python(text, delimiter)


def test_reading_text_ends_when_arrow_has_let_go_of_the_file() -> None:
    """A thread of Arrow that still holds it when the interpreter ends aborts the process."""
    references = iter([6, 5, 4, 3])
    _wait_for_arrow(lambda: next(references), 4)
    assert next(references) == 3
