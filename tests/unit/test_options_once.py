"""Options are spelled once: what signatures and keywords say is what the table says."""

from __future__ import annotations

import dataclasses
import inspect
from typing import get_type_hints

import pytest

import skerry
import skerry.io
from skerry import keywords, option_checks, request
from skerry.errors import ArgumentError
from skerry.request import INPUT_TABLE, InputOptions, SolveOptions

SPELLED = inspect.signature(skerry.connected_components).parameters
OF_TEXT = inspect.signature(skerry.io.read_edges).parameters
DEFAULTS = InputOptions._field_defaults | SolveOptions._field_defaults
STREAM = {field.name for field in dataclasses.fields(skerry.StreamOptions)}
TEXT = {name for name, option in INPUT_TABLE.items() if option.kinds == {"files"}}
TABLE = get_type_hints(request._InputFields) | get_type_hints(request._SolveFields)
KEYWORDS = [each for each in vars(keywords).values() if hasattr(each, "__optional_keys__")]


def test_connected_components_spells_out_every_option_but_those_of_text():
    spelled = {name: each.default for name, each in SPELLED.items() if name != "graph"}
    assert spelled.pop("stream") is None
    assert spelled == {n: DEFAULTS[n] for n in DEFAULTS.keys() - TEXT - STREAM}
    assert keywords.Keywords.__optional_keys__ == spelled.keys() | {"stream"}
    assert len(SPELLED) - 1 == 20
    assert set(OF_TEXT) == TEXT | {"paths", "columns"}
    assert {name: OF_TEXT[name].default for name in TEXT} == {n: DEFAULTS[n] for n in TEXT}


@pytest.mark.parametrize("each", KEYWORDS, ids=lambda each: each.__name__)
def test_keywords_have_the_types_of_the_table(each):
    loose = {"stream", "dtype", "previous"}  # which the records hold in another form
    for name, kind in get_type_hints(each).items():
        assert name in loose or kind == TABLE[name], name


def test_every_option_says_what_it_is_and_what_it_is_for():
    for name, option in INPUT_TABLE.items():
        assert option.doc.endswith(".") and option.kinds <= request.EVERY, name


def test_a_new_row_is_an_option_everywhere(monkeypatch):
    """What is not made from the table is reported by the tests above."""
    row = request.Option(option_checks.text, frozenset({"files"}), "A made-up option.")
    monkeypatch.setitem(INPUT_TABLE, "made_up", row)
    request.accepted_by.cache_clear()
    try:
        assert "made_up" in request.accepted_by("files")
        assert "made_up" not in request.accepted_by("arrays")
    finally:
        request.accepted_by.cache_clear()
    with pytest.raises(ArgumentError, match="made_up must be text"):
        INPUT_TABLE["made_up"].check("made_up", 3)
