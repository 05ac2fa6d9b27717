"""Samples that say more of the machine than of a program are not recorded."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from skerry_bench import sampler
from skerry_bench.cli.command import bench_app
from skerry_bench.sampler import UnsteadyError, refuse_unsteady


@pytest.mark.parametrize(
    ("seconds", "steady"),
    [
        ((1.0, 1.2, 1.4), True),
        ((1.0, 1.0, 60.0), True),  # the median is what is reported
        ((1.0, 1.6, 1.7), False),
        ((0.0004, 0.03, 0.06, 0.05), False),  # as of OpenMP programs that wait for each other
        ((1.0, 9.0), True),  # two do not show which one is right
        ((1.0,), True),
    ],
)
def test_the_median_is_near_the_fastest(seconds, steady):
    if steady:
        refuse_unsteady(seconds, 1.5)
        return
    with pytest.raises(UnsteadyError, match=r"its median is .* times its fastest sample, at most"):
        refuse_unsteady(seconds, 1.5)


def test_what_differs_too_much_is_skipped_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(sampler, "MAX_SPREAD", 0.5)  # no sample is below half of the fastest
    file = tmp_path / "a.jsonl"
    command = ["smoke", "grid", "--algorithms", "ecl", "--scale", "0.01", "-o", str(file)]
    run = CliRunner().invoke(bench_app, command)
    assert run.exit_code == 0, run.output
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert not [line for line in lines if line["kind"] == "result"]
    (skipped,) = (line for line in lines if line["kind"] == "skipped")
    assert "times its fastest sample, at most 0.5 is recorded" in skipped["reason"]
