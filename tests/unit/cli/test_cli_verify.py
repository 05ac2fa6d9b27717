"""``skerry verify`` takes the input options of ``skerry components``."""

from __future__ import annotations

import pytest

from support.cli import invoke, ok, refused


@pytest.fixture
def edges(tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text("0 1\n1 2\n5 6\n")
    return path


def test_verify_takes_the_ids_option_of_components(edges, tmp_path):
    labels = tmp_path / "labels.csv"
    ok("components", edges, "--ids", "external", "-q", "-o", labels)
    assert "forest of 3 edges" in ok("verify", edges, labels, "--ids", "external")
    assert invoke("verify", edges, labels, "--ids", "nonsense").exit_code == 2


def test_verify_takes_further_vertices_and_their_number(edges, tmp_path):
    people, labels = tmp_path / "people.csv", tmp_path / "labels.csv"
    people.write_text("id\n7\n9\n")
    options = ("--ids", "external", "--vertices", people)
    ok("components", edges, *options, "-q", "-o", labels)
    ok("verify", edges, labels, *options)
    people.write_text("id\n7\n11\n")
    assert "11 is in no component" in refused("verify", edges, labels, *options, code=1)
    array = tmp_path / "labels.npy"
    ok("components", edges, "--num-vertices", "9", "-q", "-o", array)
    ok("verify", edges, array, "--num-vertices", "9")
    wrong = refused("verify", edges, array, "--num-vertices", "10", code=1)
    assert "the graph has 10 vertices, but there are 9 labels" in wrong


@pytest.mark.parametrize(("one", "other"), [("700", "900"), ("'red'", "'blue'")])
def test_wrong_labels_are_named_as_the_file_has_them(tmp_path, one, other):
    edges, labels = tmp_path / "edges.csv", tmp_path / "labels.csv"
    edges.write_text("src,dst\n50,60\n")
    labels.write_text(f"id,component\n50,{one}\n60,{other}\n".replace("'", ""))
    line = refused("verify", edges, labels, code=1)
    assert f"joins 50 and 60, but their labels are {one} and {other}" in line
