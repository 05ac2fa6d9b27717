"""Skerry's algorithm for CSR rows: see ``kernels/gpu/own/skip.cu``. It never waits for the device.

Its kernels are recorded once as a parameterized CUDA graph; each run supplies pointers and grid
sizes.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache, lru_cache
from os import urandom
from typing import NamedTuple

from skerry.algorithms.gpu.job import SAMPLERS, Job, threads_over
from skerry.algorithms.gpu.options import bounded_int
from skerry.algorithms.gpu.rule_words import RULE_WORDS, rule_words
from skerry.algorithms.gpu_planner import (
    SKIPPING,
    Strategy,
    fits_one_block,
    possible_rules,
)
from skerry.cuda.recorded_launches import RecordedLaunch, RecordedLaunches, RecordedRun
from skerry.cuda.runtime import BLOCK, LANES, blocks_of

__all__ = ["skip"]

CHUNK = 128  # kChunk of own/row_chunks.h
HEAVY_FROM = 256  # kHeavyFrom of own/row_chunks.h
SAMPLE_WARPS = 16  # kSampleWarps of own/sample.h
SAMPLED_ROWS = SAMPLE_WARPS * LANES
LOW_DEGREE = 3  # entries a vertex below which all second neighbors are joined
LINKED_OVER = 4.5  # entries a vertex from which vertices are linked over a larger neighbor
OVER_VERTICES = 1 << 20  # up to which they are
FEW_ENTRIES = 3 << 18  # up to which they are at any rate
COPIED_VERTICES = 3 << 19  # up to which a copy of the roots pays where a largest tree is skipped
COPIED_BY_ALL = 1 << 20  # up to which it has a thread for each, though it may not be needed
LINKED_BY_ALL = 1 << 21  # up to which first links have one, where they are sure to be needed
FEW_VERTICES = 1 << 22  # kFewVertices of own/sample.h: after tiles
TILE = 1024  # kTile of own/tile_rows.h
SHORT_ROWS = 5  # entries a vertex up to which a row has one thread, at least
ROW_TEAM = 4  # threads for a row that is not short, at least
KEY = int.from_bytes(urandom(8))
"""Of the hash of own/reverses.h: no entries can be prepared that cancel each other out."""


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
    ONE_WAY = 12  # entries may lack their reverses
    SHARE = 13
    STRATEGY = 14
    TEAM = 15  # threads for a row
    OVER = 16  # whether vertices are linked over larger neighbors
    SAMPLED = 17  # whether rows are sampled beside the first links
    ONE_BLOCK = 18
    SAMPLE_BLOCKS = 19  # numbers of blocks, from here on
    ALL = 20
    TILED = 21
    SINGLE = 22
    JOINED = 23
    COPY = 24
    REMAINING = 25
    DIRECT = 26
    FULL = 27
    KEY = 28  # of a hash
    COPIED = 29  # whether there is a copy of the roots before a largest tree is looked for
    RULES = 30  # the words of the rules, from here on


ROWS = (Slot.OFFSETS, Slot.NEIGHBORS, Slot.VERTICES, Slot.ENTRIES)
CLEARED = (Slot.STATE, Slot.STRATEGY, Slot.ONE_WAY)
FOREST = (*ROWS, Slot.LABELS, Slot.STATE)
LINKED = (*FOREST, Slot.OVER)
TREES = (Slot.LABELS, Slot.VERTICES, Slot.STATE)
LEFT = (Slot.OUTSIDE, Slot.INSIDE, Slot.COUNTS, Slot.MORE, Slot.NEXT)
RULES = range(Slot.RULES, Slot.RULES + RULE_WORDS)
ALL_ROWS = (*FOREST, Slot.CHUNKS, Slot.OUTSIDE)

ONE_BLOCK = RecordedLaunches(
    "small", (RecordedLaunch("label_small_rows", Slot.ONE_BLOCK, SAMPLERS, FOREST),)
)


class Kernels(NamedTuple):
    """The kernels that a run may need, by what is known before it."""

    both_ways: bool
    """All entries may have their reverses."""
    check: bool
    """The device finds out whether they do, if it has selected a strategy that skips rows."""
    sample: bool
    """The device selects the strategy before the check and the first links."""
    tiles: bool
    """It may be tiles."""
    single: bool
    """It may be another one."""
    links: bool
    """It may be one that skips the rows of a largest tree."""
    copied: bool
    """There is a copy of the roots before one is looked for."""
    largest: bool
    """One may be looked for, be it to show the last pass where most paths end."""
    direct: bool
    """It may be one that reads all rows, as where there is no largest tree."""
    short: bool
    """Rows have a thread each then."""
    second: bool
    """It may be one that has a second pass before all rows are joined."""
    heavy: bool
    """There may be rows of `HEAVY_FROM` entries."""


@cache
def _launches(need: Kernels) -> RecordedLaunches:
    copy = RecordedLaunch("copy_joined_roots", Slot.COPY, BLOCK, (*TREES, Slot.OUTSIDE))
    separate = need.links and not need.copied and not need.tiles
    launches = (
        (True, RecordedLaunch("clear_state", Slot.ONE_BLOCK, BLOCK, CLEARED)),
        (
            need.sample,
            RecordedLaunch("sample_rows", Slot.SAMPLE_BLOCKS, LANES, (*ROWS, Slot.STATE, *RULES)),
        ),
        (
            need.check,
            RecordedLaunch("check_reverses", Slot.FULL, BLOCK, (*ROWS, Slot.STATE, Slot.KEY)),
        ),
        (need.tiles, RecordedLaunch("link_tiles", Slot.TILED, BLOCK, (*FOREST, *LEFT))),
        (
            need.single,
            RecordedLaunch("link_single", Slot.SINGLE, BLOCK, (*LINKED, Slot.SAMPLED, *RULES)),
        ),
        (
            need.second,
            RecordedLaunch("join_or_copy_roots", Slot.JOINED, BLOCK, (*FOREST, Slot.SHARE, *LEFT)),
        ),
        (need.links and need.copied, copy),
        (
            need.largest,
            RecordedLaunch(
                "sample_largest", Slot.ONE_BLOCK, SAMPLERS, (*TREES, Slot.OUTSIDE, Slot.COPIED)
            ),
        ),
        (
            need.tiles,  # for marked rows, remaining rows and the copy: only one is needed
            RecordedLaunch(
                "join_marked_or_remaining",
                Slot.REMAINING,
                BLOCK,
                (*FOREST, Slot.CHUNKS, Slot.MORE, Slot.OUTSIDE),
            ),
        ),
        (separate, copy),
        (
            need.links and need.copied,
            RecordedLaunch("join_remaining_rows", Slot.REMAINING, BLOCK, ALL_ROWS),
        ),
        (
            separate,
            RecordedLaunch(
                "join_many_remaining_rows", Slot.REMAINING, BLOCK, (*FOREST, Slot.CHUNKS)
            ),
        ),
        (
            need.direct and need.both_ways and need.short,
            RecordedLaunch("join_short_rows", Slot.DIRECT, BLOCK, ALL_ROWS),
        ),
        (
            need.direct and need.both_ways and not need.short,
            RecordedLaunch("join_rows_directly", Slot.DIRECT, BLOCK, (*ALL_ROWS, Slot.TEAM)),
        ),
        (
            need.direct and (need.check or not need.both_ways),
            RecordedLaunch("join_rows_one_way", Slot.DIRECT, BLOCK, (*ALL_ROWS, Slot.TEAM)),
        ),
        (need.heavy, RecordedLaunch("join_heavy", Slot.FULL, BLOCK, (*ALL_ROWS, Slot.COPIED))),
        (True, RecordedLaunch("label_vertices", Slot.ALL, BLOCK, TREES)),
    )
    return RecordedLaunches("skip", tuple(launch for included, launch in launches if included))


def skip(job: Job, options: dict[str, float]) -> None:
    """Links first neighbors, joins some second neighbors, then all but the largest tree."""
    graph = job.graph
    run = _run(
        job.vertices,
        graph.num_entries,
        graph.symmetric,
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
    symmetric: bool | None,
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
    links = bool(strategies.intersection(SKIPPING))
    check = links and symmetric is None
    tiled = Strategy.TILES in strategies
    # The first links of single vertices are the same for all strategies but that of hubs. A check
    # is made only where the selected strategy needs it, and has to be known by then.
    beside = not forced and not check and not strategies & {Strategy.TILES, Strategy.HUB_LINKS}
    team = _team(n, entries, resident)
    need = Kernels(
        both_ways=bool(symmetric) or check,
        check=check,
        sample=not forced and not beside,
        tiles=tiled,
        single=strategies != {Strategy.TILES},
        links=links,
        copied=n <= COPIED_VERTICES and not tiled,  # join_marked_or_remaining reads the links
        largest=links or (tiled and n > FEW_VERTICES),
        direct=entries > 0 and (links or bool(strategies & {Strategy.DIRECT, Strategy.PLAIN})),
        short=team == 1,
        second=entries > 0 and (not symmetric or strategies != {Strategy.PLAIN}),
        heavy=entries >= HEAVY_FROM,
    )
    tiles = -(-n // TILE)
    threads = BLOCK * tiles
    blocks = (
        SAMPLE_WARPS,
        *(
            blocks_of(count, BLOCK, max_blocks)
            for count in (
                threads_over(n),
                min(n, resident),
                n if n <= LINKED_BY_ALL and not tiled else min(n, resident),
                n if n <= COPIED_BY_ALL else max(min(threads, 4 * resident), resident),
                n if n <= COPIED_BY_ALL else resident,
                min(threads, resident if tiled else 4 * resident),
                min(team * n, resident),
                resident,
            )
        ),
    )
    one_way = not need.both_ways
    over = entries <= FEW_ENTRIES or (entries >= LINKED_OVER * n and n <= OVER_VERTICES)
    known = (n, entries, int(one_way), every, int(forced), team, int(over), int(beside), 1)
    values = (*known, *blocks, KEY, int(need.copied))
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
