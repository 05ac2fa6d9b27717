"""The sample of rows that a GPU takes before it selects a strategy, taken on the host.

The same rows, by the same draws, with the same questions as ``kernels/gpu/own/sample.h``: so a
record has what the planner's rules look at, whichever strategy ran.
"""

from __future__ import annotations

from skerry.algorithms.gpu.skip import SAMPLED_ROWS, TILE
from skerry.algorithms.gpu_planner import RowSample
from skerry.graph.csr import Csr

__all__ = ["sample_rows"]

NEAR_ENTRIES = 4  # kNearEntries of own/sample.h
TILE_ENTRIES = 4  # kTileEntries of own/tile_rows.h
HUB_FROM = 4096  # kHubFrom of own/sample.h
TRIANGLES_FROM = 4.5  # entries a vertex: half of kTwiceDegree of own/sample.h
WORD = (1 << 64) - 1


def sample_rows(graph: Csr) -> RowSample:
    """What the device would count."""
    offsets, n = graph.offsets, graph.num_vertices
    counts = dict.fromkeys(RowSample._fields, 0)
    for i in range(SAMPLED_ROWS if n else 0):
        v = _draw(i) * n >> 64
        begin, end = int(offsets[v]), int(offsets[v + 1])
        counts["long"] += end - begin > TILE_ENTRIES
        if begin == end:
            continue
        first = _first_entries(graph, v)
        distances = [abs(u - v) for u in first]
        counts["rows"] += 1
        counts["near"] += any(0 < distance < TILE // 4 for distance in distances)
        counts["adjacent"] += _in_stretch(graph, v, first)
        counts["linked"] += any(u < v for u in first)
        next_begin, next_end = int(offsets[first[0]]), int(offsets[first[0] + 1])
        counts["hubs"] += next_end - next_begin >= HUB_FROM
        if graph.num_entries >= TRIANGLES_FROM * n:
            after = _first_entries(graph, first[0])
            counts["triangles"] += any(u in after for u in first[1:] if u not in (v, first[0]))
    return RowSample(**counts)


def _first_entries(graph: Csr, v: int) -> list[int]:
    begin, end = int(graph.offsets[v]), int(graph.offsets[v + 1])
    entries: list[int] = graph.neighbors[begin : min(end, begin + NEAR_ENTRIES)].tolist()
    return entries


def _in_stretch(graph: Csr, v: int, first: list[int]) -> bool:
    """As in_stretch of own/sample.h."""
    sides = [u for u in (v - 1, v + 1) if u in first]
    far = [u for u in first if abs(u - v) >= TILE]
    if len(sides) == 2 or not (sides and far):
        return bool(sides)
    after = _first_entries(graph, v + 1) if v + 1 < graph.num_vertices else []
    return any(u + 1 in after for u in far)


def _mix(x: int) -> int:
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & WORD
    return x ^ (x >> 31)


KEY = _mix(_mix(1 + 0x9E3779B97F4A7C15))  # stream_key(1, 0) of common/random.h


def _draw(index: int) -> int:
    return _mix(KEY + (index + 1) * 0x9E3779B97F4A7C15 & WORD)
