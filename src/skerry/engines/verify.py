"""Checks labels against any source: what `skerry.verify` does."""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.graph.vertex_ids import as_ids, widen
from skerry.ids.id_space import IdSpace, counted_from
from skerry.inputs.host import load
from skerry.inputs.sources import AdjacencySource, DeviceSource, HostSource, Source, StreamSource
from skerry.result.components import Components
from skerry.result.verify import Verification, certify
from skerry.threads import available_threads

__all__ = ["verify_source"]


def verify_source(source: Source, labels: Any) -> Verification:
    """Checks that ``labels``, an array or a result, are the components of a source."""
    ids: IdSpace | None = None
    if isinstance(labels, Components):
        ids, labels = labels._ids, labels._to_host(labels.labels)
    elif hasattr(labels, "get") and hasattr(labels, "__cuda_array_interface__"):
        labels = labels.get()
    values = np.ascontiguousarray(widen(as_ids(labels, "labels")))
    if isinstance(source, AdjacencySource):
        # Imported for such graphs only, as by dispatch.
        from skerry.inputs.adjacency import as_edges

        source = as_edges(source)
    if isinstance(source, HostSource):
        return _verify_host(source, values)
    if isinstance(source, StreamSource):
        return _verify_batches(source, values, ids)
    return _verify_device(source, values)


def _verify_host(source: HostSource, values: Any) -> Verification:
    options = source.options
    if source.facts.format == "arrays" and options.num_vertices is None:
        # Bare arrays do not say how many vertices there are; the labels do.
        source = source._replace(options=options._replace(num_vertices=len(values)))
    return certify(load(source, available_threads()).graph, values)


def _verify_batches(source: StreamSource, values: Any, ids: IdSpace | None) -> Verification:
    # Imported for files, tables and batches only, as by dispatch.
    from skerry.engines.streaming.batches import agreed_count, verifier
    from skerry.engines.streaming.distinct import distinct_ids

    edges, threads = source.edges, available_threads()
    if edges.id_kind == "vertices":
        count = agreed_count(edges, source.options.num_vertices)
        ids = counted_from(edges.first_id, len(values) if count is None else count)
    elif ids is None:
        if not edges.repeatable:
            raise InputError(f"{edges.name} can be read only once: verify the result itself")
        ids = distinct_ids(source, threads)
    if len(values) != len(ids):
        raise InputError(f"the graph has {len(ids):,} vertices, but labels has {len(values):,}")
    return verifier(edges, ids, threads, source.options.selection)(values)


def _verify_device(source: DeviceSource, values: Any) -> Verification:
    # Imported for graphs on a GPU only: it brings all GPU code.
    from skerry.engines.device import certify_on_host

    return certify_on_host(source, values)
