"""Checks labels against files, tables and batches."""

from __future__ import annotations

from skerry.engines.label_input import Labeled
from skerry.engines.streaming.batches import agreed_count, verifier
from skerry.engines.streaming.distinct import distinct_ids
from skerry.engines.streaming.engine import vertices_of
from skerry.errors import InputError
from skerry.ids.id_space import counted_from
from skerry.inputs.sources import StreamSource
from skerry.result.verify import Shown, Verification


def verify_batches(source: StreamSource, labeled: Labeled, threads: int) -> Verification:
    """Reads a source; twice where its external ids are not given with the labels."""
    edges, values, ids = source.edges, labeled.values, labeled.ids
    only_used_ids = labeled.of_result
    count = agreed_count(edges, source.options.num_vertices)
    if ids is None and edges.id_kind == "vertices":
        ids = counted_from(edges.first_id, len(values) if count is None else count)
    elif ids is None:
        if not edges.repeatable:
            raise InputError(f"{edges.name} can be read only once: verify the result itself")
        ids, only_used_ids = distinct_ids(source, threads), True
    if len(values) != len(ids):
        raise InputError(f"the graph has {len(ids):,} vertices, but labels has {len(values):,}")
    vertices = vertices_of(source).ids
    selection, shown = source.options.selection, Shown(label=labeled.label)
    return verifier(edges, ids, threads, selection, vertices, only_used_ids, shown)(values)
