"""The command line in a real terminal: progress, Ctrl-C, a terminal that is closed, a full disk."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from time import monotonic, sleep

import pytest

from support.cli import invoke

if sys.platform == "win32":
    pytest.skip("needs terminals of Unix", allow_module_level=True)

# Endless for a test: a minute of edges on any machine.
LONG = ["generate", "uniform", "--n", "2^22", "--m", "2^40", "--format", "raw32"]
PATIENCE = 60
CTRL_C = b"\x03"
PAIRS = "src,dst\n" + "".join(f"n{i},n{i * 7 % 50}\n" for i in range(50))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("columns", [40, 80])
def test_progress_appears_by_itself_in_one_line(terminals, tmp_path: Path, columns: int) -> None:
    command = terminals.start(*LONG, "-o", "endless", folder=tmp_path, columns=columns, eager=False)
    terminals.read_until(command, r"writing endless.*\d%.* left")
    if columns == 80:
        terminals.read_until(command, r"M edges/s")
    command.type(CTRL_C)
    terminals.wait(command)
    assert command.code == 130
    assert all(len(line) < columns for line in re.split(r"[\r\n]+", command.text))
    assert command.screen == ["skerry: stopped", ""]
    assert not names(tmp_path)


@pytest.mark.parametrize("drawing", range(1, 11))
def test_ctrl_c_at_any_time_leaves_nothing_incomplete(
    terminals, tmp_path: Path, drawing: int
) -> None:
    (tmp_path / "pairs.csv").write_text(PAIRS)
    (tmp_path / "out.parquet").write_text("as before")
    arguments = ("components", "pairs.csv", "--verify", "-o", "out.parquet", "--sizes", "s.csv")
    command = terminals.start(*arguments, folder=tmp_path, pause=drawing)
    assert terminals.wait(command) == {"paused": drawing}
    command.type(CTRL_C * (1 + drawing % 3))
    terminals.wait(command)
    assert command.code == 130
    assert command.screen == ["skerry: stopped", ""]
    left = set(names(tmp_path)) - {"pairs.csv", "out.parquet"}
    assert left <= {"s.csv"}
    complete = tmp_path / "complete"
    complete.mkdir()
    quiet = (tmp_path / "pairs.csv", "-q", "-o", complete / "out.parquet")
    assert invoke("components", *quiet, "--sizes", complete / "s.csv").exit_code == 0
    written = (tmp_path / "out.parquet").read_bytes()
    assert written in (b"as before", (complete / "out.parquet").read_bytes())
    for name in left:
        assert (tmp_path / name).read_bytes() == (complete / name).read_bytes()


def test_ctrl_c_stops_soon_and_leaves_what_was_there(terminals, tmp_path: Path) -> None:
    (tmp_path / "before.txt").write_text("as before")
    command = terminals.start(*LONG, "-o", "endless", folder=tmp_path)
    terminals.read_until(command, "writing endless")
    assert len(names(tmp_path)) == 2  # the part that is written beside
    began = monotonic()
    command.type(CTRL_C * 3)
    terminals.wait(command)
    assert command.code == 130
    assert monotonic() - began < 10  # far above what it takes: tells a stop from an end
    assert names(tmp_path) == ["before.txt"]


def test_ctrl_c_while_components_are_read_from_the_terminal(terminals, tmp_path: Path) -> None:
    command = terminals.start("components", "-", "-o", "labels.parquet", folder=tmp_path)
    command.type(b"".join(b"%d %d\n" % (number, number + 1) for number in range(20)))
    terminals.read_until(command, "reading")
    command.type(CTRL_C)
    terminals.wait(command)
    assert command.code == 130
    assert "skerry: stopped" in command.text
    assert not names(tmp_path)


def test_a_closed_terminal_leaves_nothing_incomplete(terminals, tmp_path: Path) -> None:
    command = terminals.start(*LONG, "-o", "endless", folder=tmp_path)
    terminals.read_until(command, "writing endless")
    assert len(names(tmp_path)) == 1
    terminals.hang_up(command)
    terminals.wait(command)
    assert command.code == 129
    assert not names(tmp_path)


def test_a_run_under_nohup_goes_on_when_its_terminal_is_closed(terminals, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text(PAIRS)
    arguments = ("components", "pairs.csv", "--verify", "-o", "out.csv")
    options = {"folder": tmp_path, "ignored": ["SIGHUP"], "stdout": str(tmp_path / "printed")}
    command = terminals.start(*arguments, pause=2, **options)
    assert terminals.wait(command) == {"paused": 2}
    terminals.hang_up(command)
    sleep(0.05)
    (tmp_path / "go").touch()
    terminals.wait(command)
    assert command.code == 0
    assert (tmp_path / "out.csv").read_text().startswith("id,component\n")
    assert "50 labels to out.csv" in (tmp_path / "printed").read_text()


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


def test_short_work_shows_no_progress(terminals, tmp_path: Path) -> None:
    (tmp_path / "edges.el").write_text("0 1\n")
    command = terminals.run("components", "edges.el", folder=tmp_path, eager=False)
    assert command.code == 0
    assert "reading" not in command.text
    assert "1 component" in command.text


def test_quiet_shows_no_progress(terminals, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text(PAIRS)
    arguments = ("components", "pairs.csv", "-o", "out.csv", "--quiet")
    command = terminals.run(*arguments, folder=tmp_path)
    assert (command.code, command.sent) == (0, b"")


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
            while not list(tmp_path.iterdir()) and child.poll() is None:
                time.sleep(0.05)
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
def test_a_full_disk_leaves_nothing(terminals, small_disk: Path, suffix: str) -> None:
    arguments = ("generate", "uniform", "--n", "1e6", "--m", "2e6", "-o", f"big.{suffix}")
    command = terminals.run(*arguments, folder=small_disk, columns=200)
    assert command.code == 4
    assert "the disk is full" in command.text
    assert "Traceback" not in command.text
    assert not names(small_disk)
