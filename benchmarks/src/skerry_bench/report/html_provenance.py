"""Where the numbers come from: counts, runs, versions, what was skipped, and the method."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from skerry_bench.report.asset import read_asset
from skerry_bench.report.html_table import html_table
from skerry_bench.report.overview import Overview


def html_provenance(overview: Overview) -> Iterator[str]:
    """The section: counts in one line, everything else folded away."""
    yield '<section id="provenance"><h2>Where the numbers come from</h2>'
    yield f"<p>{_totals(overview)}</p>"
    yield "<details><summary>Runs, versions and options</summary>"
    head = ("When", "Suite", "Machine", "Results", "Commit", "Options")
    rows = [
        (run.date, run.suite, run.machine, run.results, run.commit, run.options)
        for run in overview.runs
    ]
    yield from html_table(head, rows, "Runs", cards=True)
    for machine, versions in overview.versions:
        yield f'<p class="caption">{escape(machine)}: {escape(versions)}.</p>'
    yield "</details>"
    if overview.skipped:
        count = sum(times for _, times, _ in overview.skipped)
        yield f"<details><summary>Skipped: {count:,}, and why</summary>"
        skipped = ("Reason", "Times", "For example")
        yield from html_table(skipped, overview.skipped, "Skipped, and why", cards=True)
        yield "</details>"
    yield "</section>"


def _totals(overview: Overview) -> str:
    unverified = overview.measurements - overview.verified
    by_count = (
        f", {overview.verified_by_count} of them by count" if overview.verified_by_count else ""
    )
    checked = f"all but {unverified}" if unverified else "all"
    return (
        f"{overview.measurements:,} measurements with {overview.samples:,} samples, of "
        f"{overview.implementations} implementations ({overview.peers} of them peers) on "
        f"{overview.graphs} graphs ({overview.stand_ins} stand-ins). The answers of {checked} were "
        f"verified{by_count}."
    )


METHOD = (
    "A time is the median of its samples, after one warm-up run. Every result was verified "
    "outside of the timed part. Ratios compare times on the same graph and platform. The first "
    "chart gives medians over graphs with their ranges; means in the papers' figures are "
    "geometric, as there.",
    "The spread of a time is the range of the middle half of its samples, of fewer than five all "
    "of them, over their median. Above 15% it counts as noisy. Of two times one is faster only if "
    "these ranges do not touch and the medians differ by 3%; otherwise the graph is undecided. A "
    "single sample counts with a range of 15% to both sides.",
    "Graphs for tuning are those that auto's rules were chosen on, or whose times were seen while "
    "it was made: all suites of the papers and families; graphs of a folder are halved by their "
    "names, as `skerry bench corpus` does. Only graphs for checking show how auto does on graphs "
    "whose times had not been seen.",
    "Results of several runs on the same kind of machine are combined, so a ratio may compare "
    "two runs and include noise and version changes. The tooltip of a bar shows its date.",
    "A star marks a stand-in: a generated graph of the same family and about the same size as "
    "the paper's, scaled down where the options of a run say so. Where two or more of a "
    "paper's own graphs were measured, only these appear in its figures and claims.",
    "Hollow bars are published numbers, with the device and the year of the paper. They keep "
    "their ratio to the paper's baseline: relative to auto they are drawn where they would be "
    "if that ratio held for the measured baseline.",
    "The codes of the papers are represented by skerry's implementations of the same "
    "algorithms, rewritten without data races; their source files document the differences. "
    "Peers are the original programs.",
    "Charts: Vega and Vega-Lite, copyright University of Washington Interactive Data Lab, BSD "
    "3-Clause license. This page contains them in compressed form, together with D3, "
    "Delaunator, TopoJSON and node-semver (ISC), fast-json-patch and "
    "json-stringify-pretty-compact (MIT).",
)


def html_method() -> Iterator[str]:
    """The section on the method, with the licenses of the chart library."""
    yield '<section id="method"><h2>Method</h2>'
    for text in METHOD:
        yield f"<p>{escape(text)}</p>"
    yield '<details class="licenses"><summary>Licenses of these libraries</summary>'
    for paragraph in read_asset("licenses.txt").split("\n\n"):
        yield f"<p>{escape(paragraph)}</p>"
    yield "</details></section>"
