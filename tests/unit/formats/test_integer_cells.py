"""One rule says which texts are integers: in the sample, in all later rows, in every reader."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
import skerry.io
from skerry.errors import InputError
from skerry.formats.open import open_edges
from skerry.formats.registry import FORMATS
from skerry.io import read_edges
from support.cli import ok, refused
from support.sample_files import sample_file
from support.streams import edges_in, read

SAMPLED = 10_000
INTEGERS = {"7": 7, "-7": -7, "0": 0, " 7": 7, "7 ": 7, "100": 100, str(2**63 - 1): 2**63 - 1}
TEXTS = ["007", "+7", "-0", "-07", "00", "7_0", "1e3", "0x7", "7.0", "\uff17", "\u00a07"]


def write(folder, cell, rows, quoted):
    """A file whose last row has this cell; the native parser takes no quote."""
    first = '"1",2\n' if quoted else "1,2\n"
    path = folder / "a.csv"
    path.write_text("src,dst\n" + first + "3,4\n" * rows + f"{cell},5\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("quoted", [False, True], ids=["native", "arrow"])
@pytest.mark.parametrize("cell", TEXTS)
def test_a_later_text_is_no_integer(tmp_path, cell, quoted):
    path = write(tmp_path, cell, SAMPLED, quoted)
    line = rf"line {SAMPLED + 3}: column src: .*ids_as_text"
    with pytest.raises(InputError, match=line):
        skerry.connected_components(path)
    assert cell in skerry.connected_components(read_edges(path, ids_as_text=True)).ids.to_pylist()


@pytest.mark.parametrize("quoted", [False, True], ids=["native", "arrow"])
@pytest.mark.parametrize("cell", [cell for cell in TEXTS if "." not in cell and "e" not in cell])
def test_the_sample_makes_text_of_the_same_cells(tmp_path, cell, quoted):
    assert edges_in(read(write(tmp_path, cell, 1, quoted)))[-1] == (cell, "5")


@pytest.mark.parametrize("quoted", [False, True], ids=["native", "arrow"])
@pytest.mark.parametrize("rows", [1, SAMPLED])
@pytest.mark.parametrize("cell", INTEGERS)
def test_integers(tmp_path, cell, rows, quoted):
    assert edges_in(read(write(tmp_path, cell, rows, quoted)))[-1] == (INTEGERS[cell], 5)


@pytest.mark.parametrize("cell", ["007", "+7", "-0", "00", "0" * 25 + "1"])
def test_edge_lists_refuse_other_notations(tmp_path, cell):
    path = tmp_path / "a.el"
    for text in (f"{cell} 1\n", f"1 {cell}\n"):
        path.write_text(text)
        with pytest.raises(InputError, match=r"is not written as integers are.*format="):
            skerry.connected_components(path)
    edges = read_edges(path, format="csv", header=False)
    assert cell in skerry.connected_components(edges).ids.to_pylist()


def test_numbers_of_rows_may_have_any_notation(tmp_path):
    path = tmp_path / "a.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n003 +1\n")
    assert skerry.connected_components(path).count == 2


# Formats that count from 1: results have the file's ids, arrays of labels have positions.

# Five vertices, the edges 1-2 and 4-5.
FILES = {
    "mtx": "%%MatrixMarket matrix coordinate pattern general\n5 5 2\n1 2\n4 5\n",
    "dimacs": "p edge 5 2\ne 1 2\ne 4 5\n",
    "metis": "5 2\n2\n1\n\n5\n4\n",
}
ROWS = [(1, 1), (2, 1), (3, 3), (4, 4), (5, 4)]
ENGINES = pytest.mark.parametrize("algorithm", ["auto", "stages-cc"])


@pytest.fixture(params=FILES)
def path(request, tmp_path):
    suffix = next(each for each in FORMATS if each.name == request.param).suffixes[0]
    path = tmp_path / f"graph{suffix}"
    path.write_text(FILES[request.param])
    return path


def test_every_format_that_counts_from_one_is_here(tmp_path):
    kinds = {}
    for each in FORMATS:
        if each.read is not None:
            kinds[each.name] = open_edges(sample_file(tmp_path, each.name), format=each.name)
    assert {name for name, source in kinds.items() if source.first_id == 1} == set(FILES)
    assert {source.first_id for source in kinds.values()} == {0, 1}


@ENGINES
def test_a_result_has_the_ids_of_the_file(path, algorithm):
    result = skerry.connected_components(path, algorithm=algorithm)
    assert result.ids.tolist() == [1, 2, 3, 4, 5]
    assert list(zip(*result.table().to_pydict().values(), strict=True)) == ROWS
    assert [members.tolist() for members in result.groups()] == [[1, 2], [3], [4, 5]]
    largest = result.largest(2)
    assert [(each.label, each.members.tolist()) for each in largest] == [(1, [1, 2]), (4, [4, 5])]
    assert result.connected(4, 5)
    assert result.connected([1, 3], [2, 4]).tolist() == [True, False]
    assert result.verify()


@ENGINES
def test_labels_are_positions_from_zero(path, algorithm, tmp_path):
    result = skerry.connected_components(path, algorithm=algorithm)
    assert result.labels.tolist() == [0, 0, 2, 3, 3]
    skerry.io.write_labels(result, tmp_path / "labels.npy")
    assert np.load(tmp_path / "labels.npy").tolist() == [0, 0, 2, 3, 3]
    assert skerry.verify(path, result.labels)
    assert skerry.verify(path, result)


@ENGINES
def test_an_id_before_the_first_is_not_in_the_graph(path, algorithm):
    result = skerry.connected_components(path, algorithm=algorithm)
    with pytest.raises(InputError, match=r"vertex 0 is not in 1\.\.5"):
        result.connected(0, 1)
    with pytest.raises(InputError, match=r"vertex 6 is not in 1\.\.5"):
        result.connected([1, 6], [1, 1])


@ENGINES
def test_further_vertices_are_ids_of_the_file(path, algorithm):
    result = skerry.connected_components(path, vertices=[3, 5], algorithm=algorithm)
    assert result.num_vertices == 5
    for outside in (0, 6):
        with pytest.raises(InputError, match=rf"{outside}\b.*not"):
            skerry.connected_components(
                path, vertices=np.array([outside], np.uint32), algorithm=algorithm
            )


@ENGINES
def test_a_number_of_vertices_is_a_number(path, algorithm):
    result = skerry.connected_components(path, num_vertices=5, algorithm=algorithm)
    assert result.ids.tolist() == [1, 2, 3, 4, 5]
    with pytest.raises(InputError, match="the graph itself says 5"):
        skerry.connected_components(path, num_vertices=6, algorithm=algorithm)


def test_tables_are_written_and_verified_under_the_ids_of_the_file(path, tmp_path):
    labels = tmp_path / "labels.csv"
    ok("components", path, "-q", "-o", labels)
    assert labels.read_text() == "id,component\n" + "".join(f"{u},{v}\n" for u, v in ROWS)
    ok("verify", path, labels)
    labels.write_text("id,component\n1,7\n2,7\n3,8\n4,9\n5,9\n")
    ok("verify", path, labels)
    labels.write_text("id,component\n0,7\n1,7\n2,7\n3,9\n4,9\n")
    wrong = refused("verify", path, labels, code=1)
    assert "5 is in no component" in wrong
    ok("components", path, "-q", "-o", tmp_path / "labels.npy")
    ok("verify", path, tmp_path / "labels.npy")


def test_the_summary_says_where_the_ids_begin(path):
    assert "vertices are numbered from 1, as in the file" in ok("components", path)
    assert "vertex numbers, 1 to 5" in ok("info", path)


def test_vertices_counted_from_one_are_not_external_ids():
    source = skerry.io.EdgeSource("mine", "vertices", lambda _: iter(()), first_id=1)
    with pytest.raises(InputError, match="numbers its vertices from 1"):
        skerry.connected_components(source, ids="external")
