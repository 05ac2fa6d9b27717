"""Scientific Python's review of a repository has nothing to say that we do not argue for.

What is left out, and why, stands in pyproject.toml (``tool.repo-review``). The tool is part of the
group `dev`; without it these tests are skipped.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib

import pytest

from support.paths import ROOT


@pytest.fixture(scope="module")
def review():
    pytest.importorskip("repo_review")
    pytest.importorskip("sp_repo_review")
    command = [sys.executable, "-m", "repo_review", str(ROOT), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


def test_nothing_fails(review):
    failed = [
        f"{name} {check['description']}"
        for name, check in review["checks"].items()
        if check["result"] is False
    ]
    assert not failed, "\n".join(failed)


def test_what_is_left_out_would_fail(review):
    """An entry that has become needless is dropped."""
    ignored = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["repo-review"]["ignore"]
    assert set(ignored) <= set(review["checks"])
    assert all(ignored.values())
