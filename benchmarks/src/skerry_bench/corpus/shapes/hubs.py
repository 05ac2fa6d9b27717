"""Graphs with vertices of very many neighbors."""

from __future__ import annotations

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import ascending, edges_of


def star(entries: int, rng: np.random.Generator) -> Edges:
    """Vertex 0 joined to all others."""
    del rng
    leaves = ascending(entries // 2) + 1
    return edges_of(len(leaves) + 1, (np.zeros_like(leaves), leaves))


def star_hub_last(entries: int, rng: np.random.Generator) -> Edges:
    """The last vertex joined to all others."""
    del rng
    leaves = ascending(entries // 2)
    return edges_of(len(leaves) + 1, (np.full_like(leaves, len(leaves)), leaves))


def wheel(entries: int, rng: np.random.Generator) -> Edges:
    """A cycle, and a hub joined to all of it; the hub has the middle id."""
    del rng
    count = max(4, entries // 4)
    rim = ascending(count)
    rim += rim >= count // 2
    return edges_of(count + 1, (rim, np.roll(rim, -1)), (rim, np.full_like(rim, count // 2)))


def hub_and_spoke(entries: int, rng: np.random.Generator) -> Edges:
    """Airlines: one hub in 256 vertices, all hubs joined at random, spokes near their hub."""
    count = max(512, entries * 10 // 23)
    ids = ascending(count)
    home = ids // 256 * 256
    hubs = ids[::256]
    flights = rng.integers(0, len(hubs), (2, 16 * len(hubs))) * 256
    return edges_of(count, (ids, home), (flights[0], flights[1]))


def hub_chain(entries: int, rng: np.random.Generator) -> Edges:
    """Stars of a thousand leaves, each hub joined to the next; hubs have the last ids."""
    del rng
    leaves = ascending(max(2, entries // 2))
    hubs = len(leaves) + ascending(-(-len(leaves) // 1000))
    return edges_of(len(leaves) + len(hubs), (leaves, hubs[leaves // 1000]), (hubs[:-1], hubs[1:]))


def star_forest(entries: int, rng: np.random.Generator) -> Edges:
    """Near duplicates: copies point to the first of their kind; sizes follow a power law."""
    count = max(16, entries * 5 // 8)
    ids = ascending(count)
    copy = rng.random(count) < 0.8
    first = np.flatnonzero(~copy) if not copy.all() else ids[:1]
    target = first[(len(first) * rng.random(count) ** 3).astype(np.int64)]
    return edges_of(count, (ids[copy], target[copy]))


def identities(entries: int, rng: np.random.Generator) -> Edges:
    """Accounts joined to the devices that they used: few are shared, some by very many."""
    accounts = max(16, entries // 6)
    devices = accounts * 2
    owned = ascending(accounts)
    shared = (devices * rng.random(accounts) ** 6).astype(np.int64)
    return edges_of(
        accounts + devices,
        (owned, accounts + owned * 2),
        (owned, accounts + owned * 2 + 1),
        (owned, accounts + shared),
    )
