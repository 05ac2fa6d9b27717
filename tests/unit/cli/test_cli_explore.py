"""`skerry explore`: the page that is written, and what is refused."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import pytest

from skerry.formats.writers import atomic_file
from support.cli import invoke, ok, refused, said
from support.pages_of_explore import data_of

PAIRS = "id_l,id_r,score\nkim,lee,0.9\nlee,ann,0.25\nbo,al,0.7\n"


@pytest.fixture
def pairs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS)
    return path


def test_a_page_is_written(pairs):
    output = ok("explore", pairs.name, "--weight", "score", "-o", "p.html")
    assert said(output, "graph") == "pairs.csv: 5 vertices, 2 components"
    assert said(output, "written").startswith("p.html: ")
    page = data_of(Path("p.html"))
    assert page["title"] == "pairs.csv" and page["parts"][0]["ids"] == ["ann", "kim", "lee"]
    assert page["parts"][0]["weights"] == ["0.9", "0.25"]


def test_options_of_the_input_are_followed(pairs):
    arguments = ("explore", pairs, "-o", "p.html", "-q", "--include", "bo")
    assert ok(*arguments, "--weight", "score", "--threshold", "0.5") == ""
    page = data_of(Path("p.html"))
    assert [part["ids"] for part in page["parts"]] == [["al", "bo"], ["kim", "lee"]]
    ok(*arguments, "--redact-ids")
    assert "kim" not in Path("p.html").read_text()


def test_standard_input_is_read(pairs):
    result = invoke("explore", "-", "-o", "p.html", piped=pairs.read_bytes())
    assert result.exit_code == 0, result.output
    page = data_of(Path("p.html"))
    assert len(page["parts"][0]["links"]) == 6 and not page["problem"]


def test_without_an_output_the_page_is_temporary(pairs, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(atomic_file, "temporary_folder", lambda: str(tmp_path))
    assert "written" in ok("explore", pairs)
    (path,) = tmp_path.glob("skerry-*.html")
    assert data_of(path)["components"] == 2
    assert opened == []  # standard output is no terminal here


def test_what_is_refused(pairs):
    assert "HTML" in refused("explore", pairs, "-o", "p.txt")
    assert "--include zoe: is not an id" in refused("explore", pairs, "--include", "zoe")
    assert "needs --threshold" in refused("explore", pairs, "--keep", "below", "-o", "p.html")
    assert [each.name for each in pairs.parent.iterdir()] == ["pairs.csv"]
