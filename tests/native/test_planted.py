"""Planted errors of the kinds that the Indigo suite has, and the tools that must find them.

Errors that show by the order of accesses alone are found by a search of all orders, in
tests/unit/algorithms/test_core_schedules.py: running the code need not show them.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

import skerry
from support.emulator import works
from support.paths import ROOT, TESTS

TOOL = ROOT / "tools/sanitize.py"
SOURCE = TESTS / "native/planted/planted.cpp"
pytestmark = [
    pytest.mark.skipif(not works() or not TOOL.exists(), reason="needs a compiler and tools/"),
    pytest.mark.xdist_group("planted"),
]
VERTICES = 2000

CASES = [
    # a load that is not atomic, and a flag that all threads set
    *[("plain", "thread", True), ("race", "thread", True)],
    # an edge too many
    ("bounds", "address", True),
    # no wait between hooks and labels: free of data races, and wrong
    *[("sync", "verify", True), ("sync", "thread", False)],
    # a hook by a load and a store, and a lost hook that is not made again: no data race either
    *[("atomic", "thread", False), ("retry", "thread", False), ("guard", "thread", False)],
    *[("none", "thread", False), ("none", "address", False), ("none", "verify", False)],
]
"""A planted error, a tool, and whether that finds it."""


@pytest.fixture(scope="module")
def sanitize():
    spec = importlib.util.spec_from_file_location("sanitize", TOOL)
    module = sys.modules["sanitize"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def find_by(sanitize, tmp_path_factory):
    """A function: whether a tool finds an error."""

    @cache
    def build(kind):
        flags = (*sanitize.COMMON, *sanitize.FLAGS.get(kind, ["-O1"]))
        builder = sanitize.Builder(sanitize.find_compiler(), flags, tmp_path_factory.mktemp(kind))
        launcher = (
            sanitize.Launcher() if kind == "verify" else sanitize.find_launcher(builder, kind)
        )
        program = builder.link([builder.compile(SOURCE)], builder.folder / "planted")
        return launcher, [str(program)]

    def find(error, kind):
        try:
            launcher, program = build(kind)
        except sanitize.CannotRunError as reason:
            pytest.skip(str(reason))
        command = [*program, error, str(VERTICES), "3"]
        if kind != "verify":
            return launcher.run(command, quiet=True) != 0
        words = np.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, "u4")
        src, dst, labels = np.split(words, [VERTICES - 1, 2 * VERTICES - 2])
        return not skerry.verify((src, dst), labels)

    return find


@pytest.mark.parametrize(("error", "kind", "found"), CASES)
def test_planted_errors_are_found(error, kind, found, find_by):
    assert find_by(error, kind) == found
