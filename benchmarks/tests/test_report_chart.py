"""The chart of other libraries' times over skerry's: its numbers, its file, its themes."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from lab.made_up_results import graph_line, result, run_line
from skerry.errors import InputError
from skerry_bench.corpus.halves import half_of
from skerry_bench.report.build import build_report
from skerry_bench.report.measurements import Measurements
from skerry_bench.report.peer_panels import peer_panels
from skerry_bench.report.svg_chart import svg_chart
from skerry_bench.results import Results

CHECKED = next(f"graph{n}" for n in range(99) if half_of([f"graph{n}"]) == "checking")


def made_up(*times, scope="end_to_end"):
    """Results of (suite, graph, implementation, ms); every implementation but auto is a peer."""
    lines = [run_line(suite="families")]
    lines += [graph_line(graph) for graph in dict.fromkeys(graph for _, graph, _, _ in times)]
    for suite, graph, name, ms in times:
        fields = {"suite": suite, "peer": name != "auto", "scope": scope, "threads": 2}
        lines.append(result(name, graph, ms, **fields))
    return Results(lines)


THREE = (
    *(("families", "grid", "auto", 1.0), ("families", "grid", "scipy", 4.0)),
    *(("families", "road", "auto", 1.0), ("families", "road", "scipy", 16.0)),
    *(("families", "road", "igraph", 8.0), ("real", CHECKED, "auto", 2.0)),
    ("real", CHECKED, "scipy", 6.0),
)


def test_a_panel_has_the_median_and_the_range_of_each_peer():
    checking, tuning = peer_panels(Measurements(made_up(*THREE)))
    assert (checking.half, checking.graphs, checking.threads) == ("checking", [CHECKED], 2)
    assert [(name, r.median) for name, r in checking.peers] == [("scipy", 3.0)]
    assert tuning.half == "tuning" and tuning.date == "2020-01-01"
    assert [(name, r.median, r.low, r.high, r.graphs) for name, r in tuning.peers] == [
        ("igraph", 8.0, 8.0, 8.0, 1),
        ("scipy", 10.0, 4.0, 16.0, 2),
    ]
    assert (tuning.fastest.median, tuning.fastest.low, tuning.fastest.high) == (6.0, 4.0, 8.0)


def test_times_from_a_built_graph_are_no_part_of_the_chart():
    report = build_report(made_up(*THREE, scope="solve"))
    assert peer_panels(report.measurements) == []
    with pytest.raises(InputError, match="from an edge list to labels: measure with --peers"):
        svg_chart(report)


def test_the_chart_is_xml_with_all_numbers_and_both_themes():
    text = svg_chart(build_report(made_up(*THREE)))
    root = ET.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg" and root.get("role") == "img"
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    for word in ("skerry", "scipy", "igraph", "10 (4 to 16)", "8 (1 graph)"):
        assert word in words, word
    assert any("1 graph that auto was not tuned on" in word for word in words)
    assert any("2 graphs that auto may have been tuned on" in word for word in words)
    assert "prefers-color-scheme: dark" in text
    assert "<script" not in text and "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_the_chart_is_drawn_inside_of_its_page():
    root = ET.fromstring(svg_chart(build_report(made_up(*THREE))))
    _, _, width, height = map(float, root.get("viewBox").split())
    for element in root.iter():
        if "x" in element.attrib:
            assert 0 <= float(element.get("x")) <= width
            assert 0 <= float(element.get("y")) <= height
