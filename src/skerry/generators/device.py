"""The families of `skerry.generators`, generated in the memory of a device.

The same arguments give the same edges in the same order as there. The functions have the device's
runtime as their first argument and take no number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any, Concatenate, ParamSpec

import numpy as np

from skerry import _native, generators
from skerry.cuda.runtime import BLOCK, Runtime, Widths
from skerry.errors import ArgumentError
from skerry.generators import recipes
from skerry.generators.recipes import Recipe
from skerry.graph.device import DeviceEdges
from skerry.graph.edges import vertex_dtype

__all__ = [
    "complete",
    "geometric",
    "graph500",
    "graph500_range",
    "graph500_reference",
    "grid",
    "make",
    "mawi",
    "path",
    "preferential_attachment",
    "profile",
    "random_picks",
    "ring",
    "rmat",
    "rmat_of",
    "road",
    "star",
    "tiny",
    "torus",
    "uniform",
    "web",
]

HOST_FAMILIES = ("delaunay", "geometric", "planted")

Arguments = ParamSpec("Arguments")


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
    width, bends, *_, largest = recipe.parameters
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
    edges = generators.make(recipe)
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


def _on_device(
    recipe: Callable[Arguments, Recipe],
) -> Callable[Concatenate[Runtime, Arguments], DeviceEdges]:
    """The function that generates, on a device, the graph that the recipe describes."""

    def generate(
        runtime: Runtime, /, *arguments: Arguments.args, **options: Arguments.kwargs
    ) -> DeviceEdges:
        return make(runtime, recipe(*arguments, **options))

    own = signature(recipe)
    first = Parameter("runtime", Parameter.POSITIONAL_ONLY, annotation="Runtime")
    generate.__name__ = generate.__qualname__ = recipe.__name__
    generate.__doc__ = f"{recipe.__doc__} See `generators.{recipe.__name__}`."
    generate.__signature__ = own.replace(  # type: ignore[attr-defined]
        parameters=[first, *own.parameters.values()], return_annotation="DeviceEdges"
    )
    return generate


grid = _on_device(recipes.grid)
torus = _on_device(recipes.torus)
path = _on_device(recipes.path)
star = _on_device(recipes.star)
complete = _on_device(recipes.complete)
uniform = _on_device(recipes.uniform)
random_picks = _on_device(recipes.random_picks)
rmat = _on_device(recipes.rmat)
graph500 = _on_device(recipes.graph500)
graph500_reference = _on_device(recipes.graph500_reference)
road = _on_device(recipes.road)
mawi = _on_device(recipes.mawi)
tiny = _on_device(recipes.tiny)
geometric = _on_device(recipes.geometric)
preferential_attachment = _on_device(recipes.preferential_attachment)
profile = _on_device(recipes.profile)
ring = _on_device(recipes.ring)
rmat_of = _on_device(recipes.rmat_of)
web = _on_device(recipes.web)
