"""Graphs of what is written down: near vectors, clauses, purchases, payments, proteins."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import ascending, edges_of, picked


def embeddings(entries: int, rng: np.random.Generator) -> Edges:
    """Vectors in no order, with the nearest ones: of 200 topics, where a few are near to many."""
    count = max(64, entries // 12)
    topics = max(2, count // 200)
    size = count // topics
    vector = np.repeat(ascending(topics * size), 6)
    near = rng.random(len(vector)) < 0.95
    other = np.where(near, vector % topics, rng.integers(0, topics, len(vector)))
    rank = picked(size, rng, len(vector), 2)
    return edges_of(topics * size, (vector, other + topics * rank))


def clauses(entries: int, rng: np.random.Generator) -> Edges:
    """Variables, then clauses of three of them: most near each other, as in parts of a design."""
    variables = max(16, round(entries / 2 / 3 / 4.2))
    count = round(4.2 * variables)
    clause = np.repeat(ascending(count), 3)
    around = (clause * variables) // count + np.rint(rng.laplace(0, 12, 3 * count)).astype(np.int64)
    anywhere = rng.integers(0, variables, 3 * count)
    variable = np.where(rng.random(3 * count) < 0.8, around % variables, anywhere)
    return edges_of(variables + count, (variable, variables + clause))


def baskets(entries: int, rng: np.random.Generator) -> Edges:
    """Purchases after the goods, of which some are bought by very many."""
    bought = max(64, entries // 2)
    count = max(16, bought // 4)
    goods = max(16, count // 50)
    basket = np.sort(rng.integers(0, count, bought))
    good = np.minimum(rng.pareto(0.9, bought) * 4, goods - 1).astype(np.int64)
    return edges_of(goods + count, (good, goods + basket))


def ledger(entries: int, rng: np.random.Generator) -> Edges:
    """Payments by their time: each spends what a few earlier ones paid, mostly recent ones."""
    count = max(64, round(entries / 3.6))
    payment = np.repeat(ascending(count), rng.choice([1, 2, 3], count, p=[0.4, 0.4, 0.2]))
    age = np.minimum(1 + rng.pareto(0.7, len(payment)) * 8, 1e15).astype(np.int64)
    spent = payment - age
    known = spent >= 0  # the others are new coins
    return edges_of(count, (payment[known], spent[known]))


def proteins(entries: int, rng: np.random.Generator) -> Edges:
    """All are copied, again and again; a copy keeps some of the links of what it is a copy of."""
    count = 32
    src, dst = ascending(count), (ascending(count) + 1) % count
    while 2 * len(src) < entries:
        kept, also = (rng.random(len(src)) < 0.4 for _ in range(2))
        twins = np.flatnonzero(rng.random(count) < 0.25)
        src = np.concatenate((src, src[kept] + count, src[also], twins))
        dst = np.concatenate((dst, dst[kept], dst[also] + count, twins + count))
        count *= 2
    return edges_of(count, (src, dst))
