"""The tables of docs/benchmarks.md are those of the records that are kept."""

from __future__ import annotations

import json
import re
from statistics import median

import pytest

from lab.paths import RECORDS
from support.paths import ROOT

PAGE = (ROOT / "docs/benchmarks.md").read_text()
MOST_WORDS = 2500


def results(record, scope="end_to_end"):
    """The results of a record, by graph and implementation."""
    lines = map(json.loads, (RECORDS / record).read_text().splitlines())
    return {
        (line["graph"], line["implementation"].replace("-", " ")): line
        for line in lines
        if line["kind"] == "result" and line["study"] is None and line["scope"] == scope
    }


def seconds(line):
    return median(line["seconds"])


def rows(heading):
    """The cells of the table below a heading, without bold type."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0].replace("**", "")
    lines = [line for line in section.splitlines() if line.startswith("|")]
    table = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]
    return table[:1] + table[2:]


def number(cell):
    return float(re.match(r"[\d.]+", cell)[0])


def test_arrays():
    found = results("edges-2026-11-15.jsonl")
    own = seconds(found["int64", "auto"])
    for name, ms, times, megabytes in rows("From two arrays to labels")[1:]:
        line = found["int64", "auto" if name == "skerry" else name.split()[0]]
        assert number(ms) == round(seconds(line) * 1e3)
        assert number(megabytes) == round(line["peak_bytes"] / 1e6)
        assert (times == "") == (name == "skerry")
        if times:
            assert number(times) == round(seconds(line) / own)


@pytest.mark.parametrize("column", [1, 2])
def test_ids(column):
    found = results("ids-2026-11-15.jsonl")
    graph = ("int64", "string")[column - 1]
    table = rows("From a table of ids to (id, component)")[1:]
    own = seconds(found[graph, "auto"])
    for row in table[:3]:
        name, time = row[0].replace(" ", ""), row[column]
        line = found[graph, "auto" if name == "skerry" else name]
        assert number(time) == round(seconds(line) * 1e3)
        if name != "skerry":
            assert number(time.split("(")[1]) == round(seconds(line) / own, 1)
    peak = found[graph, "auto"]["peak_bytes"] / 5_000_000
    assert number(table[3][column]) == round(peak, 1)


def test_text():
    found = results("files-2026-11-15.jsonl")
    own = seconds(found["snap-text", "auto"])
    for name, time, megabytes in rows("From a text file to labels")[1:]:
        line = found["snap-text", "auto" if name == "skerry" else f"{name.split()[0]}+scipy"]
        assert number(time) == float(f"{seconds(line):.3g}")
        assert number(megabytes) == round(line["peak_bytes"] / 1e6)
        if name != "skerry":
            assert number(time.split("(")[1]) == round(seconds(line) / own, 1)


def test_rows():
    found = results("cpu-external-2026-11-15.jsonl", "solve")
    table = rows("From rows in memory: the best code of the field")
    graphs = [name.replace(" ", "-") for name in table[0][1:]]
    own = {"skerry `auto": "auto", "skerry `ecl": "ecl", "skerry `afforest": "afforest"}
    best = dict.fromkeys(graphs, float("inf"))
    for name, *cells in table[1:-1]:
        name = own.get(name, re.sub(r"[`,]| \(.*\)", "", name).replace("-", " "))
        for graph, cell in zip(graphs, cells, strict=True):
            line = found.get((graph, name))
            assert (line is None) == (cell == ""), (graph, name)
            if line is not None:
                ms = seconds(line) * 1e3
                assert number(cell) == (round(ms, 1) if ms < 10 else round(ms)), (graph, name)
                if name not in own.values():
                    best[graph] = min(best[graph], ms)
    for graph, cell in zip(graphs, table[-1][1:], strict=True):
        assert number(cell) == round(best[graph] / seconds(found[graph, "auto"]) / 1e3, 1)


def test_calls_and_growth():
    latency, growth = results("latency-2026-11-15.jsonl"), results("growth-2026-11-15.jsonl")
    expected = [
        round(seconds(latency["ten-edges", "auto"]) * 1e6),
        round(seconds(latency["ten-edges", "import skerry"]), 2),
        *(
            round(seconds(growth[f"uint32-{edges}", "auto"]) / edges * 1e9, 1)
            for edges in (10**6, 10**7, 10**8)
        ),
    ]
    assert [number(cell) for _, cell in rows("One call, and growth")[1:]] == expected


def test_every_table_has_its_machine_date_and_command():
    sections = re.split(r"\n## ", PAGE)[1:]
    assert len(sections) > 8
    machine = re.compile("Xeon|Neoverse|H200|x86_64")
    for section in sections:
        if "\n|---" in section:
            title = section.splitlines()[0]
            assert machine.search(section) and re.search(r"2026-\d\d-\d\d", section), title
            assert re.search(r"skerry bench|python tools/", section), title


def test_the_page_stays_short():
    assert len(PAGE.split()) <= MOST_WORDS
