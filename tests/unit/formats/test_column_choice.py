"""Which columns are edges, is there a header, what is an empty cell: never a silent guess."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
from skerry.errors import InputError, UnsupportedError
from support.edge_files import write
from support.named import as_dict
from support.streams import edges_in, opened, read, weights_in

UNCLEAR = "which columns are the ends of an edge is not clear"


def components(graph, **options):
    graph, others = opened(graph, options)
    result = skerry.connected_components(graph, **others)
    assert result.verify()
    return as_dict(result.table())


# An empty cell


@pytest.mark.parametrize(
    "text",
    ["src,dst\na,\nb,\nc,d\n", "src,dst\n1,\n2,\n3,4\n", "src\tdst\na\t\nc\td\n", "1,2\n3,\n"],
)
def test_an_empty_csv_cell_is_not_an_id(text, tmp_path):
    path = write(tmp_path, "a.tsv" if "\t" in text else "a.csv", text)
    line = 1 + text[: text.index("\n", text.index("\n") + 1)].count("\n")
    with pytest.raises(InputError, match=rf'line {line}: column \w+: the id is missing; on_null="'):
        skerry.connected_components(path)


def test_quoted_empty_cells_are_not_ids_either(tmp_path):
    path = write(tmp_path, "a.csv", 'src,dst\n"a",""\n"b",""\n')
    with pytest.raises(InputError, match="line 2: column dst: the id is missing"):
        skerry.connected_components(path)


def test_integer_columns_stay_integers_beside_empty_cells(tmp_path):
    path = write(tmp_path, "a.csv", "src,dst\n1,\n,2\n3,4\n")
    result = skerry.connected_components(path, on_null="drop")
    assert result.ids.tolist() == [3, 4]
    assert "left out: 2 edges with a null" in result.plan.notes


def test_an_empty_first_cell_is_not_a_header(tmp_path):
    path = write(tmp_path, "a.csv", "1,\n2,3\n")
    assert edges_in(read(path, on_null="drop")) == [(2, 3)]


# Columns


def test_the_index_of_a_pandas_csv_is_not_an_end(tmp_path):
    path = write(tmp_path, "a.csv", ",doc_a,doc_b\n0,100,200\n1,200,300\n2,300,400\n")
    assert components(path) == {100: 100, 200: 100, 300: 100, 400: 100}
    facts = skerry.connected_components(path).plan.input
    assert (facts.source, facts.target, facts.header) == (("doc_a",), ("doc_b",), True)


@pytest.mark.parametrize("index", [[5, 7], ["x", "y"]])
def test_the_index_of_a_pandas_frame_is_not_an_end(index, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"doc_a": [1, 3], "doc_b": [2, 4]}, index=index)
    right = {1: 1, 2: 1, 3: 3, 4: 3}
    assert components(frame) == right
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_csv(tmp_path / "a.csv")
    frame.to_csv(tmp_path / "b.csv")
    pandas.read_csv(tmp_path / "b.csv").to_csv(tmp_path / "b.csv")  # 'Unnamed: 0', and an index
    pandas.read_csv(tmp_path / "b.csv").to_parquet(tmp_path / "b.parquet")
    for name in ("a.parquet", "a.csv", "b.csv", "b.parquet"):
        assert components(tmp_path / name) == right, name
    with pytest.raises(InputError, match=f"{UNCLEAR}.*there are: index, doc_a, doc_b"):
        skerry.connected_components(frame.reset_index())


@pytest.mark.parametrize("form", ["a.csv", "a.parquet", "table"])
def test_the_first_two_columns_are_not_a_guess(form, tmp_path):
    table = pa.table({"batch": [1, 1], "doc_a": [2, 3], "doc_b": [4, 5]})
    graph = table
    if form == "a.csv":
        graph = write(tmp_path, form, "batch,doc_a,doc_b\n1,2,4\n1,3,5\n")
    elif form == "a.parquet":
        graph = tmp_path / form
        pq.write_table(table, graph)
    with pytest.raises(InputError, match=f"{UNCLEAR}.*source= and target=.*batch, doc_a, doc_b"):
        skerry.connected_components(graph)
    assert components(graph, source="doc_a", target="doc_b") == {2: 2, 3: 3, 4: 2, 5: 3}
    options = {"weight": "batch", "threshold": 1}
    assert components(graph, **options) == {2: 2, 3: 3, 4: 2, 5: 3}


def test_wide_text_without_a_header_needs_numbers(tmp_path):
    path = write(tmp_path, "a.csv", "1,2,0.5\n3,4,0.9\n")
    with pytest.raises(InputError, match=f"{UNCLEAR}.*there are: 0, 1, 2"):
        read(path)
    assert edges_in(read(path, source=0, target=1)) == [(1, 2), (3, 4)]
    assert weights_in(read(path, weight=2)) == [0.5, 0.9]


def test_a_nameless_column_and_one_other_are_no_edge(tmp_path):
    path = write(tmp_path, "a.csv", ",doc\n0,100\n1,200\n")
    with pytest.raises(InputError, match=r"an edge needs two columns; .*there are: '', doc"):
        read(path)
    assert edges_in(read(path, source=0, target=1)) == [(0, 100), (1, 200)]


# Header


TEXT = "customer_a,customer_b\nkim,lee\n"


def test_a_header_over_words_is_asked_for(tmp_path):
    path = write(tmp_path, "a.csv", TEXT)
    with pytest.raises(InputError, match=r"line 1: 'customer_a', 'customer_b': .*header=True or"):
        skerry.connected_components(path)
    assert components(path, header=True) == {"kim": "kim", "lee": "kim"}
    assert len(components(path, header=False)) == 4
    named = components(path, source="customer_a", target="customer_b")
    assert named == {"kim": "kim", "lee": "kim"}


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("x,y,score\nkim,lee,0.9\n", True),
        ("x,y,score\nkim,lee,\nann,bo,0.9\n", True),
        ("kim,lee,0.9\nann,bo,0.8\n", False),
        ("id_l,id_r,p\nkim,lee,high\n", True),
        ("1,kim,low\n2,lee,high\n", False),
    ],
)
def test_headers_that_the_file_shows(text, header, tmp_path):
    path = write(tmp_path, "a.csv", text)
    assert read(path, source=0, target=1).facts.header is header


@pytest.mark.parametrize(
    "text", ["kim,lee\n", "x,y\nkim,lee\n", ",x\n0,kim\n", "nan,lee\nkim,bo\n"]
)
def test_headers_that_the_file_does_not_show(text, tmp_path):
    with pytest.raises(InputError, match="header=True or header=False"):
        read(write(tmp_path, "a.csv", text))


# Nulls


NULLS = pa.table({"src": ["a", None, "c"], "dst": ["b", "b", "d"], "w": [0.5, 0.7, None]})


def forms_of(table, folder):
    pq.write_table(table, folder / "a.parquet")
    rows = ("" if v is None else str(v) for row in table.to_pylist() for v in row.values())
    lines = [",".join(group) for group in zip(*[rows] * table.num_columns, strict=True)]
    text = "\n".join([",".join(table.column_names), *lines]) + "\n"
    cut = table.to_batches(max_chunksize=1)
    return {
        "table": table,
        "batches": [pa.Table.from_batches([batch]) for batch in cut],
        "parquet": folder / "a.parquet",
        "csv": write(folder, "a.csv", text),
    }


@pytest.mark.parametrize("form", ["table", "batches", "parquet", "csv"])
@pytest.mark.parametrize("algorithm", ["auto", "afforest"])
def test_edges_with_nulls_are_an_error_or_left_out(form, algorithm, tmp_path):
    graph = forms_of(NULLS, tmp_path)[form]
    with pytest.raises(InputError, match=r"column src(: the id is missing| is null).*on_null="):
        skerry.connected_components(graph, algorithm=algorithm)
    result = skerry.connected_components(graph, on_null="drop", algorithm=algorithm)
    assert as_dict(result.table()) == {"a": "a", "b": "a", "c": "c", "d": "c"}
    assert "left out: 1 edge with a null" in result.plan.notes
    assert result.verify() and skerry.verify(graph, result, on_null="drop")
    options = {"weight": "w", "threshold": 0.1, "on_null": "drop"}
    result = skerry.connected_components(graph, **options, algorithm=algorithm)
    assert as_dict(result.table()) == {"a": "a", "b": "a"}
    assert "left out: 2 edges with a null" in result.plan.notes


def test_a_weight_that_is_nan_is_left_out_with_nulls():
    table = pa.table({"src": [1, 2], "dst": [3, 4], "w": [float("nan"), 1.0]})
    result = skerry.connected_components(table, weight="w", threshold=0, on_null="drop")
    assert result.ids.tolist() == [2, 4]


def test_a_missing_weight_is_named_by_its_line(tmp_path):
    path = write(tmp_path, "a.csv", "src,dst,w\na,b,0.5\nb,c,\n")
    with pytest.raises(InputError, match="line 3: column w: the weight is missing; on_null="):
        skerry.connected_components(path, weight="w", threshold=0)


@pytest.mark.parametrize(
    "kind", [pa.string_view(), pa.binary_view(), pa.dictionary("int8", "string")]
)
def test_nulls_of_every_text_type_are_left_out(kind):
    src = pa.array(["a", None, "c"]).cast(kind if kind != pa.binary_view() else pa.binary())
    table = pa.table({"src": src.cast(kind), "dst": pa.array(["b", "c", "d"]).cast(src.type)})
    assert skerry.connected_components(table, on_null="drop").num_vertices == 4


@pytest.mark.parametrize("kind", ["string", "large_string", "dictionary"])
@pytest.mark.parametrize("form", ["table", "parquet", "csv"])
def test_an_empty_text_is_a_null_in_tables_and_files(kind, form, tmp_path):
    texts = pa.array(["a", "", "b"]), pa.array(["b", "c", "d"])
    columns = [
        column.dictionary_encode() if kind == "dictionary" else column.cast(kind)
        for column in texts
    ]
    graph = pa.table(columns, ["src", "dst"])
    path = tmp_path / f"pairs.{form}"
    if form == "parquet":
        pq.write_table(graph, path)
    elif form == "csv":
        path.write_text("src,dst\na,b\n,c\nb,d\n")
    given = graph if form == "table" else path
    with pytest.raises(InputError, match=r'(row 1 |line 3).*on_null="drop" leaves such rows'):
        skerry.connected_components(given)
    result = skerry.connected_components(given, on_null="drop")
    assert result.ids.to_pylist() == ["a", "b", "d"]
    assert "left out: 1 edge with a null" in result.plan.notes


def test_empty_keys_and_members_of_groups_are_nulls():
    rows = pa.table({"id": ["a", "b", "c"], "bucket": ["", "", "x"]})
    with pytest.raises(InputError, match="column bucket has an empty text in row 0"):
        skerry.connected_components(rows, groups="bucket")
    assert skerry.connected_components(rows, groups="bucket", on_null="drop").count == 1
    lists = pa.table({"g": [["a", "b"], ["b", ""], ["", "c"]]})
    with pytest.raises(InputError, match="column g has an empty text in row 1"):
        skerry.connected_components(lists, groups=True)
    assert skerry.connected_components(lists, groups=True, on_null="drop").count == 2


def test_nulls_inside_a_dictionary_are_left_out():
    values = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["a", None]))
    table = pa.table({"src": values, "dst": ["b", "c"]})
    with pytest.raises(InputError, match="column src is null in row 1"):
        skerry.connected_components(table)
    assert components(table, on_null="drop") == {"a": "a", "b": "a"}


def test_what_has_no_nulls_refuses_on_null(tmp_path):
    path = write(tmp_path, "a.txt", "0 1\n")
    with pytest.raises(UnsupportedError, match="on_null= means nothing for snap files"):
        skerry.connected_components(path, on_null="drop")
    with pytest.raises(UnsupportedError, match="on_null= is not supported for arrays"):
        skerry.connected_components(([0], [1]), on_null="drop")
    with pytest.raises(UnsupportedError, match="batch 0: on_null= is for tables"):
        skerry.connected_components(iter([([0], [1])]), on_null="drop")
    with pytest.raises(InputError, match='on_null must be "error" or "drop", got None'):
        skerry.connected_components(NULLS, on_null=None)


def test_options_of_text_are_refused_for_parquet(tmp_path):
    pq.write_table(NULLS, tmp_path / "a.parquet")
    for options in ({"header": True}, {"delimiter": ","}, {"ids_as_text": True}):
        with pytest.raises(UnsupportedError, match=f"{min(options)}= mean nothing for Parquet"):
            skerry.io.read_edges(tmp_path / "a.parquet", **options)


# Vertices


EDGES = pa.table({"src": ["a"], "dst": ["b"]})


def test_a_table_of_vertices_follows_the_rule_of_columns():
    right = {"a": "a", "b": "a", "c": "c"}
    assert components(EDGES, vertices=pa.table({"customer": ["c"]})) == right
    assert components(EDGES, vertices=pa.table({"name": ["x"], "ID": ["c"]})) == right
    with pytest.raises(InputError, match=r"vertices= .*not clear; .*there are: customer, name"):
        skerry.connected_components(EDGES, vertices=pa.table({"customer": ["c"], "name": ["x"]}))
    with pytest.raises(InputError, match="vertices: ids of type int64 after ids of type string"):
        skerry.connected_components(EDGES, vertices=[1])


@pytest.mark.parametrize(
    "vertices",
    [
        ["c", None],
        pa.array([None, "c"]),
        pa.table({"id": ["c", None]}),
        pa.chunked_array([["c", None]]),
    ],
)
def test_null_vertices_are_an_error_or_left_out(vertices):
    with pytest.raises(InputError, match=r"is (null|missing)"):
        skerry.connected_components(EDGES, vertices=vertices)
    result = skerry.connected_components(EDGES, vertices=vertices, on_null="drop")
    assert as_dict(result.table()) == {"a": "a", "b": "a", "c": "c"}
    assert "left out of vertices=: 1 null" in result.plan.notes


def test_the_plan_says_which_columns_of_batches_were_read():
    facts = skerry.connected_components([EDGES, EDGES]).plan.input
    assert (facts.format, facts.source, facts.target) == ("batches", ("src",), ("dst",))
