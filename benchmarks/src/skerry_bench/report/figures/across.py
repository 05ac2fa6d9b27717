"""Figures that compare devices: ECL-CC's Fig. 17, the thesis' Figs. 6.7 to 6.9, and others'.

Times on different machines are only put side by side for graphs of the same name and size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from skerry.datasets.papers import paper_graph
from skerry_bench.report import published
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.measured import Cells, Measured, geometric_mean, ratios
from skerry_bench.report.names import label_of

__all__ = ["across", "cc_across", "throughput"]

GPU = ("ecl", "eclaf", "groute", "soman", "gunrock")
PARALLEL = (
    "ecl",
    "ndhybrid",
    "bfscc",
    "label-propagation",
    "crono-sv",
    "multistep",
    "galois-async",
)
SERIAL = ("ecl-serial", "union-find", "dfs", "bfs", "igraph")
GROUPS = (("gpu", "cuda", GPU), ("parallel", "cpu", PARALLEL), ("serial", "cpu", SERIAL))
HEADINGS = {"gpu": "GPU", "parallel": "CPU, parallel", "serial": "CPU, one core"}
TABLES = {"gpu": "Table 5", "parallel": "Table 7", "serial": "Table 9"}
SOURCE = "GTX Titan X and Xeon E5-2687W v3, 2018"
TOGETHER = "all devices"
BASES = ("ecl", "auto")


def across(measured: Measured) -> Figure:
    """Means over the graphs that both were measured on, relative to ECL-CC on the GPU."""
    panels: list[Panel] = []
    for group, device, implementations in GROUPS:
        for place in measured.places(device) if measured.places("cuda") else ():
            home, cells = measured.side_by_side(
                (measured.places("cuda")[0], BASES),
                (place, ("auto", *implementations)),
                study="devices",
                paper="ECL-CC",
            )
            marks = [*_means(cells, group, implementations, home)]
            if marks:
                marks += _published_means(group, home)
                title = f"{HEADINGS[group]}: {place.name}"
                panels.append(Panel(place.name, device, tuple(marks), title))
    ours = len({panel.device for panel in panels}) > 1
    panels = panels if ours else []
    absent = [
        text
        for device, text in (("cuda", "no GPU was measured"), ("cpu", "no CPU was measured"))
        if not measured.places(device)
    ]
    if not ours and not absent:
        absent = ["no graph was measured, in one size, on the GPU and on the CPU"]
    return Figure(
        id="eclcc-fig17",
        paper="ECL-CC",
        where="Fig. 17; thesis Fig. 6.7",
        title="GPU and CPU",
        caption="Geometric means of run times over those of ECL-CC on the GPU, over the graphs "
        "that were measured on both.",
        kind="ratio",
        panels=panels,
        base="ECL-CC on the GPU",
        missing=absent,
        needs="the study devices, or one suite on a GPU and on a CPU at one scale",
        ghosts=[SOURCE] if panels else (),
    )


def _means(cells: Cells, group: str, implementations: Sequence[str], home: Cells) -> Iterator[Mark]:
    """Of a place, which may be the GPU itself, over its ``home``: ECL-CC and `auto` on the GPU."""
    told = ("auto", *implementations) if group != "serial" else implementations
    for implementation in told:
        over: dict[str, list[float]] = {"ecl": [], "auto": []}
        for graph, row in cells.items():
            for base, found in over.items():
                other = home.get(graph, {}).get(base)
                if implementation in row and other:
                    found.append(row[implementation].milliseconds / other.milliseconds)
        if over["ecl"] or over["auto"]:
            yield Mark(
                series=label_of(implementation),
                implementation=implementation,
                group=label_of(implementation),
                by_base=geometric_mean(over["ecl"]) if over["ecl"] else None,
                by_auto=geometric_mean(over["auto"]) if over["auto"] else None,
                note=f"mean over {len(over['ecl'] or over['auto'])} graphs",
            )


def _published_means(group: str, ours: Cells) -> Iterator[Mark]:
    to_auto = ratios(ours, "ecl", "auto")
    home = published.table("ECL-CC", "Table 5").milliseconds
    table = published.table("ECL-CC", TABLES[group])
    for implementation in table.names:
        found = [
            row[implementation] / home[graph]["ecl"]
            for graph, row in table.milliseconds.items()
            if implementation in row
        ]
        yield Mark(
            series=label_of(implementation),
            implementation=implementation,
            group=label_of(implementation),
            by_base=geometric_mean(found),
            by_auto=geometric_mean(found) * geometric_mean(to_auto.values()) if to_auto else None,
            source=SOURCE,
            note=f"{table.names[implementation]}, {table.device}: mean over {len(found)} graphs",
        )


def throughput(measured: Measured, what: str) -> Figure:
    """Mean edges or vertices a second (thesis Figs. 6.8 and 6.9)."""
    number = "6.8" if what == "edges" else "6.9"
    panels = []
    for place in measured.places():
        cells = measured.table(place, ("auto", *GPU, *PARALLEL, *SERIAL), paper="ECL-CC")
        rates: dict[str, list[float]] = {}
        for row in cells.values():
            for implementation, cell in row.items():
                size = cell.graph.entries if what == "edges" else cell.graph.vertices
                if size:
                    rates.setdefault(implementation, []).append(size / cell.milliseconds * 1e3)
        marks = [
            Mark(
                series=label_of(implementation),
                implementation=implementation,
                group=label_of(implementation),
                value=sum(found) / len(found),
                note=f"mean over {len(found)} graphs",
            )
            for implementation, found in rates.items()
        ]
        if marks:
            marks.sort(key=lambda mark: -(mark.value or 0))
            ghosts = [*_published_rates(what, "gpu" if place.device == "cuda" else "parallel")]
            panels.append(Panel(place.name, place.device, (*marks, *ghosts)))
    return Figure(
        id=f"thesis-fig{number.replace('.', '-')}",
        paper="thesis",
        where=f"Fig. {number}",
        title="Edges a second" if what == "edges" else "Vertices a second",
        caption="Mean over graphs of the "
        + ("directed edges" if what == "edges" else "vertices")
        + " by the time taken. Small and large graphs count the same.",
        kind="value",
        value_title="directed edges a second" if what == "edges" else "vertices a second",
        panels=panels,
        needs="the suite eclcc",
        ghosts=[*dict.fromkeys(m.source for p in panels for m in p.marks if m.source)],
    )


def _published_rates(what: str, group: str) -> Iterator[Mark]:
    table = published.table("thesis", "Table A.1" if group == "gpu" else "Table A.3")
    for implementation, name in table.names.items():
        rates = []
        for graph, row in table.milliseconds.items():
            size = paper_graph(graph).edges if what == "edges" else paper_graph(graph).vertices
            if implementation in row and size:
                rates.append(size / row[implementation] * 1e3)
        yield Mark(
            series=label_of(implementation),
            implementation=implementation,
            group=label_of(implementation),
            value=sum(rates) / len(rates),
            source=table.source,
            note=f"{name}, mean over {len(rates)} graphs, from {table.table}",
        )


def cc_across(measured: Measured, where: str) -> Figure:
    """Cong & Muzio's Figs. 1 and 7: one code, or the best of each, on GPU and CPU."""
    pairs = {
        "Fig. 1": (("cuda", ("cc",)), ("cpu", ("cc",))),
        "Fig. 7": (("cuda", ("stages-cc",)), ("cpu", ("rem-prefetch", "rem"))),
    }[where]
    marks = []
    for (device, implementations), (other, rivals) in permutations(pairs):
        for place in measured.places(device)[:1]:
            beside = next(((one, rivals) for one in measured.places(other)), None)
            cells = measured.table(place, implementations, paper="Cong & Muzio", beside=beside)
            for graph, row in cells.items():
                for implementation in implementations:
                    if implementation in row:
                        cell = row[implementation]
                        marks.append(
                            Mark(
                                series=f"{label_of(implementation)} on {place.name}",
                                implementation=implementation,
                                graph=graph,
                                value=cell.milliseconds,
                                cell=cell,
                            )
                        )
    devices = {mark.cell.place.device for mark in marks if mark.cell}
    missing = [
        f"not measured on a {'GPU' if device == 'cuda' else 'CPU'}"
        for device, _ in pairs
        if device not in devices
    ]
    return Figure(
        id=f"cong-muzio-fig{where.removeprefix('Fig. ')}",
        paper="Cong & Muzio",
        where=where,
        title="CC, plainly, on GPU and CPU" if where == "Fig. 1" else "The best of each device",
        caption="Milliseconds."
        + (" Stages on the GPU, Rem on the CPU." if where == "Fig. 7" else ""),
        kind="value",
        value_title="ms",
        panels=[Panel(TOGETHER, "", tuple(marks))] if marks else [],
        missing=missing,
        needs="the suite cong-muzio on a GPU and on a CPU",
    )
