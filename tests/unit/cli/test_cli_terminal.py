"""The command line in a real terminal: progress, Ctrl-C, a full disk, the width of the window."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

pexpect = pytest.importorskip("pexpect")

# Endless for a test: a minute of edges on any machine.
LONG = ["generate", "uniform", "--n", "2^22", "--m", "2^40", "--format", "raw32"]
PATIENCE = 60


def terminal(*arguments: object, columns: int = 80, **options: object):
    """A command that talks to a terminal of so many columns."""
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": str(columns)}
    return pexpect.spawn(
        sys.executable,
        ["-m", "skerry", *map(str, arguments)],
        dimensions=(50, columns),
        env=environment,
        encoding="utf-8",
        codec_errors="replace",  # where Ctrl-C cuts a character in two
        timeout=PATIENCE,
        # What runs in the background of a shell ignores Ctrl-C, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **options,
    )


def ended(child) -> int:
    """The exit code, once it has ended."""
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus


@pytest.mark.parametrize("columns", [80, 120])
def test_progress_appears_in_one_line(tmp_path: Path, columns: int) -> None:
    child = terminal(*LONG, "-o", tmp_path / "endless", columns=columns)
    child.expect(r"writing endless.*%.*M edges/s.* left")
    child.expect(r"M edges/s")
    child.sendintr()
    told = child.before + child.after
    assert ended(child) == 130
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", told)
    assert all(len(line) <= columns for line in re.split(r"[\r\n]+", plain))


def test_ctrl_c_stops_within_a_second_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "before.txt").write_text("as before")
    child = terminal(*LONG, "-o", tmp_path / "endless")
    child.expect("writing endless")
    assert len(list(tmp_path.iterdir())) == 2  # the part that is written beside
    began = monotonic()
    child.sendintr()
    child.expect("skerry: stopped")
    assert ended(child) == 130
    assert monotonic() - began < 10  # far above what it takes: tells a stop from an end
    assert [path.name for path in tmp_path.iterdir()] == ["before.txt"]


def test_ctrl_c_while_components_are_found(tmp_path: Path) -> None:
    child = terminal("components", "-", "-o", tmp_path / "labels.parquet")
    child.send("".join(f"{number} {number + 1}\n" for number in range(100)))
    child.expect("reading")
    child.sendintr()
    child.expect("skerry: stopped")
    assert ended(child) == 130
    assert not list(tmp_path.iterdir())


LOST = """
import queue, signal, threading, time
from skerry.cli.interrupts import reliable_interrupts
other = threading.Thread(target=time.sleep, args=(60,), daemon=True)
other.start()
threading.Timer(0.3, lambda: signal.pthread_kill(other.ident, signal.SIGINT)).start()
try:
    with reliable_interrupts():
        queue.SimpleQueue().get()
except KeyboardInterrupt:
    print("stopped")
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
"""


def test_ctrl_c_that_another_thread_gets_is_not_lost() -> None:
    usual = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", usual + LOST]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (done.stdout, done.returncode) == ("stopped\n", 0), done.stderr


def test_short_work_shows_no_progress(tmp_path: Path) -> None:
    (tmp_path / "edges.el").write_text("0 1\n")
    child = terminal("components", tmp_path / "edges.el")
    code = ended(child)
    assert code == 0
    assert "reading" not in child.before
    assert "1 component" in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", child.before)


def test_quiet_shows_no_progress(tmp_path: Path) -> None:
    child = terminal(*LONG, "-o", tmp_path / "endless", "--quiet")
    with pytest.raises(pexpect.TIMEOUT):
        child.expect("edges", timeout=2)
    child.sendintr()
    assert ended(child) == 130


def test_no_progress_without_a_terminal(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "skerry", *LONG, "-o", str(tmp_path / "endless")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    with child, pytest.raises(subprocess.TimeoutExpired):
        try:
            child.communicate(timeout=3)
        finally:
            child.send_signal(2)
            assert child.communicate(timeout=PATIENCE) == ("", "skerry: stopped\n")
    assert child.returncode == 130
    assert not list(tmp_path.iterdir())


@pytest.fixture
def small_disk(tmp_path: Path):
    """A file system with room for a megabyte, where this user may mount one."""
    if not shutil.which("mount"):
        pytest.skip("needs mount")
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount a small file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("suffix", ["parquet", "mtx", "el.gz"])
def test_a_full_disk_leaves_nothing(small_disk: Path, suffix: str) -> None:
    output = small_disk / f"big.{suffix}"
    child = terminal("generate", "uniform", "--n", "1e6", "--m", "2e6", "-o", output, columns=200)
    assert ended(child) == 4
    assert "the disk is full" in child.before
    assert "Traceback" not in child.before
    assert not list(small_disk.iterdir())


@pytest.mark.parametrize("columns", [60, 120])
def test_summaries_fit_the_window(columns: int) -> None:
    for command in (["demo"], ["doctor"], ["graphs"]):
        child = terminal(*command, columns=columns)
        assert ended(child) == 0
        plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", child.before)
        assert all(len(line) <= columns for line in plain.splitlines())
