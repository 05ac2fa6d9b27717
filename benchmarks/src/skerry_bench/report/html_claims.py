"""The papers' claims with their verdicts: counts first, each paper's claims a click away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape

from skerry_bench.report.claim_causes import cause_of, count_causes
from skerry_bench.report.claims.rules import CONCLUSIONS, Claim, Verdict
from skerry_bench.report.display_names import PAPER_HEADINGS


def html_claims(
    claims: Sequence[tuple[Claim, Verdict]], programs: Sequence[str] = ()
) -> Iterator[str]:
    """The section."""
    yield '<section id="claims"><h2>What the papers claim</h2>'
    yield (
        "<p>Each claim, paraphrased, with the verdict of these results. Times that differ by less "
        "than 3% count as ties. A verdict is on these graphs and this device: stand-ins, smaller "
        "sizes and newer hardware may disagree with a paper that was right on its own.</p>"
    )
    summary = count_causes(claims)
    if summary:
        yield f'<p class="causes">{escape(summary)} A cause is what our own runs have shown.</p>'
    if programs:
        yield "<details><summary>Which programs are judged</summary>"
        yield from (f"<p>{escape(text)}</p>" for text in programs)
        yield "</details>"
    yield '<div class="segments" role="group" aria-label="Verdicts to show" id="verdicts">'
    for name in CONCLUSIONS:
        count = sum(verdict.conclusion == name for _, verdict in claims)
        pressed = "false" if name == "not measured" else "true"
        yield (
            f'<button type="button" data-verdict="{name}" aria-pressed="{pressed}">'
            f"{name} <b>{count}</b></button>"
        )
    yield "</div>"
    yield (
        '<label class="check"><input type="checkbox" id="rules"> show the rule of each verdict'
        "</label>"
    )
    for paper, title in PAPER_HEADINGS.items():
        listed = [(claim, verdict) for claim, verdict in claims if claim.paper == paper]
        if listed:
            yield from _paper(title, listed)
    yield "</section>"


def _paper(title: str, claims: Sequence[tuple[Claim, Verdict]]) -> Iterator[str]:
    counts = Counter(verdict.conclusion for _, verdict in claims)
    numbers = ", ".join(f"{counts[name]} {name}" for name in CONCLUSIONS if counts[name])
    yield (
        f'<details class="paper"><summary><b>{escape(title)}</b> '
        f"<small>{len(claims)} claims: {numbers}</small></summary>"
    )
    yield f'<ul class="claims" aria-label="Claims of {escape(title)}">'
    for claim, verdict in claims:
        yield from _claim(claim, verdict)
    yield "</ul></details>"


def _claim(claim: Claim, verdict: Verdict) -> Iterator[str]:
    kind = verdict.conclusion.replace(",", "").replace(" ", "-")
    platform = f" <small>{escape(verdict.platform)}</small>" if verdict.platform else ""
    yield (
        f'<li id="claim-{claim.id}" data-conclusion="{verdict.conclusion}" class="{kind}">'
        f'<span class="verdict">{verdict.conclusion}</span>'
        f'<div><p class="says">{escape(claim.statement)} <small>{escape(claim.where)}</small></p>'
        f'<p class="finding">{escape(verdict.finding)}{platform}</p>{_cause(claim, verdict)}'
        f'<p class="rule">Agrees if {escape(claim.rule)}.</p></div></li>'
    )


def _cause(claim: Claim, verdict: Verdict) -> str:
    """Why measurements disagree with the paper, as far as our runs have shown it."""
    cause = cause_of(claim, verdict)
    if cause is None:
        return ""
    evidence = f": {escape(cause.evidence)}" if cause.evidence else ""
    return f'<p class="cause"><b>Cause: {escape(cause.cause)}</b>{evidence}.</p>'
