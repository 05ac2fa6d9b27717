"""Skerry's algorithm for edge lists: see ``kernels/gpu/own/stream.cu``. Never waits for the device.

Its kernels are recorded once as a parameterized CUDA graph; each run supplies pointers and grid
sizes.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache, lru_cache

from skerry.algorithms.gpu.job import SAMPLERS, Job
from skerry.algorithms.gpu.options import bounded_int
from skerry.algorithms.gpu_planner import fits_one_block
from skerry.cuda.recorded_launches import RecordedLaunch, RecordedLaunches, RecordedRun
from skerry.cuda.runtime import BLOCK, blocks_of

__all__ = ["stream"]

EACH = 4  # kEach of own/links.h


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
    QUARTER = 15


LIST = (Slot.SOURCE, Slot.TARGET, Slot.SOURCE_STRIDE, Slot.TARGET_STRIDE, Slot.VERTICES, Slot.EDGES)
FOREST = (*LIST, Slot.LABELS, Slot.STATE)
TREES = (Slot.LABELS, Slot.VERTICES, Slot.STATE)

ONE_BLOCK = RecordedLaunches(
    "small", (RecordedLaunch("label_small_edges", Slot.ONE_BLOCK, SAMPLERS, FOREST),)
)


@cache
def _launches(parted: bool) -> RecordedLaunches:
    """With a share of the edges first and then the others, or with all edges at once."""
    launches = (
        (True, RecordedLaunch("start_links", Slot.ALL, BLOCK, TREES)),
        (True, RecordedLaunch("link_edges", Slot.SHARED, BLOCK, (*FOREST, Slot.SHARE))),
        (True, RecordedLaunch("join_share", Slot.SHARED, BLOCK, (*FOREST, Slot.SHARE, Slot.WHICH))),
        (parted, RecordedLaunch("sample_largest", Slot.ONE_BLOCK, SAMPLERS, TREES)),
        (parted, RecordedLaunch("mark_members", Slot.FEW, BLOCK, (*TREES, Slot.MEMBERS))),
        (parted, RecordedLaunch("join_others", Slot.QUARTER, BLOCK, (*FOREST, Slot.MEMBERS))),
        (True, RecordedLaunch("label_vertices", Slot.ALL, BLOCK, TREES)),
    )
    return RecordedLaunches("stream", tuple(launch for included, launch in launches if included))


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
    every = bounded_int(share, 0, max(m, 1)) or share_of_edges(m / n)
    parted = every > 1
    threads = -(-n // EACH)
    blocks = (
        # At least one block, which has nothing to do where there are no edges.
        max(1, blocks_of(count, BLOCK, max_blocks))
        for count in (threads, min(threads, 4 * resident), -(-m // every), -(-m // 4))
    )
    launches = ONE_BLOCK if one_block else _launches(parted)
    members = 4 * -(-n // 32) if parted and not one_block else 0
    values = (*strides, n, m, every, int(parted), 1, *blocks)
    return RecordedRun.create(launches, (members,), values)


def share_of_edges(edges_per_vertex: float) -> int:
    """The k for which one of k chunks belongs to a share: n edges in all, at most half."""
    return max(2, int(edges_per_vertex))
