"""Why claims disagree: the causes that our runs have shown, for the verdicts of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from skerry_bench.published.causes import CAUSES, NOT_EXAMINED, Cause, causes
from skerry_bench.report.claims.rules import Claim, Verdict


def cause_of(claim: Claim, verdict: Verdict) -> Cause | None:
    """The cause of a disagreement, also in part; None for other verdicts."""
    if verdict.conclusion not in ("disagrees", "in part"):
        return None
    return causes().get(claim.id) or Cause(claim.id, NOT_EXAMINED, "no run of ours has examined it")


def count_causes(claims: Iterable[tuple[Claim, Verdict]]) -> str:
    """How many disagreements have each cause, as a sentence; empty where nothing disagrees."""
    known = [cause_of(claim, verdict) for claim, verdict in claims]
    counts = Counter(cause.cause for cause in known if cause is not None)
    listed = ", ".join(f"{counts[cause]} {cause}" for cause in CAUSES if counts[cause])
    which = f"Causes of the {counts.total()} that disagree or agree in part"
    return f"{which}: {listed}." if listed else ""
