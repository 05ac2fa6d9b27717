"""LDBC's check of components: equal up to the names of components, and nothing else passes."""

from __future__ import annotations

import numpy as np
import pytest
from typer.testing import CliRunner

from skerry.errors import InputError
from skerry_bench.cli.command import bench_app
from skerry_bench.graphalytics.equivalence import Labeling, difference, read_labeling
from support.paths import SHARED

EXPECTED = {1: 1, 2: 1, 3: 1, 4: 4, 5: 4, 9: 9, 2**60: 1}
FOLDER = SHARED / "acceptance"
PUBLISHED = sorted(FOLDER.glob("*/*-WCC*"))


def labeling(labels, name="actual"):
    ids = np.array(list(labels), np.int64)
    return Labeling(name, ids, np.array(list(labels.values()), np.int64))


def wrong(labels):
    return difference(labeling(EXPECTED, "expected"), labeling(labels))


def test_names_and_order_of_components_mean_nothing():
    assert wrong(EXPECTED) is None
    renamed = {1: -7, 4: 2**62, 9: 1}
    shuffled = dict(reversed([(v, renamed[label]) for v, label in EXPECTED.items()]))
    assert wrong(shuffled) is None
    assert wrong({**EXPECTED, 4: 1, 5: 1, 1: 4, 2: 4, 3: 4, 2**60: 4}) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({3: 3}, "vertices 1 and 3 are in one component, but have the labels 1 and 3"),
        ({9: 4}, "vertices 4 and 9 are in different components, but both have the label 4"),
        ({4: 1, 5: 1}, "vertices 1 and 4 are in different components"),
        ({5: 9, 9: 4}, "vertices 4 and 5 are in one component"),
        ({6: 6}, "actual labels 8 vertices, but expected labels 7"),
    ],
)
def test_a_wrong_label_is_noticed(change, message):
    assert message in wrong({**EXPECTED, **change})


def test_other_vertices_are_noticed():
    fewer = {vertex: label for vertex, label in EXPECTED.items() if vertex != 9}
    assert "labels 6 vertices, but expected labels 7" in wrong(fewer)
    assert "actual has no label for vertex 9" in wrong({**fewer, 10: 9})
    assert "expected has no vertex 8" in wrong({**fewer, 8: 9})


def test_every_single_wrong_label_is_noticed():
    """Every vertex, with the label of every other component and with a new one."""
    for vertex, label in EXPECTED.items():
        for other in {*EXPECTED.values(), 77} - {label}:
            alone = list(EXPECTED.values()).count(label) == 1
            harmless = alone and other == 77
            assert (wrong({**EXPECTED, vertex: other}) is None) == harmless


def test_a_vertex_with_two_labels_is_refused():
    twice = Labeling("actual", np.array([1, 2, 1]), np.array([1, 1, 1]))
    with pytest.raises(InputError, match="actual: vertex 1 has more than one label"):
        difference(twice, twice)


def test_the_command(tmp_path):
    expected, actual = tmp_path / "a-WCC", tmp_path / "out.wcc"
    expected.write_text("1 1\n2 1\n3 3\n")
    actual.write_text("3 0\n2 5\n1 5\n")
    runner = CliRunner()
    answer = runner.invoke(bench_app, ["validate", str(expected), str(actual)])
    assert answer.exit_code == 0, answer.output
    assert "is equivalent to" in answer.output
    actual.write_text("3 0\n2 0\n1 5\n")
    answer = runner.invoke(bench_app, ["validate", str(expected), str(actual)])
    assert answer.exit_code == 1
    assert "WRONG: " in answer.output


def test_an_output_may_be_a_folder(tmp_path):
    (tmp_path / "part-0").write_text("1 1\n")
    (tmp_path / "part-1").write_text("2 1\n")
    both = read_labeling(tmp_path)
    assert difference(labeling({1: 3, 2: 3}), both) is None
    (tmp_path / "empty").write_text("")
    assert len(read_labeling(tmp_path / "empty").ids) == 0


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.name)
def test_published_labels_are_equivalent_to_ours(path, tmp_path):
    import skerry

    graph = path.with_name(path.name.replace("-WCC", ".e"))
    out = tmp_path / "out.wcc"
    skerry.connected_components(graph).write(out)
    expected, actual = read_labeling(path), read_labeling(out)
    assert difference(expected, actual) is None
    moved = Labeling("moved", actual.ids, np.roll(actual.labels, 1))
    if len(np.unique(actual.labels)) > 1:
        assert difference(expected, moved) is not None
