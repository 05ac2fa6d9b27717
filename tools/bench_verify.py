"""Measure how long a check takes beside solving, for every form of input.

``python tools/bench_verify.py [--scale S] [--threads 1,2] [--repeat R] [--forms a,b]
[--degree D,E] [--isolated I]``

Solving and verifying alternate, so that both meet the same load of the machine; the smallest time
of each is compared. The last column is what must stay at 3 or less.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import skerry
from skerry.graph.build import csr_from_edges

EDGES = 12_000_000
Form = Callable[[Any, Any, Path], tuple[Any, dict[str, Any]]]


def edges(src: Any, dst: Any, _: Path) -> tuple[Any, dict[str, Any]]:
    """Arrays of 32-bit vertex numbers."""
    return skerry.Edges(src.astype(np.uint32), dst.astype(np.uint32), _count(src, dst)), {}


def edges64(src: Any, dst: Any, _: Path) -> tuple[Any, dict[str, Any]]:
    """Arrays of 64-bit vertex numbers."""
    return (src, dst), {"num_vertices": _count(src, dst)}


def csr(src: Any, dst: Any, _: Path) -> tuple[Any, dict[str, Any]]:
    """A symmetric CSR."""
    return csr_from_edges(skerry.Edges(src, dst, _count(src, dst))), {}


def table(src: Any, dst: Any, _: Path) -> tuple[Any, dict[str, Any]]:
    """A table of integers that leave few gaps."""
    return _table(src, dst), {}


def sparse_table(src: Any, dst: Any, _: Path) -> tuple[Any, dict[str, Any]]:
    """A table of integers anywhere."""
    return _table(src * 0x1E3779B97F4A7C15, dst * 0x1E3779B97F4A7C15), {}


def text_table(src: Any, dst: Any, _: Path) -> tuple[Any, dict[str, Any]]:
    """A table of words."""
    return _words(src, dst), {}


def composite(src: Any, dst: Any, _: Path) -> tuple[Any, dict[str, Any]]:
    """A table of ids of two columns."""
    import pyarrow as pa

    columns = {"a": src >> 8, "b": src & 255, "c": dst >> 8, "d": dst & 255}
    return pa.table(columns), {"source": ("a", "b"), "target": ("c", "d")}


def text_file(src: Any, dst: Any, folder: Path) -> tuple[Any, dict[str, Any]]:
    """Lines of two integers."""
    from pyarrow import csv as writer

    path = folder / "edges.txt"
    plain = writer.WriteOptions(include_header=False, delimiter="\t")
    writer.write_csv(_table(src, dst), path, plain)
    return path, {}


def csv(src: Any, dst: Any, folder: Path) -> tuple[Any, dict[str, Any]]:
    """CSV with words."""
    from pyarrow import csv as writer

    path = folder / "words.csv"
    writer.write_csv(_words(src, dst), path)
    return path, {"source": "src", "target": "dst", "header": True}


def parquet(src: Any, dst: Any, folder: Path) -> tuple[Any, dict[str, Any]]:
    """Parquet with integers."""
    return _parquet(_table(src, dst), folder / "numbers.parquet")


def text_parquet(src: Any, dst: Any, folder: Path) -> tuple[Any, dict[str, Any]]:
    """Parquet with words."""
    return _parquet(_words(src, dst), folder / "words.parquet")


FORMS: dict[str, Form] = {
    form.__name__: form
    for form in (
        *(edges, edges64, csr, table, sparse_table, text_table, composite),
        *(text_file, csv, parquet, text_parquet),
    )
}


def _count(src: Any, dst: Any) -> int:
    return int(max(src.max(), dst.max())) + 1


def _table(src: Any, dst: Any) -> Any:
    import pyarrow as pa

    return pa.table({"src": src, "dst": dst})


def _words(src: Any, dst: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    names = (
        pc.binary_join_element_wise("user-", pa.array(ids).cast("string"), "") for ids in (src, dst)
    )
    return _table(*names)


def _parquet(rows: Any, path: Path) -> tuple[Any, dict[str, Any]]:
    import pyarrow.parquet as pq

    pq.write_table(rows, path)
    return path, {}


def random_edges(count: int, degree: float, isolated: int) -> tuple[Any, Any]:
    """Random edges, and a loop of the last of some more vertices."""
    connected = int(count / degree)
    src, dst = np.random.default_rng(1).integers(0, connected, (2, count))
    if isolated:
        src[-1] = dst[-1] = connected + isolated - 1
    return src, dst


def measure(graph: Any, options: dict[str, Any], threads: int, repeat: int) -> Iterator[float]:
    """The smallest times of solving and of verifying."""
    solve, check = [], []
    for _ in range(repeat):
        begin = perf_counter()
        result = skerry.connected_components(graph, threads=threads, **options)
        middle = perf_counter()
        verification = result.verify()
        check.append(perf_counter() - middle)
        solve.append(middle - begin)
        if not verification:
            raise SystemExit(f"WRONG: {verification.message}")
    yield min(solve)
    yield min(check)


def main() -> None:
    """Prints a line for each form and number of threads."""
    parser = argparse.ArgumentParser(description="How long a check takes beside solving.")
    parser.add_argument("--scale", type=float, default=1.0, help="of 12 million edges")
    parser.add_argument("--degree", default="3", help="edges for each vertex: D or D,E")
    parser.add_argument("--isolated", type=int, default=0, help="vertices without edges beside")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--forms", default=",".join(FORMS))
    asked = parser.parse_args()
    print(
        f"{'form':14} {'edges/v':>7} {'threads':>7} {'solve ms':>9} {'verify ms':>9} {'ratio':>6}"
    )
    for degree in map(float, asked.degree.split(",")):
        src, dst = random_edges(int(EDGES * asked.scale), degree, asked.isolated)
        with tempfile.TemporaryDirectory() as folder:
            for name in asked.forms.split(","):
                graph, options = FORMS[name](src, dst, Path(folder))
                for threads in map(int, asked.threads.split(",")):
                    solve, check = measure(graph, options, threads, asked.repeat)
                    times = f"{solve * 1e3:9.1f} {check * 1e3:9.1f} {check / solve:6.2f}"
                    print(f"{name:14} {degree:7g} {threads:7} {times}", flush=True)


if __name__ == "__main__":
    main()
