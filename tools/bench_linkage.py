"""How long tools for duplicates and record linkage take to cluster, as they are and with skerry.

Usage: python tools/bench_linkage.py [--pairs N] [--only before|after] [case ...]

Each case is one run of the tool's own code and one with skerry, on the same made-up pairs, N of
them (10 million by default): of N documents or records each pair joins two that are near each
other. Seconds of CPU time are printed, and of wall-clock time in parentheses, and whether the
clusters are the same. A tool that is not installed is left out.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter, process_time
from types import SimpleNamespace
from typing import Any

import numpy as np

Action = Callable[[], Any]
Case = Callable[[int], tuple[Action, Action | None]]
"""From a number of pairs to a call of the tool, and of skerry where that is another one."""


def _pairs(count: int) -> tuple[Any, Any]:
    random = np.random.default_rng(1)
    first = random.integers(0, count, count)
    return first, np.minimum(first + 1 + random.geometric(0.3, count), count - 1)


def _partition(ids: Any, clusters: Any) -> int:
    """A number that is the same for the same clusters, whatever they are called."""
    ids, clusters = np.asarray(ids), np.asarray(clusters)
    _, names = np.unique(clusters, return_inverse=True)
    smallest = np.full(names.max(initial=-1) + 1, np.iinfo(np.int64).max)
    np.minimum.at(smallest, names, ids)
    return hash((ids * (smallest[names] % 1_000_003)).sum().item())


def splink(count: int) -> tuple[Action, None]:
    """Splink, DuckDB: `cluster_pairwise_predictions_at_threshold`."""
    return _splink(count, 0.5), None


def splink_thresholds(count: int) -> tuple[Action, None]:
    """Splink, DuckDB: `cluster_pairwise_predictions_at_multiple_thresholds`, five of them."""
    return _splink(count, [0.5, 0.6, 0.7, 0.8, 0.9]), None


def _splink(count: int, threshold: Any) -> Action:
    import pyarrow as pa
    from splink import DuckDBAPI
    from splink.internals import clustering

    left, right = _pairs(count)
    scores = np.random.default_rng(2).random(count)
    edges = pa.table({"id_l": left, "id_r": right, "match_probability": scores})
    nodes = pa.table({"id": np.arange(count)})

    def run() -> Any:
        common: dict[str, Any] = {"db_api": DuckDBAPI(), "node_id_column_name": "id"}
        if isinstance(threshold, list):
            table = clustering.cluster_pairwise_predictions_at_multiple_thresholds(
                nodes, edges, match_probability_thresholds=list(threshold), **common
            )
        else:
            table = clustering.cluster_pairwise_predictions_at_threshold(
                nodes, edges, threshold_match_probability=threshold, **common
            )
        columns = table.as_pyarrow_table()
        names = [name for name in columns.column_names if name.startswith("cluster")]
        return lambda: [_partition(columns["id"], columns[name]) for name in names]

    return run


def datatrove(count: int) -> tuple[Action, Action]:
    """datatrove: `MinhashDedupCluster.run`, with clusters and sizes."""
    return _datatrove(count, 1)


def datatrove_repeated(count: int) -> tuple[Action, Action]:
    """datatrove: the same, each of N / 5 pairs in five of the buckets, as near duplicates are."""
    return _datatrove(count, 5)


def _datatrove(count: int, copies: int) -> tuple[Action, Action]:
    from datatrove.pipeline.dedup import minhash

    from skerry.datatrove import MinhashDedupCluster

    folder = Path(tempfile.mkdtemp())
    first, second = _pairs(count // copies)
    rows = np.column_stack((first % 100, first // 100, second % 100, second // 100)).astype("<u4")
    for bucket in range(14):
        with (folder / f"{bucket:05d}_00.dups").open("wb") as file:
            for copy in range(copies):  # never two of a pair in one bucket
                rows[(bucket + 3 * copy) % 14 :: 14].tofile(file)

    def run(step: Any) -> Any:
        target = folder / step.__module__
        step(str(folder), str(target), minhash.MinhashConfig(), True, True).run()
        return lambda: _partition(*_written(target))

    return lambda: run(minhash.MinhashDedupCluster), lambda: run(MinhashDedupCluster)


def _written(folder: Path) -> tuple[Any, Any]:
    """The documents of the .clusters files, numbered over all files, and their clusters."""
    documents, clusters = [], []
    for path in sorted(folder.glob("*.clusters")):
        rows = np.fromfile(path, "<u4").reshape(-1, 2).astype(np.int64)
        documents.append(rows[:, 0] * 100 + int(path.stem))
        clusters.append(rows[:, 1])
    return np.concatenate(documents), np.concatenate(clusters)


def dedupe(count: int) -> tuple[Action, None]:
    """dedupe: all of `clustering.connected_components`, scored pairs."""
    from dedupe import clustering

    scored = np.empty(count, [("pairs", "i8", 2), ("score", "f4")])
    scored["pairs"] = np.column_stack(_pairs(count))
    scored["score"] = np.random.default_rng(2).random(count)

    def run() -> Any:
        parts = [len(part) for part in clustering.connected_components(scored.copy(), 30000)]
        return lambda: sorted(parts)

    return run, None


def recordlinkage(count: int) -> tuple[Action, None]:
    """recordlinkage: `ConnectedComponents().compute`."""
    import pandas as pd
    import recordlinkage as library

    links = pd.MultiIndex.from_arrays(_pairs(count))

    def run() -> Any:
        parts = library.ConnectedComponents().compute(links)
        return lambda: sorted(len(part) for part in parts)

    return run, None


def text_dedup(count: int) -> tuple[Action, None]:
    """text-dedup: `minhash.cluster`, the merge of buckets; a row of a table counts as a pair."""
    minhash = importlib.import_module("text_dedup.minhash")
    import datasets
    import pyarrow as pa

    document, band, value = _buckets(count)
    table = pa.table({"__band_idx__": band, "__band_val__": value, "__index__": document})
    rows = datasets.Dataset(table)
    config = SimpleNamespace(algorithm=SimpleNamespace(internal_index_column="__index__"))

    def run() -> Any:
        parents = minhash.cluster(config, rows)
        return lambda: _partition(list(parents), list(parents.values()))

    return run, None


def _buckets(rows: int) -> tuple[Any, Any, Any]:
    """Documents with 8 bands each: most buckets hold a document or two, some many."""
    import pyarrow as pa

    random = np.random.default_rng(1)
    count = rows // 8
    document, band = np.repeat(np.arange(count), 8), np.tile(np.arange(8), count)
    origin = np.maximum(document - random.geometric(0.2, len(document)), 0)
    key = np.where(random.random(len(document)) < 0.1, origin, document)
    data = np.ascontiguousarray(key.astype(">u8"))
    value = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(8), len(data), [None, pa.py_buffer(data)]
    )
    return document, band, value.cast(pa.binary())


def text_dedup_union_find(count: int) -> tuple[Action, Action]:
    """text-dedup: `UnionFind`, `union` of each pair, then `get_clusters`."""
    from text_dedup.utils.union_find import UnionFind

    from skerry.text_dedup import UnionFind as BySkerry

    return _union_find(count, UnionFind), _union_find(count, BySkerry)


def data_juicer_union_find(count: int) -> tuple[Action, Action]:
    """data-juicer: `UnionFind`, `union` of each pair, then `find` of each document."""
    from data_juicer.ops.common.helper_func import UnionFind

    from skerry.data_juicer import UnionFind as BySkerry

    return _union_find(count, UnionFind), _union_find(count, BySkerry)


def _union_find(count: int, kind: Any) -> Action:
    first, second = (ends.tolist() for ends in _pairs(count))

    def run() -> Any:
        sets = kind()
        for x, y in zip(first, second, strict=True):
            sets.union(x, y)
        if hasattr(sets, "get_clusters"):
            parents = sets.get_clusters()
        else:
            parents = {x: sets.find(x) for x in first}
        return lambda: _partition(list(parents), list(parents.values()))

    return run


def data_juicer(count: int) -> tuple[Action, None]:
    """data-juicer: `DocumentMinhashDeduplicator.process`; a hash counts as a pair."""
    import pyarrow as pa
    from data_juicer.core.data import NestedDataset
    from data_juicer.ops.deduplicator.document_minhash_deduplicator import (
        DocumentMinhashDeduplicator,
    )
    from datasets import Dataset

    document, _, value = _buckets(count)
    lists = pa.ListArray.from_arrays(
        pa.array(np.arange(0, len(document) + 1, 8), pa.int32()), value
    )
    table = pa.table({"id": np.arange(len(lists)), "__dj__minhash": lists})
    documents = NestedDataset(Dataset(table))

    def run() -> Any:
        kept, _ = DocumentMinhashDeduplicator(num_permutations=64, num_bands=8).process(documents)
        return lambda: hash(tuple(kept["id"]))

    return run, None


CASES: tuple[Case, ...] = (
    *(splink, splink_thresholds, datatrove, datatrove_repeated, dedupe, recordlinkage),
    *(text_dedup, text_dedup_union_find, data_juicer, data_juicer_union_find),
)


def _measure(call: Action, name: str, swapped: bool) -> tuple[str, Any]:
    module = importlib.import_module(f"skerry.{name}") if swapped else None
    with module.use() if module else nullcontext():
        wall, cpu = perf_counter(), process_time()
        answer = call()
        wall, cpu = perf_counter() - wall, process_time() - cpu
        return f"{cpu:,.2f} ({wall:,.1f})", answer()


def row(case: Any, count: int, only: str | None) -> str:
    """A row of the table."""
    title = str(case.__doc__).splitlines()[0].rstrip(".")
    try:
        by_tool, by_skerry = case(count)
    except (ImportError, SyntaxError) as error:
        return f"| {title} | not installed: {error} | | |"
    name = case.__name__.removesuffix("_thresholds").removesuffix("_union_find")
    before, right = _measure(by_tool, name, False) if only != "after" else ("", None)
    after, answer = (
        _measure(by_skerry or by_tool, name, by_skerry is None) if only != "before" else ("", None)
    )
    same = "" if only else "the same" if answer == right else "others"
    return f"| {title} | {count:,} | {before} | {after} | {same} |"


def main() -> int:
    """Measures the cases named, or all."""
    parser = argparse.ArgumentParser(usage=str(__doc__).split("\n")[2].removeprefix("Usage: "))
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--only", choices=["before", "after"])
    parser.add_argument("case", nargs="*")
    options = parser.parse_args()
    print("| call | pairs | before, CPU s (wall) | after, CPU s (wall) | clusters |")
    print("|---|---|---|---|---|", flush=True)
    for case in CASES:
        if not options.case or case.__name__ in options.case:  # type: ignore[attr-defined]
            print(row(case, options.pairs, options.only), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
