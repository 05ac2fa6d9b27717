"""Other libraries, an adapter each: `PEERS` by name. docs/peers.md says how each is called.

An adapter imports its library inside of its methods only, so that the table can be read without any
of them. To add one: a file with a class like those here, and its line below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skerry.errors import InputError
from skerry_bench.implementation import Device
from skerry_bench.peers.adapter import Adapter
from skerry_bench.peers.cugraph_peer import Pylibcugraph
from skerry_bench.peers.cupyx_peer import Cupyx
from skerry_bench.peers.duckdb_peer import Duckdb, DuckdbRecursive
from skerry_bench.peers.graphblas_peer import Graphblas
from skerry_bench.peers.igraph_peer import Igraph
from skerry_bench.peers.networkit_peer import Networkit, NetworkitParallel
from skerry_bench.peers.networkx_peer import Networkx
from skerry_bench.peers.polars_peer import Polars
from skerry_bench.peers.rustworkx_peer import Rustworkx
from skerry_bench.peers.scipy_peer import Scipy
from skerry_bench.peers.torch_geometric_peer import TorchGeometric

__all__ = ["PEERS", "peers_named"]

PEERS: Mapping[str, Adapter] = {
    peer.name: peer
    for peer in (
        Scipy(),
        Networkit(),
        NetworkitParallel(),
        Igraph(),
        Rustworkx(),
        Graphblas(),
        Networkx(),
        Polars(),
        Duckdb(),
        DuckdbRecursive(),
        Cupyx(),
        Pylibcugraph(),
        TorchGeometric(),
    )
}


def peers_named(names: Sequence[str], device: Device = "cpu") -> list[Adapter]:
    """Peers by their names; ``["all"]``: all of the device, in the order of the table."""
    if list(names) == ["all"]:
        return [peer for peer in PEERS.values() if peer.device == device]
    for name in names:
        if name not in PEERS:
            raise InputError(f"no peer named {name!r}; there are: {', '.join(PEERS)}, or all")
    return [PEERS[name] for name in dict.fromkeys(names)]
