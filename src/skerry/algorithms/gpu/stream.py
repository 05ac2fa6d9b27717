"""Our algorithm for an edge list: see ``kernels/gpu/stream.cu``. It never waits for the device."""

from __future__ import annotations

from functools import lru_cache

from skerry.algorithms.gpu.job import LABELS, SAMPLERS, SCRATCH, STATE, Job, edges_of
from skerry.algorithms.gpu.options import whole
from skerry.algorithms.gpu.skip import SMALL
from skerry.cuda.program import Program, Step
from skerry.cuda.runtime import BLOCK
from skerry.graph.device import DeviceEdges

__all__ = ["stream"]

EACH = 4  # kEach of own/links.h


def stream(job: Job, options: dict[str, float]) -> None:
    """Links and joins two shares of the edges, then those outside of the largest tree."""
    graph = job.graph
    assert isinstance(graph, DeviceEdges)
    n, m, share = job.vertices, graph.num_edges, options.get("share", 0)
    if n + m <= SMALL and not share:
        job.run(_small_program(n, m, graph.steps))
    else:
        job.run(_program(n, m, graph.steps, job.resident, share))


@lru_cache(maxsize=256)
def _small_program(n: int, m: int, steps_of: tuple[int, int]) -> Program:
    what = (*edges_of(n, m, steps_of), LABELS, STATE)
    return Program("small", (Step("label_small_edges", SAMPLERS, SAMPLERS, what),))


@lru_cache(maxsize=256)
def _program(n: int, m: int, steps_of: tuple[int, int], resident: int, wish: float) -> Program:
    """For an edge list of that size, its columns in such steps; the share, or 0 for the best."""
    edges = (*edges_of(n, m, steps_of), LABELS, STATE)
    share = whole(wish, 0, max(m, 1)) or share_of_edges(m / n)
    threads = -(-n // EACH)
    which = 1 if share > 1 else 0
    steps = [
        Step("start_links", threads, BLOCK, (LABELS, n, STATE)),
        Step("link_edges", -(-m // share), BLOCK, (*edges, share)),
        Step("join_share", -(-m // share), BLOCK, (*edges, share, which)),
    ]
    if share > 1:
        few = min(threads, 4 * resident)
        steps += (
            Step("sample_largest", SAMPLERS, SAMPLERS, (LABELS, n, STATE)),
            Step("mark_members", few, BLOCK, (LABELS, n, STATE, SCRATCH)),
            Step("join_others", -(-m // 4), BLOCK, (*edges, SCRATCH)),
        )
    steps.append(Step("label_vertices", threads, BLOCK, (LABELS, n, STATE)))
    started = tuple(step for step in steps if step.threads)
    return Program("stream", started, 4 * -(-n // 32) if share > 1 else 0)


def share_of_edges(edges_per_vertex: float) -> int:
    """One of how many chunks makes a share: enough for n edges, or half of them."""
    return max(2, int(edges_per_vertex))
