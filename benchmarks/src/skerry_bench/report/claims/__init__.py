"""The papers' claims as data, and what our results say of each."""

from __future__ import annotations

from skerry_bench.report.claims.cong_muzio import CONG_MUZIO
from skerry_bench.report.claims.eclcc import ECLCC
from skerry_bench.report.claims.eclcc_devices import ECLCC_DEVICES
from skerry_bench.report.claims.eclcc_inside import ECLCC_INSIDE
from skerry_bench.report.claims.gerasimou import GERASIMOU
from skerry_bench.report.claims.judging import Claim, Verdict, judge
from skerry_bench.report.claims.thesis import THESIS

__all__ = ["CLAIMS", "Claim", "Verdict", "judge"]

CLAIMS: tuple[Claim, ...] = (
    *ECLCC,
    *ECLCC_INSIDE,
    *ECLCC_DEVICES,
    *THESIS,
    *CONG_MUZIO,
    *GERASIMOU,
)
"""All of them, paper by paper."""
