"""The algorithm for an edge list, ``kernels/gpu/own/stream.cu``. It never waits for the device."""

from __future__ import annotations

from enum import IntEnum
from functools import cache, lru_cache

from skerry.algorithms.gpu.job import SAMPLERS, Job
from skerry.algorithms.gpu.options import whole
from skerry.algorithms.gpu.skip import SMALL
from skerry.cuda.program import Program, Run, Step
from skerry.cuda.runtime import BLOCK, blocks_of
from skerry.graph.device import DeviceEdges

__all__ = ["stream"]

EACH = 4  # kEach of own/links.h


class At(IntEnum):
    """Where the numbers of a run are; the first four as `Job.run` has them, then its own part."""

    SOURCE = 0
    TARGET = 1
    LABELS = 2
    STATE = 3
    MEMBERS = 4
    SOURCE_STEP = 5
    TARGET_STEP = 6
    VERTICES = 7
    EDGES = 8
    SHARE = 9
    WHICH = 10
    ONE_BLOCK = 11
    ALL = 12  # blocks, from here on
    FEW = 13
    SHARED = 14
    QUARTER = 15


LIST = (At.SOURCE, At.TARGET, At.SOURCE_STEP, At.TARGET_STEP, At.VERTICES, At.EDGES)
FOREST = (*LIST, At.LABELS, At.STATE)
TREES = (At.LABELS, At.VERTICES, At.STATE)

ALONE = Program("small", (Step("label_small_edges", At.ONE_BLOCK, SAMPLERS, FOREST),))


@cache
def _program(parted: bool) -> Program:
    """With a share of the edges first, and then the rest, or all at once."""
    steps = (
        (True, Step("start_links", At.ALL, BLOCK, TREES)),
        (True, Step("link_edges", At.SHARED, BLOCK, (*FOREST, At.SHARE))),
        (True, Step("join_share", At.SHARED, BLOCK, (*FOREST, At.SHARE, At.WHICH))),
        (parted, Step("sample_largest", At.ONE_BLOCK, SAMPLERS, TREES)),
        (parted, Step("mark_members", At.FEW, BLOCK, (*TREES, At.MEMBERS))),
        (parted, Step("join_others", At.QUARTER, BLOCK, (*FOREST, At.MEMBERS))),
        (True, Step("label_vertices", At.ALL, BLOCK, TREES)),
    )
    return Program("stream", tuple(step for wanted, step in steps if wanted))


def stream(job: Job, options: dict[str, float]) -> None:
    """Links and joins two shares of the edges, then those outside of the largest tree."""
    graph = job.graph
    assert isinstance(graph, DeviceEdges)
    n, m, share = job.vertices, graph.num_edges, options.get("share", 0)
    small = n + m <= SMALL and not share
    job.run(_run(n, m, graph.strides, job.resident, job.runtime.most_blocks, share, small))


@lru_cache(maxsize=256)
def _run(
    n: int,
    m: int,
    steps: tuple[int, int],
    resident: int,
    most: int,
    wish: float,
    small: bool,
) -> Run:
    """On an edge list of that size, its columns in such steps; the share is 0 for the best."""
    share = whole(wish, 0, max(m, 1)) or share_of_edges(m / n)
    parted = share > 1
    threads = -(-n // EACH)
    blocks = (
        # One block at least: where there are no edges, it has nothing to do.
        max(1, blocks_of(count, BLOCK, most))
        for count in (threads, min(threads, 4 * resident), -(-m // share), -(-m // 4))
    )
    program = ALONE if small else _program(parted)
    members = 4 * -(-n // 32) if parted and not small else 0
    return Run.of(program, (members,), (*steps, n, m, share, int(parted), 1, *blocks))


def share_of_edges(edges_per_vertex: float) -> int:
    """One of how many chunks makes a share: enough for n edges, or half of them."""
    return max(2, int(edges_per_vertex))
