"""Each of the papers' claims that our records disagree with has a cause, from a fixed list."""

from __future__ import annotations

import re
import subprocess

import pytest

from lab.paths import RECORDS
from skerry_bench.published.causes import CAUSES, NOT_EXAMINED, causes
from skerry_bench.report.claims.catalog import CLAIMS
from skerry_bench.report.load import load_results
from skerry_bench.report.measurements import Measurements
from skerry_bench.report.papers_programs import papers_programs
from support.paths import ROOT


@pytest.fixture(scope="module")
def disagreeing():
    own = Measurements(load_results(sorted(RECORDS.glob("*.jsonl"))))
    measurements, _ = papers_programs(own)
    return {claim.id for claim in CLAIMS if claim.judge(measurements).conclusion == "disagrees"}


def test_every_disagreeing_claim_has_a_cause(disagreeing):
    assert disagreeing <= causes().keys()


def test_causes_are_of_claims_and_from_the_list():
    assert causes().keys() <= {claim.id for claim in CLAIMS}
    assert {cause.cause for cause in causes().values()} <= set(CAUSES)


def test_a_cause_names_the_run_that_shows_it():
    for cause in causes().values():
        assert cause.evidence
        if cause.cause != NOT_EXAMINED:
            assert re.search(r"/results/|kernels/cpu/", cause.evidence), cause


def named(pattern):
    found = (re.findall(pattern, cause.evidence) for cause in causes().values())
    return sorted({name for names in found for name in names})


@pytest.mark.parametrize("name", named(r"(?<!:)benchmarks/results/[^ ,);]+"))
def test_the_records_that_causes_name_are_there(name):
    assert (ROOT / name).is_file()


@pytest.mark.parametrize("name", named(r"kernels/cpu/[^ ,);]+"))
def test_the_sources_that_causes_name_are_there(name):
    assert (ROOT / "src/skerry" / name).is_file()


@pytest.mark.parametrize("name", named(r"\b[0-9a-f]{7}:[^ ,);]+"))
def test_records_that_are_no_longer_kept_are_named_with_a_commit_that_has_them(name):
    git = ["git", "-C", str(ROOT), "cat-file", "-e"]
    if subprocess.run([*git, name.partition(":")[0]], capture_output=True, check=False).returncode:
        pytest.skip("this commit is not here")
    assert subprocess.run([*git, name], capture_output=True, check=False).returncode == 0
