"""Graphs of what is gathered: catalogs of one sky, posts, senses of words, sheets, timetables."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import ascending, edges_of, picked


def catalogs(entries: int, rng: np.random.Generator) -> Edges:
    """Five lists of the same objects in the same order; each has three quarters of them."""
    lists = 5
    objects = max(16, round(entries / 2 / (lists * 0.75 - 1)))
    seen = rng.random((lists, objects)) < 0.75
    ids = np.cumsum(seen.ravel()).reshape(seen.shape) - 1  # list after list
    last = np.full(objects, -1)
    pairs = []
    for listed, numbers in zip(seen, ids, strict=True):
        both = listed & (last >= 0)
        pairs.append((last[both], numbers[both]))
        last[listed] = numbers[listed]
    return edges_of(int(seen.sum()), *pairs)


def mentions(entries: int, rng: np.random.Generator) -> Edges:
    """Posts by their time: half answer one of the last hundred, some name one of a few accounts."""
    posts = max(64, round(entries / 2 / 0.9))
    accounts = max(4, posts // 400)
    post = ascending(posts)
    answers = (rng.random(posts) < 0.5) & (post > 0)
    answered = np.maximum(post - 1 - picked(100, rng, posts, 2), 0)
    names = rng.random(posts) < 0.4
    account = picked(accounts, rng, posts, 4)
    return edges_of(
        accounts + posts,
        (accounts + post[answers], accounts + answered[answers]),
        (accounts + post[names], account[names]),
    )


def thesaurus(entries: int, rng: np.random.Generator) -> Edges:
    """Four words are one sense, all linked with each other; few words have many senses."""
    size = 4
    senses = max(8, entries // (size * (size - 1)))
    words = max(16, round(1.6 * senses))
    members = picked(words, rng, senses * size, 1.5).reshape(senses, size)
    members = rng.permutation(words)[members]  # by the alphabet, not by how often they are used
    ends = [(members[:, a], members[:, b]) for a in range(size) for b in range(a)]
    return edges_of(words, *ends)


def spreadsheet(entries: int, rng: np.random.Generator) -> Edges:
    """Cells row by row: most refer to the one above or to the left, some to a sum far below."""
    columns = 64
    rows = max(4, round(entries / 2 / columns / 1.3))
    count = rows * columns
    cell = ascending(count)
    up = cell[(rng.random(count) < 0.7) & (cell >= columns)]
    left = cell[(rng.random(count) < 0.5) & (cell % columns > 0)]
    summed = cell[rng.random(count) < 0.1]
    below = np.minimum((summed // columns // 1000 + 1) * 1000, rows - 1) * columns
    return edges_of(count, (up, up - columns), (left, left - 1), (summed, below + summed % columns))


def schedule(entries: int, rng: np.random.Generator) -> Edges:
    """Stops of trips, trip by trip; at a station one may change to the trip that leaves next."""
    stops = 24
    trips = max(4, round(entries / 2 / stops / 1.9))
    stations = max(stops, trips // 8)
    event = ascending(trips * stops).reshape(trips, stops)
    line = rng.integers(0, max(1, trips // 40), trips)
    station = (line[:, None] * 7 + ascending(stops)[None, :]) % stations
    time = rng.integers(0, 1440, trips)[:, None] + 3 * ascending(stops)[None, :]
    order = np.lexsort((time.ravel(), station.ravel()))
    same = station.ravel()[order][1:] == station.ravel()[order][:-1]
    change = order[1:][same], order[:-1][same]
    return edges_of(trips * stops, (event[:, 1:], event[:, :-1]), change)
