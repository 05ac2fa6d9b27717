"""Real graphs: those of the papers that skerry follows, and one that is part of the package.

Examples
--------
>>> from skerry import datasets
>>> datasets.debian().edges
Edges(vertices=71,995, edges=337,097, uint32)
>>> datasets.paper_graph("kron_g500-logn21").sources[0].address
'https://sparse.tamu.edu/MM/DIMACS10/kron_g500-logn21.tar.gz'
"""

from skerry.datasets.embedded import NamedGraph, debian
from skerry.datasets.papers import (
    PaperGraph,
    Source,
    download,
    paper_graph,
    papers_graphs,
    stand_in,
)

__all__ = [
    "NamedGraph",
    "PaperGraph",
    "Source",
    "debian",
    "download",
    "paper_graph",
    "papers_graphs",
    "stand_in",
]
