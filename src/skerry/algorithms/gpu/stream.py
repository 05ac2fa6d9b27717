"""Skerry's algorithm for edge lists: see ``kernels/gpu/own/stream.cu``. Never waits for the device.

Its kernels are recorded once as a parameterized CUDA graph; each run supplies pointers and grid
sizes.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache, lru_cache
from itertools import pairwise

from skerry.algorithms.gpu.job import SAMPLERS, Job, bounded_int, threads_over
from skerry.algorithms.gpu_planner import fits_one_block
from skerry.cuda.recorded_launches import RecordedLaunch, RecordedLaunches, RecordedRun
from skerry.cuda.runtime import BLOCK, blocks_of

EACH = 4  # kEach of grid.h and kAhead of edges.h
DEALT = 1024  # kDealt of own/stream.cu
OVERSUBSCRIBED = 16  # times as many threads as the device holds at once, at most

MARKED_AT_ONCE = 1 << 27
"""Vertices whose marks, a bit each, are looked at in one launch: they fit an H200's L2 cache."""
MOST_PARTS = 8
"""Of the marks: each part costs a pass over the edges."""
STAGED_FROM = 1 << 24
"""Vertices from which on they are marked again after a part of the edges, so that a smaller share
of the edges suffices before: then links are gathered from memory, not from the cache."""
STAGED_DENSITY = 8
"""Edges for each vertex from which on that pays."""
STAGE = 4
"""One of how many edges is in the first stage."""
ORDERED_SHARE = 4
"""One of how many sampled edges has adjacent ends in an ordered list: `kAdjacentShare`."""


class Slot(IntEnum):
    """Positions of the values of a run: the first four are `Job.launch_recorded`'s."""

    SOURCE = 0
    TARGET = 1
    LABELS = 2
    STATE = 3
    MEMBERS = 4  # scratch memory
    SOURCE_STRIDE = 5
    TARGET_STRIDE = 6
    VERTICES = 7
    EDGES = 8
    SHARE = 9
    WHICH = 10
    ONE_BLOCK = 11
    ALL = 12  # numbers of blocks, from here on
    FEW = 13
    SHARED = 14
    OTHERS = 15
    LABELED = 16
    FIRST_EDGE = 17  # of the first stage
    SECOND_EDGE = 18  # of the second
    BOUNDS = 19  # the first vertex of each part of the marks, and the number of vertices


COLUMNS = (Slot.SOURCE, Slot.TARGET, Slot.SOURCE_STRIDE, Slot.TARGET_STRIDE, Slot.VERTICES)
FOREST = (*COLUMNS, Slot.EDGES, Slot.LABELS, Slot.STATE)
TREES = (Slot.LABELS, Slot.VERTICES, Slot.STATE)

ONE_BLOCK = RecordedLaunches(
    "small", (RecordedLaunch("label_small_edges", Slot.ONE_BLOCK, SAMPLERS, FOREST),)
)


@cache
def _launches(parts: int, staged: bool) -> RecordedLaunches:
    """A share of the edges, then all edges once for each part of the marks, in one or two stages.

    Where there are no parts, the share is all edges.
    """
    launches = [
        RecordedLaunch("start_links", Slot.ALL, BLOCK, FOREST),
        RecordedLaunch("link_edges", Slot.SHARED, BLOCK, (*FOREST, Slot.SHARE)),
        RecordedLaunch("settle_ordered", Slot.FEW, BLOCK, TREES),
        RecordedLaunch("join_share", Slot.SHARED, BLOCK, (*FOREST, Slot.SHARE, Slot.WHICH)),
    ]
    if parts:
        launches.append(RecordedLaunch("sample_largest", Slot.ONE_BLOCK, SAMPLERS, TREES))
    stages = (Slot.FIRST_EDGE, *((Slot.SECOND_EDGE,) if staged else ()), Slot.EDGES)
    for begin, end in pairwise(stages if parts else ()):
        launches.append(RecordedLaunch("mark_members", Slot.FEW, BLOCK, (*TREES, Slot.MEMBERS)))
        stage = (*COLUMNS, end, Slot.LABELS, Slot.STATE, Slot.MEMBERS)
        for part in range(Slot.BOUNDS, Slot.BOUNDS + parts):
            arguments = (*stage, part, part + 1, begin)
            launches.append(RecordedLaunch("join_others", Slot.OTHERS, BLOCK, arguments))
    launches.append(RecordedLaunch("label_vertices", Slot.LABELED, BLOCK, TREES))
    return RecordedLaunches("stream", tuple(launches))


def is_ordered(adjacent: int) -> bool:
    """As is_ordered of own/stream.cu: a thread of a block has sampled an edge each."""
    return ORDERED_SHARE * adjacent >= BLOCK


def parts_of_marks(num_vertices: int) -> range:
    """The first vertex of each part of the marks."""
    parts = min(max(1, -(-num_vertices // MARKED_AT_ONCE)), MOST_PARTS)
    return range(0, max(num_vertices, 1), max(1, -(-num_vertices // parts)))


def stream(job: Job, options: dict[str, float]) -> None:
    """Links and joins two shares of the edges, then those outside the largest tree."""
    graph = job.graph
    assert graph.form == "edges"
    n, m, share = job.vertices, graph.num_entries, options.get("share", 0)
    one_block = not share and fits_one_block(n, m)
    max_blocks = job.runtime.max_blocks
    job.launch_recorded(_run(n, m, graph.strides, job.resident, max_blocks, share, one_block))


@lru_cache(maxsize=256)
def _run(
    n: int,
    m: int,
    strides: tuple[int, int],
    resident: int,
    max_blocks: int,
    share: float,
    one_block: bool,
) -> RecordedRun:
    """A run on an edge list of this size; ``share`` is 0 to have it chosen."""
    staged = n >= STAGED_FROM and m >= STAGED_DENSITY * n
    every = bounded_int(share, 0, max(m, 1)) or share_of_edges(m / n, staged)
    parted = every > 1 and not one_block
    threads = -(-n // EACH)
    blocks = (
        # At least one block, which has nothing to do where there are no edges.
        max(1, blocks_of(count, BLOCK, max_blocks))
        for count in (
            threads,
            min(threads, 4 * resident),
            -(-m // every),
            min(-(-m // EACH), OVERSUBSCRIBED * resident),
            threads_over(n),
        )
    )
    marks = parts_of_marks(n) if parted else range(0)
    stage = m // STAGE // DEALT * DEALT
    launches = ONE_BLOCK if one_block else _launches(len(marks), staged)
    members = 4 * -(-n // 32) if parted else 0
    values = (*strides, n, m, every, int(every > 1), 1, *blocks, 0, stage, *marks, n)
    return RecordedRun.create(launches, (members,), values)


def share_of_edges(edges_per_vertex: float, staged: bool = False) -> int:
    """The k for which one of k chunks belongs to a share: n edges in all, at most half of them.

    0.4 n where vertices are marked again.
    """
    return max(2, int(2.5 * edges_per_vertex if staged else edges_per_vertex))
