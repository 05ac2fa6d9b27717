"""Components for PyTorch Geometric, on whatever device the edges are.

torch is imported with the first call, torch_geometric for strong components only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skerry.api import connected_components
from skerry.errors import InputError

if TYPE_CHECKING:
    import torch

__all__ = ["LargestConnectedComponents", "component_labels"]


def component_labels(edge_index: torch.Tensor, num_nodes: int | None = None) -> torch.Tensor:
    """The number of the component of every node, on the device of the edges.

    Parameters
    ----------
    edge_index
        Two rows of node numbers, as everywhere in PyTorch Geometric. Either direction of an edge
        is enough.
    num_nodes
        Number of nodes; by default the largest number + 1, for which a GPU is waited for.

    Returns
    -------
    torch.Tensor
        ``int64``: components are numbered in order of first appearance.

    Raises
    ------
    InputError
        If the edges are not two rows of node numbers.

    Examples
    --------
    Nodes 0 and 1 are linked, and 2 is alone::

        component_labels(torch.tensor([[0], [1]]), num_nodes=3)  # tensor([0, 0, 1])
    """
    import torch

    if edge_index.dim() != 2 or edge_index.shape[0] != 2:
        raise InputError(f"edge_index has two rows, got shape {tuple(edge_index.shape)}")
    ends = (edge_index[0], edge_index[1])  # a 2 x 2 array of edges could be either way around
    result = connected_components(ends, num_vertices=num_nodes, labels="dense", dtype="int64")
    labels: Any = result.labels
    if edge_index.is_cuda:
        return torch.from_dlpack(labels)
    return torch.from_numpy(labels.copy())  # the labels of a result are read-only


class LargestConnectedComponents:
    """A transform that keeps the largest components, without leaving the device of the data.

    Replaces ``torch_geometric.transforms.LargestConnectedComponents``, which copies the
    edges to the host and calls scipy. Of components of the same size, that with the smaller node
    goes first.

    Parameters
    ----------
    num_components
        How many components to keep.
    connection
        ``"weak"``, or ``"strong"``, which is handed to the transform of PyTorch Geometric.
    """

    def __init__(self, num_components: int = 1, connection: str = "weak") -> None:
        if connection not in ("weak", "strong"):
            raise InputError(f"connection must be 'weak' or 'strong', got {connection!r}")
        if num_components < 1:
            raise InputError(f"num_components must be 1 or more, got {num_components!r}")
        self.num_components = num_components
        self.connection = connection

    def __call__(self, data: Any) -> Any:
        """The data of the nodes that are kept."""
        if self.connection == "strong":
            from torch_geometric import transforms

            return transforms.LargestConnectedComponents(self.num_components, "strong")(data)
        import torch

        labels = component_labels(data.edge_index, data.num_nodes)
        sizes = torch.bincount(labels)
        if len(sizes) <= self.num_components:
            return data
        order = torch.argsort(sizes, descending=True, stable=True)
        kept = torch.zeros(len(sizes), dtype=torch.bool, device=labels.device)
        kept[order[: self.num_components]] = True
        return data.subgraph(kept[labels])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.num_components})"
