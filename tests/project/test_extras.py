"""Every extra alone: what it lacks is said before, and what is said installs it.

The hint is run as it is printed, in an environment that has the wheel and nothing else. Packages of
hundreds of megabytes are left to `make release-check`.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from support.packages import Installed, builds, install, pip
from support.paths import ROOT, TESTS

pytestmark = builds

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
SMALL = {"arrow", "scipy"}
HINT = re.compile(r"pip install '(?P<package>skerry\[(?P<extra>\w+)\])'")


def uses(here: Installed) -> dict[str, str]:
    """What tests/support/each_extra.py says in an environment."""
    done = here.run(here.python, TESTS / "support/each_extra.py")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "extra",
    [pytest.param(name, marks=[pytest.mark.large] * (name not in SMALL)) for name in EXTRAS],
)
def test_an_extra_alone(extra: str, wheel: Path, tmp_path: Path) -> None:
    here = install(tmp_path / "env", wheel)
    before = uses(here)
    use = re.sub(r"\d+", "", extra)
    assert {name for name, said in before.items() if not HINT.search(said)} == set()
    assert before.keys() == {re.sub(r"\d+", "", name) for name in EXTRAS}
    if extra == "cuda12":  # the hint names the other one first
        package = "skerry[cuda12]"
        assert package in before[use]
    else:
        package = HINT.search(before[use])["package"]
        assert package == f"skerry[{extra}]"
    pip(here.python, "install", package)
    after = uses(here)
    assert not HINT.search(after.pop(use))
    assert all(HINT.search(said) for name, said in after.items() if name in before)
