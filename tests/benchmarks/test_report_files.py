"""What the report reads and leaves behind: records that are not what they seem, full disks."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import pytest

from skerry.errors import InputError, OutputError
from skerry_bench.report.write import write_report
from support.made_up_results import all_lines, write


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
