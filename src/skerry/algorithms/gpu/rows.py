"""Passes over CSR rows: inits, hooks with the papers' mappings of rows to threads, finishes."""

from __future__ import annotations

from skerry.algorithms.gpu.job import SAMPLERS, Job, bounded_int
from skerry.algorithms.gpu.state import Word
from skerry.algorithms.number_ranges import WORDS
from skerry.algorithms.passes import Hook, HookNth, Init
from skerry.cuda.runtime import BLOCK, LANES

MAPPED_BLOCKS = 65_535  # at most, in Gerasimou's program: more rows come to a block in turn
FINISH = {"halving": "FinishHalving", "multiple": "JumpMultiple", "single": "JumpSingle"}
JUMP = {
    "multiple": "JumpMultiple",
    "single": "JumpSingle",
    "none": "JumpNone",
    "halving": "JumpHalving",
}


LOADS = {"device": "Device", "plain": "PlainDevice"}


def hook_defines(jump: str = "halving", loads: str = "device") -> tuple[str, ...]:
    """The macros that select the find of a hook, and how it reads links."""
    return (f"SKERRY_JUMP={JUMP[jump]}", f"SKERRY_LOADS={LOADS[loads]}")


def loads_of(options: dict[str, float]) -> str:
    """The word of the choice ``loads`` of a kernel."""
    return WORDS["loads"][int(options.get("loads", 0))]


def init(job: Job, step: Init) -> None:
    """Gives every vertex its first parent."""
    if step.init == "own":
        job.launch("init", "init_own", job.vertices, job.parent, job.vertices)
    else:
        job.launch(
            "init", f"init_{step.init}", job.vertices, *job.row_arguments, job.parent, job.state
        )


def finish(job: Job, kind: str = "single", loads: str = "device") -> None:
    """Makes every vertex point to its root."""
    arguments = (job.parent, job.vertices, job.state)
    defines = (f"SKERRY_FINISH={FINISH[kind]}", f"SKERRY_LOADS={LOADS[loads]}")
    job.launch("finish", "finish", job.vertices, *arguments, defines=defines)


def make_canonical(job: Job) -> None:
    """Replaces each label by the smallest member of its class."""
    n = job.vertices
    smallest = job.empty(n)
    job.launch("labels", "fill_invalid", n, smallest, n)
    job.launch("labels", "find_smallest_members", n, job.parent, n, smallest)
    job.launch("labels", "relabel", n, job.parent, n, smallest)


def find_largest(job: Job) -> None:
    """Samples vertices and stores the root of the largest component so far in the state."""
    job.clear(Word.LARGEST)
    arguments = (job.parent, job.vertices, job.state)
    job.launch("labels", "find_largest_component", SAMPLERS, *arguments, block=SAMPLERS)


def hook_rows(job: Job, step: Hook) -> None:
    """ECL-CC's three kernels: a thread, a warp or a block for a row, by its number of entries."""
    graph = job.graph
    # One direction and skipping a component are correct only where each entry has its reverse.
    symmetric = bool(graph.symmetric)
    one_direction = symmetric and step.entries == "one_direction"
    skip = symmetric and step.skip_largest
    if skip:
        find_largest(job)
    job.clear(Word.FRONT, Word.FLATTENED)
    n = job.vertices
    worklist = job.empty(n)
    common = (*job.row_arguments, job.parent, job.state, int(one_direction), step.first, int(skip))
    warp_from = bounded_int(step.warp_from, 1)
    block_from = bounded_int(step.block_from, warp_from)
    jump = hook_defines(step.jump, step.loads)
    job.launch(
        "hook_rows", "hook_short_rows", n, *common, worklist, warp_from, block_from, defines=jump
    )
    max_rows = min(n, graph.num_entries // warp_from)
    threads = min(LANES * max_rows, job.resident)
    job.launch("hook_rows", "hook_middle_rows", threads, *common, worklist, defines=jump)
    max_rows = min(n, graph.num_entries // block_from)
    threads = min(BLOCK * max_rows, job.resident)
    job.launch("hook_rows", "hook_long_rows", threads, *common, worklist, defines=jump)


def hook_nth_neighbor(job: Job, step: HookNth) -> None:
    """Hooks every vertex with its nth neighbor."""
    common = (*job.row_arguments, job.parent, job.state, 0, 0, 0)
    job.launch(
        "hook_rows",
        "hook_nth",
        job.vertices,
        *common,
        step.nth,
        defines=hook_defines(loads=step.loads),
    )


def thread_per_vertex(job: Job, options: dict[str, float]) -> None:
    """Unions, a thread for each row."""
    _mapped(job, "hook_by_threads", job.vertices, options)


def warp_per_row(job: Job, options: dict[str, float]) -> None:
    """Unions, a warp for each row."""
    _mapped(job, "hook_by_warps", LANES * job.vertices, options)


def block_per_row(job: Job, options: dict[str, float]) -> None:
    """Unions, a block for each row."""
    _mapped(job, "hook_by_blocks", BLOCK * job.vertices, options)


def _mapped(job: Job, kernel: str, threads: int, options: dict[str, float]) -> None:
    """One pass, as in Gerasimou's program; with ``repeat=1`` until nothing is hooked, as he writes.

    A union ends only when both ends are in one tree, so the second round hooks nothing.
    """
    init(job, Init("own"))
    # His program reads the lower triangle that MatrixMarket stores of a symmetric matrix.
    one_direction = int(bool(job.graph.symmetric))
    common = (*job.row_arguments, job.parent, job.state, one_direction, 0, 0)
    threads = min(threads, MAPPED_BLOCKS * BLOCK)
    repeat = bounded_int(options.get("repeat", 0), 0, 1)
    loads = loads_of(options)
    while True:
        job.launch("hook_rows", kernel, threads, *common, defines=hook_defines(loads=loads))
        finish(job, loads=loads)
        if not repeat or not job.changed():
            return


def afforest_random(job: Job, options: dict[str, float]) -> None:
    """Hooks random neighbors, then all entries except those of the largest component's rows."""
    init(job, Init("own"))
    common = (*job.row_arguments, job.parent, job.state, 0, 0, 0)
    seed = bounded_int(options.get("seed", 1))
    for sample in range(bounded_int(options.get("samples", 2), 0, 64)):
        job.launch(
            "hook_rows",
            "hook_random",
            job.vertices,
            *common,
            seed + sample,
            defines=hook_defines(),
        )
        finish(job)
    hook_rows(job, Hook("halving", "all", skip_largest=True))
    finish(job)
