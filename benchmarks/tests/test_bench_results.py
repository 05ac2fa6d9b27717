"""The record of measurements: written, read and put together."""

from __future__ import annotations

import dataclasses
import json

import pytest

from skerry.errors import InputError
from skerry_bench.results import (
    Gpu,
    GraphLine,
    Machine,
    Result,
    RunLine,
    Skipped,
    decode,
    encode,
    merge,
    read_lines,
    read_results,
)

MACHINE = Machine("a processor", 2, 24 << 30, "Linux", Gpu("a GPU", "580", "13.0"))
RUN = RunLine(
    "r1", "2026-11-15T10:00:00+00:00", "smoke", MACHINE, {"numpy": "2"}, "abc", {"scale": 0.1}
)
GRAPH = GraphLine("r1", "grid", False, "grid", 4, 4, 8, 1, "c0ffee", "grid(2, 2)", None)
RESULT = Result(
    "r1",
    "smoke",
    "grid",
    "auto",
    "cpu",
    (0.3, 0.1, 0.2),
    1,
    passes=(("init", 0.1), ("hook", 0.05)),
    statistics={"hooks": 3},
    parameter={"q": 0.5},
)
SKIPPED = Skipped("r1", "smoke", "grid", "bfs", "cpu", "too deep")
LINES = [RUN, GRAPH, RESULT, SKIPPED]


def write(path, lines):
    path.write_text("".join(encode(line) + "\n" for line in lines))
    return path


def test_lines_come_back_as_they_were(tmp_path):
    assert [*read_lines(write(tmp_path / "r.jsonl", LINES))] == LINES
    assert RESULT.median == 0.2
    assert MACHINE.name == "a processor, 2 cores, a GPU"
    assert Machine("p", 1).name == "p, 1 cores"


def test_what_is_not_known_is_left_out():
    line = json.loads(encode(RUN)) | {"color": "red"}
    line["machine"]["smell"] = 1
    line["machine"]["gpu"]["weight"] = 2
    assert decode(json.dumps(line)) == RUN
    assert decode('{"kind": "dream"}') is None
    assert decode('{"machine": {"processor": "of an older record"}}') is None
    assert decode('{"family": "grid", "ms": 2.0}') is None


def test_a_run_that_was_killed(tmp_path):
    path = write(tmp_path / "r.jsonl", LINES)
    path.write_text(path.read_text() + encode(RESULT)[:40])
    assert [*read_lines(path)] == LINES


@pytest.mark.parametrize(
    "wrong",
    ["{", "[]", '{"kind": "result"}', '{"kind": "run", "machine": 3}', '{"kind": "graph"}'],
)
def test_wrong_lines_are_named(tmp_path, wrong):
    path = tmp_path / "r.jsonl"
    path.write_text(encode(RUN) + "\n" + wrong + "\n")
    with pytest.raises(InputError, match=r"r\.jsonl, line 2"):
        list(read_lines(path))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        list(read_lines(tmp_path / "none.jsonl"))
    (tmp_path / "picture").write_bytes(b"\xff\xd8\xff")
    with pytest.raises(InputError, match="not a record"):
        list(read_lines(tmp_path / "picture"))


def test_no_samples_is_no_result():
    with pytest.raises(InputError, match="no samples"):
        decode(encode(dataclasses.replace(RESULT, seconds=())))


def again(lines, run, date, **changes):
    """The same lines as a later run."""
    for line in lines:
        changed = dataclasses.replace(line, run=run)
        if isinstance(line, RunLine):
            changed = dataclasses.replace(changed, date=date, **changes)
        yield changed


def test_later_runs_take_the_place_of_earlier(tmp_path):
    later = [*again(LINES, "r2", "2026-11-16T10:00:00+00:00")]
    later[2] = dataclasses.replace(later[2], seconds=(1.0,))
    files = [write(tmp_path / "b", later), write(tmp_path / "a", LINES)]
    both = read_results(files)
    assert both.results == [later[2]] and both.skipped == [later[3]]
    assert both.graph_of(later[2]) == later[1] and both.run_of(later[2]) == later[0]
    assert both.machine_of(later[2]) == MACHINE


def test_other_machines_and_graphs_stay():
    elsewhere = again(
        LINES, "r2", "2026-11-16T10:00:00+00:00", machine=Machine("another processor", 8)
    )
    assert len(merge([*LINES, *elsewhere]).results) == 2
    larger = [*again(LINES, "r3", "2026-11-16T10:00:00+00:00")]
    larger[1] = dataclasses.replace(larger[1], checksum="cafe")
    assert len(merge([*LINES, *larger]).results) == 2


def test_a_result_takes_the_place_of_a_skip():
    skip = dataclasses.replace(SKIPPED, implementation="auto", parameter={"q": 0.5})
    both = merge([RUN, GRAPH, RESULT, skip])
    assert both.results == [RESULT] and both.skipped == []


def test_a_result_without_its_run():
    with pytest.raises(InputError, match="no line for the run r1"):
        merge([GRAPH, RESULT])
