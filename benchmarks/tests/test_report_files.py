"""What the report reads and leaves behind: records that are not what they seem, full disks."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lab.made_up_results import all_lines, write
from skerry.cli.app import app
from skerry.errors import InputError, OutputError
from skerry_bench.report.write import write_report


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return write(tmp_path / "all.jsonl", all_lines(names=("internet",)))


def test_a_full_disk_leaves_nothing_of_a_report(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    path = tmp_path / "full" / "r.md"
    path.parent.mkdir()
    with pytest.raises(OutputError, match="the disk is full") as caught:
        write_report([record], path)
    assert str(path) in str(caught.value)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("change", [{"suite": 3}, {"threads": "two"}, {"statistics": [1]}])
def test_a_record_with_values_of_another_type_is_an_input_error(
    record: Path, tmp_path: Path, change: dict[str, Any]
) -> None:
    lines = map(json.loads, record.read_text().splitlines())
    line = next(line for line in lines if line["kind"] == "result")
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps(line | change) + "\n")
    with pytest.raises(InputError, match=r"wrong\.jsonl, line 1, .* must be"):
        write_report([path], tmp_path / "wrong.md")


def test_no_record_is_overwritten_and_quiet_prints_nothing(record: Path, tmp_path: Path) -> None:
    before = record.read_bytes()
    (tmp_path / "r.md").symlink_to(record)
    refused = CliRunner().invoke(app, ["report", str(record), "-o", str(tmp_path / "r.md")])
    assert refused.exit_code == 2 and "is an input" in refused.output
    done = CliRunner().invoke(app, ["report", str(record), "-q", "-o", str(tmp_path / "new.md")])
    assert (done.exit_code, done.output) == (0, "")
    assert record.read_bytes() == before and (tmp_path / "new.md").exists()


@pytest.mark.parametrize("option", ["-o", "--continue"])
def test_no_graph_is_appended_to(option: str, tmp_path: Path) -> None:
    graph = tmp_path / "graphs" / "g.el"
    graph.parent.mkdir()
    graph.write_text("0 1\n1 2")
    done = CliRunner().invoke(app, ["bench", "real", str(graph.parent), option, str(graph)])
    assert (
        done.exit_code == 2 and f"which {'--output' if option == '-o' else option}" in done.output
    )
    assert graph.read_text() == "0 1\n1 2"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("ECL-CC fig 9", "ECL-CC, Fig. 9: Three kinds"),
        ("ecl-cc Figure 12", "ECL-CC, Figs. 11 and 12"),
        ("thesis fig. 6.7", "ECL-CC, Fig. 17; thesis Fig. 6.7"),
        ("Jaiganesh & Burtscher Table 5", "ECL-CC, Table 5"),
        ("cong & muzio fig 6", "Cong & Muzio, Figs. 5 and 6"),
        ("Gerasimou fig 2", "Gerasimou, Fig. 2"),
    ],
)
def test_one_figure_is_found_by_its_number(record: Path, text: str, title: str) -> None:
    done = CliRunner().invoke(app, ["report", str(record), "--figure", text])
    assert done.exit_code == 0
    assert done.stdout.startswith(f"### {title}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fig nine", "write a paper and a number"),
        ("ECL-CC fig 18", "of ECL-CC it has Fig. 7, Fig. 8"),
        ("Knuth fig 1", "no paper 'Knuth'; there are ECL-CC"),
    ],
)
def test_a_figure_that_is_not_there(record: Path, text: str, message: str) -> None:
    done = CliRunner().invoke(app, ["report", str(record), "--figure", text])
    assert done.exit_code == 2
    assert message in done.output
