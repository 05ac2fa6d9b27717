"""``skerry components --checkpoint``: a command that was killed goes on, and says so."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from itertools import islice

import numpy as np
import pytest

import skerry
from skerry.cli.output import Output
from skerry.cli.progress import ProgressDisplay
from skerry.errors import OutputError
from skerry.formats.memory import resident
from skerry.io import ReadPosition, read_edges
from support.cli import invoke, ok, refused, run
from support.interrupted import small_steps
from support.paths import ROOT
from support.spilled import tiny_passes

LINES = "src,dst\n" + "".join(f"{v},{v + 2}\n" for v in range(3000))
KILLED = """
import os, signal, sys
from unittest.mock import patch
from skerry.cli import main
from skerry.engines.streaming.checkpoints import Checkpoints
from support.interrupted import small_steps

write = Checkpoints._write

def write_and_die(self, *arguments, count=[0]):
    write(self, *arguments)
    count[0] += 1
    if count[0] == 5:
        os.kill(os.getpid(), signal.SIGKILL)

with small_steps(), patch.object(Checkpoints, "_write", write_and_die):
    main()
"""


def files(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(LINES)
    return path, tmp_path / "checkpoint", tmp_path / "labels.csv"


def full_disk(*_):
    raise OutputError(28, "could not be written", "labels.csv")


def test_a_killed_command_goes_on_when_it_is_run_again(tmp_path):
    path, folder, output = files(tmp_path)
    arguments = ["components", path, "--checkpoint", folder, "-o", output]
    paths = os.pathsep.join([str(ROOT / "tests"), *sys.path])
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, *map(str, arguments)],
            env=os.environ | {"PYTHONPATH": paths},
            capture_output=True,
            timeout=100,
            check=False,
        )
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert not output.exists() and (folder / "checkpoint.skerry").exists()
    printed = ok(*arguments)
    assert "edges were joined before" in printed
    assert "3,002 vertices, 3,000 edges" in printed
    assert not folder.exists()
    again = tmp_path / "again.csv"
    assert "joined before" not in ok("components", path, "-o", again)
    assert output.read_bytes() == again.read_bytes()


def test_the_checkpoint_stays_until_the_labels_are_written(tmp_path):
    path, folder, output = files(tmp_path)
    arguments = ["components", path, "--checkpoint", folder, "-o", output, "--json"]
    with small_steps(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(Output, "write", full_disk)
        refused(*arguments, code=4)
    assert (folder / "checkpoint.skerry").exists()
    report = json.loads(ok(*arguments))
    assert any("continued from a checkpoint" in note for note in report["plan"]["notes"])
    assert report["edges"] == 3000
    assert report["edges_per_second"] is None  # their time is that of two runs
    assert not folder.exists()


@pytest.mark.parametrize("ending", [KeyboardInterrupt, SystemExit(143)])
@pytest.mark.parametrize("written", [True, False])
def test_an_interrupted_command_says_how_to_go_on(tmp_path, written, ending):
    path, folder, output = files(tmp_path)
    arguments = ["components", path, "--checkpoint", folder, "-o", output]

    def interrupted(*_, **__):
        raise ending

    with small_steps(), pytest.MonkeyPatch.context() as patch:
        if written:
            patch.setattr(Output, "write", interrupted)
        else:
            patch.setattr("skerry.cli.components.connected_components", interrupted)
        done = invoke(*arguments)
    assert done.exit_code == (130 if ending is KeyboardInterrupt else 143)
    said = "goes on from there" if written else "was not written yet: the same command starts from"
    assert f"skerry: {folder}/checkpoint.skerry" in done.output and said in done.output
    assert ("joined before" in ok(*arguments)) == written


def test_another_option_is_named_as_the_command_spells_it(tmp_path):
    path, folder, output = files(tmp_path)
    command = ["components", path, "--checkpoint", folder, "-o", output]
    with small_steps(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(Output, "write", full_disk)
        refused(*command, code=4)
    message = refused(*command, "--ids-as-text", code=3)
    assert "--ids-as-text was off and is on now" in message
    assert "to start again" in message


def test_progress_says_that_a_run_is_continued_and_counts_what_was_read_before(tmp_path):
    path, _, _ = files(tmp_path)
    with small_steps(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.stderr, "isatty", lambda: True)
        source = read_edges(path)
        *_, before = islice(source.open_at(1, ReadPosition()), 9)
        with ProgressDisplay() as display:
            tracked = display.track(source, "reading")
            position = ReadPosition(before.next_offset, 500, before.next_offset[0])
            batches = tracked.open_at(1, position)
            next(batches)
            task = display._task
            assert task.name == "reading on from a checkpoint"
            assert task.done == before.next_offset[0] and task.edges == 500
            assert "edges/s" not in task.line(200, task.began + 1)
            assert sum(1 for _ in batches) and display.edges > 2500
            assert "edges/s" in display._task.line(200, task.began + 1)
        assert abs(display.bytes - len(LINES)) < 20
        *_, last = tracked.open_at(1, ReadPosition())
        assert last.next_offset[0] == len(LINES)


def test_standard_input_cannot_be_continued(tmp_path):
    command = ("components", "-", "--checkpoint", tmp_path, "--format", "csv", "--header")
    done = run(*command, input=LINES)
    assert done.returncode == 2 and "--checkpoint needs files that can be opened" in done.stderr
    assert "Traceback" not in done.stderr


# ``skerry components --spill``: labels and summary of a run on disk are those of one in memory.


@pytest.fixture
def pairs(tmp_path):
    ends = np.random.default_rng(4).integers(-500, 500, (400, 2)) * 10**15
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst\n" + "".join(f"{u},{v}\n" for u, v in ends))
    return path


def test_the_summary_and_the_labels_are_those_of_a_run_in_memory(pairs, tmp_path):
    folder, outputs = tmp_path / "spill", [tmp_path / "spilled.csv", tmp_path / "labels.csv"]
    folder.mkdir()
    spill = ("--spill", folder, "--limit-memory", "900000G")
    with tiny_passes(2):
        report = json.loads(ok("components", pairs, "-o", outputs[0], "--json", *spill))
    expected = json.loads(ok("components", pairs, "-o", outputs[1], "--json"))
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    for name in ("vertices", "edges", "components", "alone", "largest_components", "sizes"):
        assert report[name] == expected[name]
    assert report["plan"]["engine"] == "spilling"
    assert [step["name"] for step in report["plan"]["passes"]][:2] == ["read edges", "number ids"]
    assert list(folder.iterdir()) == []


def test_the_command_shows_each_pass(pairs, tmp_path, monkeypatch):
    names = []
    monkeypatch.setattr(ProgressDisplay, "begin", lambda _, name: names.append(name))
    with tiny_passes(2):
        ok("components", pairs, "--spill", tmp_path, "--limit-memory", "900000G")
    assert names[:4] == ["labeling", "number ids", "sort ids", "rank ids"]
    assert any(name.startswith("join edges, block 1 of") for name in names)


def test_refusals_name_options_of_the_command(pairs, tmp_path):
    spill = ("--spill", tmp_path, "--limit-memory", "900000G")
    assert "--spill is given without --limit-memory" in refused(
        "components", pairs, "--spill", tmp_path, code=2
    )
    for option in (
        ("--verify",),
        ("--largest", 3),
        ("--min-size", 2),
        ("--sizes", tmp_path / "sizes.csv"),
    ):
        message = refused("components", pairs, *option, *spill, code=2)
        assert f"--spill and {option[0]} cannot be used together" in message
    assert "--labels" in refused("components", pairs, "--labels", "dense", *spill)
    assert "no such folder" in refused(
        "components", pairs, "--spill", tmp_path / "none", "--limit-memory", "900000G", code=2
    )
    message = refused("components", pairs, "--spill", tmp_path, "--limit-memory", "1M", code=5)
    assert "at least --limit-memory " in message


def test_a_limit_says_before_the_run_where_it_goes(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst\nkim,lee\nbo,kim\n")
    limit = ("--limit-memory", f"{(resident() >> 20) + 200}M")
    report = json.loads(ok("components", path, "--json", *limit))
    assert report["plan"]["engine"] == "spilling" and report["components"] == 1
    said = ok("components", path, *limit)
    assert "may not fit in memory; what does not goes to" in said and "free there" in said
    said = ok("components", path, "--verify", *limit)
    assert "runs in memory, and stops if the graph does not fit" in said
    assert "limit" not in ok("components", path, "-q", *limit)


def test_a_spilled_run_that_was_killed_goes_on(tmp_path):
    folder = tmp_path / "pairs"
    folder.mkdir()
    for number in range(6):
        ends = np.random.default_rng(number).integers(0, 500, (200, 2)).tolist()
        text = "".join(f"r{u},r{v}\n" for u, v in ends)
        (folder / f"{number}.csv").write_text(f"src,dst\n{text}")
    state, spill = tmp_path / "state", tmp_path / "spill"
    spill.mkdir()
    words = ["components", str(folder), "-o", str(tmp_path / "labels.csv"), "-q"]
    words += ["--checkpoint", str(state), "--spill", str(spill), "--limit-memory", "900000G"]
    command = [sys.executable, "-c", KILLED_ON_DISK, *words]
    path = os.pathsep.join([str(ROOT / "tests"), *filter(None, sys.path)])
    killed = subprocess.run(command, check=False, env={**os.environ, "PYTHONPATH": path})
    assert killed.returncode == -signal.SIGKILL
    assert (state / "checkpoint.skerry").exists() and not (tmp_path / "labels.csv").exists()
    with tiny_passes(1):
        ok(*words)
    expected = skerry.connected_components(folder)
    expected.write(tmp_path / "expected.csv")
    assert (tmp_path / "labels.csv").read_bytes() == (tmp_path / "expected.csv").read_bytes()
    assert not state.exists() and not list(spill.iterdir())


KILLED_ON_DISK = """
import os, signal, sys
from skerry.cli import main
from skerry.engines.spilling import checkpoints, runs
from support.spilled import tiny_passes

checkpoints.SECONDS = 0.0
saved = runs.RunWriter.saved
calls = []

def kill(writer):
    calls.append(0)
    if len(calls) == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    return saved(writer)

runs.RunWriter.saved = kill
with tiny_passes(1):
    main()
"""
