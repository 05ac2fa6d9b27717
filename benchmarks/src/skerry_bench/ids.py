"""From a table of ids to components under these ids, beside factorizing and scipy.

What is measured is the whole path: pairs of ids in Arrow columns to a table (id, component). The
peers give each id the number of its component, which is a little less than skerry does: there a
component is its smallest id, and the table is sorted.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import skerry
from skerry_bench.memory import peak_bytes
from skerry_bench.record import Record
from skerry_bench.timing import repeat

__all__ = ["KINDS", "PEERS", "run"]

Kind = Literal["int64", "string"]
KINDS: tuple[Kind, ...] = ("int64", "string")
Solver = Callable[[pa.Table], int]
TEXT_SIZE = 20


def _skerry(threads: int) -> Solver:
    def solve(pairs: pa.Table) -> int:
        found = skerry.connected_components(pairs, source="a", target="b", threads=threads)
        assert found.table().num_columns == 2
        return found.count

    return solve


def _components(src: npt.NDArray[Any], dst: npt.NDArray[Any], n: int) -> tuple[int, Any]:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    matrix = coo_array((np.ones(len(src), np.int8), (src, dst)), shape=(n, n))
    count, labels = connected_components(matrix, directed=False)
    return int(count), labels


def _pandas(pairs: pa.Table) -> int:
    import pandas as pd

    frame = pairs.to_pandas()
    codes, ids = pd.factorize(pd.concat([frame["a"], frame["b"]], ignore_index=True))
    m = len(frame)
    count, labels = _components(codes[:m], codes[m:], len(ids))
    assert len(pd.DataFrame({"id": ids, "component": labels}))
    return count


def _polars(pairs: pa.Table) -> int:
    import polars as pl

    frame: Any = pl.from_arrow(pairs)
    ids = pl.concat([frame["a"], frame["b"]]).unique().alias("id")
    names = pl.DataFrame({"id": ids}).with_row_index("number")
    src, dst = (
        frame.select(column)
        .join(names, left_on=column, right_on="id", how="left", maintain_order="left")["number"]
        .to_numpy()
        for column in ("a", "b")
    )
    count, labels = _components(src, dst, len(names))
    assert len(names.with_columns(component=pl.Series(labels)))
    return count


PEERS: dict[str, Solver] = {"pandas": _pandas, "polars": _polars}


def run(
    record: Record,
    *,
    ids: int,
    pairs: int,
    kinds: Sequence[Kind],
    threads: int,
    times: int,
    peers: Sequence[str],
) -> None:
    """Measures skerry and the peers that are installed on the same random pairs."""
    for kind in kinds:
        table = random_pairs(ids, pairs, kind)
        expected = own = None
        for name, solve in [("skerry", _skerry(threads)), *((p, PEERS[p]) for p in peers)]:
            try:
                count, timing = repeat(
                    lambda solve=solve, table=table: solve(table),  # type: ignore[misc]
                    times if name == "skerry" else min(times, 2),
                )
            except ImportError as missing:
                record.add(what=name, missing=str(missing))
                continue
            expected = count if expected is None else expected
            own = timing.median if own is None else own
            if count != expected:
                raise RuntimeError(f"{name} counts {count} components, skerry {expected}")
            record.add(
                what=name,
                ids=kind,
                ms=timing.median,
                spread=timing.spread,
                times_skerry=timing.median / own,
                samples=timing.samples,
            )
        extra = extra_bytes(ids, pairs, kind, threads)
        record.add(what="skerry", ids=kind, extra_bytes=extra, per_id=extra / ids)
    record.table("what", "ids", "ms")


def random_pairs(ids: int, pairs: int, kind: Kind) -> pa.Table:
    """Pairs drawn from that many random 64-bit integers, or strings of 20 letters and digits."""
    random = np.random.default_rng(1)
    if kind == "int64":
        names = pa.array(random.integers(-(2**63), 2**63 - 1, ids))
    else:
        signs = np.frombuffer(b"0123456789abcdefghijklmnopqrstuv", np.uint8)
        data = signs[random.integers(0, len(signs), ids * TEXT_SIZE, np.uint8)]
        offsets = np.arange(ids + 1, dtype=np.int32) * TEXT_SIZE
        names = pa.Array.from_buffers(
            pa.string(), ids, [None, pa.py_buffer(offsets), pa.py_buffer(data)]
        )
    ends = (names.take(pa.array(random.integers(0, ids, pairs, np.int32))) for _ in range(2))
    return pa.table(list(ends), names=["a", "b"])


def extra_bytes(ids: int, pairs: int, kind: Kind, threads: int) -> int:
    """Peak resident memory of a call beyond the process and its input, in a fresh interpreter."""
    code = (
        "from skerry_bench import ids as i; "
        f"print(i.growth_of_call({ids}, {pairs}, {kind!r}, {threads}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout)


def growth_of_call(ids: int, pairs: int, kind: Kind, threads: int) -> int:
    """How much the peak of this process grows by one call, its table included."""
    table = random_pairs(ids, pairs, kind)
    solve = _skerry(threads)
    solve(table.slice(0, 100_000))  # starts the threads, loads what is loaded lazily
    pa.default_memory_pool().release_unused()
    Path("/proc/self/clear_refs").write_text("5")  # forgets the peak so far
    before = peak_bytes()
    solve(table)
    return peak_bytes() - before
