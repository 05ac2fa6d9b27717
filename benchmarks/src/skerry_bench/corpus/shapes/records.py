"""Graphs from registers and logs: programs, pages, births, papers, calls."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import ascending, by_first_use, edges_of, picked


def call_graph(entries: int, rng: np.random.Generator) -> Edges:
    """Functions by file: they call others of the file, of 16 files around, and shared ones."""
    count = max(64, entries // 5)
    begin = np.union1d(rng.integers(0, count, count // 16), [0])  # of every file
    bounds = np.append(begin, count)
    caller = np.repeat(ascending(count), rng.geometric(0.25, count) - 1)
    kind = rng.random(len(caller))
    file = np.searchsorted(begin, caller, "right") - 1
    folder = file // 16 * 16
    first = np.where(kind < 0.6, file, folder)
    last = np.where(kind < 0.6, file + 1, np.minimum(folder + 16, len(begin)))
    near = bounds[first] + picked(bounds[last] - bounds[first], rng, len(caller))
    utilities = rng.permutation(count)[: count // 30]
    shared = utilities[picked(len(utilities), rng, len(caller), 3)]
    return edges_of(count, (caller, np.where(kind < 0.85, near, shared)))


def wiki(entries: int, rng: np.random.Generator) -> Edges:
    """Pages by the day they were made: articles that link old ones, and redirects to articles."""
    count = max(64, entries // 8)
    redirects = rng.random(count) < 0.4
    redirects[0] = False
    articles, redirect = np.flatnonzero(~redirects), np.flatnonzero(redirects)
    older = np.searchsorted(articles, redirect)
    at_once = rng.random(len(redirect)) < 0.5
    target = articles[np.where(at_once, older - 1, picked(older, rng, len(redirect), 2))]

    links = entries * 15 // 32
    source = picked(len(articles), rng, links, 1.3)
    series = np.minimum(source + rng.geometric(0.1, links), len(articles) - 1)
    known = picked(len(articles), rng, links, 3)
    kind = rng.random(links)
    linked = articles[np.where(kind < 0.3, series, known)]
    by_redirect = redirect[picked(len(redirect), rng, links, 2)]
    pages = np.where(kind < 0.9, linked, by_redirect)
    return edges_of(count, (redirect, target), (articles[source], pages))


def family_tree(entries: int, rng: np.random.Generator) -> Edges:
    """Births of 200 years, parish by parish in each, joined to both parents where known."""
    births = max(1, round(entries / 640))  # of a year; women have odd ids
    count = 200 * births
    person = ascending(count)
    age = np.maximum(rng.normal(28, 5, count), 16).astype(np.int64)
    parish = person % births + rng.normal(0, 5, count).astype(np.int64)
    moved = rng.random(count) < 0.05
    parish = np.where(moved, rng.integers(0, births, count), parish) % births
    mother = (person // births - age) * births + parish | 1
    husband = np.abs(person - births * rng.integers(-2, 8, count)) // 2 * 2
    known = (mother > 0) & (rng.random(count) < 0.92)
    mother = mother[known]
    return edges_of(count, (person[known], mother), (person[known], husband[mother]))


def co_authors(entries: int, rng: np.random.Generator) -> Edges:
    """Authors by their first paper: those of a paper are joined, and most papers follow another."""
    papers = max(64, entries // 12)
    size = np.minimum(rng.geometric(0.3, papers), 10)
    begin = np.cumsum(size) - size
    before = ascending(papers) - rng.geometric(min(0.5, 64 / papers), papers)
    before[rng.random(papers) < 0.1] = -1  # a new group
    old = np.repeat(np.maximum(before, -1), size)
    slot = ascending(len(old))
    index = slot - np.repeat(begin, size)
    author = begin[old] + index
    guest = rng.random(len(old)) < 0.12
    author[guest] = picked(slot, rng, len(old))[guest]
    is_new = (old < 0) | (index >= size[old]) | (rng.random(len(old)) < 0.3)
    author[is_new] = slot[is_new]
    while not is_new[author].all():  # from every slot to the first of its author
        author = author[author]
    author = (np.cumsum(is_new) - 1)[author]
    pairs = []
    for i, j in combinations(range(10), 2):
        both = begin[size > j]
        pairs.append((author[both + i], author[both + j]))
    return edges_of(int(is_new.sum()), *pairs)


def phone_calls(entries: int, rng: np.random.Generator) -> Edges:
    """Phones by their first call: eight friends of their area each, and 16 call centers."""
    count = max(64, entries // 5)
    calls = entries * 9 // 16
    caller = rng.permutation(count)[picked(count, rng, calls, 1.5)]
    area = caller // 1000 * 1000
    choice = caller * 7919 + rng.integers(0, 8, calls) * 104729
    friend = area + choice % np.minimum(count - area, 1000)
    centers = rng.random(calls) < 0.08
    caller = np.where(centers, rng.integers(0, 16, calls) * (count // 16), caller)
    called = np.where(centers, rng.integers(0, count, calls), friend)
    name, used = by_first_use(np.stack((caller, called), axis=1).ravel(), count)
    return edges_of(used, (name[caller], name[called]))
