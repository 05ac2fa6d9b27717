"""The clusters of Splink (5.0), by skerry.

``with skerry.splink.use():`` around the calls of Splink is all that changes. Splink is imported
then, not before. All ways to clusters are reached, ``linker.clustering`` and ``splink.clustering``,
with one threshold and with several. Of the databases only DuckDB is: tables of Spark and others
stay where they are, and Splink clusters them itself.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from skerry.api import connected_components
from skerry.patch.swap import Swap, use_of
from skerry.result.components import Components

__all__ = ["use"]

_MODULE = "splink.internals.connected_components"
OUTPUT = "__splink__clustering_output_final"
"""The name by which Splink's own queries call the table of clusters."""


def solve_connected_components(
    nodes_table: Any,
    edges_table: Any,
    node_id_column_name: str,
    edge_id_column_name_left: str,
    edge_id_column_name_right: str,
    db_api: Any,
    threshold_match_probability: float | None,
) -> Any:
    """Replaces Splink's function of this name.

    Parameters
    ----------
    nodes_table, edges_table
        Tables of Splink.
    node_id_column_name
        The ids among the columns of the nodes.
    edge_id_column_name_left, edge_id_column_name_right
        The ids among the columns of the edges.
    db_api
        The database.
    threshold_match_probability
        Edges from this ``match_probability`` on count; all if it is None.

    Returns
    -------
    SplinkDataFrame
        Every node once, with ``cluster_id``, the smallest id of its cluster.
    """
    if db_api.sql_dialect.sql_dialect_str != "duckdb":
        return _by_splink(
            nodes_table,
            edges_table,
            node_id_column_name,
            edge_id_column_name_left,
            edge_id_column_name_right,
            db_api,
            threshold_match_probability,
        )
    condition = (
        f" where match_probability >= {threshold_match_probability}"
        if threshold_match_probability is not None
        else ""
    )
    edges = db_api.duckdb_con.sql(
        f"select {edge_id_column_name_left} as l, {edge_id_column_name_right} as r "
        f"from {edges_table.physical_name}{condition}"
    )
    result = connected_components(edges, source="l", target="r", on_null="drop")
    return _clusters(result, nodes_table, node_id_column_name, db_api)


def _clusters(result: Components, nodes_table: Any, column: str, db_api: Any) -> Any:
    """Every node with the id of its component."""
    from splink.internals.pipeline import CTEPipeline

    node = f"nodes.{column}"
    pipeline = CTEPipeline([nodes_table])
    if not len(result.ids):  # no edges: their columns would be of no type that ids have
        pipeline.enqueue_sql(
            f"select distinct {node} as {column}, {node} as cluster_id "
            f"from {nodes_table.templated_name} as nodes",
            OUTPUT,
        )
        return db_api.sql_pipeline_to_splink_dataframe(pipeline)
    clusters = f"__skerry__clusters_{uuid4().hex}"
    db_api.duckdb_con.register(clusters, result.table())
    pipeline.enqueue_sql(
        f"select distinct {node} as {column}, "
        f"coalesce(clusters.component, {node}) as cluster_id "
        f"from {nodes_table.templated_name} as nodes "
        f"left join {clusters} as clusters on {node} = clusters.id",
        OUTPUT,
    )
    try:
        return db_api.sql_pipeline_to_splink_dataframe(pipeline)
    finally:
        db_api.duckdb_con.unregister(clusters)


def _by_splink(*arguments: Any) -> Any:
    original = Swap.original("splink", f"{_MODULE}:solve_connected_components")
    return original(*arguments)


use = use_of("splink", {f"{_MODULE}:solve_connected_components": solve_connected_components})
