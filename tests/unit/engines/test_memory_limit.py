"""``limit=`` is the peak memory of the process: text, unpacked data, Parquet, ids, sorting."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from contextvars import copy_context
from pathlib import Path
from threading import Thread

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

import skerry
from skerry.formats.memory import claimed, memory_limited, reserve, resident

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
    end = skerry.connected_components(path, threads=2, stream=skerry.StreamOptions(limit)).count
except MemoryError as error:
    end = str(error)
status = open("/proc/self/status").read()
peak = int(status.split("VmHWM:")[1].split()[0]) * 1024
print(json.dumps([end, peak, limit]))
"""
MB = 1 << 20


def measured(path: Path, room: int) -> tuple[object, int, int]:
    """What a call with so much room ends with, the peak of its process, and the limit."""
    command = [sys.executable, "-c", MEASURE, str(path), str(room)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    end, peak, limit = json.loads(done.stdout)
    return end, peak, limit


def held(path: Path, room: int) -> object:
    """What a call ends with that must stay below its limit."""
    end, peak, limit = measured(path, room)
    assert peak <= limit, (end, peak - limit)
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
    assert "the limit is" in str(held(path, 45 * MB))
    assert held(path, 400 * MB) == 1


def test_text_ids_stay_below_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    lines = "".join(f"person-{i},person-{i // 2}\n" for i in range(300_000))
    path.write_text("src,dst\n" + lines)
    assert held(path, 400 * MB) == 1
    assert "the limit is" in str(held(path, 30 * MB))


@pytest.mark.parametrize("rows", [20_000, 300_000], ids=["small groups", "one group"])
@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_wide_text_of_parquet_stays_below_the_limit(
    tmp_path: Path, rows: int, compression: str
) -> None:
    """Its dictionary is small, what it decodes to is not: 120 MB."""
    path = tmp_path / "wide.parquet"
    names = pa.array([f"{'x' * 180}-{i}" for i in range(2000)])
    ends = np.random.default_rng(1).integers(0, 2000, (2, 300_000))
    table = pa.table({"src": names.take(pa.array(ends[0])), "dst": names.take(pa.array(ends[1]))})
    pq.write_table(table, path, row_group_size=rows, compression=compression)
    assert held(path, 110 * MB) == 1


def test_columns_that_are_not_read_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "payload.parquet"
    ids = np.arange(100_000)
    payload = pa.array([f"{i:0900}" for i in ids])
    table = pa.table({"src": ids, "payload": payload, "dst": ids // 2})
    pq.write_table(table, path, use_dictionary=False, compression="zstd")
    assert held(path, 90 * MB) == 1


def test_a_row_group_that_does_not_fit_is_refused_with_its_size(tmp_path: Path) -> None:
    path = tmp_path / "large.parquet"
    text = pa.array([f"{i:0900}" for i in range(100_000)])
    pq.write_table(pa.table({"src": text, "dst": text}), path, use_dictionary=False)
    end = str(held(path, 90 * MB))
    assert "src and dst of row group 0, unpacked, take 180," in end
    assert "the limit is" in end


def test_wide_cells_of_csv_stay_below_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    lines = "".join(f"{'x' * 180}-{i % 3000},{'x' * 180}-{i % 1000}\n" for i in range(100_000))
    path.write_text("src,dst\n" + lines)
    assert held(path, 120 * MB) == 1000


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_reading_tables_does_not_import_pandas(tmp_path: Path, suffix: str) -> None:
    """It takes 50 MB and half a second; pyarrow imports it to look for its types."""
    path = tmp_path / f"edges.{suffix}"
    table = pa.table({"src": ["a", "b"], "dst": ["b", "c"], "weight": [1.0, 2.0]})
    pq.write_table(table, path) if suffix == "parquet" else pacsv.write_csv(table, path)
    code = (
        "import sys, skerry\n"
        "skerry.connected_components(sys.argv[1], threshold=0.5, weight='weight')\n"
        "assert 'pyarrow' in sys.modules and 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True, timeout=100)


def test_threads_wait_where_what_both_claim_does_not_fit() -> None:
    limit, order = resident() + 100 * MB, []
    with memory_limited(limit):
        other = Thread(target=copy_context().run, args=(_claim, order))
        with claimed(80 * MB, "one part"):
            other.start()
            other.join(0.05)
            order.append("first")
        other.join()
        assert order == ["first", "second"]
        with pytest.raises(MemoryError, match="another part take"), claimed(2**40, "another part"):
            pass


def _claim(order: list[str]) -> None:
    with claimed(80 * MB, "the other part"):
        order.append("second")


def test_a_limit_below_the_memory_of_the_process_says_so(tmp_path: Path) -> None:
    path = tmp_path / "edges.txt"
    path.write_text("1 2\n")
    with pytest.raises(MemoryError, match="the process has"):
        skerry.connected_components(path, stream=skerry.StreamOptions(limit=1000))


def test_a_limit_ends_with_its_block() -> None:
    with pytest.raises(MemoryError, match="things take 5 bytes more"), memory_limited(1):
        reserve(5, "things")
    reserve(1 << 60, "things")


def test_the_advice_is_of_use():
    """A limit too small for spilling is not answered by spilling, nor is a run that spills."""
    for limit, spilling, advice in [
        (1 << 20, False, r"raise it, or let spill= go to disk, which takes a limit of [\d,]+ or"),
        (1 << 50, False, "raise it, or let spill= go to disk$"),
        (1 << 20, True, "; raise it$"),
    ]:
        with memory_limited(limit, spilling=spilling), pytest.raises(MemoryError, match=advice):
            reserve(1 << 60, "a test")
