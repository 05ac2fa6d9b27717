"""Skerry's algorithm for CSR rows: see ``kernels/gpu/own/skip.cu``. It never waits for the device.

Its kernels are recorded once as a parameterized CUDA graph; each run supplies pointers and grid
sizes.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache, lru_cache
from typing import NamedTuple

from skerry.algorithms.gpu.job import SAMPLERS, Job
from skerry.algorithms.gpu.options import bounded_int
from skerry.algorithms.gpu_planner import few_entries, fits_one_block, reads_directly, tiles_fit
from skerry.cuda.recorded_launches import RecordedLaunch, RecordedLaunches, RecordedRun
from skerry.cuda.runtime import BLOCK, LANES, blocks_of

__all__ = ["skip"]

CHUNK = 256  # kChunk and kHeavyFrom of own/remaining_rows.h
SAMPLED_ROWS = 512  # rows that are sampled to select the strategy
SAMPLE_BLOCK = 32  # threads of a block that samples
LOW_DEGREE = 3  # entries a vertex below which all second neighbors are joined
TILE = 1024  # kTile of own/tile_rows.h
ROW_TEAM = 4  # threads for a row that is not short, at least


class Way(IntEnum):
    """What the option ``way`` forces: Strategy of own/sample.h."""

    SELECTED = 0
    LINKS = 1
    TILES = 2
    HUB_LINKS = 3
    DIRECT = 4


class Slot(IntEnum):
    """Positions of the values of a run: the first four are `Job.launch_recorded`'s."""

    OFFSETS = 0
    NEIGHBORS = 1
    LABELS = 2
    STATE = 3
    CHUNKS = 4  # scratch memory, from here on: chunks of long rows
    OUTSIDE = 5  # entries that tiles leave: three lists; the first is the copy of links, else
    INSIDE = 6
    COUNTS = 7
    MORE = 8  # and two bits for each vertex
    NEXT = 9
    VERTICES = 10
    ENTRIES = 11
    SYMMETRIC = 12
    SHARE = 13
    STRATEGY = 14
    TILES_FIT = 15
    FEW_ENTRIES = 16
    TEAM = 17  # threads for a row
    ONE_BLOCK = 18
    SAMPLE_BLOCKS = 19  # numbers of blocks, from here on
    ALL = 20
    FULL = 21
    REMAINING = 22
    RESIDENT = 23
    VERTEX_THREADS = 24
    TEAM_THREADS = 25


ROWS = (Slot.OFFSETS, Slot.NEIGHBORS, Slot.VERTICES, Slot.ENTRIES)
FOREST = (*ROWS, Slot.LABELS, Slot.STATE)
TREES = (Slot.LABELS, Slot.VERTICES, Slot.STATE)
LEFT = (Slot.OUTSIDE, Slot.INSIDE, Slot.COUNTS, Slot.MORE, Slot.NEXT)
CLEARED = (Slot.STATE, Slot.STRATEGY, Slot.TILES_FIT, Slot.FEW_ENTRIES)
DIRECT = (*FOREST, Slot.SYMMETRIC, Slot.CHUNKS, Slot.OUTSIDE, Slot.TEAM)

ONE_BLOCK = RecordedLaunches(
    "small", (RecordedLaunch("label_small_rows", Slot.ONE_BLOCK, SAMPLERS, FOREST),)
)


class Kernels(NamedTuple):
    """The kernels that a run may need, by what is known before it."""

    sample: bool
    """The device selects the strategy."""
    tiles: bool
    """It may be tiles."""
    links: bool
    """It may be one that looks for a largest tree."""
    direct: bool
    """It may be one that reads all rows."""
    heavy: bool
    """There may be rows of `CHUNK` entries."""


@cache
def _launches(need: Kernels) -> RecordedLaunches:
    joins = need.tiles or need.links
    launches = (
        (True, RecordedLaunch("clear_state", Slot.ONE_BLOCK, BLOCK, CLEARED)),
        (
            need.sample,
            RecordedLaunch("sample_rows", Slot.SAMPLE_BLOCKS, SAMPLE_BLOCK, (*ROWS, Slot.STATE)),
        ),
        (
            need.tiles,
            RecordedLaunch("link_tiles", Slot.FULL, BLOCK, (*FOREST, Slot.SYMMETRIC, *LEFT)),
        ),
        (True, RecordedLaunch("link_single", Slot.FULL, BLOCK, FOREST)),
        (
            joins,
            RecordedLaunch(
                "join_seconds", Slot.ALL, BLOCK, (*FOREST, Slot.SYMMETRIC, Slot.SHARE, *LEFT)
            ),
        ),
        (joins, RecordedLaunch("sample_largest", Slot.ONE_BLOCK, SAMPLERS, TREES)),
        (
            need.direct,
            RecordedLaunch(
                "flatten_links_so_far",
                Slot.VERTEX_THREADS,
                BLOCK,
                (*TREES, Slot.SYMMETRIC, Slot.OUTSIDE),
            ),
        ),
        (
            joins,
            RecordedLaunch(
                "join_remaining_rows",
                Slot.REMAINING,
                BLOCK,
                (*FOREST, Slot.SYMMETRIC, Slot.CHUNKS, Slot.MORE),
            ),
        ),
        (need.direct, RecordedLaunch("join_rows_directly", Slot.TEAM_THREADS, BLOCK, DIRECT)),
        (
            need.heavy,
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
    if not way and not share and reads_directly(n, entries):
        way = Way.DIRECT
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
    forced = bounded_int(way, 0, max(Way))
    every = bounded_int(share, 0, n) or share_of_seconds(entries / n)
    selected = not forced
    fit = tiles_fit(n, entries, symmetric)
    need = Kernels(
        sample=selected,
        tiles=forced == Way.TILES or (selected and fit),
        links=selected or forced in (Way.LINKS, Way.HUB_LINKS),
        direct=forced != Way.TILES,
        heavy=entries >= CHUNK,
    )
    tiles = -(-n // TILE)
    threads = BLOCK * tiles
    team = _team(n, entries, resident)
    blocks = (
        blocks_of(SAMPLED_ROWS, SAMPLE_BLOCK, max_blocks),
        *(
            blocks_of(count, BLOCK, max_blocks)
            for count in (
                threads,
                min(threads, resident),
                min(threads, 4 * resident),
                resident,
                min(n, resident),
                min(team * n, 4 * resident),
            )
        ),
    )
    few = few_entries(n, entries)
    values = (n, entries, int(symmetric), every, forced, int(fit), few, team, 1, *blocks)
    if one_block:
        return RecordedRun.create(ONE_BLOCK, (0,) * (Slot.VERTICES - Slot.CHUNKS), values)
    # By size alone, so that memory is known without the symmetry of a graph.
    may_tile = forced == Way.TILES or (selected and tiles_fit(n, entries, symmetric=True))
    part_bytes = _part_bytes(n, entries, label_bytes, tiles if may_tile else 0)
    return RecordedRun.create(_launches(need), part_bytes, values)


def _part_bytes(n: int, entries: int, label_bytes: int, tiles: int) -> tuple[int, ...]:
    """Bytes of the parts of the scratch memory, in the order of `Slot`."""
    chunks = 16 * (2 * (entries // CHUNK) + 1)
    bits = TILE // 8 * tiles
    return chunks, label_bytes * n, 4 * TILE * tiles, 8 * tiles, bits, bits


def _team(n: int, entries: int, resident: int) -> int:
    """Threads for a row: a power of 2, while rows have entries and the device threads for them."""
    team = 1 if few_entries(n, entries) else ROW_TEAM
    while team < LANES and 2 * team * n <= min(resident, entries):
        team *= 2
    return team


def share_of_seconds(degree: float) -> int:
    """The k for which one of k vertices joins its second neighbor.

    First links leave about one tree for degree + 1 vertices. One join for each tree makes the
    average degree of the contracted graph 2, and most of it a single tree. Where rows are short,
    all vertices join it: second neighbors are then most of the remaining entries.
    """
    return round(degree + 1) if degree >= LOW_DEGREE else 1
