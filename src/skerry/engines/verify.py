"""Checks labels against any source: what `skerry.verify` does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.engines.label_input import Labeled, read_labels
from skerry.errors import InputError
from skerry.ids.id_space import IdSpace
from skerry.ids.objects import Objects
from skerry.inputs.host import load
from skerry.inputs.sources import AdjacencySource, DeviceSource, HostSource, Source, StreamSource
from skerry.inputs.weights import names_of_kept
from skerry.result.verify import Shown, Verification, certify
from skerry.threads import resolve_threads

NO_FOREST = np.empty(0, np.uint64)


def verify_source(source: Source, labels: Any, threads: int | None = None) -> Verification:
    """Checks that ``labels`` are the components of a source; see label_input.py for their forms."""
    team = resolve_threads(threads)
    if isinstance(source, AdjacencySource):
        # Imported for such graphs only, as by dispatch.
        from skerry.inputs.adjacency import as_edges

        source = as_edges(source)
    if isinstance(source, HostSource):
        of_objects = isinstance(source.ids, Objects)
        return _verify_host(source, read_labels(labels, 1, of_objects=of_objects), team)
    if isinstance(source, StreamSource):
        # Imported for files, tables and batches only, as by dispatch.
        from skerry.engines.streaming.verify import verify_batches

        return verify_batches(source, read_labels(labels, len(source.facts.source) or 1), team)
    return _verify_device(source, read_labels(labels, 1))


def _verify_host(source: HostSource, labeled: Labeled, threads: int) -> Verification:
    values = labeled.values
    if labeled.ids is not None:
        if source.ids is None:
            ordered, missing = _by_number(labeled.ids, values)
        else:
            ordered, missing = _by_id(source.ids, labeled.ids, values)
        if ordered is None:
            return Verification(False, f"{missing!r} is in no component", NO_FOREST)
        values = ordered
    options = source.options
    if source.facts.format == "arrays" and options.num_vertices is None:
        # Bare arrays do not say how many vertices there are; the labels do.
        source = replace(source, options=options._replace(num_vertices=len(values)))
    shown = Shown(None if source.ids is None else source.ids.__getitem__, labeled.label)
    return certify(load(source, threads)[0], values, threads, names_of_kept(source), shown)


def _by_number(
    ids: IdSpace, values: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any] | None, int | None]:
    """Labels in the order of vertices, or a vertex that has none."""
    if not ids.are_integers:
        raise InputError("the vertices of this graph are numbers, but the labels' ids are not")
    numbers = ids.column(np.arange(len(ids)))
    if len(numbers) and numbers.min() < 0:
        raise InputError(f"{numbers.min()} is not a vertex number")
    ordered = np.zeros(int(numbers.max()) + 1 if len(numbers) else 0, values.dtype)
    if len(ordered) > len(numbers):
        return None, int(np.setdiff1d(np.arange(len(ordered)), numbers)[0])
    ordered[numbers] = values
    if len(np.unique(numbers)) < len(numbers):
        raise InputError("a vertex has more than one label")
    return ordered, None


def _by_id(
    ids: IdSpace, own: IdSpace, values: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any] | None, Any]:
    """Labels in the order of ``ids``, or an id that has none."""
    if own is ids:
        return values, None
    positions = own.positions(ids.objects(np.arange(len(ids))))
    if len(positions) and positions.min() < 0:
        return None, ids[int(np.argmin(positions))]
    if len(own) > len(ids):
        unknown = ids.positions(own.objects(np.arange(len(own))))
        raise InputError(f"{own[int(np.argmin(unknown))]!r} has a label, but is not in the graph")
    return values[positions], None


def _verify_device(source: DeviceSource, labeled: Labeled) -> Verification:
    # Imported for graphs on a GPU only: it brings all GPU code.
    from skerry.engines.device import certify_on_host

    values = labeled.values
    if labeled.ids is not None:
        ordered, missing = _by_number(labeled.ids, values)
        if ordered is None:
            return Verification(False, f"{missing!r} is in no component", NO_FOREST)
        values = ordered
    return certify_on_host(source, values, Shown(label=labeled.label))
