"""Numbers that mathematics knows of random graphs: oracles for graphs that no other code can check.

Bond percolation on a square torus at 1/2 has (3 sqrt 3 - 5) / 2 clusters a site (Temperley & Lieb
1971; the excess of a finite torus, 0.884, is Ziff, Finch & Adamchik's of 1997). The giant component
of m = c n / 2 random edges has a share S = 1 - exp(-c S) of the n vertices (Erdos & Renyi 1960).
"""

from __future__ import annotations

from math import exp, sqrt

import numpy as np

CLUSTERS = (3 * sqrt(3) - 5) / 2
EXCESS = 0.884
SIGMAS = 6  # a right answer is farther off once in 10^9 graphs

SQUARE = 0.165
"""Variance of the number of clusters, a site: measured on 800 tori of 256 x 256, 0.167 +- 0.008."""


def percolation(side, seed, kept=0.5, xp=np):
    """Edges of a square torus, each kept with a probability: sources, targets, vertices."""
    n = side * side
    site = xp.arange(n, dtype=xp.uint32)
    right = xp.where(site % side == side - 1, site - (side - 1), site + 1)
    below = (site + side) % n
    draws = xp.random.RandomState(seed)
    open_right, open_below = (draws.random_sample(n) < kept for _ in range(2))
    source = xp.concatenate([site[open_right], site[open_below]])
    target = xp.concatenate([right[open_right], below[open_below]]).astype(xp.uint32)
    return source, target, n


def clusters_off(count, n):
    """Standard deviations between a number of clusters and the law's."""
    return (count - CLUSTERS * n - EXCESS) / sqrt(SQUARE * n)


def random_edges(n, mean_degree, seed, xp=np):
    """Edges between vertices drawn uniformly."""
    draws = xp.random.RandomState(seed)
    return tuple(draws.randint(0, n, int(mean_degree * n / 2)).astype("u4") for _ in range(2))


def giant_share(mean_degree):
    """S of S = 1 - exp(-c S), by iteration."""
    share = 1.0
    for _ in range(200):
        share = 1 - exp(-mean_degree * share)
    return share


def giant_off(size, n, mean_degree):
    """Standard deviations between the size of the largest component and the law's.

    The deviation is that of G(n, c/n). With a fixed number of edges it is smaller: 0.5 and 0.9 of
    it for c = 1.5 and 3, measured on 200 graphs of 2^16 vertices each.
    """
    share = giant_share(mean_degree)
    rest = 1 - share
    deviation = sqrt(n * share * rest) / (1 - mean_degree * rest)
    return (size - share * n) / deviation
