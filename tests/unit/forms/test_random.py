"""Some of what ``make soak`` and ``make fuzz`` try: random forms, graphs, kills, kept inputs."""

from __future__ import annotations

import sys

import pytest

from support import fuzzing, random_forms
from support.soak import run_many

FORMS, GRAPHS, KILLED = 300, 20, 3


def test_random_forms(tmp_path):
    counts, wrong = run_many("forms", range(FORMS), tmp_path / "forms")
    assert not wrong
    assert counts["right"] > 0.9 * FORMS


def test_wrong_answers_of_forms_are_noticed(tmp_path, monkeypatch):
    """Two components as one, one as two, a vertex that is missing."""
    right = random_forms.case
    for change in (
        lambda groups: [frozenset().union(*groups)],
        lambda groups: [frozenset({v}) for group in groups for v in group],
        lambda groups: [group - {max(group)} for group in groups],
    ):

        def case(seed, folder, change=change):
            made, pairs, how = right(seed, folder)
            return made._replace(solve=lambda how: change(made.solve(how))), pairs, how

        monkeypatch.setattr(random_forms, "case", case)
        counts, wrong = run_many("forms", range(40), tmp_path / "forms")
        assert counts["wrong"] == len(wrong) > 20


def test_random_graphs(tmp_path):
    counts, wrong = run_many("graphs", range(GRAPHS), tmp_path)
    assert not wrong
    assert counts["right"] > 20 * GRAPHS


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_union_find_that_is_killed(tmp_path):
    counts, wrong = run_many("sets", range(KILLED), tmp_path / "sets")
    assert not wrong
    assert sum(counts.values()) == KILLED


@pytest.mark.parametrize("name", fuzzing.READERS)
def test_inputs_that_a_fuzzer_has_found(name, tmp_path):
    path = fuzzing.path_of(name, tmp_path)
    corpus = fuzzing.corpus_of(name)
    inputs = [
        *fuzzing.seeds(name, tmp_path),
        *fuzzing.unpacked(corpus.read_bytes() if corpus.exists() else b""),
    ]
    assert inputs
    for data in inputs:
        fuzzing.run_input(name, data, path)


def test_corpora_are_small():
    sizes = {path.name: path.stat().st_size for path in fuzzing.CORPORA.iterdir()}
    assert sum(sizes.values()) < 300_000, sizes
