"""The families by name: a generator, the orders that make sense for it, and its largest size."""

from __future__ import annotations

from typing import NamedTuple

from skerry_bench.corpus.shapes import (
    cliques,
    communities,
    everyday,
    generated,
    hubs,
    imaged,
    lattices,
    located,
    random_graphs,
    records,
    scale_free,
    small_parts,
    spatial,
    stated,
    structured,
    trees,
)
from skerry_bench.corpus.shapes.pairs import Maker

__all__ = ["FAMILIES", "Family"]

FAR = ("shuffled",)
LOCAL = ("shuffled", "bfs", "bit-reversed")
SQUARE = ("shuffled", "hilbert", "bit-reversed")
SKEWED = ("degree", "shuffled")
RANDOM = ("bfs", "degree")


class Family(NamedTuple):
    """A row of the table."""

    name: str
    make: Maker
    orders: tuple[str, ...] = FAR
    """Beside the natural one."""
    big: int | None = 23
    """The binary logarithm of the entries of its largest graph; None: no graph above 2^22."""


FAMILIES = {
    family.name: family
    for family in (
        Family("grid", lattices.grid, SQUARE, 26),
        Family("grid-3d", lattices.grid_3d, LOCAL, 26),
        Family("grid-4d", lattices.grid_4d, FAR),
        Family("strip", lattices.strip, LOCAL),
        Family("ladder", lattices.ladder, LOCAL, None),
        Family("stencil-9", lattices.stencil_9, SQUARE, 24),
        Family("stencil-27", lattices.stencil_27, LOCAL, 25),
        Family("torus", lattices.torus, SQUARE),
        Family("honeycomb", lattices.honeycomb, SQUARE, 25),
        Family("lattice-diagonals", lattices.diagonals, SQUARE, 24),
        Family("banded", lattices.banded, LOCAL),
        Family("binary-tree", trees.binary_tree, ("shuffled", "bit-reversed"), 24),
        Family("random-tree", trees.random_tree, LOCAL, 25),
        Family("deep-tree", trees.deep_tree, LOCAL, 24),
        Family("file-tree", trees.file_tree, SKEWED, 24),
        Family("caterpillar", trees.caterpillar, LOCAL),
        Family("comb", trees.comb, LOCAL),
        Family("broom", trees.broom, LOCAL),
        Family("spider", trees.spider, LOCAL),
        Family("star", hubs.star, FAR, 24),
        Family("star-hub-last", hubs.star_hub_last, (), 24),
        Family("wheel", hubs.wheel, FAR, None),
        Family("hub-and-spoke", hubs.hub_and_spoke, SKEWED),
        Family("hub-chain", hubs.hub_chain, SKEWED),
        Family("star-forest", hubs.star_forest, SKEWED, 25),
        Family("identities", hubs.identities, FAR, 25),
        Family("complete", cliques.complete, ()),
        Family("cliques-16", cliques.cliques_16, FAR, 25),
        Family("cliques-varied", cliques.cliques_varied, FAR),
        Family("clique-ring", cliques.clique_ring, FAR, 24),
        Family("caveman", cliques.caveman, LOCAL),
        Family("bipartite-complete", cliques.bipartite_complete, FAR),
        Family("lollipop", cliques.lollipop, FAR, None),
        Family("barbell", cliques.barbell, FAR, None),
        Family("rook", cliques.rook, FAR),
        Family("uniform", random_graphs.uniform(8), RANDOM, 26),
        Family("uniform-sparse", random_graphs.uniform(0.8), ("bfs",), 24),
        Family("uniform-critical", random_graphs.uniform(1.6), RANDOM, 24),
        Family("uniform-dense", random_graphs.uniform(64), ("bfs",), 26),
        Family("regular-3", random_graphs.regular(3), ("bfs",), 24),
        Family("regular-8", random_graphs.regular(8), ("bfs",)),
        Family("small-world", random_graphs.small_world, LOCAL, 25),
        Family("bipartite", random_graphs.bipartite, RANDOM, 24),
        Family("functional", random_graphs.functional, RANDOM, 24),
        Family("power-law", scale_free.power_law, RANDOM, 24),
        Family("chung-lu", scale_free.chung_lu, FAR, 25),
        Family("kronecker", scale_free.kronecker, SKEWED, 24),
        Family("citations", scale_free.citations, SKEWED, 24),
        Family("forest-fire", scale_free.forest_fire, SKEWED),
        Family("isolated", small_parts.isolated, (), None),
        Family("pairs", small_parts.pairs, FAR, 24),
        Family("triangles", small_parts.triangles, FAR),
        Family("cycle", small_parts.cycles(0), LOCAL, 24),
        Family("cycles", small_parts.cycles(100), LOCAL),
        Family("molecules", small_parts.molecules, FAR, 25),
        Family("k-mers", small_parts.k_mers, ("bfs",), 25),
        Family("hypercube", structured.hypercube, FAR, 24),
        Family("de-bruijn", structured.de_bruijn, LOCAL, 24),
        Family("butterfly", structured.butterfly, FAR),
        Family("circulant", structured.circulant, LOCAL),
        Family("margulis", structured.margulis, FAR, 24),
        Family("divisors", structured.divisors, FAR),
        Family("sierpinski", structured.sierpinski, LOCAL),
        Family("mycielski", structured.mycielski, FAR, None),
        Family("kneser", structured.kneser, (), None),
        Family("bond-percolation", spatial.bond_percolation, SQUARE, 24),
        Family("blobs", spatial.blobs, SQUARE),
        Family("nearest-neighbors", spatial.nearest_neighbors, LOCAL, None),
        Family("geometric-3d", spatial.geometric_3d, LOCAL, None),
        Family("map", spatial.layout_map, LOCAL, None),
        Family("intervals", spatial.intervals, FAR),
        Family("overlaps", spatial.overlaps, ("bfs",), 24),
        Family("suburbs", spatial.suburbs, SQUARE, 24),
        Family("rails", spatial.rails, LOCAL),
        Family("planted-partition", communities.planted_partition, FAR, 24),
        Family("two-giants", communities.two_giants, ("bfs",), 24),
        Family("hierarchy", communities.hierarchy, LOCAL, 24),
        Family("groups", communities.groups, ("bfs",)),
        Family("layered", communities.layered, LOCAL, 24),
        Family("path", generated.path, ("shuffled", "bit-reversed"), 25),
        Family("random-picks", generated.random_picks, RANDOM, 26),
        Family("rmat", generated.rmat, SKEWED, 26),
        Family("graph500", generated.graph500, RANDOM, 26),
        Family("attachment", generated.attachment, SKEWED, 24),
        Family("web", generated.web, SKEWED, 25),
        Family("delaunay", generated.delaunay, LOCAL, None),
        Family("geometric", generated.geometric(8), LOCAL, 25),
        Family("geometric-sparse", generated.geometric(3), LOCAL, 23),
        Family("road", generated.road, LOCAL, 25),
        Family("mawi", generated.mawi, FAR, 25),
        Family("tiny", generated.tiny, (), 25),
        Family("transactions", everyday.transactions, SKEWED, 24),
        Family("threads", everyday.threads, FAR, 24),
        Family("dependencies", everyday.dependencies, SKEWED, 24),
        Family("duplicates", everyday.duplicates, ("bfs",), 24),
        Family("tetrahedra", everyday.tetrahedra, LOCAL, 24),
        Family("contacts", everyday.contacts, LOCAL, 24),
        Family("highways", everyday.highways, LOCAL, 24),
        Family("rivers", everyday.rivers, SQUARE, 24),
        Family("timelines", everyday.timelines, FAR, 24),
        Family("power-grid", everyday.power_grid, LOCAL, 24),
        Family("call-graph", records.call_graph, SKEWED, 24),
        Family("wiki", records.wiki, SKEWED, 24),
        Family("family-tree", records.family_tree, ("bfs",), 25),
        Family("co-authors", records.co_authors, ("shuffled", "degree"), 24),
        Family("phone-calls", records.phone_calls, RANDOM, 24),
        Family("netlist", located.netlist, ("shuffled", "degree"), 24),
        Family("regions", located.regions, ("shuffled", "bfs"), 23),
        Family("water-mains", located.water_mains, LOCAL, 25),
        Family("haloes", located.haloes, ("shuffled", "bfs"), 24),
        Family("fragments", located.fragments, ("shuffled", "bfs"), 24),
        Family("porous", imaged.porous, LOCAL, 24),
        Family("scan-lines", imaged.scan_lines, ("shuffled", "bfs"), 23),
        Family("dendrites", imaged.dendrites, LOCAL, 24),
        Family("fibers", imaged.fibers, LOCAL, 24),
        Family("metro", imaged.metro, LOCAL, 24),
        Family("embeddings", stated.embeddings, RANDOM, 24),
        Family("clauses", stated.clauses, ("shuffled", "bfs"), 24),
        Family("baskets", stated.baskets, SKEWED, 24),
        Family("ledger", stated.ledger, ("shuffled", "bfs"), 24),
        Family("proteins", stated.proteins, SKEWED, 24),
    )
}
"""Names decide halves: a family keeps its name for good."""
