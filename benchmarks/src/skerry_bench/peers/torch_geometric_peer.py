"""PyTorch Geometric: what its `LargestConnectedComponents` does, up to the labels.

It has no algorithm of its own: edges are copied from the GPU to the host, into a scipy matrix, and
solved by `scipy.sparse.csgraph`. That is what a user with an ``edge_index`` on a GPU waits for.
"""

from __future__ import annotations

from typing import ClassVar

from skerry_bench.implementation import Answer, Graph, PeerAnswer, Scope
from skerry_bench.peers.adapter import GpuAdapter


class TorchGeometric(GpuAdapter):
    """An ``edge_index`` on the device to labels on the host."""

    name: ClassVar[str] = "torch-geometric"
    package: ClassVar[str] = "torch_geometric"
    distribution: ClassVar[str] = "torch-geometric"
    scopes: ClassVar[tuple[Scope, ...]] = ("end_to_end",)

    def end_to_end(self, graph: Graph, threads: int) -> Answer:
        """Without a copy on the device: torch reads CuPy's arrays."""
        del threads
        import torch
        from scipy.sparse.csgraph import connected_components
        from torch_geometric.utils import to_scipy_sparse_matrix

        edges = graph.device_edges
        ends = [
            torch.as_tensor(ids.astype("int64"), device="cuda") for ids in (edges.src, edges.dst)
        ]
        matrix = to_scipy_sparse_matrix(torch.stack(ends), num_nodes=edges.num_vertices)
        return PeerAnswer(labels=connected_components(matrix, directed=False)[1])
