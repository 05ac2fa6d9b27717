"""The measurement of ids: from a table of pairs to a table (id, component)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skerry_bench import ids as bench
from skerry_bench.record import Record


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="peak memory is Linux's")
def test_the_measurement(tmp_path):
    output = tmp_path / "results.jsonl"
    bench.run(
        Record(output), ids=300, pairs=400, kinds=["string"], threads=1, times=1, peers=["pandas"]
    )
    results = [json.loads(line) for line in output.read_text().splitlines()]
    assert any(result.get("what") == "skerry" and result.get("ms", 0) > 0 for result in results)
    assert any("per_id" in result for result in results)
