"""Why claims of the papers disagree with our measurements: ``causes.csv``, by the claim's id."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

NOT_EXAMINED = "not yet examined"

CAUSES = (
    "other hardware",
    "other graph",
    "the original behaves the same here",
    "our departure",
    NOT_EXAMINED,
)
"""All causes: the last is what no run has shown yet."""


@dataclass(frozen=True, slots=True)
class Cause:
    """The cause of a disagreement."""

    claim: str
    """The id of the claim."""
    cause: str
    """One of `CAUSES`."""
    evidence: str
    """The run that shows it; where it is not examined, what is missing."""


@cache
def causes() -> Mapping[str, Cause]:
    """The causes by the id of the claim."""
    text = files("skerry_bench.published").joinpath("causes.csv").read_text("utf-8")
    rows = csv.DictReader(text.splitlines())
    return {row["claim"]: Cause(row["claim"], row["cause"], row["evidence"]) for row in rows}
