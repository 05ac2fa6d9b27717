"""Our algorithm for rows: see ``kernels/gpu/skip.cu``. It never waits for the device."""

from __future__ import annotations

import numpy as np

from skerry.algorithms.gpu.job import SAMPLERS, Job
from skerry.algorithms.gpu.options import whole
from skerry.cuda.runtime import BLOCK
from skerry.graph.device import DeviceCsr

__all__ = ["CHUNK", "skip"]

CHUNK = 1024  # kChunk and kHeavyFrom of own/rest.h
LOOKS = 512  # rows that are looked at to choose the way
SHORT = 3  # entries a vertex up to which all second ones are joined
TILE = 1024  # kTile of own/tiles.h
TILE_DEGREE = 8  # entries a vertex up to which tiles may pay: they read all of them


def skip(job: Job, options: dict[str, float]) -> None:
    """Links first neighbours, joins a share of the second ones, then all but the largest tree."""
    graph = job.graph
    assert isinstance(graph, DeviceCsr)
    n, entries = job.vertices, graph.num_entries
    symmetric = int(bool(graph.symmetric))
    share = whole(options.get("share", 0), 0, n) or share_of_seconds(entries / n)
    way = whole(options.get("way", 0), 0, 3)
    rows, links, state = job.rows, job.parent, job.state
    tiles = -(-n // TILE)
    threads = BLOCK * tiles
    near = way == 2 or (not way and entries <= TILE_DEGREE * n)
    chunks = job.empty(2 * (2 * (entries // CHUNK) + 1), np.uint64)
    lists = (chunks, chunks, chunks)
    more = chunks
    if near:
        lists = (job.empty(n), job.empty(TILE * tiles, np.uint32), job.empty(2 * tiles, np.uint32))
        more = job.empty(-(-n // 32), np.uint32)
    what = (*rows, links, state)
    if way:
        job.launch("skip", "force_way", 1, state, way)
    elif near:
        job.launch("skip", "look_around", LOOKS, *rows, state, block=32)
    job.launch("skip", "link_rows", threads, *what)
    if near:
        job.launch("skip", "link_near_rows", threads, *what, symmetric, *lists, more)
    job.launch("skip", "join_seconds", threads, *what, symmetric, share, *lists)
    job.launch("skip", "sample_largest", SAMPLERS, links, n, state, block=SAMPLERS)
    job.launch("skip", "join_rest", min(threads, 4 * job.resident), *what, symmetric, chunks, more)
    if entries >= CHUNK:
        job.launch("skip", "join_heavy", job.resident, *what, symmetric, chunks)
    job.launch("skip", "label_vertices", threads, links, n, state)


def share_of_seconds(degree: float) -> int:
    """One of how many vertices joins its second neighbour.

    First links leave about one tree for degree + 1 vertices; so many second ones make the
    contracted graph's average degree about 2, and much of it one tree. Where rows are short,
    all of them: second neighbours are most of what there is to join.
    """
    return max(1, int(degree + 1)) if degree >= SHORT else 1
