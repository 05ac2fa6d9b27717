"""All claims of the papers."""

from __future__ import annotations

from skerry_bench.report.claims.cong_muzio import CONG_MUZIO
from skerry_bench.report.claims.eclcc import ECLCC
from skerry_bench.report.claims.eclcc_counters import ECLCC_COUNTERS
from skerry_bench.report.claims.eclcc_devices import ECLCC_DEVICES
from skerry_bench.report.claims.gerasimou import GERASIMOU
from skerry_bench.report.claims.rules import Claim
from skerry_bench.report.claims.thesis import THESIS

CLAIMS: tuple[Claim, ...] = (
    *ECLCC,
    *ECLCC_COUNTERS,
    *ECLCC_DEVICES,
    *THESIS,
    *CONG_MUZIO,
    *GERASIMOU,
)
"""In the order of the papers."""
