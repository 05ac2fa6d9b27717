"""Published algorithms whose host part is short: see ``kernels/gpu/published``, by their names."""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.algorithms.gpu.graft import LAST_KEPT_ROUNDS, keeps_last, shortcut
from skerry.algorithms.gpu.job import Job, bounded_int
from skerry.algorithms.gpu.rows import LOADS, finish, init, loads_of, make_canonical
from skerry.algorithms.gpu.state import Word
from skerry.algorithms.passes import Init
from skerry.cuda.runtime import BLOCK, LANES

WARP_FROM = 17  # entries from which a warp processes a row: ECL-CC sect. 3
BLOCK_FROM = 353  # entries from which a block does
ECLAF_KERNELS = ("eclaf_short_rows", "eclaf_middle_rows", "eclaf_long_rows")
ECLAF_FLAGS = (Word.CHANGED, Word.TAKEN, Word.FLATTENED)  # of the three kernels
ALL_KERNELS = [True] * len(ECLAF_KERNELS)
LOW_DEGREE = 8  # edges a vertex below which there is one segment
SMALLEST_SEGMENT = 1 << 16  # edges, hooked in about the time of the two launches of a segment
RECORD_WORD = 32  # edges whose bits a word of the record holds


def eclaf(job: Job, options: dict[str, float]) -> None:
    """ECLaf: rounds of hooks by plain stores, until a round hooks nothing.

    Options: rows of ``warp_from`` entries have a warp, those of ``block_from`` a block; ``hook``
    says whether a store is looked at again or, for some rounds, blind (see the kernel).
    """
    graph = job.graph
    warp_from = bounded_int(options.get("warp_from", WARP_FROM), 1)
    block_from = bounded_int(options.get("block_from", BLOCK_FROM), warp_from)
    worklist = job.empty(job.vertices)
    by_letter = bool(options.get("hook", 0))
    threads = [
        job.vertices,
        min(graph.num_entries // warp_from * LANES, job.resident),
        min(graph.num_entries // block_from * BLOCK, job.resident),
    ]

    def one_round(running: list[bool], *bounds: int) -> list[bool]:
        """Runs some of the three kernels, and returns which of them have changed anything."""
        blind = int(by_letter and job.rounds < LAST_KEPT_ROUNDS)
        arguments = (*job.row_arguments, job.parent, job.state, int(bool(graph.symmetric)), blind)
        for kernel, count, runs in zip(ECLAF_KERNELS, threads, running, strict=True):
            if runs:
                more = bounds if kernel == "eclaf_short_rows" else ()
                job.launch("eclaf", kernel, count, *arguments, worklist, *more)
        job.rounds += 1
        words = job.runtime.read(job.state[: ECLAF_FLAGS[-1] + 1])
        flags = [bool(words[word]) for word in ECLAF_FLAGS]
        for word, is_set in zip(ECLAF_FLAGS, flags, strict=True):
            if is_set:
                job.clear(word)
        return flags

    init(job, Init("first_smaller"))
    changed = one_round(ALL_KERNELS, warp_from, block_from, 1)
    threads[1:] = job.read(Word.FRONT) * LANES, job.read(Word.BACK) * BLOCK
    running = ALL_KERNELS
    while any(changed) or running != ALL_KERNELS:
        # At the end a round of all must change nothing: see the kernel.
        running = changed if by_letter and any(changed) else ALL_KERNELS
        changed = one_round(running, warp_from, block_from, 0)
    finish(job)


def groute(job: Job, options: dict[str, float]) -> None:
    """Hooks and flattens the edges in ``segments`` parts, one after the other; 0: by the degree.

    Ben-Nun, Sutton, Pai & Pingali, "Groute: an asynchronous multi-GPU programming model for
    irregular computations" (PPoPP 2017), as in Jaiganesh & Burtscher 2018, sect. 2, and Jaiganesh
    2017, sect. 2, Algorithm 6. The number of segments is that of Groute's program on one GPU: below
    8 edges a vertex a single one, hooked by plain stores first, else segments of n edges. The
    papers say 2m/n segments, which is ``cut=paper``. Departure: segments have 65,536 edges at
    least, so that a launch never takes longer than the work in it. As in both, each segment ends
    with multiple jumping, which stores every step: threads at work on one path double each other's
    steps. With ``flatten=single`` each walks to the root alone: the plain stores of a segment can
    leave one path of all vertices, and there that takes n^2 / 2 steps in the worst case.
    """
    n, m = job.vertices, job.graph.num_entries
    segments = bounded_int(options.get("segments", 0))
    by_paper = bool(options.get("cut", 0))
    single = m // n < LOW_DEGREE and not by_paper
    length = m if single else max(n, SMALLEST_SEGMENT)
    if segments:
        length = -(-m // segments)
    elif by_paper:
        length = -(-n // 2)
    loads = loads_of(options)
    reads = (f"SKERRY_LOADS={LOADS[loads]}",)

    def flatten() -> None:
        if options.get("flatten", 0):
            finish(job, loads=loads)
        else:
            shortcut(job)

    init(job, Init("own"))
    for first in job.parts(range(0, m, length or 1)):
        count = min(length, m - first)
        arguments = (*job.edge_arguments, job.parent, job.state, first, count)
        if single and first == 0:
            job.launch("groute", "hook_once", count, *arguments, defines=reads)
            flatten()
        job.launch("groute", "hook_segment", count, *arguments, defines=reads)
        flatten()


def gunrock(job: Job, options: dict[str, float]) -> None:
    """Rounds of hooking and pointer jumping; edges inside components are filtered out.

    With ``filter=letter`` before the jumping, by the parents that hooking has left.
    """
    before_jump = bool(options.get("filter", 0))
    n, count = job.vertices, job.graph.num_entries
    parent, state = job.parent, job.state
    members = job.empty(n)
    kept, spare = (job.empty(count), job.empty(count)), (job.empty(count), job.empty(count))
    init(job, Init("own"))
    job.launch("gunrock", "hook_all_edges", count, *job.edge_arguments, parent, state)
    all_edges = ("filter_all_edges", count, *job.edge_arguments, parent, state, *kept)
    _in_turn(job, ("jump_and_list", n, parent, n, state, members), all_edges, before_jump)
    while count := _kept(job):
        job.launch("gunrock", "hook_kept_edges", count, *kept, count, parent, state, members)
        filtering = ("filter_kept_edges", count, *kept, count, parent, state, *spare)
        _in_turn(job, ("jump_members", n, parent, state, members), filtering, before_jump)
        kept, spare = spare, kept


def _in_turn(
    job: Job, jumping: tuple[Any, ...], filtering: tuple[Any, ...], before_jump: bool
) -> None:
    """Launches two kernels of a round, given with their threads and arguments."""
    for launch in (filtering, jumping) if before_jump else (jumping, filtering):
        job.launch("gunrock", *launch)


def _kept(job: Job) -> int:
    """Number of edges that still join two components; waits for the device."""
    job.rounds += 1
    count = job.read(Word.FRONT)
    job.clear(Word.FRONT)
    return count


def rem(job: Job, options: dict[str, float]) -> None:
    """Rem's algorithm: unites all edges; then verifies those that wrote until no write was lost.

    Options: ``keep`` and ``prefetch`` (see the kernel).
    """
    init(job, Init("own"))
    edges = job.graph.num_entries
    record = job.empty(-(-edges // RECORD_WORD), np.uint32)
    arguments = (*job.edge_arguments, job.parent, job.state, record)
    prefetch = int(bool(options.get("prefetch", 0)))
    last = keeps_last(options, 0)
    job.launch("rem", "unite_and_record", edges, *arguments, last, prefetch)
    job.rounds += 1
    changed = True
    while changed:
        shortcut(job)
        last = keeps_last(options, job.rounds)
        job.launch("rem", "verify_recorded", edges, *arguments, last)
        changed = job.changed()


def soman(job: Job, options: dict[str, float]) -> None:
    """Rounds of hooking representatives and pointer jumping; finished edges are marked.

    With ``direction=alternate`` by plain stores, down and up in turn (see the kernel).
    """
    alternate = bool(options.get("direction", 0))
    marks = job.empty(job.graph.num_entries, np.uint8)
    init(job, Init("own"))
    _hook_unmarked(job, marks, alternate)
    while job.changed():
        if alternate:
            shortcut(job)
        else:
            jump_all(job)
        _hook_unmarked(job, marks, alternate)
    if alternate:
        make_canonical(job)


def _hook_unmarked(job: Job, marks: object, alternate: bool) -> None:
    edges = job.edge_arguments
    fresh = int(job.rounds == 0)
    direction = 1 + job.rounds % 2 if alternate else 0
    arguments = (*edges, job.parent, job.state, marks, fresh, direction)
    job.launch("soman", "hook_unmarked", edges[-1], *arguments)


def jump_all(job: Job) -> None:
    """Multiple pointer jumping: every vertex then points to its representative."""
    job.launch("soman", "jump_all", job.vertices, job.parent, job.vertices, job.state)
