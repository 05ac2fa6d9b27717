"""`skerry.pyg`: a transform for PyTorch Geometric, on CPUs and on GPUs."""

from __future__ import annotations

import pytest
import torch
from torch_geometric.data import Data
from torch_geometric.transforms import Compose
from torch_geometric.transforms import LargestConnectedComponents as Theirs

import skerry
from skerry.pyg import LargestConnectedComponents, component_labels

DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(
    not torch.cuda.is_available(), reason="this torch has no GPU"))]  # fmt: skip


def example(device, seed=1, n=400, m=260):
    random = torch.Generator().manual_seed(seed)
    edges = torch.randint(0, n, (2, m), generator=random).to(device)
    return Data(edge_index=edges, x=torch.arange(n, device=device), num_nodes=n)


@pytest.mark.parametrize("device", DEVICES)
def test_the_same_graph_as_that_of_pytorch_geometric(device):
    for seed in range(20):
        data = example(device, seed)
        kept, right = LargestConnectedComponents()(data), Theirs()(data)
        assert kept.edge_index.device.type == device
        if kept.num_nodes == right.num_nodes and torch.equal(kept.x, right.x):
            assert torch.equal(kept.edge_index, right.edge_index)
        else:  # another component of the same size
            assert kept.num_nodes == right.num_nodes
        several = LargestConnectedComponents(5)(data)
        assert several.num_nodes == Theirs(5)(data).num_nodes


@pytest.mark.parametrize("device", DEVICES)
def test_labels_stay_on_the_device(device):
    edges = torch.tensor([[3, 1], [4, 0]], device=device)
    labels = component_labels(edges, 6)
    assert labels.device.type == device and labels.dtype == torch.int64
    assert labels.tolist() == [0, 0, 1, 2, 2, 3]
    assert component_labels(edges).tolist() == [0, 0, 1, 2, 2]
    labels[0] = 7  # they are the caller's


@pytest.mark.parametrize("device", DEVICES)
def test_fewer_components_than_wanted_are_all_kept(device):
    data = example(device, n=5, m=30)
    assert LargestConnectedComponents(9)(data).num_nodes == 5


def test_in_a_chain_of_transforms():
    chain = Compose([LargestConnectedComponents(2)])
    assert chain(example("cpu")).num_nodes > 0
    assert repr(LargestConnectedComponents(2)) == repr(Theirs(2))


def test_strong_components_are_theirs():
    data = Data(edge_index=torch.tensor([[0, 1, 2], [1, 0, 1]]), num_nodes=3)
    kept = LargestConnectedComponents(connection="strong")(data)
    assert kept.num_nodes == Theirs(connection="strong")(data).num_nodes == 2


def test_what_cannot_be_honored_is_refused():
    with pytest.raises(skerry.InputError, match="connection"):
        LargestConnectedComponents(connection="both")
    with pytest.raises(skerry.InputError, match="num_components"):
        LargestConnectedComponents(0)
    with pytest.raises(skerry.InputError, match="two rows"):
        component_labels(torch.zeros((3, 4), dtype=torch.int64))
