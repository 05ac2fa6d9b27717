"""Skerry's algorithm for CSR rows: see ``kernels/gpu/own/skip.cu``. It never waits for the device.

Its kernels are recorded once as a parameterized CUDA graph; each run supplies pointers and grid
sizes.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache, lru_cache

from skerry.algorithms.gpu.job import SAMPLERS, Job
from skerry.algorithms.gpu.options import bounded_int
from skerry.algorithms.planner import fits_one_block
from skerry.cuda.recorded_launches import RecordedLaunch, RecordedLaunches, RecordedRun
from skerry.cuda.runtime import BLOCK, blocks_of

__all__ = ["skip"]

CHUNK = 1024  # kChunk and kHeavyFrom of own/remaining_rows.h
SAMPLED_ROWS = 512  # rows that are sampled to select the strategy
SAMPLE_BLOCK = 32  # threads of a block that samples
LOW_DEGREE = 3  # entries a vertex below which all second neighbors are joined
TILE = 1024  # kTile of own/tile_rows.h
TILE_DEGREE = 8  # entries a vertex up to which tiles may be faster: they read all entries


class Slot(IntEnum):
    """Positions of the values of a run: the first four are `Job.launch_recorded`'s."""

    OFFSETS = 0
    NEIGHBORS = 1
    LABELS = 2
    STATE = 3
    CHUNKS = 4  # scratch memory, from here on: chunks of long rows
    OUTSIDE = 5  # entries that tiles leave: three lists
    INSIDE = 6
    COUNTS = 7
    MORE = 8  # and two bits for each vertex
    NEXT = 9
    VERTICES = 10
    ENTRIES = 11
    SYMMETRIC = 12
    SHARE = 13
    STRATEGY = 14
    ONE_BLOCK = 15
    SAMPLE_BLOCKS = 16  # numbers of blocks, from here on
    ALL = 17
    FULL = 18
    REMAINING = 19
    RESIDENT = 20
    DIRECT = 21
    TEAM = 22  # threads for a row


ROWS = (Slot.OFFSETS, Slot.NEIGHBORS, Slot.VERTICES, Slot.ENTRIES)
FOREST = (*ROWS, Slot.LABELS, Slot.STATE)
TREES = (Slot.LABELS, Slot.VERTICES, Slot.STATE)
LEFT = (Slot.OUTSIDE, Slot.INSIDE, Slot.COUNTS, Slot.MORE, Slot.NEXT)

ONE_BLOCK = RecordedLaunches(
    "small", (RecordedLaunch("label_small_rows", Slot.ONE_BLOCK, SAMPLERS, FOREST),)
)


@cache
def _launches(tiles: bool, sample: bool, heavy: bool) -> RecordedLaunches:
    """With tiles if ids may be near, a sample to decide that, and long rows if there may be any."""
    launches = (
        (True, RecordedLaunch("clear_state", Slot.ONE_BLOCK, BLOCK, (Slot.STATE, Slot.STRATEGY))),
        (
            sample,
            RecordedLaunch("sample_rows", Slot.SAMPLE_BLOCKS, SAMPLE_BLOCK, (*ROWS, Slot.STATE)),
        ),
        (tiles, RecordedLaunch("link_tiles", Slot.FULL, BLOCK, (*FOREST, Slot.SYMMETRIC, *LEFT))),
        (True, RecordedLaunch("link_single", Slot.FULL, BLOCK, FOREST)),
        (
            True,
            RecordedLaunch(
                "join_seconds", Slot.ALL, BLOCK, (*FOREST, Slot.SYMMETRIC, Slot.SHARE, *LEFT)
            ),
        ),
        (True, RecordedLaunch("sample_largest", Slot.ONE_BLOCK, SAMPLERS, TREES)),
        (
            True,
            RecordedLaunch(
                "join_remaining_rows",
                Slot.REMAINING,
                BLOCK,
                (*FOREST, Slot.SYMMETRIC, Slot.CHUNKS, Slot.MORE),
            ),
        ),
        (
            heavy,
            RecordedLaunch(
                "join_heavy", Slot.RESIDENT, BLOCK, (*FOREST, Slot.SYMMETRIC, Slot.CHUNKS)
            ),
        ),
        (True, RecordedLaunch("label_vertices", Slot.ALL, BLOCK, TREES)),
    )
    return RecordedLaunches("skip", tuple(launch for included, launch in launches if included))


@cache
def _direct_launches(heavy: bool) -> RecordedLaunches:
    """All entries of all rows, without samples."""
    launches = (
        (True, RecordedLaunch("clear_state", Slot.ONE_BLOCK, BLOCK, (Slot.STATE, Slot.STRATEGY))),
        (True, RecordedLaunch("link_single", Slot.FULL, BLOCK, FOREST)),
        (True, RecordedLaunch("flatten_first_links", Slot.ALL, BLOCK, (*TREES, Slot.OUTSIDE))),
        (
            True,
            RecordedLaunch(
                "join_rows_directly",
                Slot.DIRECT,
                BLOCK,
                (*FOREST, Slot.SYMMETRIC, Slot.CHUNKS, Slot.OUTSIDE, Slot.TEAM),
            ),
        ),
        (
            heavy,
            RecordedLaunch(
                "join_heavy", Slot.RESIDENT, BLOCK, (*FOREST, Slot.SYMMETRIC, Slot.CHUNKS)
            ),
        ),
        (True, RecordedLaunch("label_vertices", Slot.ALL, BLOCK, TREES)),
    )
    return RecordedLaunches("skip", tuple(launch for included, launch in launches if included))


def skip(job: Job, options: dict[str, float]) -> None:
    """Links first neighbors, joins some second neighbors, then all but the largest tree."""
    graph = job.graph
    n, entries, symmetric = job.vertices, graph.num_entries, bool(graph.symmetric)
    share, way = options.get("share", 0), options.get("way", 0)
    one_block = not way and not share and fits_one_block(n, entries)
    max_blocks = job.runtime.max_blocks
    label = job.dtype.itemsize
    job.launch_recorded(
        _run(n, entries, symmetric, label, job.resident, max_blocks, share, way, one_block)
    )


@lru_cache(maxsize=256)
def _run(
    n: int,
    entries: int,
    symmetric: bool,
    label_bytes: int,
    resident: int,
    max_blocks: int,
    share: float,
    way: float,
    one_block: bool,
) -> RecordedRun:
    """A run on rows of this size; ``share`` and ``way`` are 0 to have them chosen."""
    forced = bounded_int(way, 0, 9)
    direct = forced >= 4
    team = 1
    if direct:
        team, forced = (_team(n, entries, resident) if forced == 9 else 1 << (forced - 4)), 4
    every = bounded_int(share, 0, n) or share_of_seconds(entries / n)
    tiled = forced == 2 or (not forced and entries <= TILE_DEGREE * n)
    heavy = entries >= CHUNK
    tiles = -(-n // TILE)
    threads = BLOCK * tiles
    launches = ONE_BLOCK if one_block else _launches(tiled, tiled and not forced, heavy)
    if direct:
        launches = _direct_launches(heavy)
    part_bytes = _part_bytes(n, entries, label_bytes, tiles if tiled else 0, direct)
    blocks = (
        blocks_of(SAMPLED_ROWS, SAMPLE_BLOCK, max_blocks),
        *(
            blocks_of(count, BLOCK, max_blocks)
            for count in (
                threads,
                min(threads, resident),
                min(threads, 4 * resident),
                resident,
                team * n,
            )
        ),
    )
    values = (n, entries, int(symmetric), every, forced, 1, *blocks, team)
    if one_block:
        part_bytes = (0,) * len(part_bytes)
    return RecordedRun.create(launches, part_bytes, values)


def _part_bytes(
    n: int, entries: int, label_bytes: int, tiles: int, direct: bool
) -> tuple[int, ...]:
    """Bytes of the parts of the scratch memory, in the order of `Slot`."""
    chunks = 16 * (2 * (entries // CHUNK) + 1)
    outside, bits = label_bytes * n if tiles or direct else 0, TILE // 8 * tiles
    return chunks, outside, 4 * TILE * tiles, 8 * tiles, bits, bits


def _team(n: int, entries: int, resident: int) -> int:
    """Threads for a row: a power of 2, no more than entries of it and than the device has room."""
    team = 1
    while team < 32 and 2 * team * n <= resident and 2 * team * n <= entries:
        team *= 2
    return team


def share_of_seconds(degree: float) -> int:
    """The k for which one of k vertices joins its second neighbor.

    First links leave about one tree for degree + 1 vertices. One join for each tree makes the
    average degree of the contracted graph 2, and most of it a single tree. Where rows are short,
    all vertices join it: second neighbors are then most of the remaining entries.
    """
    return round(degree + 1) if degree >= LOW_DEGREE else 1
