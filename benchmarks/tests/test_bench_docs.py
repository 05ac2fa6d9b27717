"""The tables and counts of the lab's pages are those of the code."""

from __future__ import annotations

import json
import re
from collections import Counter

from lab.paths import LAB, RECORDS
from skerry_bench.corpus.catalog import catalog
from skerry_bench.corpus.families import FAMILIES
from skerry_bench.peers import PEERS
from skerry_bench.report.claims.catalog import CLAIMS
from skerry_bench.report.claims.rules import CONCLUSIONS
from skerry_bench.report.load import load_results
from skerry_bench.report.measurements import Measurements
from skerry_bench.report.papers_programs import papers_programs
from skerry_bench.studies import STUDIES
from skerry_bench.suites import SUITES

DOCS = LAB / "docs"


def table(page, head):
    """The cells of the table whose first line begins with these columns."""
    lines = iter((DOCS / page).read_text().splitlines())
    assert any(line.startswith(head) for line in lines), head
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def names(cell):
    return re.findall(r"`([^`]+)`", cell)


def test_suites():
    assert [name for row in table("measuring.md", "| suite |") for name in names(row[0])] == [
        *SUITES
    ]


def test_studies():
    rows = table("measuring.md", "| study |")
    assert [name for row in rows for name in names(row[0])] == [*STUDIES]
    for row in rows:
        for name in names(row[0]):
            assert ("GPU only" in row[1]) == (STUDIES[name].devices == ("cuda",)), name


def test_clocks():
    clocks = [name for row in table("measuring.md", "| clock |") for name in names(row[0])]
    assert clocks == ["wall", "device", "queued"]


def test_peers():
    rows = table("peers.md", "| peer |")
    assert [name for row in rows for name in names(row[0])] == [*PEERS]
    for row in rows:
        peer = PEERS[names(row[0])[0]]
        threads = "GPU" if peer.device == "cuda" else "all" if peer.parallel else "one"
        assert row[1] == threads, peer.name
        assert (row[2] != "", row[3] != "") == (
            "solve" in peer.scopes,
            "end_to_end" in peer.scopes,
        ), peer.name
        assert row[4] == (f"{peer.max_entries:,}" if peer.max_entries else ""), peer.name


def test_counts_of_the_guard():
    counts = json.loads((RECORDS / "guard.json").read_text())["counts"]
    assert f"the instructions of {len(counts)} small runs" in (DOCS / "peers.md").read_text()


def test_the_corpus_is_counted():
    text = (DOCS / "corpus.md").read_text()
    assert f"on {len(catalog())} generated graphs of\n{len(FAMILIES)} families" in text


def test_the_verdicts_on_claims_are_counted():
    measurements, _ = papers_programs(Measurements(load_results(sorted(RECORDS.glob("*.jsonl")))))
    counts = Counter(claim.judge(measurements).conclusion for claim in CLAIMS)
    agree, stronger, part, disagree, open_ = (counts[verdict] for verdict in CONCLUSIONS)
    text = " ".join((DOCS / "report.md").read_text().split())
    assert (
        f"Of the papers' {len(CLAIMS)} claims {agree} agree with our records, {stronger} more "
        f"strongly than the paper says, {part} in part, "
        f"{disagree} disagree, and {open_} are not measured."
    ) in text
