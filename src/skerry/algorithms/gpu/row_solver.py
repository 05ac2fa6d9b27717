"""Skerry's algorithm for CSR rows: see ``kernels/gpu/own/rows.cu``. It never waits for the device.

Its kernels are recorded once as a parameterized CUDA graph; each run supplies pointers and grid
sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from functools import cache, lru_cache
from os import urandom
from typing import NamedTuple

from skerry.algorithms import gpu_planner as planner
from skerry.algorithms.gpu.job import ONE_EACH, SAMPLERS, Job, threads_over
from skerry.algorithms.gpu_planner import RowCounts, RowPlan, Strategy
from skerry.cuda.recorded_launches import RecordedLaunch, RecordedLaunches, RecordedRun
from skerry.cuda.runtime import BLOCK, blocks_of

EACH = 4  # kEach of grid.h
CHUNK = 128  # kChunk of own/row_chunks.h
HEAVY_FROM = 256  # kHeavyFrom of own/row_chunks.h
KEY = int.from_bytes(urandom(8))
"""Of the hash of own/reverses.h: no entries can be prepared that cancel each other out."""


class Slot(IntEnum):
    """Positions of the values of a run: the first four are `Job.launch_recorded`'s."""

    OFFSETS = 0
    NEIGHBORS = 1
    LABELS = 2
    STATE = 3
    CHUNKS = 4  # scratch memory, from here on: chunks of long rows
    ROOTS = 5  # a copy of them
    VERTICES = 6
    ENTRIES = 7
    PLAN = 8
    ONE_WAY = 9  # entries may lack their reverses
    SHARE = 10  # of vertices with a second neighbor
    TEAM = 11  # threads for a row
    OVER = 12  # whether vertices are linked over larger neighbors
    COPIED = 13  # whether there is a copy of the roots before a largest tree is looked for
    KEY = 14  # of a hash
    ONE_BLOCK = 15  # numbers of blocks, from here on
    FIRST = 16
    JOINED = 17
    COPY = 18
    REMAINING = 19
    TEAMS = 20
    FULL = 21
    ALL = 22


ROWS = (Slot.OFFSETS, Slot.NEIGHBORS, Slot.VERTICES, Slot.ENTRIES)
FOREST = (*ROWS, Slot.LABELS, Slot.STATE, Slot.PLAN)
TREES = (Slot.LABELS, Slot.VERTICES, Slot.STATE)
ALL_ROWS = (*FOREST, Slot.CHUNKS, Slot.ROOTS)

ONE_BLOCK = RecordedLaunches(
    "small", (RecordedLaunch("label_small_rows", Slot.ONE_BLOCK, SAMPLERS, FOREST[:-1]),)
)


class Kernels(NamedTuple):
    """The kernels that a run may need, by what is known before it."""

    links: bool  # the strategy may be LINKS
    check: bool  # if it is, the device finds out whether entries have their reverses
    one_way: bool  # they may not, and rows are read in both directions
    both_ways: bool  # they may
    copied: bool  # LINKS has a copy of the roots before a largest tree is looked for
    join: bool  # all rows may be joined, as where no tree is large
    short: bool  # rows have a thread each then
    second: bool  # there may be a pass between the first links and those that join rows
    heavy: bool  # there may be rows of `HEAVY_FROM` entries


@cache
def _launches(need: Kernels) -> RecordedLaunches:
    return RecordedLaunches("rows", tuple(_kernels(need)))


def _kernels(need: Kernels) -> Iterator[RecordedLaunch]:
    """In the order of their launches."""
    copy = RecordedLaunch("copy_joined_roots", Slot.COPY, BLOCK, (*TREES, Slot.PLAN, Slot.ROOTS))
    sampled = (*TREES, Slot.PLAN, Slot.ROOTS, Slot.COPIED)
    sample = RecordedLaunch("sample_largest", Slot.ONE_BLOCK, SAMPLERS, sampled)
    yield RecordedLaunch("clear_state", Slot.ONE_BLOCK, BLOCK, (Slot.STATE, Slot.ONE_WAY))
    yield RecordedLaunch("link_first", Slot.FIRST, BLOCK, (*FOREST, Slot.OVER))
    if need.check:
        checked = (*ROWS, Slot.STATE, Slot.PLAN, Slot.KEY)
        yield RecordedLaunch("check_reverses", Slot.FULL, BLOCK, checked)
    if need.second:
        second = (*FOREST, Slot.SHARE, Slot.ROOTS)
        yield RecordedLaunch("join_or_copy_roots", Slot.JOINED, BLOCK, second)
    if need.links:
        yield from (copy, sample) if need.copied else (sample, copy)
        if need.copied:
            yield RecordedLaunch("join_remaining_rows", Slot.REMAINING, BLOCK, ALL_ROWS)
        else:
            yield RecordedLaunch("join_many_remaining_rows", Slot.REMAINING, BLOCK, ALL_ROWS[:-1])
    teams = (*ALL_ROWS, Slot.TEAM)
    if need.join and need.both_ways and need.short:
        yield RecordedLaunch("join_short_rows", Slot.TEAMS, BLOCK, ALL_ROWS)
    elif need.join and need.both_ways:
        yield RecordedLaunch("join_rows_directly", Slot.TEAMS, BLOCK, teams)
    if need.join and need.one_way:
        yield RecordedLaunch("join_rows_one_way", Slot.TEAMS, BLOCK, teams)
    if need.heavy:
        yield RecordedLaunch("join_heavy", Slot.FULL, BLOCK, (*ALL_ROWS, Slot.COPIED))
    yield RecordedLaunch("label_vertices", Slot.ALL, BLOCK, TREES)


def solve_rows(job: Job, options: Mapping[str, float]) -> None:
    """Links first neighbors; then joins what is outside of the largest tree, or all rows."""
    graph = job.graph
    job.launch_recorded(
        _run(
            job.vertices,
            graph.num_entries,
            graph.symmetric,
            job.dtype.itemsize,
            job.resident,
            job.runtime.max_blocks,
            int(options.get("strategy", 0)),
        )
    )


@lru_cache(maxsize=256)
def _run(
    n: int,
    entries: int,
    symmetric: bool | None,
    label_bytes: int,
    resident: int,
    max_blocks: int,
    forced: int,
) -> RecordedRun:
    """A run on rows of this size; ``forced`` is the number of a strategy, or 0."""
    plan = planner.row_plan(n, entries, symmetric, Strategy(forced) if forced else None)
    strategies = set(plan[:3])
    links = Strategy.LINKS in strategies
    check = links and not symmetric
    one_way = not symmetric and not check
    team = planner.team_of_row(n, entries, resident)
    copied = n <= planner.COPIED_VERTICES
    need = Kernels(
        links=links,
        check=check,
        one_way=not symmetric,
        both_ways=not one_way,
        copied=copied,
        join=entries > 0,
        short=team == 1,
        second=entries > 0 and strategies != {Strategy.PLAIN},
        heavy=entries >= HEAVY_FROM,
    )
    over = planner.links_over(n, entries)
    share = planner.share_of_seconds(entries / n)
    known = (n, entries, plan.word, int(one_way), share, team, int(over), int(copied), KEY)
    # What may not be needed has fewer blocks: many that return at once take time, too.
    few, groups = n <= planner.FEW_VERTICES, -(-n // EACH)
    threads = (
        n if n <= ONE_EACH else min(n, resident),
        n if few else max(min(groups, 4 * resident), resident),
        n if few else resident,
        min(groups, 4 * resident),
        min(team * n, resident),
        resident,
        threads_over(n),
    )
    blocks = (blocks_of(count, BLOCK, max_blocks) for count in threads)
    values = (*known, 1, *blocks)
    if not forced and planner.fits_one_block(n, entries):
        return RecordedRun.create(ONE_BLOCK, (0,) * (Slot.VERTICES - Slot.CHUNKS), values)
    chunks = 16 * (2 * (entries // CHUNK) + 1)  # room_for_chunks of own/row_chunks.h
    return RecordedRun.create(_launches(need), (chunks, label_bytes * n), values)


def plan_of_job(job: Job, options: Mapping[str, float]) -> RowPlan | None:
    """The plan of a run, or None where one block did it all."""
    n, entries, forced = job.vertices, job.graph.num_entries, int(options.get("strategy", 0))
    if not n or (not forced and planner.fits_one_block(n, entries)):
        return None
    assert job.graph.form == "csr"
    return planner.row_plan(n, entries, job.graph.symmetric, Strategy(forced) if forced else None)


def stages_of_rows(job: Job, plan: RowPlan, counts: RowCounts) -> tuple[str, ...]:
    """The stages that the device went through, in the words of the CPU's."""
    selected = plan.select(counts.trees, job.vertices - counts.empty)
    skips = selected is Strategy.LINKS and not counts.one_way
    flatten = ("flatten",) if selected is not Strategy.PLAIN else ()
    if not job.graph.num_entries:
        rest: tuple[str, ...] = ()
    elif not skips:
        rest = (*flatten, "join rows")
    else:
        copied = job.vertices <= planner.COPIED_VERTICES
        rest = ("join seconds", "flatten", "sample") if copied else ("join seconds", "sample")
        rest += () if copied or counts.any_large else flatten
        rest += ("skip the largest",) if counts.any_large else ("join rows",)
    checked = job.graph.symmetric is None and selected is Strategy.LINKS
    return ("link first neighbors", *(("check",) if checked else ()), *rest, "finish")
