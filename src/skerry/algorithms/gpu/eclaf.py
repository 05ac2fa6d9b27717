"""ECLaf over rows: see ``kernels/gpu/published/eclaf.cu``."""

from __future__ import annotations

from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.options import bounded_int
from skerry.algorithms.gpu.rows import finish, init
from skerry.algorithms.gpu.state import Word
from skerry.algorithms.passes import Init
from skerry.cuda.runtime import BLOCK, LANES

WARP_FROM = 17  # entries from which a warp processes a row: ECL-CC sect. 3
BLOCK_FROM = 353  # entries from which a block does


def eclaf(job: Job, options: dict[str, float]) -> None:
    """Rounds of hooks by plain stores, until a round hooks nothing.

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
