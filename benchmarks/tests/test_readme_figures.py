"""The figures of the README are recomputed from the records that are kept."""

from __future__ import annotations

import json
import re

from lab.paths import LAB, RECORDS
from skerry_bench.report.build import build_report
from skerry_bench.report.format_value import significant
from skerry_bench.report.load import load_results
from skerry_bench.report.measurements import Measurements
from skerry_bench.report.peer_panels import PeerPanel, peer_panels
from skerry_bench.report.svg_chart import svg_chart
from support.paths import ROOT

README = (ROOT / "README.md").read_text()
WORDS = " ".join(README.split())
PEERS = [
    RECORDS / "cpu-peers-real-2026-11-16.jsonl",
    RECORDS / "cpu-peers-0.1-2026-11-15.jsonl",
]
CHART = ROOT / "docs/images/libraries.svg"
NUMBERS = {7: "seven", 8: "eight", 10: "ten"}


def spoken(panel: PeerPanel) -> tuple[str, str, str]:
    """The number of libraries, of graphs, and the median, as the README says them."""
    libraries = {name.removesuffix("-parallel") for name, _ in panel.peers}
    ratio = panel.fastest
    return NUMBERS[len(libraries)], NUMBERS[ratio.graphs], significant(ratio.median, 2)


def span(panel: PeerPanel) -> str:
    return f"{significant(panel.fastest.low, 2)} to {significant(panel.fastest.high, 2)}"


def test_the_headline_is_of_graphs_that_did_not_set_the_rules_of_auto():
    checking, tuned = peer_panels(Measurements(load_results(PEERS)))
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
    real, families = (json.loads(path.read_text().splitlines()[0]) for path in PEERS)
    assert (real["suite"], families["suite"]) == ("real", "families")
    assert real["options"]["algorithms"] == families["options"]["algorithms"] == ["auto"]
    assert "skerry bench real FOLDER --algorithms auto --peers installed" in WORDS


def test_the_chart_is_the_record():
    assert f"({CHART.relative_to(ROOT)})" in README
    assert CHART.read_text() == svg_chart(build_report(load_results(PEERS))), (
        "write it again, as benchmarks/docs/report.md says"
    )
    assert f"-o {CHART.relative_to(ROOT)}" in (LAB / "docs/report.md").read_text()


def test_extra_memory_for_an_edge_list():
    lines = (RECORDS / "edges-2026-11-15.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    vertices = next(line["vertices"] for line in records if line["kind"] == "graph")
    peaks = [line["peak_bytes"] for line in records if line.get("implementation") == "auto"]
    (row,) = (line for line in README.splitlines() if line.startswith("| extra memory "))
    assert row.split(" | ")[1] == f"{round(peaks[0] / vertices)} bytes a vertex"


def test_times_of_graphalytics_are_those_of_its_page():
    page = (LAB / "docs/graphalytics.md").read_text()
    for graph in ("graph500-22", "graph500-26"):
        shown = re.search(rf"\| {graph} \| ([\d.]+) \| ([\d.]+) \|", README)
        measured = re.search(rf"\| {graph} \| ([\d.]+) \| ([\d.]+) \| [\d,.]+ \|", page)
        assert shown is not None and measured is not None
        for text, number in zip(shown.groups(), measured.groups(), strict=True):
            assert text == significant(float(number), 2)
