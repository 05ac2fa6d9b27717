"""The adapters of other libraries: `PEERS` by name. benchmarks/docs/peers.md has their calls.

An adapter imports its library inside of its methods only, so that the table can be read without
them. To add a peer: a module with a class like those here, and its line below.
"""

from __future__ import annotations

from collections.abc import Mapping

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
