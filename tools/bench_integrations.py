"""How long other libraries' calls take as they are, and with scipy patched by skerry.

Usage: python tools/bench_integrations.py [--cpu] [case ...]

Prints a table for docs/integrations.md: each case is run three times as it is and three times in
`skerry.patch_scipy()`, in turn, after one run of each that does not count. The fastest of each
counts, in milliseconds: of the library's call, and of what it spends in scipy's function. Where
skerry is called otherwise (the backend of networkx, a transform), that call is compared. With
``--cpu`` the time is that of the process on all cores, which other programs disturb less. A library
that is not installed is left out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from time import perf_counter, process_time
from typing import Any

import numpy as np
import scipy.sparse
from scipy.sparse import csgraph

import skerry
from skerry.patch.swap import replace_everywhere

REPEATS = 3
Action = Callable[[], Any]
Case = Callable[[], Action | tuple[Action, Action]]
Clock = Callable[[], float]


def _random_graph(n: int, m: int) -> Any:
    random = np.random.default_rng(1)
    ends = random.integers(0, n, m), random.integers(0, n, m)
    return scipy.sparse.coo_array((np.ones(m), ends), shape=(n, n)).tocsr()


def scipy_random() -> Action:
    """scipy: 1M vertices, 3M entries in random places, CSR."""
    graph = _random_graph(1_000_000, 3_000_000)
    return lambda: csgraph.connected_components(graph, directed=False)


def scipy_grid() -> Action:
    """scipy: a grid of 1000 x 1000, 2M entries, COO."""
    numbers = np.arange(1_000_000).reshape(1000, 1000)
    src = np.append(numbers[:, :-1], numbers[:-1])
    dst = np.append(numbers[:, 1:], numbers[1:])
    graph = scipy.sparse.coo_array((np.ones(len(src)), (src, dst)), shape=(1_000_000,) * 2)
    return lambda: csgraph.connected_components(graph, directed=False)


def _points(n: int) -> Any:
    from sklearn.datasets import make_blobs

    return make_blobs(n, centers=50, cluster_std=0.3, random_state=1)[0]


def sklearn_agglomerative() -> Action:
    """scikit-learn: AgglomerativeClustering of 10,000 points along 10 neighbors."""
    from sklearn.cluster import AgglomerativeClustering
    from sklearn.neighbors import kneighbors_graph

    points = _points(10_000)
    neighbors = kneighbors_graph(points, 10)
    model = AgglomerativeClustering(50, connectivity=neighbors, linkage="single")
    return lambda: model.fit(points)


def sklearn_isomap() -> Action:
    """scikit-learn: Isomap of 2,000 points, 20 neighbors."""
    from sklearn.manifold import Isomap

    points = np.random.default_rng(1).normal(size=(2_000, 3))
    return lambda: Isomap(n_neighbors=20).fit(points)


def sklearn_hdbscan() -> Action:
    """scikit-learn: HDBSCAN of sparse distances, 5,000 points."""
    from sklearn.cluster import HDBSCAN
    from sklearn.neighbors import kneighbors_graph

    distances = kneighbors_graph(
        np.random.default_rng(1).normal(size=(5_000, 2)), 30, mode="distance"
    )
    distances = distances.maximum(distances.T).tocsr()
    return lambda: HDBSCAN(metric="precomputed", copy=True).fit(distances)


def trimesh_bodies() -> Action:
    """trimesh: `body_count` of a mesh of 1,000 spheres, 1.3M faces."""
    import trimesh

    sphere = trimesh.creation.icosphere(subdivisions=3)
    spheres = [sphere.copy().apply_translation((3 * i, 0, 0)) for i in range(1000)]
    mesh = trimesh.util.concatenate(spheres)
    assert len(mesh.face_adjacency)

    def count() -> int:
        mesh._cache.delete("body_count")
        return int(mesh.body_count)

    return count


def trimesh_components() -> Action:
    """trimesh: `graph.connected_components` of the same mesh's faces."""
    import trimesh

    sphere = trimesh.creation.icosphere(subdivisions=3)
    spheres = [sphere.copy().apply_translation((3 * i, 0, 0)) for i in range(1000)]
    mesh = trimesh.util.concatenate(spheres)
    pairs = mesh.face_adjacency
    nodes = np.arange(len(mesh.faces))
    return lambda: trimesh.graph.connected_components(pairs, nodes=nodes)


def dask_image_label() -> Action:
    """dask-image: `label` of 2048 x 2048 random pixels in blocks of 256."""
    import dask.array
    from dask_image.ndmeasure import label

    pixels = np.random.default_rng(1).random((2048, 2048)) < 0.55
    image = dask.array.from_array(pixels, chunks=256)
    return lambda: label(image)[0].compute()


def pyg_largest() -> Action:
    """PyTorch Geometric: LargestConnectedComponents of 1M nodes, 2M edges, on a CPU."""
    import torch
    from torch_geometric.data import Data
    from torch_geometric.transforms import LargestConnectedComponents

    edges = torch.from_numpy(np.random.default_rng(1).integers(0, 1_000_000, (2, 2_000_000)))
    data = Data(edge_index=edges, num_nodes=1_000_000)
    return lambda: LargestConnectedComponents()(data)


def pyg_transform() -> tuple[Action, Action]:
    """PyTorch Geometric: the same by `skerry.pyg.LargestConnectedComponents`."""
    import torch
    from torch_geometric import transforms
    from torch_geometric.data import Data

    from skerry import pyg

    edges = torch.from_numpy(np.random.default_rng(1).integers(0, 1_000_000, (2, 2_000_000)))
    data = Data(edge_index=edges, num_nodes=1_000_000)
    return (
        lambda: transforms.LargestConnectedComponents()(data),
        lambda: pyg.LargestConnectedComponents()(data),
    )


def networkx_graph() -> tuple[Action, Action]:
    """networkx: `number_connected_components` of 300,000 nodes, 600,000 edges, asked first."""
    import networkx as nx

    ends = np.random.default_rng(1).integers(0, 300_000, (600_000, 2)).tolist()
    graph = nx.Graph()
    graph.add_nodes_from(range(300_000))
    graph.add_edges_from(ends)

    def by_skerry() -> int:
        graph.__networkx_cache__.clear()
        return int(nx.number_connected_components(graph, backend="skerry"))

    return lambda: nx.number_connected_components(graph), by_skerry


def networkx_arrays() -> tuple[Action, Action]:
    """networkx: a graph of 600,000 edges in arrays made, and its components counted."""
    import networkx as nx

    from skerry.networkx import from_edges

    ends = np.random.default_rng(1).integers(0, 300_000, (2, 600_000))

    def by_networkx() -> int:
        graph = nx.Graph()
        graph.add_edges_from(ends.T.tolist())
        return int(nx.number_connected_components(graph))

    def by_skerry() -> int:
        return int(nx.number_connected_components(from_edges((ends[0], ends[1]))))

    return by_networkx, by_skerry


def _cells(count: int) -> Any:
    """Cells whose neighbors are known, 15 each."""
    import anndata
    from sklearn.neighbors import kneighbors_graph

    points = np.random.default_rng(1).normal(size=(count, 3)).astype(np.float32)
    near = kneighbors_graph(points, 15)
    matrices = {"connectivities": near.maximum(near.T), "distances": near}
    keys = {f"{name}_key": name for name in matrices}
    known = {"neighbors": {**keys, "params": {"n_neighbors": 15, "method": "umap"}}}
    return anndata.AnnData(points, obsp=matrices, uns=known)


def scanpy_neighbors() -> Action:
    """scanpy: `Neighbors`, which `tl.dpt` and `tl.diffmap` begin with, of 200,000 cells."""
    import scanpy

    cells = _cells(200_000)
    return lambda: scanpy.Neighbors(cells)


def scanpy_diffmap() -> Action:
    """scanpy: `tl.diffmap` of 20,000 cells."""
    import scanpy

    cells = _cells(20_000)
    return lambda: scanpy.tl.diffmap(cells)


CASES: tuple[Case, ...] = (
    scipy_random,
    scipy_grid,
    sklearn_agglomerative,
    sklearn_isomap,
    sklearn_hdbscan,
    trimesh_bodies,
    trimesh_components,
    dask_image_label,
    scanpy_neighbors,
    scanpy_diffmap,
    pyg_largest,
    pyg_transform,
    networkx_graph,
    networkx_arrays,
)


class _Timed:
    """Stands in for scipy's function, whoever answers it, and adds up the time of its calls."""

    def __init__(self, function: Any, clock: Clock) -> None:
        self.function, self.clock, self.seconds = function, clock, 0.0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        begin = self.clock()
        try:
            return self.function(*args, **kwargs)
        finally:
            self.seconds += self.clock() - begin


def measure(call: Action, patched: bool, clock: Clock) -> tuple[float, float]:
    """Milliseconds of a call, and of scipy's function in it."""
    with skerry.patch_scipy() if patched else nullcontext():
        held = (csgraph.connected_components,)  # in a tuple: a name would be replaced too
        timed = _Timed(held[0], clock)
        replace_everywhere(held[0], timed, except_in="skerry.patch.scipy")
        try:
            begin = clock()
            call()
            return 1e3 * (clock() - begin), 1e3 * timed.seconds
        finally:
            replace_everywhere(timed, held[0])


def row(case: Case, clock: Clock) -> str:
    """A row of the table."""
    title = str(case.__doc__).rstrip(".")
    try:
        call = case()
    except ImportError as error:
        return f"| {title} | not installed: {error.name} | | | |"
    calls = call if isinstance(call, tuple) else (call, call)
    best = {False: (np.inf, np.inf), True: (np.inf, np.inf)}
    for repeat in range(REPEATS + 1):
        for patched in best:
            times = measure(calls[patched], patched and calls[0] is calls[1], clock)
            if repeat:
                best[patched] = tuple(map(min, best[patched], times))  # type: ignore[assignment]
    before, after = best[False], best[True]
    if calls[0] is not calls[1]:
        ratio = before[0] / after[0]
        return f"| {title} | {before[0]:,.0f} | {after[0]:,.0f} ({ratio:.1f} times as fast) | | |"
    ratio = before[1] / after[1]
    return (
        f"| {title} | {before[0]:,.0f} | {after[0]:,.0f} | {before[1]:,.1f} | {after[1]:,.1f} "
        f"({ratio:.1f} times as fast) |"
    )


def main(names: list[str]) -> int:
    """Measures the cases named, or all."""
    clock = process_time if "--cpu" in names else perf_counter
    names = [name for name in names if name != "--cpu"]
    print("| call | before, ms | after, ms | in scipy's function, ms | in skerry, ms |")
    print("|---|---|---|---|---|", flush=True)
    for case in CASES:
        if not names or case.__name__ in names:  # type: ignore[attr-defined]
            print(row(case, clock), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
