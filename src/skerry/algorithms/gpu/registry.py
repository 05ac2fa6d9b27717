"""Algorithms that are one `Kernel` pass, by name: what the pass runs on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from skerry.algorithms.gpu.eclaf import eclaf
from skerry.algorithms.gpu.graft import cc, cc_updt
from skerry.algorithms.gpu.groute import groute
from skerry.algorithms.gpu.gunrock import gunrock
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.propagate import label_propagation
from skerry.algorithms.gpu.rem import rem
from skerry.algorithms.gpu.row_solver import solve_rows
from skerry.algorithms.gpu.rows import (
    afforest_random,
    block_per_row,
    thread_per_vertex,
    warp_per_row,
)
from skerry.algorithms.gpu.search import bfs
from skerry.algorithms.gpu.shiloach_vishkin import sv, sv_updt
from skerry.algorithms.gpu.soman import soman
from skerry.algorithms.gpu.stages import stages_cc, stages_cc_updt, stages_sv, stages_sv_updt
from skerry.algorithms.gpu.stream import stream

KERNELS: Mapping[str, Callable[[Job, dict[str, float]], None]] = {
    "afforest-random": afforest_random,
    "bfs": bfs,
    "block-per-row": block_per_row,
    "cc": cc,
    "cc-updt": cc_updt,
    "eclaf": eclaf,
    "groute": groute,
    "gunrock": gunrock,
    "label-propagation": label_propagation,
    "rem": rem,
    "rows": solve_rows,
    "soman": soman,
    "stages-cc": stages_cc,
    "stages-cc-updt": stages_cc_updt,
    "stages-sv": stages_sv,
    "stages-sv-updt": stages_sv_updt,
    "stream": stream,
    "sv": sv,
    "sv-updt": sv_updt,
    "thread-per-vertex": thread_per_vertex,
    "warp-per-row": warp_per_row,
}
