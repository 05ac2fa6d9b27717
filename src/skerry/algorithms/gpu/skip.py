"""Our algorithm for rows: see ``kernels/gpu/skip.cu``. It never waits for the device."""

from __future__ import annotations

from skerry.algorithms.gpu.job import SAMPLERS, Job, Step
from skerry.algorithms.gpu.options import whole
from skerry.cuda.runtime import BLOCK
from skerry.graph.device import DeviceCsr

__all__ = ["SMALL", "skip"]

CHUNK = 1024  # kChunk and kHeavyFrom of own/rest.h
LOOKS = 512  # rows that are looked at to choose the way
SMALL = 1 << 14  # vertices and entries that one block labels sooner than kernels start
SHORT = 3  # entries a vertex up to which all second ones are joined
TILE = 1024  # kTile of own/tile_rows.h
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
    chunks, lists = _scratch(job, entries, tiles if near else 0)
    steps: list[Step] = []
    if way:
        steps.append(("force_way", 1, BLOCK, (state, way)))
    elif near:
        steps.append(("look_around", LOOKS, 32, (*rows, state)))
    full = min(threads, job.resident)
    if near:
        steps.append(("link_tiles", full, BLOCK, (*what, symmetric, *lists)))
    steps.append(("link_single", full, BLOCK, what))
    steps += (
        ("join_seconds", threads, BLOCK, (*what, symmetric, share, *lists)),
        ("sample_largest", SAMPLERS, SAMPLERS, (links, n, state)),
        ("join_rest", min(threads, 4 * job.resident), BLOCK, (*what, symmetric, chunks, lists[3])),
    )
    if entries >= CHUNK:
        steps.append(("join_heavy", job.resident, BLOCK, (*what, symmetric, chunks)))
    steps.append(("label_vertices", threads, BLOCK, (links, n, state)))
    job.launch_all("skip", steps)


def _scratch(job: Job, entries: int, tiles: int) -> tuple[int, list[int]]:
    """Places for chunks of long rows; for what tiles leave: three lists, two bits a vertex."""
    chunks = 16 * (2 * (entries // CHUNK) + 1)
    if not tiles:
        return job.scratch(chunks)[0], [0, 0, 0, 0, 0]
    outside, inside, counts, bits = job.vertices * job.dtype.itemsize, 4 * TILE, 8, TILE // 8
    of_tiles = outside, inside * tiles, counts * tiles, bits * tiles, bits * tiles
    first, *lists = job.scratch(chunks, *of_tiles)
    return first, lists


def share_of_seconds(degree: float) -> int:
    """One of how many vertices joins its second neighbour.

    First links leave about one tree for degree + 1 vertices; so many second ones make the
    contracted graph's average degree about 1.5, and much of it one tree. Where rows are short,
    all of them: second neighbours are most of what there is to join.
    """
    return round((degree + 1) * 4 / 3) if degree >= SHORT else 1
