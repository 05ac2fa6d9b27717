"""Published algorithms whose host part is short: see ``kernels/gpu/published``, by their names."""

from __future__ import annotations

import numpy as np

from skerry.algorithms.gpu.graft import shortcut
from skerry.algorithms.gpu.job import Job, bounded_int
from skerry.algorithms.gpu.rows import finish, init
from skerry.algorithms.gpu.state import Word
from skerry.algorithms.passes import Init
from skerry.cuda.runtime import BLOCK, LANES

WARP_FROM = 17  # entries from which a warp processes a row: ECL-CC sect. 3
BLOCK_FROM = 353  # entries from which a block does
LOW_DEGREE = 8  # edges a vertex below which there is one segment
SMALLEST_SEGMENT = 1 << 16  # edges, hooked in about the time of the two launches of a segment
RECORD_WORD = 32  # edges whose bits a word of the record holds


def eclaf(job: Job, options: dict[str, float]) -> None:
    """ECLaf: rounds of hooks by plain stores, until a round hooks nothing.

    Options: rows of ``warp_from`` entries have a warp, those of ``block_from`` a block.
    """
    graph = job.graph
    warp_from = bounded_int(options.get("warp_from", WARP_FROM), 1)
    block_from = bounded_int(options.get("block_from", BLOCK_FROM), warp_from)
    worklist = job.empty(job.vertices)
    common = (*job.row_arguments, job.parent, job.state, int(bool(graph.symmetric)), worklist)

    def one_round(listing: int, middle: int, long: int) -> None:
        bounds = (warp_from, block_from, listing)
        job.launch("eclaf", "eclaf_short_rows", job.vertices, *common, *bounds)
        job.launch("eclaf", "eclaf_middle_rows", middle, *common)
        job.launch("eclaf", "eclaf_long_rows", long, *common)

    init(job, Init("first_smaller"))
    one_round(
        1,
        min(graph.num_entries // warp_from * LANES, job.resident),
        min(graph.num_entries // block_from * BLOCK, job.resident),
    )
    middle, long = job.read(Word.FRONT) * LANES, job.read(Word.BACK) * BLOCK
    while job.changed():
        one_round(0, middle, long)
    finish(job)


def groute(job: Job, options: dict[str, float]) -> None:
    """Hooks and flattens the edges in ``segments`` parts, one after the other; 0: by the degree.

    Ben-Nun, Sutton, Pai & Pingali, "Groute: an asynchronous multi-GPU programming model for
    irregular computations" (PPoPP 2017), as in Jaiganesh & Burtscher 2018, sect. 2, and Jaiganesh
    2017, sect. 2, Algorithm 6. The number of segments is that of Groute's program on one GPU: below
    8 edges a vertex a single one, hooked by plain stores first, else segments of n edges. (The
    papers say 2m/n segments.) Departure: segments have 65,536 edges at least, so that a launch
    never takes longer than the work in it.
    """
    n, m = job.vertices, job.graph.num_entries
    segments = bounded_int(options.get("segments", 0))
    single = m // n < LOW_DEGREE
    length = m if single else max(n, SMALLEST_SEGMENT)
    if segments:
        length = -(-m // segments)
    init(job, Init("own"))
    for first in job.parts(range(0, m, length or 1)):
        count = min(length, m - first)
        arguments = (*job.edge_arguments, job.parent, job.state, first, count)
        if single and first == 0:
            job.launch("groute", "hook_once", count, *arguments)
            finish(job)
        job.launch("groute", "hook_segment", count, *arguments)
        finish(job)


def gunrock(job: Job, _options: dict[str, float]) -> None:
    """Rounds of hooking and pointer jumping; edges inside components are filtered out."""
    n, count = job.vertices, job.graph.num_entries
    parent, state = job.parent, job.state
    members = job.empty(n)
    kept, spare = (job.empty(count), job.empty(count)), (job.empty(count), job.empty(count))
    init(job, Init("own"))
    job.launch("gunrock", "hook_all_edges", count, *job.edge_arguments, parent, state)
    job.launch("gunrock", "jump_and_list", n, parent, n, state, members)
    job.launch("gunrock", "filter_all_edges", count, *job.edge_arguments, parent, state, *kept)
    while count := _kept(job):
        job.launch("gunrock", "hook_kept_edges", count, *kept, count, parent, state, members)
        job.launch("gunrock", "jump_members", n, parent, state, members)
        job.launch("gunrock", "filter_kept_edges", count, *kept, count, parent, state, *spare)
        kept, spare = spare, kept


def _kept(job: Job) -> int:
    """Number of edges that still join two components; waits for the device."""
    job.rounds += 1
    count = job.read(Word.FRONT)
    job.clear(Word.FRONT)
    return count


def rem(job: Job, _options: dict[str, float]) -> None:
    """Rem's algorithm: unites all edges; then verifies those that wrote until no write was lost."""
    init(job, Init("own"))
    edges = job.graph.num_entries
    record = job.empty(-(-edges // RECORD_WORD), np.uint32)
    arguments = (*job.edge_arguments, job.parent, job.state, record)
    job.launch("rem", "unite_and_record", edges, *arguments)
    job.rounds += 1
    shortcut(job)
    job.launch("rem", "verify_recorded", edges, *arguments)
    while job.changed():
        shortcut(job)
        job.launch("rem", "verify_recorded", edges, *arguments)


def soman(job: Job, _options: dict[str, float]) -> None:
    """Rounds of hooking representatives and pointer jumping; finished edges are marked."""
    marks = job.empty(job.graph.num_entries, np.uint8)
    init(job, Init("own"))
    _hook_unmarked(job, marks, fresh=1)
    while job.changed():
        jump_all(job)
        _hook_unmarked(job, marks, fresh=0)


def _hook_unmarked(job: Job, marks: object, fresh: int) -> None:
    edges = job.edge_arguments
    job.launch("soman", "hook_unmarked", edges[-1], *edges, job.parent, job.state, marks, fresh)


def jump_all(job: Job) -> None:
    """Multiple pointer jumping: every vertex then points to its representative."""
    job.launch("soman", "jump_all", job.vertices, job.parent, job.vertices, job.state)
