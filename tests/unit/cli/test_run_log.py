"""``--log json``: every line on standard error is one event, whatever happens."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

import skerry
from skerry.cli.app import app
from skerry.cli.run_log import RunLog
from support.cli import invoke, ok, run

DOCS = Path(__file__).parents[3] / "docs/command-line.md"

FIELDS = {
    "start": {"command", "version"},
    "begin": {"phase", "total"},
    "progress": {"phase", "done", "total"},
    "end": {"phase", "seconds"},
    "warning": {"message"},
    "note": {"message"},
    "error": {"message", "exit_code"},
    "finish": {"exit_code", "seconds"},
}
COUNTS = {"edges", "bytes", "edges_per_second", "bytes_per_second"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "e.csv").write_text("src,dst,weight\n1,2,0.5\n2,3,0.7\n")
    (tmp_path / "l.csv").write_text("id,component\n1,1\n2,1\n3,1\n")
    (tmp_path / "w.csv").write_text("id,component\n1,1\n2,1\n3,3\n")
    (tmp_path / "bad.csv").write_text("src,dst\n1,2\n1,2,3\n")
    return tmp_path


def check(lines: str) -> list[dict[str, Any]]:
    """The events, each with its fields, in an order that makes sense."""
    events = [json.loads(line) for line in lines.splitlines()]
    for event in events:
        expected = FIELDS.get(event["event"])
        more = COUNTS if event["event"] in ("progress", "end") else set()
        assert expected is None or set(event) == {"time", "event", *expected, *more}, event
    kinds = [event["event"] for event in events]
    assert (kinds[0], kinds[-1]) == ("start", "finish") and kinds.count("finish") == 1
    times = [event["time"] for event in events]
    assert times == sorted(times) and all(each.endswith("+00:00") for each in times)
    open_phase = None
    for event in events:
        if event["event"] == "begin":
            assert open_phase is None
            open_phase = event["phase"]
        elif event["event"] in ("progress", "end"):
            assert event["phase"] == open_phase
            open_phase = None if event["event"] == "end" else open_phase
    assert open_phase is None
    return events


def logged(*arguments: str) -> tuple[Any, list[dict[str, Any]]]:
    done = CliRunner().invoke(app, [*arguments, "--log", "json"])
    return done, check(done.stderr)


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        ("components e.csv -o x.csv", {"vertices": 3, "edges": 2, "components": 1}),
        ("components e.csv -q", {"vertices": 3, "output": None}),
        ("components e.csv --json", {"vertices": 3}),
        ("components e.csv -o -", {"output": "-"}),
        ("sweep e.csv --at 0.6", {"keep": "above"}),
        ("why e.csv 1 3", {"connected": True, "path_edges": 2}),
        ("verify e.csv l.csv", {"correct": True, "reason": None}),
        ("info e.csv", {"format": "csv", "problem": None}),
        ("convert e.csv c.tsv", {"output": "c.tsv", "edges": 2}),
        ("explore e.csv -o e.html", {"output": "e.html", "components": 1}),
        ("generate path --n 5 -o p.csv", {"output": "p.csv", "vertices": 5, "edges": 4}),
        ("graphs make internet --scale 1/1000 -o m.csv", {"output": "m.csv", "vertices": 125}),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_run_that_succeeds(arguments: str, result: dict[str, Any]) -> None:
    words = arguments.split()
    done, events = logged(*words)
    assert done.exit_code == 0, done.output
    found = [event for event in events if event["event"] == "result"]
    assert len(found) == 1 and result.items() <= found[0].items()
    command = " ".join(words[:2]) if words[0] in ("generate", "graphs") else words[0]
    assert events[0]["command"] == command and events[-1]["exit_code"] == 0
    read = [event for event in events if event["event"] == "end" and event["edges"]]
    assert read and all(event["edges_per_second"] > 0 for event in read)
    plain = CliRunner().invoke(app, [*words])  # standard output stays the same, but for times
    digits = re.compile(r"[\d.e-]+( [mun]?s)?")
    if "--json" not in words and "took" not in plain.stdout:
        assert digits.sub("", done.stdout) == digits.sub("", plain.stdout)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("components none.csv", 3, "no such file"),
        ("components bad.csv", 3, "line 3"),
        ("components e.csv --device foo", 2, "--device must be"),
        ("components e.csv -o no/x.csv", 4, "there is no folder"),
        ("components e.csv --limit-memory 1K", 5, "not enough memory"),
        ("info bad.csv", 3, "line 3"),
        ("why e.csv 1 9", 2, "9 is not an id"),
        ("generate rmat --scale -1 -o g.csv", 2, "--scale must be"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_run_that_fails(arguments: str, code: int, message: str) -> None:
    done, events = logged(*arguments.split())
    error = events[-2]
    assert done.exit_code == code == error["exit_code"] == events[-1]["exit_code"]
    assert error["event"] == "error" and message in error["message"]


@pytest.mark.usefixtures("folder")
def test_an_answer_that_is_no_is_1_without_an_error() -> None:
    for arguments in ("verify e.csv w.csv", "why e.csv 1 3 --threshold 0.6"):
        done, events = logged(*arguments.split())
        assert done.exit_code == events[-1]["exit_code"] in (1, 2)
    (Path("p.csv")).write_text("src,dst\n1,2\n3,4\n")
    done, events = logged("why", "p.csv", "1", "3")
    assert done.exit_code == events[-1]["exit_code"] == 1
    assert [event["event"] for event in events[-2:]] == ["note", "finish"]


@pytest.mark.usefixtures("folder")
def test_what_the_library_logs_and_bugs_are_events_too(monkeypatch: pytest.MonkeyPatch) -> None:
    done = CliRunner().invoke(app, ["-v", "components", "e.csv", "--log", "json", "-q"])
    assert any(event["event"] == "note" for event in check(done.stderr))

    def broken(*_: object, **__: object) -> None:
        raise AttributeError("no such thing")

    monkeypatch.setattr("skerry.cli.components.connected_components", broken)
    done = CliRunner().invoke(app, ["-v", "components", "e.csv", "--log", "json"])
    events = check(done.stderr)
    assert done.exit_code == events[-1]["exit_code"] == 70
    assert "this is a bug in skerry: AttributeError" in events[-2]["message"]


def test_progress_comes_at_most_once_a_second(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr("skerry.cli.run_log.monotonic", lambda: now[0])
    log = RunLog("test")
    log.begin("reading", 1000, edges=50, bytes=500)
    for step in range(1, 21):
        now[0] += 0.125
        log.count(500 + 10 * step, 1000, 50 + step, 500 + 10 * step)
    log.finish()
    events = check(capsys.readouterr().err)
    progress = [event for event in events if event["event"] == "progress"]
    assert [event["edges"] for event in progress] == [58, 66]
    assert progress[0]["edges_per_second"] == 8 and progress[0]["bytes_per_second"] == 80
    assert (progress[0]["done"], progress[0]["total"]) == (580, 1000)
    assert next(each for each in events if each["event"] == "end")["edges"] == 70


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals and a terminal")
def test_a_long_run_in_a_terminal_has_no_bar_and_logs_its_end(tmp_path: Path) -> None:
    import pty

    leader, follower = pty.openpty()
    words = ["generate", "path", "--n", "1e10", "-o", "x.csv.gz", "--log", "json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "skerry", *words], cwd=tmp_path, stdout=follower, stderr=follower
    )
    os.close(follower)
    text = b""
    while b'"progress"' not in text:
        text += os.read(leader, 1 << 16)
    process.send_signal(signal.SIGTERM)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            piece = os.read(leader, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        text += piece
    assert process.wait(30) == 143
    os.close(leader)
    events = check(text.decode().replace("\r\n", "\n"))
    assert events[-1]["exit_code"] == 143
    assert any(each["edges"] > 0 for each in events if each["event"] == "progress")


def test_the_documentation_lists_events_and_fields() -> None:
    table = DOCS.read_text().partition("| `event` | when | fields |")[2].partition("\n\n")[0]
    rows = dict(re.findall(r"^\| ([^|]*) \| [^|]* \| ([^|]*) \|$", table, re.MULTILINE))
    listed = {event for names in rows for event in re.findall(r"`(\w+)`", names)}
    assert listed == {*FIELDS, "result"}
    for names, fields in rows.items():
        for event in re.findall(r"`(\w+)`", names):
            documented = set(re.findall(r"`(\w+)`", fields))
            assert FIELDS.get(event, set()) <= documented, event


def test_every_command_with_progress_has_it() -> None:
    group: Any = typer.main.get_command(app)
    own = {"components", "sweep", "why", "explore", "verify", "info", "convert"}
    own |= {"diff", "representatives", "label"}
    for name, command in group.commands.items():
        assert (name in own) == any("--log" in each.opts for each in command.params), name


# Logging: silent by default, ``-v`` shows it on standard error.


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    (tmp_path / "pairs.csv").write_text("id_l,id_r\nkim,lee\n")
    return tmp_path / "pairs.csv"


@pytest.mark.parametrize("before", [True, False])
def test_verbose_says_what_is_read_and_what_runs(pairs: Path, before: bool) -> None:
    command = ["components", pairs, "--json"]
    done = run("-v", *command) if before else run(*command, "--verbose")
    assert json.loads(done.stdout)["components"] == 1  # standard output is as without it
    lines = done.stderr.splitlines()
    assert all(line.startswith("skerry: ") for line in lines)
    assert "pairs.csv: csv; source id_l; target id_r; with a header" in done.stderr
    assert "streaming engine, stream on cpu" in done.stderr
    assert any("join edges took" in line for line in lines)


def test_more_verbose_names_the_modules(pairs: Path) -> None:
    done = run("-vv", "components", pairs, "-q")
    assert "skerry.formats.open: " in done.stderr and "compression None" in done.stderr


def test_without_it_nothing_is_logged(pairs: Path) -> None:
    assert run("components", pairs, "-q").stderr == ""
    assert "skerry:" not in ok("components", pairs)


def test_it_ends_with_the_command(pairs: Path) -> None:
    logger = logging.getLogger("skerry")
    before = (list(logger.handlers), logger.level)
    assert invoke("-v", "components", pairs).exit_code == 0
    assert (list(logger.handlers), logger.level) == before


def test_the_library_adds_a_handler_that_prints_nothing() -> None:
    code = (
        "import logging, skerry\n"
        "print([type(each).__name__ for each in logging.getLogger('skerry').handlers])\n"
        "logging.getLogger('skerry.formats').error('to nobody')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("['NullHandler']\n", "")


def test_the_library_logs_files(pairs: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="skerry"):
        skerry.connected_components(str(pairs))
    assert any("source id_l" in record.getMessage() for record in caplog.records)


def test_warnings_are_of_our_class(tmp_path: Path) -> None:
    with pytest.warns(skerry.SkerryWarning, match="2 x 2"):
        skerry.connected_components(np.array([[0, 1], [0, 2]]))
    np.save(tmp_path / "square.npy", np.array([[0, 1], [0, 2]]))
    with pytest.warns(skerry.SkerryWarning, match="2 x 2"):
        skerry.connected_components(str(tmp_path / "square.npy"))
    assert issubclass(skerry.SkerryWarning, UserWarning)
