"""``limit=`` is the peak memory of the process: text, unpacked data, Parquet, ids, sorting."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
from skerry.formats.memory import memory_limited, reserve, resident

pytestmark = pytest.mark.skipif(resident() == 0, reason="the system does not tell its memory")

MEASURE = """
import json, sys
import numpy, pyarrow, pyarrow.csv, pyarrow.parquet
import skerry, skerry.io
from skerry.formats.memory import resident
import skerry.engines.streaming.engine
path, room = sys.argv[1], int(sys.argv[2])
limit = resident() + room
try:
    end = skerry.connected_components(path, threads=2, limit=limit).count
except MemoryError as error:
    end = str(error)
status = open("/proc/self/status").read()
peak = int(status.split("VmHWM:")[1].split()[0]) * 1024
print(json.dumps([end, peak, limit]))
"""
MB = 1 << 20
OF_ARROW = 96 * MB
"""What pyarrow starts and decodes before the first batch is there; it is counted from then on."""


def measured(path: Path, room: int) -> tuple[object, int, int]:
    """What a call with so much room ends with, the peak of its process, and the limit."""
    command = [sys.executable, "-c", MEASURE, str(path), str(room)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    end, peak, limit = json.loads(done.stdout)
    return end, peak, limit


def held(path: Path, room: int, more: int = 0) -> object:
    """What a call ends with that must stay below its limit."""
    end, peak, limit = measured(path, room)
    assert peak <= limit + more, (end, peak - limit)
    return end


def test_a_line_without_end_in_a_gz_stays_below_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "line.txt.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(300):
            file.write(b"1" * MB)
    end = held(path, 60 * MB)
    assert "a line of more than" in str(end)
    assert "the limit is" in str(end)


def test_text_is_read_in_blocks_that_fit_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "edges.txt"
    ids = np.arange(400_000)
    np.savetxt(path, np.stack([ids, ids // 2], 1), fmt="%d")
    with gzip.open(path.with_suffix(".txt.gz"), "wb", compresslevel=1) as file:
        file.write(path.read_bytes())
    assert held(path, 60 * MB) == 1
    assert held(path.with_suffix(".txt.gz"), 60 * MB) == 1


def test_ids_and_their_sorting_stay_below_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "edges.parquet"
    ids = np.arange(1_000_000) * 7_777_777_777
    pq.write_table(pa.table({"src": ids, "dst": np.roll(ids, 1)}), path, row_group_size=100_000)
    assert "the limit is" in str(held(path, 45 * MB, OF_ARROW))
    assert held(path, 400 * MB) == 1


def test_text_ids_stay_below_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    lines = "".join(f"person-{i},person-{i // 2}\n" for i in range(300_000))
    path.write_text("src,dst\n" + lines)
    assert held(path, 400 * MB) == 1
    assert "the limit is" in str(held(path, 30 * MB, OF_ARROW))


def test_a_limit_below_the_memory_of_the_process_says_so(tmp_path: Path) -> None:
    path = tmp_path / "edges.txt"
    path.write_text("1 2\n")
    with pytest.raises(MemoryError, match="the process has"):
        skerry.connected_components(path, limit=1000)


def test_a_limit_ends_with_its_block() -> None:
    with pytest.raises(MemoryError, match="things take 5 bytes more"), memory_limited(1):
        reserve(5, "things")
    reserve(1 << 60, "things")
