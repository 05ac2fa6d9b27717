"""The tables that ``skerry bench gpu`` prints: ratios to peers, lower bounds, rankings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import geometric_mean
from typing import Any

from skerry_bench.microbenchmarks import gpu_codes
from skerry_bench.microbenchmarks.gpu_graphs import GPU_GRAPHS
from skerry_bench.microbenchmarks.gpu_peers import IN_TURN
from skerry_bench.results import GraphLine, Result

BANDWIDTH = 4.1e12
"""Bytes per second that an H200 reads, measured."""

GATHERS = ((16e6, 140e9), (64e6, 65e9), (256e6, 40e9))
"""Random reads per second by the size of the table in bytes, measured on an H200."""


def tables(results: Sequence[Result], graphs: Sequence[GraphLine]) -> str:
    """Markdown tables of one run: no time of another one is beside its own."""
    by_name = {line.graph: line for line in graphs}
    parts = (
        _peer_table(results, by_name) or _csr_table(results),
        _edge_table(results, by_name),
        _kernel_table(results, "kernels", "Kernels of auto, csr"),
        _kernel_table(results, "edge-kernels", "Kernels of auto, edges"),
        _path_table(results),
        *_ranking_tables(results),
        _call_table(results),
    )
    return "\n\n".join(part for part in parts if part)


def _csr_table(results: Sequence[Result]) -> str:
    queued = {r.graph: r.median * 1e3 for r in results if _is(r, "auto", "queued")}
    lines = [
        [r.graph, r.median * 1e3, _spread(r), queued.get(r.graph)]
        for r in results
        if _is(r, "auto", None) and r.scope == "solve"
    ]
    return markdown("auto on symmetric CSR", ["graph", "auto, ms", "spread", "queued, ms"], lines)


def _spread(result: Result) -> float:
    return (max(result.seconds) - min(result.seconds)) / result.median


def _peer_table(results: Sequence[Result], graphs: dict[str, GraphLine]) -> str:
    """All of it was measured in turn: ``auto`` and the peers, by both clocks."""
    turns = [result for result in results if result.study == IN_TURN]
    peers = list(dict.fromkeys(result.implementation for result in turns if result.peer))
    times = {(r.graph, r.implementation, r.clock): r.median * 1e3 for r in turns}
    head = ["graph", "vertices", "entries", "auto, ms", "spread", "queued, ms"]
    for peer in peers:
        head += [f"{peer}, ms", "queued, ms", "ratio", "queued"]
    lines = []
    for idle in turns:
        if idle.implementation != "auto" or idle.clock != "device":
            continue
        name, graph = idle.graph, graphs[idle.graph]
        line: list[Any] = [name, graph.vertices, graph.entries, idle.median * 1e3, _spread(idle)]
        line.append(times.get((name, "auto", "queued")))
        for peer in peers:
            line += [times.get((name, peer, clock)) for clock in ("device", "queued")]
            line += [peer_ratio(times, name, peer, clock) for clock in ("device", "queued")]
        lines.append(line)
    means = [mean_ratios(times, peer) for peer in peers] if lines else []
    title = "auto and peers on symmetric CSR, measured in turn; ratio: peer / auto"
    return "\n\n".join(filter(None, [markdown(title, head, lines), *means]))


Times = Mapping[tuple[str, str, str], float]
"""By graph, implementation and clock."""


def peer_ratio(times: Times, graph: str, peer: str, clock: str) -> float | None:
    """The time of a peer over that of ``auto``; None if one of them was not measured."""
    theirs, auto = (times.get((graph, name, clock)) for name in (peer, "auto"))
    return None if theirs is None or auto is None else theirs / auto


def mean_ratios(times: Times, peer: str) -> str:
    """The geometric means of a peer's ratios by both clocks, without extreme graphs."""
    texts = []
    for clock, label in (("queued", "queued"), ("device", "with the host")):
        ratios = [
            ratio
            for graph in GPU_GRAPHS.values()
            if graph.in_mean
            for ratio in [peer_ratio(times, graph.name, peer, clock)]
            if ratio is not None
        ]
        if ratios:
            texts.append(f"{label} {geometric_mean(ratios):.2f} ({len(ratios)} graphs)")
    left_out = ", ".join(graph.name for graph in GPU_GRAPHS.values() if not graph.in_mean)
    return f"{peer} / auto, geometric mean without {left_out}: {'; '.join(texts)}" if texts else ""


def _edge_table(results: Sequence[Result], graphs: dict[str, GraphLine]) -> str:
    lines = []
    for result in results:
        graph = graphs.get(result.graph)
        if result.study == "edge-order" and graph is not None:
            bound = edge_list_bound(graph.vertices, graph.edges) * 1e3
            ms = result.median * 1e3
            order = (result.parameter or {}).get("order")
            lines.append([result.graph, graph.edges, order, ms, bound, ms / bound])
    head = ["graph", "edges", "order", "auto, ms", "lower bound, ms", "auto / bound"]
    return markdown("auto on edge lists", head, lines)


def edge_list_bound(vertices: int, edges: int, id_bytes: int = 4) -> float:
    """Seconds to read each edge once and look up both of its ends: a lower bound."""
    table_bytes = 4 * vertices
    moved = 2 * edges * id_bytes + table_bytes
    return max(moved / BANDWIDTH, 2 * edges / gather_rate(table_bytes))


def gather_rate(table_bytes: float) -> float:
    """Random reads per second from a table of that size; interpolated by its logarithm."""
    if table_bytes <= GATHERS[0][0]:
        return GATHERS[0][1]
    for (below, fast), (above, slow) in pairwise(GATHERS):
        if table_bytes <= above:
            fraction = math.log(table_bytes / below) / math.log(above / below)
            return fast + fraction * (slow - fast)
    return GATHERS[-1][1]


def _kernel_table(results: Sequence[Result], study: str, title: str) -> str:
    lines = []
    for result in results:
        if _is(result, "auto", study) and result.passes:
            each = ", ".join(f"{name} {seconds * 1e6:.0f}" for name, seconds in result.passes)
            total = sum(seconds for _, seconds in result.passes)
            lines.append([result.graph, total * 1e6, each])
    return markdown(title, ["graph", "all, us", "each, us"], lines)


def _path_table(results: Sequence[Result]) -> str:
    lines = [
        [result.graph, result.statistics["average_path"], result.statistics["longest_path"]]
        for result in results
        if result.study == "paths" and result.statistics
    ]
    return markdown("Path lengths of ecl", ["graph", "path length", "longest"], lines)


def _ranking_tables(results: Sequence[Result]) -> Iterator[str]:
    cells = {(r.implementation, r.graph): r.median * 1e3 for r in results if r.study == "codes"}
    measured = {graph for _, graph in cells}
    for ranking in gpu_codes.RANKINGS:
        graphs = [graph for graph in ranking.graphs if graph in measured]
        lines = [[name, *(cells.get((name, g)) for g in graphs)] for name in ranking.algorithms]
        yield markdown(ranking.title, ["ms", *graphs], lines if graphs else [])


def _call_table(results: Sequence[Result]) -> str:
    lines = [
        [result.study, result.graph, result.input, kernels, result.median * 1e3]
        for result in results
        if result.study in ("calls", "first-use")
        for kernels in [(result.parameter or {}).get("kernels")]
    ]
    return markdown("Calls", ["study", "graph", "form", "kernels", "ms"], lines)


def _is(result: Result, implementation: str, study: str | None) -> bool:
    return result.implementation == implementation and result.study == study


def markdown(title: str, head: Sequence[str], lines: Sequence[Sequence[Any]]) -> str:
    """A table with its title; empty without lines."""
    if not lines:
        return ""
    rule = f"|---|{'--:|' * (len(head) - 1)}"
    rows = [f"| {' | '.join(map(_cell, line))} |" for line in lines]
    return "\n".join([title, "", f"| {' | '.join(head)} |", rule, *rows])


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}" if value < 10 else f"{value:.1f}" if value < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
