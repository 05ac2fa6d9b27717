"""Our algorithm for rows: see ``kernels/gpu/skip.cu``. It never waits for the device."""

from __future__ import annotations

from functools import lru_cache

from skerry.algorithms.gpu.job import LABELS, SAMPLERS, SCRATCH, STATE, Job, rows_of
from skerry.algorithms.gpu.options import whole
from skerry.cuda.program import At, Program, Step, parts
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
    n, entries, symmetric = job.vertices, graph.num_entries, bool(graph.symmetric)
    share, way = options.get("share", 0), options.get("way", 0)
    if n + entries <= SMALL and not way and not share:
        job.run(_small_program(n, entries))
    else:
        job.run(_program(n, entries, symmetric, job.dtype.itemsize, job.resident, share, way))


@lru_cache(maxsize=256)
def _small_program(n: int, entries: int) -> Program:
    what = (*rows_of(n, entries), LABELS, STATE)
    return Program("small", (Step("label_small_rows", SAMPLERS, SAMPLERS, what),))


@lru_cache(maxsize=256)
def _program(
    n: int, entries: int, symmetric: bool, label: int, resident: int, share: float, way: float
) -> Program:
    """For rows of that size and labels of so many bytes; the options, or 0 for what is best."""
    rows = rows_of(n, entries)
    what = (*rows, LABELS, STATE)
    forced = whole(way, 0, 3)
    every = whole(share, 0, n) or share_of_seconds(entries / n)
    tiles = -(-n // TILE)
    threads = BLOCK * tiles
    near = forced == 2 or (not forced and entries <= TILE_DEGREE * n)
    chunks, lists, scratch = _scratch(n, entries, label, tiles if near else 0)
    full = min(threads, resident)
    both = int(symmetric)
    steps = [Step("clear_state", BLOCK, BLOCK, (STATE, forced))]
    if near and not forced:
        steps.append(Step("look_around", LOOKS, 32, (*rows, STATE)))
    if near:
        steps.append(Step("link_tiles", full, BLOCK, (*what, both, *lists)))
    steps += (
        Step("link_single", full, BLOCK, what),
        Step("join_seconds", threads, BLOCK, (*what, both, every, *lists)),
        Step("sample_largest", SAMPLERS, SAMPLERS, (LABELS, n, STATE)),
        Step("join_rest", min(threads, 4 * resident), BLOCK, (*what, both, chunks, lists[3])),
    )
    if entries >= CHUNK:
        steps.append(Step("join_heavy", resident, BLOCK, (*what, both, chunks)))
    steps.append(Step("label_vertices", threads, BLOCK, (LABELS, n, STATE)))
    return Program("skip", tuple(steps), scratch)


def _scratch(
    n: int, entries: int, label: int, tiles: int
) -> tuple[At, tuple[At, ...] | tuple[int, ...], int]:
    """Places for chunks of long rows; for what tiles leave: three lists, two bits a vertex."""
    chunks = 16 * (2 * (entries // CHUNK) + 1)
    outside, inside, counts, bits = label * n, 4 * TILE * tiles, 8 * tiles, TILE // 8 * tiles
    of_tiles = (outside, inside, counts, bits, bits) if tiles else ()
    (first, *lists), size = parts(SCRATCH, chunks, *of_tiles)
    return first, tuple(lists) or (0,) * 5, size


def share_of_seconds(degree: float) -> int:
    """One of how many vertices joins its second neighbour.

    First links leave about one tree for degree + 1 vertices; one join for each of them makes the
    contracted graph's average degree 2, and most of it one tree. Where rows are short, all of
    them: second neighbours are most of what there is to join.
    """
    return round(degree + 1) if degree >= SHORT else 1
