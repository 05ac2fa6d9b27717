"""The families of `skerry.generators`, generated in the memory of a device.

The same recipe gives the same edges in the same order as there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import skerry._native as _native
from skerry.cuda.runtime import BLOCK, Runtime, Widths
from skerry.errors import ArgumentError
from skerry.generators import builder
from skerry.generators.builder import Recipe
from skerry.graph.device import DeviceEdges
from skerry.graph.edges import vertex_dtype

HOST_FAMILIES = ("delaunay", "geometric", "planted")


def make(runtime: Runtime, recipe: Recipe, wide: bool = False) -> DeviceEdges:
    """The graph that a recipe describes, with 32-bit ids where they suffice unless ``wide``.

    The families of `HOST_FAMILIES` are generated on the host and copied.
    """
    if recipe.family == "road":
        edges = _road(runtime, recipe, wide)
    elif recipe.family == "graph500_reference":
        edges = graph500_range(runtime, recipe, 0, recipe.parameters[1], wide)
    elif recipe.family in HOST_FAMILIES:
        return _uploaded(runtime, recipe, wide)
    else:
        edges = _generated(runtime, recipe, wide)
    if recipe.shuffle is not None:
        for ids in (edges.src, edges.dst):
            arguments = (recipe.shuffle, edges.num_vertices, ids, len(ids))
            _launch(runtime, "shuffle_ids", len(ids), ids.dtype, *arguments)
    return edges


def _generated(runtime: Runtime, recipe: Recipe, wide: bool) -> DeviceEdges:
    n, m = _native.family_size(recipe.family, recipe.parameters)
    edges = _empty(runtime, n, m, wide)
    arguments = (*recipe.parameters, edges.src, edges.dst)
    _launch(runtime, f"fill_{recipe.family}", m, edges.src.dtype, *arguments)
    return edges


def graph500_range(
    runtime: Runtime, recipe: Recipe, first: int, last: int, wide: bool = False
) -> DeviceEdges:
    """The edges number ``first..last`` of `generators.graph500_reference`."""
    scale, pairs, seed1, seed2 = recipe.parameters
    if not 0 <= first <= last <= pairs:
        raise ArgumentError(f"the graph has the edges 0..{pairs}, not {first}..{last}")
    edges = _empty(runtime, 1 << scale, last - first, wide)
    words = np.empty(_native.GRAPH500_PLAN_WORDS, np.uint64)
    _native.plan_graph500(seed1, seed2, _blocks(runtime, last - first) * BLOCK, words)
    arguments = (scale, runtime.upload(words), first, last - first, edges.src, edges.dst)
    _launch(runtime, "fill_graph500", last - first, edges.src.dtype, *arguments, source="graph500")
    return edges


def _road(runtime: Runtime, recipe: Recipe, wide: bool) -> DeviceEdges:
    width, bends, _, _, _, largest, _ = recipe.parameters
    crossings = width * width
    kept = runtime.empty(crossings, np.uint64)
    kept_before = runtime.zeros(crossings + 1, np.uint64)
    limit = crossings * (1 + (2 + (largest > 0)) * bends)
    ids = _id_type(limit, wide)  # usually the type of the edges too
    _launch(runtime, "count_streets", crossings, ids, *recipe.parameters, kept)
    if crossings:
        kept_before[1:] = runtime.xp.cumsum(kept)
    streets = int(runtime.read(kept_before[-1:])[0])
    edges = _empty(runtime, crossings + streets * bends, streets * (bends + 1), wide)
    arguments = (*recipe.parameters, kept_before, edges.src, edges.dst)
    _launch(runtime, "fill_road", crossings, edges.src.dtype, *arguments)
    return edges


def _uploaded(runtime: Runtime, recipe: Recipe, wide: bool) -> DeviceEdges:
    edges = builder.make(recipe)
    ids = _id_type(edges.num_vertices, wide)
    src, dst = (runtime.upload(column.astype(ids, copy=False)) for column in (edges.src, edges.dst))
    return DeviceEdges(src, dst, edges.num_vertices)


def _empty(runtime: Runtime, n: int, m: int, wide: bool) -> DeviceEdges:
    ids = _id_type(n, wide)
    return DeviceEdges(runtime.empty(m, ids), runtime.empty(m, ids), n)


def _id_type(n: int, wide: bool) -> np.dtype[Any]:
    return np.dtype(np.uint64) if wide else vertex_dtype(n)


def _blocks(runtime: Runtime, work: int) -> int:
    return min(-(-work // BLOCK), runtime.max_blocks)


def _launch(
    runtime: Runtime,
    kernel: str,
    work: int,
    ids: np.dtype[Any],
    *arguments: Any,
    source: str = "generate",
) -> None:
    """Launches a kernel compiled for ids of this type, with a thread for each work item."""
    blocks = _blocks(runtime, work)
    if not blocks:
        return
    bits = 8 * ids.itemsize
    function = runtime.kernel(source, kernel, Widths(bits, bits, bits).defines)
    # As unsigned integers: a seed may need all 64 bits.
    array = runtime.xp.ndarray
    words = tuple(value if isinstance(value, array) else np.uint64(value) for value in arguments)
    function((blocks,), (BLOCK,), words)
