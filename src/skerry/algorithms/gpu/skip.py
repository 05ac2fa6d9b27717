"""Our algorithm for rows: see ``kernels/gpu/skip.cu``. It never waits for the device."""

from __future__ import annotations

from skerry.algorithms.gpu.job import SAMPLERS, Job
from skerry.algorithms.gpu.options import whole
from skerry.cuda.runtime import BLOCK
from skerry.graph.device import DeviceCsr

__all__ = ["SMALL", "skip"]

CHUNK = 1024  # kChunk and kHeavyFrom of own/rest.h
LOOKS = 512  # rows that are looked at to choose the way
SMALL = 1 << 14  # vertices and entries that one block labels sooner than kernels start
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
    rows, (links, state) = job.rows, job.forest
    if n + entries <= SMALL and not options.get("way") and not options.get("share"):
        job.launch("small", "label_small_rows", SAMPLERS, *rows, links, state, block=SAMPLERS)
        return
    tiles = -(-n // TILE)
    threads = BLOCK * tiles
    near = way == 2 or (not way and entries <= TILE_DEGREE * n)
    what = (*rows, links, state)
    # What needs no scratch memory begins before it is taken: small graphs are done so soon.
    if way:
        job.launch("skip", "force_way", 1, state, way)
    elif near:
        job.launch("skip", "look_around", LOOKS, *rows, state, block=32)
    if not near:
        job.launch("skip", "link_long_rows", threads, *what)
    chunks, lists, more = _scratch(job, entries, tiles if near else 0)
    if near:
        job.launch("skip", "link_rows", threads, *what, symmetric, *lists, more)
    job.launch("skip", "join_seconds", threads, *what, symmetric, share, *lists)
    job.launch("skip", "sample_largest", SAMPLERS, links, n, state, block=SAMPLERS)
    few = min(threads, 4 * job.resident)
    job.launch("skip", "join_rest", few, *what, symmetric, chunks, more)
    if entries >= CHUNK:
        job.launch("skip", "join_heavy", job.resident, *what, symmetric, chunks)
    job.launch("skip", "label_vertices", threads, links, n, state)


def _scratch(job: Job, entries: int, tiles: int) -> tuple[int, list[int], int]:
    """Places for chunks of long rows; for what tiles leave, in three lists; for marks of rows."""
    n = job.vertices
    chunks = 16 * (2 * (entries // CHUNK) + 1)
    if not tiles:
        return job.scratch(chunks)[0], [0, 0, 0], 0
    of_tiles = n * job.dtype.itemsize, 4 * TILE * tiles, 8 * tiles, 4 * -(-n // 32)
    first, *lists, more = job.scratch(chunks, *of_tiles)
    return first, lists, more


def share_of_seconds(degree: float) -> int:
    """One of how many vertices joins its second neighbour.

    First links leave about one tree for degree + 1 vertices; so many second ones make the
    contracted graph's average degree about 1.5, and much of it one tree. Where rows are short,
    all of them: second neighbours are most of what there is to join.
    """
    return round((degree + 1) * 4 / 3) if degree >= SHORT else 1
