"""Options are spelled once: the table says what signatures, keywords and the shell say."""

from __future__ import annotations

import dataclasses
import inspect
from typing import get_type_hints

import pytest

import skerry
import skerry.io
from skerry import keywords, option_checks, request
from skerry.cli.graph_options import GRAPH_OPTIONS
from skerry.errors import ArgumentError
from skerry.inputs.edge_sources import FILES
from skerry.request import INPUT_TABLE, InputOptions, SolveOptions

SPELLED = inspect.signature(skerry.connected_components).parameters
OF_TEXT = inspect.signature(skerry.io.read_edges).parameters
DEFAULTS = InputOptions._field_defaults | SolveOptions._field_defaults
STREAM = {field.name for field in dataclasses.fields(skerry.StreamOptions)}
TEXT = {n for n, o in INPUT_TABLE.items() if o.kinds == {"files"}}
TYPES = get_type_hints(request._InputFields) | get_type_hints(request._SolveFields)
KEYWORDS = [each for each in vars(keywords).values() if hasattr(each, "__optional_keys__")]
NOT_IN_FILES = {"symmetric"}
"""Options that the shell, which reads files, does not have."""


def places(name, option):
    """Where an option must be spelled, and whether it is there."""
    of_text = option.kinds == {"files"}
    shell = {"file_format": "format"}
    yield "InputOptions", name in InputOptions._fields
    yield (
        "read_edges" if of_text else "connected_components",
        name in (OF_TEXT if of_text else SPELLED),
    )
    users = keywords.FileKeywords if of_text else keywords.Keywords
    yield users.__name__, name in users.__optional_keys__
    if name not in NOT_IN_FILES:
        yield "the shell", name in {shell.get(each, each) for each in GRAPH_OPTIONS}


def missing(table):
    return {
        (name, at)
        for name, option in table.items()
        for at, there in places(name, option)
        if not there
    }


def test_every_option_is_in_all_places():
    assert not missing(INPUT_TABLE)


@pytest.mark.parametrize(
    ("kinds", "home"), [({"files"}, "read_edges"), ({"files", "tables"}, "connected_components")]
)
def test_a_new_row_is_missed_in_all_places_and_checked_at_once(kinds, home, monkeypatch):
    row = request.Option(option_checks.text, frozenset(kinds))
    names = {"read_edges": "FileKeywords", "connected_components": "Keywords"}
    at = {"InputOptions", home, names[home], "the shell"}
    monkeypatch.setitem(INPUT_TABLE, "made_up", row)
    monkeypatch.setattr(request, "accepted_by", request.accepted_by.__wrapped__)
    monkeypatch.setattr("skerry.inputs.sources.accepted_by", request.accepted_by)
    assert missing(INPUT_TABLE) == {("made_up", place) for place in at}
    assert "made_up" in FILES.accepts
    with pytest.raises(ArgumentError, match="made_up must be text"):
        INPUT_TABLE["made_up"].check("made_up", 3)


def test_signatures_have_the_defaults_of_the_table():
    spelled = {name: each.default for name, each in SPELLED.items() if name != "graph"}
    assert spelled.pop("stream") is None
    del spelled["others"]  # which takes nothing
    assert spelled == {n: DEFAULTS[n] for n in DEFAULTS.keys() - TEXT - STREAM}
    assert keywords.Keywords.__optional_keys__ == spelled.keys() | {"stream"}
    assert len(spelled) + 1 == 20
    assert set(OF_TEXT) == TEXT | {"paths", "columns"}
    assert {name: OF_TEXT[name].default for name in TEXT} == {n: DEFAULTS[n] for n in TEXT}


@pytest.mark.parametrize("each", KEYWORDS, ids=lambda each: each.__name__)
def test_keywords_have_the_types_of_the_table(each):
    loose = {"stream", "dtype", "previous"}  # which the records hold in another form
    for name, kind in get_type_hints(each).items():
        assert name in loose or kind == TYPES[name], name
