"""Where tests find the lab's folders."""

from __future__ import annotations

from support.paths import ROOT

LAB = ROOT / "benchmarks"
RECORDS = LAB / "results"
