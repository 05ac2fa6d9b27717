"""Our algorithm for rows: see ``kernels/gpu/own/skip.cu``. It never waits for the device."""

from __future__ import annotations

from enum import IntEnum
from functools import cache, lru_cache

from skerry.algorithms.gpu.job import SAMPLERS, Job
from skerry.algorithms.gpu.options import whole
from skerry.cuda.program import Program, Run, Step
from skerry.cuda.runtime import BLOCK, blocks_of
from skerry.graph.device import DeviceCsr

__all__ = ["SMALL", "skip"]

CHUNK = 1024  # kChunk and kHeavyFrom of own/remaining_rows.h
LOOKS = 512  # rows that are looked at to choose the way
LOOKERS = 32  # threads of a block that does so
SMALL = 1 << 14  # vertices and entries that one block labels sooner than kernels start
SHORT = 3  # entries a vertex up to which all second ones are joined
TILE = 1024  # kTile of own/tile_rows.h
TILE_DEGREE = 8  # entries a vertex up to which tiles may pay: they read all of them


class At(IntEnum):
    """Where the numbers of a run are; the first four as `Job.run` has them, then its own parts."""

    OFFSETS = 0
    NEIGHBORS = 1
    LABELS = 2
    STATE = 3
    CHUNKS = 4  # of long rows
    OUTSIDE = 5  # what tiles leave: three lists
    INSIDE = 6
    COUNTS = 7
    MORE = 8  # and two bits a vertex
    NEXT = 9
    VERTICES = 10
    ENTRIES = 11
    SYMMETRIC = 12
    SHARE = 13
    WAY = 14
    ONE_BLOCK = 15
    LOOKING = 16  # blocks, from here on
    ALL = 17
    FULL = 18
    REST = 19
    RESIDENT = 20


ROWS = (At.OFFSETS, At.NEIGHBORS, At.VERTICES, At.ENTRIES)
FOREST = (*ROWS, At.LABELS, At.STATE)
TREES = (At.LABELS, At.VERTICES, At.STATE)
LEFT = (At.OUTSIDE, At.INSIDE, At.COUNTS, At.MORE, At.NEXT)

ALONE = Program("small", (Step("label_small_rows", At.ONE_BLOCK, SAMPLERS, FOREST),))


@cache
def _program(near: bool, look: bool, heavy: bool) -> Program:
    """Tiles if ids may be near, the look that tells if they are, and long rows if there may be."""
    steps = (
        (True, Step("clear_state", At.ONE_BLOCK, BLOCK, (At.STATE, At.WAY))),
        (look, Step("look_around", At.LOOKING, LOOKERS, (*ROWS, At.STATE))),
        (near, Step("link_tiles", At.FULL, BLOCK, (*FOREST, At.SYMMETRIC, *LEFT))),
        (True, Step("link_single", At.FULL, BLOCK, FOREST)),
        (True, Step("join_seconds", At.ALL, BLOCK, (*FOREST, At.SYMMETRIC, At.SHARE, *LEFT))),
        (True, Step("sample_largest", At.ONE_BLOCK, SAMPLERS, TREES)),
        (True, Step("join_rest", At.REST, BLOCK, (*FOREST, At.SYMMETRIC, At.CHUNKS, At.MORE))),
        (heavy, Step("join_heavy", At.RESIDENT, BLOCK, (*FOREST, At.SYMMETRIC, At.CHUNKS))),
        (True, Step("label_vertices", At.ALL, BLOCK, TREES)),
    )
    return Program("skip", tuple(step for wanted, step in steps if wanted))


def skip(job: Job, options: dict[str, float]) -> None:
    """Links first neighbors, joins a share of the second ones, then all but the largest tree."""
    graph = job.graph
    assert isinstance(graph, DeviceCsr)
    n, entries, symmetric = job.vertices, graph.num_entries, bool(graph.symmetric)
    share, way = options.get("share", 0), options.get("way", 0)
    small = n + entries <= SMALL and not way and not share
    most = job.runtime.most_blocks
    label = job.dtype.itemsize
    job.run(_run(n, entries, symmetric, label, job.resident, most, share, way, small))


@lru_cache(maxsize=256)
def _run(
    n: int,
    entries: int,
    symmetric: bool,
    label: int,
    resident: int,
    most: int,
    share: float,
    way: float,
    small: bool,
) -> Run:
    """On rows of that size, with labels of so many bytes; options are 0 for what is best."""
    forced = whole(way, 0, 3)
    every = whole(share, 0, n) or share_of_seconds(entries / n)
    near = forced == 2 or (not forced and entries <= TILE_DEGREE * n)
    heavy = entries >= CHUNK
    tiles = -(-n // TILE)
    threads = BLOCK * tiles
    program = ALONE if small else _program(near, near and not forced, heavy)
    sizes = _sizes(n, entries, label, tiles if near else 0)
    blocks = (
        blocks_of(LOOKS, LOOKERS, most),
        *(
            blocks_of(count, BLOCK, most)
            for count in (threads, min(threads, resident), min(threads, 4 * resident), resident)
        ),
    )
    told = (n, entries, int(symmetric), every, forced, 1, *blocks)
    return Run.of(program, (0,) * len(sizes) if small else sizes, told)


def _sizes(n: int, entries: int, label: int, tiles: int) -> tuple[int, ...]:
    """Bytes for chunks of long rows, and for what tiles leave, in the order of `At`."""
    chunks = 16 * (2 * (entries // CHUNK) + 1)
    outside, bits = label * n if tiles else 0, TILE // 8 * tiles
    return chunks, outside, 4 * TILE * tiles, 8 * tiles, bits, bits


def share_of_seconds(degree: float) -> int:
    """One of how many vertices joins its second neighbor.

    First links leave about one tree for degree + 1 vertices; one join for each of them makes the
    contracted graph's average degree 2, and most of it one tree. Where rows are short, all of
    them: second neighbors are most of what there is to join.
    """
    return round(degree + 1) if degree >= SHORT else 1
