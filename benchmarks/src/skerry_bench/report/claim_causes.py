"""Why a verdict is what it is, where a run has shown it."""

from __future__ import annotations

from skerry_bench.report.claims.rules import Claim, Verdict

__all__ = ["cause_of"]


def cause_of(claim: Claim, verdict: Verdict) -> str:
    """The cause that is recorded with a verdict or with its claim; empty where none is."""
    return str(getattr(verdict, "cause", "") or getattr(claim, "cause", "") or "")
