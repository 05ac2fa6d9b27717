"""The lab's modules do not import each other in circles, and late only with a reason."""

from __future__ import annotations

from collections import Counter

import pytest

from lab.paths import LAB
from support import layers

LATE = {
    "skerry_bench.cli": (13, "start-up: a subcommand loads what it runs"),
    "skerry_bench.cases": (4, "start-up"),
    "skerry_bench.counters": (4, "runs in a process of its own"),
    "skerry_bench.isolation": (1, "the name of the program that it starts"),
    "skerry_bench.isolated": (1, "runs in a process of its own"),
}
"""Imports inside functions: how many modules may have, and why. The number may only shrink."""


@pytest.fixture(scope="module")
def sources():
    return layers.read_sources(LAB / "src")


def test_no_circles(sources):
    assert layers.circles(sources) == []


def test_late_imports_have_a_reason(sources):
    counts = Counter[str]()
    for module, count in layers.late_imports(sources).items():
        entry = layers.allowance(module, LATE)
        assert entry, f"{module} imports our modules inside functions: say why in LATE"
        counts[entry] += count
    assert [name for name, count in counts.items() if count > LATE[name][0]] == []
