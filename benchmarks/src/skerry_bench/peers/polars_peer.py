"""polars: contraction by joins, all threads, from an edge list; see `contract`.

The number of threads is fixed when polars is imported (``POLARS_MAX_THREADS``); the process of the
measurement sets it.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from skerry_bench.implementation import Answer, Graph, PeerAnswer, Scope
from skerry_bench.peers.adapter import Adapter, Ids
from skerry_bench.peers.contract import contract


class Polars(Adapter):
    """Data frames in, labels out."""

    name: ClassVar[str] = "polars"
    package: ClassVar[str] = "polars"
    distribution: ClassVar[str] = "polars"
    parallel: ClassVar[bool] = True
    scopes: ClassVar[tuple[Scope, ...]] = ("end_to_end",)
    max_entries: ClassVar[int | None] = 400_000_000

    def end_to_end(self, graph: Graph, threads: int) -> Answer:
        """One frame of edges to one column of labels."""
        del threads
        edges = graph.edges
        engine = _Frames(edges.src, edges.dst, edges.num_vertices)
        contract(engine)
        return PeerAnswer(labels=engine.labels.to_numpy())


class _Frames:
    def __init__(self, src: Ids, dst: Ids, n: int) -> None:
        import polars

        self._pl = polars
        pairs = polars.DataFrame({"a": src, "b": dst})
        self._edges = pairs.filter(polars.col("a") != polars.col("b"))
        self._parents = pairs.head(0)
        self.labels = polars.Series("label", np.arange(n, dtype=src.dtype))

    def edges_left(self) -> bool:
        return len(self._edges) > 0

    def choose_parents(self) -> None:
        pl = self._pl
        smallest = pl.min_horizontal("a", "b").alias("parent")
        ends = [self._edges.lazy().select(pl.col(end).alias("v"), smallest) for end in ("a", "b")]
        self._parents = pl.concat(ends).group_by("v").agg(pl.col("parent").min()).collect()

    def follow_parents(self) -> bool:
        before = self._parents
        step = self._renamed(v="parent", parent="grandparent")
        after = before.lazy().join(step, on="parent").select("v", parent="grandparent").collect()
        self._parents = after
        # Parents only decrease, so an unchanged sum means that no parent changed.
        return bool(after["parent"].sum() != before["parent"].sum())

    def contract_edges(self) -> None:
        pl = self._pl
        named = self._edges.lazy()
        for end, root in (("a", "x"), ("b", "y")):
            named = named.join(self._renamed(v=end, parent=root), on=end)
        moved = named.filter(pl.col("x") != pl.col("y")).select(a="x", b="y")
        self._edges = moved.unique().collect()
        labels = self.labels.to_frame().lazy()
        root = self._renamed(v="label", parent="root")
        joined = labels.join(root, on="label", how="left", maintain_order="left")
        self.labels = joined.select(label=pl.coalesce("root", "label")).collect()["label"]

    def _renamed(self, **names: str) -> Any:
        return self._parents.lazy().rename(names)
