"""Passes over rows: inits, hooks in the mappings of the papers, and Afforest's samples."""

from __future__ import annotations

from skerry.algorithms.gpu.job import SAMPLERS, Job
from skerry.algorithms.gpu.options import whole
from skerry.algorithms.gpu.state import Word
from skerry.algorithms.passes import Hook, HookNth, Init
from skerry.cuda.runtime import BLOCK
from skerry.graph.device import DeviceCsr

__all__ = [
    "afforest_random",
    "block_per_row",
    "finish",
    "hook_nth_neighbor",
    "hook_rows",
    "init",
    "jump_of",
    "thread_per_vertex",
    "warp_per_row",
]

FINISH = {"halving": "FinishHalving", "multiple": "JumpMultiple", "single": "JumpSingle"}
JUMP = {
    "multiple": "JumpMultiple",
    "single": "JumpSingle",
    "none": "JumpNone",
    "halving": "JumpHalving",
}


def jump_of(jump: str) -> tuple[str, ...]:
    """The macro that compiles a find into a hook."""
    return (f"SKERRY_JUMP={JUMP[jump]}",)


def init(job: Job, step: Init) -> None:
    """Gives every vertex its first parent."""
    if step.init == "own":
        job.launch("init", "init_own", job.vertices, job.parent, job.vertices)
    else:
        job.launch("init", f"init_{step.init}", job.vertices, *job.rows, job.parent, job.state)


def finish(job: Job, kind: str = "single") -> None:
    """Makes every vertex point to its root."""
    arguments = (job.parent, job.vertices, job.state)
    job.launch(
        "finish", "finish", job.vertices, *arguments, defines=(f"SKERRY_FINISH={FINISH[kind]}",)
    )


def find_largest(job: Job) -> None:
    """Puts the root of the largest component so far, as a sample shows it, into the state."""
    job.clear(Word.LARGEST)
    arguments = (job.parent, job.vertices, job.state)
    job.launch("labels", "find_largest_component", SAMPLERS, *arguments, block=SAMPLERS)


def hook_rows(job: Job, step: Hook) -> None:
    """ECL-CC's three kernels: rows by threads, warps and blocks, by their number of entries."""
    graph = job.graph
    assert isinstance(graph, DeviceCsr)
    # One direction, and skipping a component, are right only where each entry has its reverse.
    symmetric = bool(graph.symmetric)
    one_direction = symmetric and step.entries == "one_direction"
    skip = symmetric and step.skip_largest
    if skip:
        find_largest(job)
    job.clear(Word.FRONT)
    job.clear(Word.BACK)
    n = job.vertices
    worklist = job.empty(n)
    what = (*job.rows, job.parent, job.state, int(one_direction), step.first, int(skip))
    warp_from = whole(step.warp_from, 1)
    block_from = whole(step.block_from, warp_from)
    jump = jump_of(step.jump)
    job.launch(
        "hook_rows", "hook_short_rows", n, *what, worklist, warp_from, block_from, defines=jump
    )
    most = min(n, graph.num_entries // warp_from)
    threads = min(32 * most, job.resident)
    job.launch("hook_rows", "hook_middle_rows", threads, *what, worklist, defines=jump)
    most = min(n, graph.num_entries // block_from)
    threads = min(BLOCK * most, job.resident)
    job.launch("hook_rows", "hook_long_rows", threads, *what, worklist, defines=jump)


def hook_nth_neighbor(job: Job, step: HookNth) -> None:
    """Hooks every vertex with its nth neighbor."""
    what = (*job.rows, job.parent, job.state, 0, 0, 0)
    job.launch("hook_rows", "hook_nth", job.vertices, *what, step.nth, defines=jump_of("halving"))


def thread_per_vertex(job: Job, options: dict[str, float]) -> None:
    """Rounds of unions, a thread a row."""
    del options
    _mapped(job, "hook_by_threads", job.vertices)


def warp_per_row(job: Job, options: dict[str, float]) -> None:
    """Rounds of unions, a warp a row."""
    del options
    _mapped(job, "hook_by_warps", 32 * job.vertices)


def block_per_row(job: Job, options: dict[str, float]) -> None:
    """Rounds of unions, a block a row."""
    del options
    _mapped(job, "hook_by_blocks", BLOCK * job.vertices)


def _mapped(job: Job, kernel: str, threads: int) -> None:
    init(job, Init("own"))
    what = (*job.rows, job.parent, job.state, 0, 0, 0)
    while True:
        job.launch("hook_rows", kernel, threads, *what, defines=jump_of("halving"))
        finish(job)
        if not job.changed():
            return


def afforest_random(job: Job, options: dict[str, float]) -> None:
    """Hooks random neighbors, then all entries but those of the largest component's rows."""
    init(job, Init("own"))
    what = (*job.rows, job.parent, job.state, 0, 0, 0)
    seed = whole(options.get("seed", 1))
    for sample in range(whole(options.get("samples", 2), 0, 64)):
        job.launch(
            "hook_rows",
            "hook_random",
            job.vertices,
            *what,
            seed + sample,
            defines=jump_of("halving"),
        )
        finish(job)
    hook_rows(job, Hook("halving", "all", skip_largest=True))
    finish(job)
