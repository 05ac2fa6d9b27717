"""DuckDB: contraction by joins, and a recursive query, all threads, from an edge list.

``duckdb`` runs the statements of `contract`. ``duckdb-recursive`` is the query that DuckDB's own
documentation proposes, with ``USING KEY``: one statement, but one round per hop of the longest path
of a label. It takes half a minute on a grid of 100,000 edges, so it gets tiny graphs only.
"""

from __future__ import annotations

from typing import Any, ClassVar

from skerry_bench.implementation import Answer, Graph, PeerAnswer, Scope
from skerry_bench.peers.adapter import Adapter
from skerry_bench.peers.contract import contract

ENDS = "SELECT a AS v, least(a, b) AS low FROM edges UNION ALL SELECT b, least(a, b) FROM edges"
STEPS = {
    "edges": "SELECT src AS a, dst AS b FROM pairs WHERE src <> dst",
    "labels": "SELECT range AS v, range AS label FROM range({n})",
    "choose": f"SELECT v, min(low) AS parent FROM ({ENDS}) GROUP BY v",
    "follow": "SELECT child.v, up.parent FROM parents AS child JOIN parents AS up "
    "ON child.parent = up.v",
    "contract": "SELECT DISTINCT x.parent AS a, y.parent AS b FROM edges "
    "JOIN parents AS x ON edges.a = x.v JOIN parents AS y ON edges.b = y.v "
    "WHERE x.parent <> y.parent",
    "relabel": "SELECT labels.v, coalesce(parents.parent, labels.label) AS label FROM labels "
    "LEFT JOIN parents ON labels.label = parents.v",
}
RECURSIVE = """
WITH RECURSIVE found(v, label) USING KEY (v) AS (
    SELECT range, range FROM range({n})
    UNION
    SELECT ways.b, min(found.label)
    FROM found JOIN ways ON found.v = ways.a JOIN recurring.found AS known ON known.v = ways.b
    WHERE found.label < known.label
    GROUP BY ways.b
)
SELECT label FROM found ORDER BY v
"""


class Duckdb(Adapter):
    """Two columns in, labels in the order of their vertices out."""

    name: ClassVar[str] = "duckdb"
    package: ClassVar[str] = "duckdb"
    distribution: ClassVar[str] = "duckdb"
    parallel: ClassVar[bool] = True
    scopes: ClassVar[tuple[Scope, ...]] = ("end_to_end",)
    max_entries: ClassVar[int | None] = 400_000_000

    def end_to_end(self, graph: Graph, threads: int) -> Answer:
        """A database in memory, made for this call."""
        with _connected(graph, threads) as database:
            engine = _Tables(database, graph.edges.num_vertices)
            contract(engine)
            return PeerAnswer(labels=engine.labels())


class DuckdbRecursive(Duckdb):
    """The same with one query."""

    name: ClassVar[str] = "duckdb-recursive"
    max_entries: ClassVar[int | None] = 20_000

    def end_to_end(self, graph: Graph, threads: int) -> Answer:
        """Labels spread along both directions of the edges."""
        with _connected(graph, threads) as database:
            both = "SELECT src AS a, dst AS b FROM pairs UNION ALL SELECT dst, src FROM pairs"
            database.execute(f"CREATE TEMP TABLE ways AS {both}")
            query = RECURSIVE.format(n=graph.edges.num_vertices)
            return PeerAnswer(labels=database.execute(query).fetchnumpy()["label"])


def _connected(graph: Graph, threads: int) -> Any:
    import duckdb
    import pyarrow

    edges = graph.edges
    database = duckdb.connect(config={"threads": threads, "preserve_insertion_order": False})
    database.register("pairs", pyarrow.table({"src": edges.src, "dst": edges.dst}))
    return database


class _Tables:
    def __init__(self, database: Any, n: int) -> None:
        self._database = database
        self._make("edges", STEPS["edges"])
        self._make("labels", STEPS["labels"].format(n=n))

    def edges_left(self) -> bool:
        return self._scalar("SELECT count(*) FROM edges") > 0

    def choose_parents(self) -> None:
        self._make("parents", STEPS["choose"])

    def follow_parents(self) -> bool:
        before = self._scalar("SELECT sum(parent) FROM parents")
        self._make("parents", STEPS["follow"])
        # Parents only decrease, so an unchanged sum means that no parent changed.
        return self._scalar("SELECT sum(parent) FROM parents") != before

    def contract_edges(self) -> None:
        self._make("edges", STEPS["contract"])
        self._make("labels", STEPS["relabel"])

    def labels(self) -> Any:
        return self._database.execute("SELECT label FROM labels ORDER BY v").fetchnumpy()["label"]

    def _make(self, name: str, query: str) -> None:
        self._database.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")

    def _scalar(self, query: str) -> int:
        return int(self._database.execute(query).fetchone()[0])
