"""Wrong answers of many kinds, planted in every form of input: the checker catches each of them.

The forest of a right answer is a spanning forest, by scipy, and its positions find its edges.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

import skerry
from support.oracle import scipy_labels

networkx = pytest.importorskip("networkx")

N = 60
RANDOM = np.random.default_rng(5)
SRC, DST = RANDOM.integers(0, N - 5, (2, 45))  # the last five are isolated where they are counted
TRUTH = scipy_labels(N, SRC, DST)


def named(ids: Any, step: int = 1) -> Any:
    return np.array([f"v{step * id:03}" for id in ids], object)


def table(src: Any, dst: Any, **more: Any) -> pa.Table:
    return pa.table({"src": src, "dst": dst, **more})


def forms(folder: Any) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Every form, with the options to read it; external ids ascend with the vertices."""
    from scipy.sparse import coo_array

    matrix = coo_array((np.ones(len(SRC)), (SRC, DST)), shape=(N, N))
    both = (matrix + matrix.T).tocsr()
    numbers, words = table(SRC, DST), table(named(SRC), named(DST))
    (folder / "edges.txt").write_text("".join(f"{u}\t{v}\n" for u, v in zip(SRC, DST, strict=True)))
    (folder / "edges.mtx").write_text(
        f"%%MatrixMarket matrix coordinate pattern general\n{N} {N} {len(SRC)}\n"
        + "".join(f"{u + 1} {v + 1}\n" for u, v in zip(SRC, DST, strict=True))
    )
    pc.write_csv(words, folder / "words.csv")
    pq.write_table(numbers, folder / "numbers.parquet", row_group_size=7)
    pq.write_table(words, folder / "words.parquet", row_group_size=7)
    graph = networkx.Graph()
    graph.add_edges_from(zip(SRC.tolist(), DST.tolist(), strict=True))
    halved = table(
        np.repeat(SRC, 2), np.repeat(DST[::-1], 2), weight=np.tile([0.0, 1.0], len(SRC))
    ).set_column(1, "dst", pa.array(np.where(np.tile([1, 0], len(SRC)), 0, np.repeat(DST, 2))))
    wide = 2**40 + 10**9 * np.arange(N)
    high = wide.astype(np.uint64) + np.uint64(2**63)
    ends = {"source": ("a", "b"), "target": ("c", "d")}
    composite = pa.table({"a": SRC // 10, "b": named(SRC), "c": DST // 10, "d": named(DST)})
    cut = pa.Table.from_batches(words.to_batches(max_chunksize=4))
    return {
        "edges": (skerry.Edges(SRC, DST, N), {}),
        "arrays": ((SRC, DST), {"num_vertices": N}),
        "weighted arrays": (
            (np.repeat(SRC, 2), np.where(np.tile([1, 0], len(SRC)), 0, np.repeat(DST, 2))),
            {"num_vertices": N, "weight": np.tile([0.0, 1.0], len(SRC)), "threshold": 0.5},
        ),
        "pairs": (np.stack([SRC, DST], 1), {"num_vertices": N}),
        "csr": (skerry.Csr(both.indptr.astype("u8"), both.indices.astype("u4")), {}),
        "matrix": (matrix.tocsr(), {}),
        "external arrays": ((SRC, DST), {"ids": "external"}),
        "text arrays": ((named(SRC), named(DST)), {}),
        "networkx": (graph, {}),
        "table": (numbers, {}),
        "table of words": (words, {}),
        "table in batches": (cut, {}),
        "large text": (
            words.cast(pa.schema([("src", "large_string"), ("dst", "large_string")])),
            {},
        ),
        "dictionaries": (table(*(words[c].dictionary_encode() for c in ("src", "dst"))), {}),
        "negative ids": (table(SRC - 30, DST - 30), {}),
        "wide gaps": (table(wide[SRC], wide[DST]), {}),
        "unsigned": (table(high[SRC], high[DST]), {}),
        "mixed signs": (table(SRC.astype("i8"), DST.astype("u8")), {}),
        "dates": (table(*(pa.array(ids.astype("i4")).view(pa.date32()) for ids in (SRC, DST))), {}),
        "binary": (
            table(
                *(pa.array([v.encode() for v in named(ids)], pa.binary(4)) for ids in (SRC, DST))
            ),
            {},
        ),
        "composite": (composite, ends),
        "threshold": (halved, {"weight": "weight", "threshold": 0.5}),
        "batches": ([(SRC[:20], DST[:20]), (SRC[20:], DST[20:])], {}),
        "further vertices": (words, {"vertices": named(range(N))}),
        "text file": (folder / "edges.txt", {}),
        "counted from 1": (folder / "edges.mtx", {}),
        "csv of words": (skerry.io.read_edges(folder / "words.csv", header=True), {}),
        "parquet": (folder / "numbers.parquet", {}),
        "parquet of words": (folder / "words.parquet", {}),
    }


NAMES = [
    *("edges", "arrays", "weighted arrays", "pairs", "csr", "matrix", "external arrays"),
    *("text arrays", "networkx", "table", "table of words", "table in batches", "large text"),
    *("dictionaries", "negative ids", "wide gaps", "unsigned", "mixed signs", "dates", "binary"),
    *("composite", "threshold", "batches", "further vertices", "text file", "counted from 1"),
    *("csv of words", "parquet", "parquet of words"),
]


@pytest.fixture(scope="module")
def every_form(tmp_path_factory):
    made = forms(tmp_path_factory.mktemp("planted"))
    assert list(made) == NAMES
    return made


def wrong_answers(right):
    """What a broken algorithm could say."""
    n = len(right)
    right = np.unique(right, return_inverse=True)[1].astype(np.int64)
    sizes = np.bincount(right)
    large = int(np.argmax(sizes))
    alone = int(np.argmin(sizes))
    random = np.random.default_rng(3)
    members = np.flatnonzero(right == large)
    others = np.flatnonzero(right != large)
    yield "constant", np.zeros(n, np.int64)
    yield "all singletons", np.arange(n)
    yield "two components merged", np.where(right == alone, large, right)
    split = right.copy()
    split[members[: len(members) // 2]] = n
    yield "a component torn apart", split
    split = right.copy()
    split[members[-1]] = n
    yield "a vertex split off", split
    swapped = right.copy()
    swapped[[members[0], others[0]]] = swapped[[others[0], members[0]]]
    yield "two labels swapped", swapped
    moved = right.copy()
    moved[members[0]] = right[others[-1]]
    yield "a vertex moved to another component", moved
    for flips in (1, 2, 5):
        for turn in range(5):
            flipped = right.copy()
            flipped[random.choice(n, flips, replace=False)] = random.integers(0, n, flips)
            yield f"{flips} labels drawn, {turn}", flipped


def is_same(first, second):
    return np.array_equal(first[:, None] == first, second[:, None] == second)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", NAMES)
def test_every_planted_wrong_answer_is_caught(name, threads, every_form):
    graph, options = every_form[name]
    result = skerry.connected_components(graph, threads=threads, **options)
    right = np.array(result.labels)
    assert result.verify(), result.verify()
    assert skerry.verify(graph, right, threads=threads, **options)
    assert skerry.verify(graph, result, threads=threads, **options)
    assert result.count == len(np.unique(TRUTH)) - (N - result.num_vertices)
    for what, labels in wrong_answers(right):
        if is_same(labels, right):
            continue
        assert not skerry.verify(graph, labels, threads=threads, **options), (what, labels)
        result._smallest = labels.astype(np.uint32)
        assert not result.verify(), what
    too_few = right[:-1]
    if name not in ("text file", "batches"):
        with pytest.raises(skerry.InputError):
            skerry.verify(graph, too_few, **options)


def positions_in(name, graph):
    """The ends of all edges of a form, by position; None where they are as in SRC and DST."""
    if name in ("weighted arrays", "threshold"):
        return np.repeat(SRC, 2), np.repeat(DST, 2)
    if name == "csr":
        return np.repeat(np.arange(N), np.diff(graph.offsets.astype(int))), graph.neighbors
    if name == "matrix":
        return graph.tocoo().coords
    if name == "networkx":
        return np.array(list(graph.edges())).T
    return SRC, DST


@pytest.mark.parametrize("name", NAMES)
def test_the_forest_is_returned_for_every_form(name, every_form):
    graph, options = every_form[name]
    result = skerry.connected_components(graph, **options)
    for verification in (result.verify(), skerry.verify(graph, result.labels, **options)):
        forest = verification.forest.astype(np.int64)
        assert len(forest) == result.num_vertices - result.count
        assert (np.diff(forest) > 0).all()
        assert f"forest of {len(forest)} edges" in verification.message
        src, dst = positions_in(name, graph)
        assert np.array_equal(scipy_labels(N, src[forest], dst[forest]), TRUTH)
        if name in ("weighted arrays", "threshold"):
            assert (forest % 2 == 1).all(), "an edge that the threshold leaves out"


EXTERNAL = [
    name
    for name in NAMES
    if name
    in (
        "table",
        "table of words",
        "wide gaps",
        "dates",
        "composite",
        "parquet of words",
        "csv of words",
    )
]


@pytest.mark.parametrize("name", EXTERNAL)
def test_ids_that_are_missing_or_too_many_are_caught(name, every_form):
    from skerry.ids.external import External

    graph, options = every_form[name]
    result = skerry.connected_components(graph, **options)
    columns = result.ids if isinstance(result.ids, tuple) else (result.ids,)
    n = len(columns[0])
    right = result.labels.copy()

    def with_ids(rows):
        parts = tuple(
            part[rows] if isinstance(part, np.ndarray) else part.take(pa.array(rows))
            for part in columns
        )
        result._ids = External(parts if len(parts) > 1 else parts[0])
        result._smallest = right[rows]
        return skerry.verify(graph, result, **options)

    assert with_ids(np.arange(n))
    assert "is in no component" in with_ids(np.arange(n - 1)).message
    assert "is in no component" in with_ids(np.arange(1, n)).message
    assert "more than one label" in with_ids(np.r_[np.arange(n), 3]).message


def test_an_id_that_is_in_no_edge_is_caught():
    result = skerry.connected_components(table([1, 2], [2, 5]))
    other = table([1, 2], [2, 2])
    assert skerry.verify(other, result).message == "edge 5" or not skerry.verify(other, result)
    only = skerry.connected_components(table([1, 2, 5], [2, 2, 5]))
    assert skerry.verify(other, only).message == "5 is among the ids, but in no edge"
    assert skerry.verify(other, only, vertices=[5])
    words = skerry.connected_components(table(["a", "b", "e"], ["b", "b", "e"]))
    wrong = skerry.verify(table(["a", "b"], ["b", "b"]), words)
    assert wrong.message == "'e' is among the ids, but in no edge"


def test_further_vertices_without_a_label_are_caught():
    result = skerry.connected_components(table(["a"], ["b"]))
    wrong = skerry.verify(table(["a"], ["b"]), result, vertices=["c"])
    assert wrong.message == "'c' is in no component"
