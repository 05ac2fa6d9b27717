"""What the README claims is recomputed, from committed records or by asking."""

from __future__ import annotations

import json
import re
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph

import skerry
from skerry_bench.report.build import build_report
from skerry_bench.report.format_value import significant
from skerry_bench.report.load import load_results
from skerry_bench.report.measurements import Measurements
from skerry_bench.report.peer_panels import PeerPanel, peer_panels
from skerry_bench.report.svg_chart import svg_chart
from support.paths import ROOT

README = (ROOT / "README.md").read_text()
WORDS = " ".join(README.split())
RECORDS = [
    ROOT / "docs/results/cpu-peers-real-2026-11-16.jsonl",
    ROOT / "docs/results/cpu-peers-0.1-2026-11-15.jsonl",
]
CHART = ROOT / "docs/images/libraries.svg"
NUMBERS = {7: "seven", 8: "eight", 10: "ten"}
SRC, DST = np.array([3, 1]), np.array([0, 2])


def table_row(name: str) -> dict[str, str]:
    """The row of the comparison that begins with these words, by column."""
    lines = [line.strip("| ").split(" | ") for line in README.splitlines() if " | " in line]
    head = next(line for line in lines if line[:2] == ["skerry", "scipy"])
    row = next(line for line in lines if line[0].startswith(name))
    return dict(zip(head, row[1:], strict=True))


def spoken(panel: PeerPanel) -> tuple[str, str, str]:
    """The number of libraries, of graphs, and the median, as the README says them."""
    libraries = {name.removesuffix("-parallel") for name, _ in panel.peers}
    ratio = panel.fastest
    return NUMBERS[len(libraries)], NUMBERS[ratio.graphs], significant(ratio.median, 2)


def span(panel: PeerPanel) -> str:
    return f"{significant(panel.fastest.low, 2)} to {significant(panel.fastest.high, 2)}"


def test_the_headline_is_of_graphs_that_did_not_set_the_rules_of_auto():
    checking, tuned = peer_panels(Measurements(load_results(RECORDS)))
    assert (checking.half, checking.platform.name) == ("checking", "Neoverse-N1, 2 cores")
    libraries, graphs, ratio = spoken(checking)
    assert f"The fastest of {libraries} other libraries takes {ratio} times as long" in WORDS
    assert (
        f"(median over {graphs} real graphs that were not used to set the rules of `auto`, "
        f"{span(checking)}; {checking.threads} cores of a shared Neoverse-N1, {checking.date})"
    ) in WORDS
    assert (tuned.half, tuned.platform.name) == ("tuning", "Intel Xeon, 2 cores")
    libraries, graphs, ratio = spoken(tuned)
    assert (
        f"On {graphs} generated graphs that may have been used for that, "
        f"the fastest of {libraries} "
        f"takes {ratio} times as long ({span(tuned)}; {tuned.threads} cores of an Intel Xeon, "
        f"{tuned.date})"
    ) in WORDS


def test_the_command_is_that_of_the_record():
    real, families = (json.loads(path.read_text().splitlines()[0]) for path in RECORDS)
    assert (real["suite"], families["suite"]) == ("real", "families")
    assert real["options"]["algorithms"] == families["options"]["algorithms"] == ["auto"]
    assert "skerry bench real FOLDER --algorithms auto --peers installed" in WORDS


def test_the_chart_is_the_record():
    assert f"({CHART.relative_to(ROOT)})" in README
    assert CHART.read_text() == svg_chart(build_report(load_results(RECORDS))), (
        "write it again, as docs/report.md says"
    )
    assert f"-o {CHART.relative_to(ROOT)}" in (ROOT / "docs/report.md").read_text()


def test_the_two_commands_are_near_the_top():
    screen = "\n".join(README.splitlines()[:32])
    assert "make demo" in screen and "make test" in screen and "pip install ." in screen


def test_extra_memory_for_an_edge_list():
    lines = (ROOT / "docs/results/edges-2026-11-15.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    vertices = next(line["vertices"] for line in records if line["kind"] == "graph")
    peaks = [line["peak_bytes"] for line in records if line.get("implementation") == "auto"]
    assert table_row("extra memory")["skerry"] == f"{round(peaks[0] / vertices)} bytes a vertex"


def test_labels_of_a_component():
    row = table_row("label of a component")
    assert row["skerry"] == "its smallest member, or 0..k-1"
    assert skerry.connected_components((SRC, DST), num_vertices=5).labels.tolist() == [
        0,
        1,
        1,
        0,
        4,
    ]
    matrix = scipy.sparse.coo_array((np.ones(2), (SRC, DST)), shape=(5, 5))
    count, labels = scipy.sparse.csgraph.connected_components(matrix, directed=False)
    assert row["scipy"] == "0..k-1" and sorted(set(labels.tolist())) == list(range(count))
    (nodes,) = nx.connected_components(nx.Graph([(0, 1)]))
    assert row["networkx"] == "sets of nodes" and isinstance(nodes, set)


def test_a_bad_index():
    assert table_row("a bad index")["skerry"] == "an error that names its position"
    with pytest.raises(skerry.InputError, match=r"src\[0\] is 3"):
        skerry.connected_components((SRC, DST), num_vertices=3)


def test_the_answer_is_verified_and_explained():
    result = skerry.connected_components((SRC, DST))
    assert table_row("the answer can be verified")["skerry"] == "yes"
    assert len(result.verify().forest) == result.num_vertices - result.count
    assert table_row("says what ran")["skerry"] == "yes"
    assert result.plan.algorithm and result.plan.reason


def test_times_of_graphalytics_are_those_of_its_page():
    page = (ROOT / "docs/graphalytics.md").read_text()
    for graph in ("graph500-22", "graph500-26"):
        shown = re.search(rf"\| {graph} \| ([\d.]+) \| ([\d.]+) \|", README)
        measured = re.search(rf"\| {graph} \| ([\d.]+) \| ([\d.]+) \| [\d,.]+ \|", page)
        assert shown is not None and measured is not None
        for text, number in zip(shown.groups(), measured.groups(), strict=True):
            assert text == significant(float(number), 2)


def test_every_page_is_in_the_index():
    index = (ROOT / "docs/README.md").read_text()
    for page in sorted(Path(ROOT / "docs").glob("*.md")):
        if page.name != "README.md":
            assert f"({page.name})" in index, page.name
