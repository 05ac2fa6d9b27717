"""One rule says which texts are integers: in the sample, in all later rows, in every reader."""

from __future__ import annotations

import pytest

import skerry
from skerry.errors import InputError
from skerry.io import read_edges
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
