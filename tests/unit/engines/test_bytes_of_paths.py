"""docs/memory.md says how many bytes a vertex and an edge every path takes: measured here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import skerry
from support import peak_memory
from support.paths import ROOT

TOLERANCE = 1.0
"""Bytes: sizes of pages, and what an allocator keeps."""
CLEAR_REFS = Path("/proc/self/clear_refs")
STEADY = {
    "MALLOC_MMAP_THRESHOLD_": "65536",  # what is freed goes back to the system at once
    "MALLOC_TRIM_THRESHOLD_": "65536",
    "NUMPY_MADVISE_HUGEPAGE": "0",  # memory is counted in small pages
}


def documented():
    """The rows of the table: the smallest and the largest bytes a vertex, and an edge."""
    rows = {}
    for line in (ROOT / "docs/memory.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 3 and cells[1][0].isdigit():
            rows[cells[0]] = [
                (float(bounds[0]), float(bounds[-1]))
                for bounds in (cell.split(" to ") for cell in cells[1:])
            ]
    return rows


def test_every_path_of_the_table_is_measured():
    assert set(documented()) == set(peak_memory.PATHS)


@pytest.mark.skipif(not os.access(CLEAR_REFS, os.W_OK), reason="the peak cannot be reset here")
@pytest.mark.parametrize("part", [0, 1])  # for two cores
def test_bytes_a_vertex_and_an_edge_are_as_documented(part):
    rows = documented()
    names = list(rows)[part::2]
    wrong = []
    for _ in range(3):  # the system may take back pages of a busy machine meanwhile
        wrong = out_of_bounds(rows, names)
        names = list(dict.fromkeys(name for name, _ in wrong))
        if not names:
            break
    assert not wrong


def out_of_bounds(rows, names):
    """Measures paths; gives those that take other bytes than documented, with what they take."""
    command = [sys.executable, str(Path(peak_memory.__file__)), *names]
    done = subprocess.run(
        command, env=os.environ | STEADY, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return [
        (name, f"{value} a {what}")
        for name, measured in json.loads(done.stdout).items()
        for what, (low, high), value in zip(("vertex", "edge"), rows[name], measured, strict=True)
        if not low - TOLERANCE <= value <= high + TOLERANCE
    ]


@pytest.mark.skipif(not os.access(CLEAR_REFS, os.W_OK), reason="the peak cannot be reset here")
def test_a_wrong_row_is_noticed():
    rows = documented() | {"`UnionFind`": [(9.0, 9.0), (0.0, 0.0)]}
    assert [name for name, _ in out_of_bounds(rows, ["`UnionFind`"])] == ["`UnionFind`"]


def test_the_estimate_of_rows_for_an_edge_list_has_the_peak_of_building_them():
    """The rows take 8 bytes an edge; while they are built, 16 more."""
    sizes = [
        skerry.estimate(1000, edges, algorithm="ecl").conversion for edges in (10**6, 2 * 10**6)
    ]
    (low, high) = documented()['arrays of edges, `algorithm="ecl"`'][1]
    assert low <= (sizes[1] - sizes[0]) / 10**6 <= high


@pytest.mark.slow
@pytest.mark.skipif(not os.access(CLEAR_REFS, os.W_OK), reason="the peak cannot be reset here")
def test_estimates_are_within_5_percent_of_the_peak():
    tool = ROOT / "tools/stated_memory.py"
    done = subprocess.run([sys.executable, tool], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_estimate_is_of_the_peak():
    """Rows are built before the run begins; labels of another width need neighbors of it."""
    n, m = 10**6, 10**7
    rows = skerry.estimate(n, m, algorithm="ecl")
    built = 8 * (n + 1) + 2 * m * (4 + 4 + 4)
    assert rows.run + rows.conversion == built
    few = skerry.estimate(10 * m, m, algorithm="ecl")
    assert few.conversion == 8 * (10 * m + 1) + 2 * m * 4
    assert skerry.estimate(n, m, form="csr").conversion == 0
    assert skerry.estimate(n, m, form="csr", dtype="uint64").conversion == m * 8
