"""Environment variables: argument before variable before default, and bad values by name."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from pkgutil import resolve_name

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
from skerry import config
from skerry.cuda import devices
from skerry.threads import available_threads, resolve_threads
from support.cli import ok, refused, run, said
from support.paths import ROOT

NAMES = [variable.name for variable in config.VARIABLES]


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch):
    """Nothing is set, and nothing is kept from before or for later."""
    for variable in config.VARIABLES:
        for name in (variable.name, *variable.fallbacks):
            monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", None)
    config.setting.cache_clear()
    yield
    config.setting.cache_clear()


def test_the_rule_for_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    default = available_threads()
    assert default == len(os.sched_getaffinity(0))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert available_threads() == 1
    monkeypatch.setenv("SKERRY_THREADS", "7")
    config.setting.cache_clear()
    assert available_threads() == 7
    assert resolve_threads(None) == 7
    assert resolve_threads(3) == 3  # the argument goes first


def test_threads_reach_the_plan(tmp_path: Path) -> None:
    (tmp_path / "e.txt").write_text("0 1\n")
    for options, threads in (([], 3), (["--threads", 2], 2)):
        done = run(
            *("components", tmp_path / "e.txt", "--json", *options),
            env=os.environ | {"SKERRY_THREADS": "3"},
        )
        assert json.loads(done.stdout)["plan"]["threads"] == threads


@pytest.mark.parametrize("text", ["0", "-1", "many", "1025", "2.5", "²"])
def test_a_bad_number_of_threads(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("SKERRY_THREADS", text)
    with pytest.raises(skerry.InputError, match=r"SKERRY_THREADS=.*whole number in 1\.\.1024"):
        skerry.connected_components([(0, 1)])
    # An argument goes first, so the variable is not even read.
    assert skerry.connected_components([(0, 1)], threads=1).count == 1


def test_empty_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.setenv(name, " ")
        assert config.setting(name) is None


def test_temporary_files_go_to_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert config.temporary_folder() == tempfile.gettempdir()
    pq.write_table(pa.table({"src": [1], "dst": [2]}), tmp_path / "e.parquet")
    packed = tmp_path / "e.parquet.gz"
    packed.write_bytes(gzip.compress((tmp_path / "e.parquet").read_bytes()))
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setenv("SKERRY_TMPDIR", str(folder))
    config.setting.cache_clear()
    folders = []
    create = tempfile.TemporaryFile

    def recorded(*arguments: object, dir: str | None = None, **options: object) -> object:
        folders.append(dir)
        return create(*arguments, dir=dir, **options)

    monkeypatch.setattr(tempfile, "TemporaryFile", recorded)
    assert skerry.connected_components(str(packed)).count == 1
    assert set(folders) == {str(folder)}
    monkeypatch.setenv("SKERRY_TMPDIR", str(tmp_path / "missing"))
    config.setting.cache_clear()
    assert "SKERRY_TMPDIR" in refused("components", packed)


def test_bad_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for name in ("SKERRY_KERNEL_CACHE", "SKERRY_TMPDIR"):
        monkeypatch.setenv(name, str(file))
        with pytest.raises(skerry.InputError, match=f"{name}=.*must be a folder"):
            config.setting(name)


def test_the_kernel_cache_is_passed_to_cupy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert config.kernel_cache_folder() == str(tmp_path / ".cupy" / "kernel_cache")
    monkeypatch.setenv("CUPY_CACHE_DIR", "/other")
    assert config.kernel_cache_folder() == "/other"
    monkeypatch.setenv("SKERRY_KERNEL_CACHE", str(tmp_path / "kernels"))
    config.setting.cache_clear()
    assert config.kernel_cache_folder() == str(tmp_path / "kernels")
    monkeypatch.setitem(sys.modules, "cupy", None)  # not installed
    devices._cupy.cache_clear()
    with pytest.raises(skerry.UnsupportedError, match="needs CuPy"):
        devices.find_runtime("cuda")
    assert os.environ["CUPY_CACHE_DIR"] == str(tmp_path / "kernels")


def test_doctor_shows_every_variable_and_its_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKERRY_THREADS", "5")
    monkeypatch.setenv("CUPY_CACHE_DIR", "/somewhere")
    settings = {each["name"]: each for each in json.loads(ok("doctor", "--json"))["settings"]}
    assert list(settings) == NAMES
    origins = {name: (each["value"], each["origin"]) for name, each in settings.items()}
    assert origins == {
        "SKERRY_THREADS": (5, "SKERRY_THREADS"),
        "SKERRY_KERNEL_CACHE": ("/somewhere", "CUPY_CACHE_DIR"),
        "SKERRY_TMPDIR": (tempfile.gettempdir(), "default"),
        "SKERRY_LONGEST_LINE": (64 << 20, "default"),
    }
    assert said(ok("doctor"), "SKERRY_THREADS").startswith("5")


def test_doctor_shows_a_bad_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKERRY_THREADS", "many")
    assert "whole number in 1..1024" in " ".join(ok("doctor").split())


def test_every_variable_is_documented_and_has_a_reader() -> None:
    page = (ROOT / "docs" / "options.md").read_text()
    for variable in config.VARIABLES:
        assert f"| `{variable.name}` |" in page
        assert callable(resolve_name(variable.reader))


def test_no_module_reads_a_variable_past_the_table() -> None:
    allowed = {"config.py", "threads.py", "devices.py"}
    for path in (ROOT / "src" / "skerry").rglob("*.py"):
        reads = "os.environ" in path.read_text() or "getenv" in path.read_text()
        assert not reads or path.name in allowed, path


def test_the_table_costs_nothing_to_import() -> None:
    code = "import sys, skerry.config; print('tempfile' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
