"""Whether the papers hold: five sentences, and the counts of one chart, for the top of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from skerry_bench.report.claims.rules import CONCLUSIONS, Claim, Conclusion, Verdict
from skerry_bench.report.display_names import PAPER_HEADINGS

Judged = Sequence[tuple[Claim, Verdict]]

MAIN: Mapping[str, str] = {
    "ECL-CC": "eclcc-gpu-fastest",
    "thesis": "thesis-eclaf-ecl",
    "Cong & Muzio": "cong-muzio-gpu-fastest",
    "Gerasimou": "gerasimou-robust",
}
"""The claim that each paper is known for."""

WORDS: Mapping[Conclusion, str] = {
    "agrees": "holds here",
    "agrees, stronger": "holds here, more strongly",
    "in part": "holds here in part",
    "disagrees": "does not hold here",
    "not measured": "was not measured",
}


def sentences(claims: Judged) -> Iterator[str]:
    """One for all claims and one for each paper; none if no claim was measured."""
    counts = Counter(verdict.conclusion for _, verdict in claims)
    if counts.total() == counts["not measured"]:
        return
    yield (
        f"Of the papers' {counts.total()} claims {_held(counts)} hold on these machines, "
        f"{counts['agrees, stronger']} of them more strongly; {counts['in part']} hold in part, "
        f"{counts['disagrees']} do not, and {counts['not measured']} were not measured."
    )
    for paper, row in by_paper(claims).items():
        claim, verdict = next(pair for pair in claims if pair[0].id == MAIN[paper])
        yield (
            f"{PAPER_HEADINGS[paper]}: {_held(row)} of {row.total()} claims hold. That "
            f"“{claim.statement.rstrip('.')}” {WORDS[verdict.conclusion]}."
        )


def by_paper(claims: Judged) -> dict[str, Counter[Conclusion]]:
    """How many claims of each paper have each conclusion, in the order of the papers."""
    rows: dict[str, Counter[Conclusion]] = {paper: Counter() for paper in PAPER_HEADINGS}
    for claim, verdict in claims:
        rows[claim.paper][verdict.conclusion] += 1
    return rows


def count_table(claims: Judged) -> tuple[Sequence[str], list[list[str]]]:
    """The header and the rows of the chart, as text."""
    rows = [
        [PAPER_HEADINGS[paper], *(str(row[name]) for name in CONCLUSIONS)]
        for paper, row in by_paper(claims).items()
    ]
    return ("paper", *CONCLUSIONS), rows


def _held(counts: Counter[Conclusion]) -> int:
    return counts["agrees"] + counts["agrees, stronger"]
