"""The guard of instruction counts: its verdicts, its cases, and where it cannot run."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT

TOOLS = ROOT / "tools"


@pytest.fixture(scope="module")
def guard():
    spec = importlib.util.spec_from_file_location("bench_guard", TOOLS / "bench_guard.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_guard"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["bench_guard"]


@pytest.fixture
def baseline(guard, monkeypatch, tmp_path):
    """A baseline of this very environment, with counts that a test chooses."""

    def make(**changes):
        path = tmp_path / "guard.json"
        here = guard.environment(guard.native_of_this()) | changes
        path.write_text(json.dumps({"environment": here, "counts": {"a": 1000, "b": 2000}}))
        monkeypatch.setattr(guard, "BASELINE", path)
        monkeypatch.setattr(guard, "ROOT", tmp_path)
        return path

    return make


@pytest.mark.parametrize(
    ("now", "code", "told"),
    [
        ({"a": 1029, "b": 2000}, 0, "no case takes over 3 % more"),
        ({"a": 1031, "b": 2000}, 1, "1 of 2 cases take over 3 % more"),
        ({"a": 1000, "b": 1500}, 0, "--update records that"),
        ({"a": 1000}, 1, "did not run: b"),
        ({"a": 1000, "b": 2000, "c": 5}, 0, "not in the baseline: c"),
    ],
)
def test_verdicts(guard, capsys, now, code, told):
    assert guard.judge({"a": 1000, "b": 2000}, now, 3.0) == code
    assert told in capsys.readouterr().out


def test_the_worst_comes_first(guard):
    found = guard.differences({"a": 100, "b": 100, "c": 1}, {"a": 101, "b": 150, "d": 1})
    assert [(one.case, round(one.percent)) for one in found] == [("b", 50), ("a", 1)]


def test_a_run(guard, baseline, monkeypatch, capsys):
    baseline()
    monkeypatch.setattr(guard, "count", lambda *_, **__: {"a": 1000, "b": 2200})
    assert guard.run(False, None, 3.0) == 1
    assert "+10.00 %  MORE" in capsys.readouterr().out
    assert guard.run(True, None, 3.0) == 0 and guard.run(False, None, 3.0) == 0


def test_another_environment(guard, baseline, monkeypatch):
    baseline(compiler="GCC: (other) 1.0")
    with pytest.raises(guard.CannotRunError, match=r"GCC: \(other\) 1.0.*--base main"):
        guard.run(False, None, 3.0)
    # Two trees, both measured here, can be compared all the same.
    counts = iter([{"a": 103}, {"a": 100}])
    monkeypatch.setattr(guard, "count", lambda *_, **__: next(counts))
    monkeypatch.setattr(guard, "build_base", lambda _: Path("packages"))
    assert guard.run(False, "main", 2.0) == 1


def test_without_valgrind(guard, baseline, monkeypatch, capsys):
    baseline()
    monkeypatch.setattr(guard.shutil, "which", lambda _: None)
    monkeypatch.setattr(sys, "argv", ["bench_guard.py"])
    assert guard.main() == 77
    assert capsys.readouterr().out.startswith("skipped: valgrind is not installed")


def test_counts_are_read(guard, tmp_path):
    text = "version: 1\ndesc: Trigger: Client Request: ecl/grid\nevents: Ir\nsummary: 1234\n"
    (tmp_path / "counts.1").write_text(text)
    (tmp_path / "counts.2").write_text("version: 1\ndesc: Trigger: Program termination\n")
    (tmp_path / "counts").write_text("")
    assert guard.read_counts(tmp_path) == {"ecl/grid": 1234}


def test_an_unknown_revision(guard):
    with pytest.raises(guard.CannotRunError, match="git"):
        guard.build_base("no-such-revision")


def test_cases_run_and_are_those_of_the_baseline(guard):
    done = subprocess.run(
        [sys.executable, str(TOOLS / "guard_cases.py")], capture_output=True, text=True, check=True
    )
    assert not done.stderr
    names = done.stdout.split()
    assert (
        len(names) == len({*names})
        and {*names} >= json.loads(guard.BASELINE.read_text())["counts"].keys()
    )
