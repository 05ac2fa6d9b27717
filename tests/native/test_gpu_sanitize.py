"""What tools/gpu_sanitize.py makes of the reports of compute-sanitizer."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from support.paths import ROOT

TOOL = ROOT / "tools/gpu_sanitize.py"
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="no tools/gpu_sanitize.py")

OWN_KERNELS = frozenset({"join_remaining_rows", "count_roots"})
MEMCHECK = """========= COMPUTE-SANITIZER
========= Invalid __global__ read of size 4 bytes
=========     at {kernel}+0x120
=========     by thread (0,0,0) in block (0,0,0)
all answers are right
========= ERROR SUMMARY: 1 error
"""
RACECHECK = """========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at {kernel}(unsigned int*)+0x290
=========     and Read access at {kernel}(unsigned int*)+0x420 [4 hazards]
all answers are right
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""
CLEAN = {
    "memcheck": "all answers are right\n========= ERROR SUMMARY: 0 errors\n",
    "racecheck": "all answers are right\n"
    "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n",
}


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("gpu_sanitize", TOOL)
    module = sys.modules["gpu_sanitize"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def said(tool, name, text):
    report = tool.Report(name, 0, 3.0, text)
    return report.is_clean(OWN_KERNELS), "\n".join(report.lines(OWN_KERNELS))


@pytest.mark.parametrize("name", CLEAN)
def test_clean_reports(tool, name):
    clean, text = said(tool, name, CLEAN[name])
    assert clean and f"{name}: ok, 0 " in text and text.count("\n") == 0


@pytest.mark.parametrize(("name", "report"), [("memcheck", MEMCHECK), ("racecheck", RACECHECK)])
def test_errors_in_own_kernels(tool, name, report):
    clean, text = said(tool, name, report.format(kernel="join_remaining_rows"))
    assert (
        not clean
        and f"{name}: FAILED, 1 " in text
        and "join_remaining_rows" in text.splitlines()[0]
    )
    clean, text = said(tool, name, report.format(kernel="cub_scan"))
    assert clean and "cub_scan" in text


@pytest.mark.parametrize("text", ["", CLEAN["memcheck"].replace("right", "wrong"), "all answers"])
def test_runs_that_broke_off(tool, text):
    clean, line = said(tool, "memcheck", text)
    assert not clean and "did not finish" in line


def test_errors_that_name_no_kernel(tool):
    text = CLEAN["memcheck"].replace("0 errors", "2 errors")
    assert not said(tool, "memcheck", text)[0]
