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
from skerry.algorithms.gpu.rule_words import RULE_WORDS, rule_words
from skerry.algorithms.gpu_planner import Strategy, fits_one_block, possible_rules
from skerry.cuda.recorded_launches import RecordedLaunch, RecordedLaunches, RecordedRun
from skerry.cuda.runtime import BLOCK, LANES, blocks_of

__all__ = ["skip"]

CHUNK = 128  # kChunk of own/row_chunks.h
HEAVY_FROM = 256  # kHeavyFrom of own/row_chunks.h
SAMPLED_ROWS = 512  # rows that are sampled to select the strategy
SAMPLE_BLOCK = 32  # threads of a block that samples
LOW_DEGREE = 3  # entries a vertex below which all second neighbors are joined
FEW_VERTICES = 1 << 22  # kFewVertices of own/sample.h: after tiles
TILE = 1024  # kTile of own/tile_rows.h
SHORT_ROWS = 5  # entries a vertex up to which a row has one thread, at least
ROW_TEAM = 4  # threads for a row that is not short, at least


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
    TEAM = 15  # threads for a row
    ONE_BLOCK = 16
    SAMPLE_BLOCKS = 17  # numbers of blocks, from here on
    ALL = 18
    FULL = 19
    REMAINING = 20
    HEAVY = 21
    DIRECT = 22
    EACH = 23
    RULES = 24  # the words of the rules, from here on


ROWS = (Slot.OFFSETS, Slot.NEIGHBORS, Slot.VERTICES, Slot.ENTRIES)
FOREST = (*ROWS, Slot.LABELS, Slot.STATE)
TREES = (Slot.LABELS, Slot.VERTICES, Slot.STATE)
LEFT = (Slot.OUTSIDE, Slot.INSIDE, Slot.COUNTS, Slot.MORE, Slot.NEXT)
SAMPLED = (*ROWS, Slot.STATE, *range(Slot.RULES, Slot.RULES + RULE_WORDS))
ALL_ROWS = (*FOREST, Slot.SYMMETRIC, Slot.CHUNKS, Slot.OUTSIDE)
TEAM_ROWS = (*ALL_ROWS, Slot.TEAM)

ONE_BLOCK = RecordedLaunches(
    "small", (RecordedLaunch("label_small_rows", Slot.ONE_BLOCK, SAMPLERS, FOREST),)
)


class Kernels(NamedTuple):
    """The kernels that a run may need, by what is known before it."""

    sample: bool
    """The device selects the strategy."""
    tiles: bool
    """It may be tiles."""
    single: bool
    """It may be another one."""
    links: bool
    """It may be one that skips the rows of a largest tree."""
    largest: bool
    """One may be looked for, be it to show the last pass where most paths end."""
    direct: bool
    """It may be one that reads all rows, as where there is no largest tree."""
    second: bool
    """It may be one that has a second pass before all rows are joined."""
    heavy: bool
    """There may be rows of `HEAVY_FROM` entries."""


@cache
def _launches(need: Kernels) -> RecordedLaunches:
    joins = need.tiles or need.links
    launches = (
        (True, RecordedLaunch("clear_state", Slot.ONE_BLOCK, BLOCK, (Slot.STATE, Slot.STRATEGY))),
        (
            need.sample,
            RecordedLaunch("sample_rows", Slot.SAMPLE_BLOCKS, SAMPLE_BLOCK, SAMPLED),
        ),
        (
            need.tiles,
            RecordedLaunch("link_tiles", Slot.FULL, BLOCK, (*FOREST, Slot.SYMMETRIC, *LEFT)),
        ),
        (need.single, RecordedLaunch("link_single", Slot.EACH, BLOCK, FOREST)),
        (
            need.second,
            RecordedLaunch(
                "join_or_flatten", Slot.ALL, BLOCK, (*FOREST, Slot.SYMMETRIC, Slot.SHARE, *LEFT)
            ),
        ),
        (need.largest, RecordedLaunch("sample_largest", Slot.ONE_BLOCK, SAMPLERS, TREES)),
        (
            need.links,
            RecordedLaunch(
                "flatten_joined_links", Slot.EACH, BLOCK, (*TREES, Slot.SYMMETRIC, Slot.OUTSIDE)
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
        (need.direct, RecordedLaunch("join_rows_directly", Slot.DIRECT, BLOCK, TEAM_ROWS)),
        (need.heavy, RecordedLaunch("join_heavy", Slot.HEAVY, BLOCK, ALL_ROWS)),
        (True, RecordedLaunch("label_vertices", Slot.ALL, BLOCK, TREES)),
    )
    return RecordedLaunches("skip", tuple(launch for included, launch in launches if included))


def skip(job: Job, options: dict[str, float]) -> None:
    """Links first neighbors, joins some second neighbors, then all but the largest tree."""
    graph = job.graph
    run = _run(
        job.vertices,
        graph.num_entries,
        bool(graph.symmetric),
        job.dtype.itemsize,
        job.resident,
        job.runtime.max_blocks,
        options.get("share", 0),
        options.get("way", 0),
    )
    job.launch_recorded(run)


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
) -> RecordedRun:
    """A run on rows of this size; ``share`` and ``way`` are 0 to have them chosen."""
    forced = Strategy(bounded_int(way, 0, max(Strategy)))
    if share and not forced:
        forced = Strategy.LINKS  # the others have no shares
    every = bounded_int(share, 0, n) or share_of_seconds(entries / n)
    one_block = not forced and fits_one_block(n, entries)
    rules = () if forced else possible_rules(n, entries, symmetric)
    if len(rules) == 1:
        forced, rules = rules[0].strategy, ()
    strategies = {rule.strategy for rule in rules} | ({forced} if forced else set())
    links = bool(strategies & {Strategy.LINKS, Strategy.HUB_LINKS})
    need = Kernels(
        sample=not forced,
        tiles=Strategy.TILES in strategies,
        single=strategies != {Strategy.TILES},
        links=links,
        largest=links or (Strategy.TILES in strategies and n > FEW_VERTICES),
        direct=links or bool(strategies & {Strategy.DIRECT, Strategy.PLAIN}),
        second=strategies != {Strategy.PLAIN},
        heavy=entries >= HEAVY_FROM,
    )
    tiles = -(-n // TILE)
    threads = BLOCK * tiles
    team = _team(n, entries, resident)
    blocks = (
        blocks_of(SAMPLED_ROWS, SAMPLE_BLOCK, max_blocks),
        *(
            blocks_of(count, BLOCK, max_blocks)
            for count in (
                max(threads, min(n, resident)),
                min(threads, resident),
                min(threads, 4 * resident),
                resident,
                min(team * n, resident),
                min(n, resident),
            )
        ),
    )
    values = (n, entries, int(symmetric), every, int(forced), team, 1, *blocks)
    if one_block:
        return RecordedRun.create(ONE_BLOCK, (0,) * (Slot.VERTICES - Slot.CHUNKS), values)
    # By size alone, so that memory is known without the symmetry of a graph.
    either = possible_rules(n, entries, symmetric=True)
    may_tile = need.tiles or (not way and any(rule.strategy == Strategy.TILES for rule in either))
    values += rule_words(rules)
    part_bytes = _part_bytes(n, entries, label_bytes, tiles if may_tile else 0)
    return RecordedRun.create(_launches(need), part_bytes, values)


def _part_bytes(n: int, entries: int, label_bytes: int, tiles: int) -> tuple[int, ...]:
    """Bytes of the parts of the scratch memory, in the order of `Slot`."""
    chunks = 16 * (2 * (entries // CHUNK) + 1)  # room_for_chunks of own/row_chunks.h
    bits = TILE // 8 * tiles
    return chunks, label_bytes * n, 4 * TILE * tiles, 8 * tiles, bits, bits


def _team(n: int, entries: int, resident: int) -> int:
    """Threads for a row: a power of 2, while rows have entries and the device threads for them."""
    team = 1 if entries <= SHORT_ROWS * n else ROW_TEAM
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
