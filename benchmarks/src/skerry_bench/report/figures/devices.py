"""Figures that compare devices: ECL-CC's Fig. 17, the thesis' Figs. 6.7 to 6.9, Cong & Muzio's.

Times on different platforms are compared only on graphs of the same name and size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from skerry.datasets import paper_graph
from skerry_bench.report import published
from skerry_bench.report.display_names import display_name
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.measurements import Cells, Measurements, geometric_mean, ratios

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
ALL_DEVICES = "all devices"
BASELINES = ("ecl", "auto")


def gpu_and_cpu(measurements: Measurements) -> Figure:
    """Mean times relative to ECL-CC on the GPU, over the graphs that were measured on both."""
    panels: list[Panel] = []
    for group, device, implementations in GROUPS:
        for platform in measurements.platforms(device) if measurements.platforms("cuda") else ():
            baselines, cells = measurements.table_pair(
                (measurements.platforms("cuda")[0], BASELINES),
                (platform, ("auto", *implementations)),
                study="devices",
                paper="ECL-CC",
            )
            marks = [*_means(cells, group, implementations, baselines)]
            if marks:
                marks += _published_means(group, baselines)
                title = f"{HEADINGS[group]}: {platform.name}"
                panels.append(Panel(platform.name, device, tuple(marks), title))
    both = len({panel.device for panel in panels}) > 1
    panels = panels if both else []
    absent = [
        text
        for device, text in (("cuda", "no GPU was measured"), ("cpu", "no CPU was measured"))
        if not measurements.platforms(device)
    ]
    if not both and not absent:
        absent = ["no graph was measured in the same size on the GPU and on the CPU"]
    return Figure(
        id="eclcc-fig17",
        paper="ECL-CC",
        where="Fig. 17; thesis Fig. 6.7",
        title="GPU and CPU",
        caption="Geometric mean of the run time relative to ECL-CC on the GPU, over the graphs "
        "that were measured on both.",
        kind="ratio",
        panels=panels,
        baseline_name="ECL-CC on the GPU",
        missing=absent,
        needs="the study devices, or a suite on a GPU and on a CPU at the same scale",
        sources=[SOURCE] if panels else (),
    )


def _means(
    cells: Cells, group: str, implementations: Sequence[str], baselines: Cells
) -> Iterator[Mark]:
    """Mean times relative to ECL-CC and ``auto`` on the GPU, which may be the same platform."""
    names = ("auto", *implementations) if group != "serial" else implementations
    for implementation in names:
        over: dict[str, list[float]] = {"ecl": [], "auto": []}
        for graph, row in cells.items():
            for baseline, values in over.items():
                other = baselines.get(graph, {}).get(baseline)
                if implementation in row and other:
                    values.append(row[implementation].milliseconds / other.milliseconds)
        if over["ecl"] or over["auto"]:
            yield Mark(
                series=display_name(implementation),
                implementation=implementation,
                group=display_name(implementation),
                over_baseline=geometric_mean(over["ecl"]) if over["ecl"] else None,
                over_auto=geometric_mean(over["auto"]) if over["auto"] else None,
                note=f"mean over {len(over['ecl'] or over['auto'])} graphs",
            )


def _published_means(group: str, baselines: Cells) -> Iterator[Mark]:
    ecl_over_auto = ratios(baselines, "ecl", "auto")
    ecl = published.table("ECL-CC", "Table 5").milliseconds
    table = published.table("ECL-CC", TABLES[group])
    for implementation in table.names:
        values = [
            row[implementation] / ecl[graph]["ecl"]
            for graph, row in table.milliseconds.items()
            if implementation in row
        ]
        mean = geometric_mean(values)
        yield Mark(
            series=display_name(implementation),
            implementation=implementation,
            group=display_name(implementation),
            over_baseline=mean,
            over_auto=mean * geometric_mean(ecl_over_auto.values()) if ecl_over_auto else None,
            source=SOURCE,
            note=f"{table.names[implementation]}, {table.device}: mean over {len(values)} graphs",
        )


def throughput(measurements: Measurements, what: str) -> Figure:
    """Mean edges or vertices per second (thesis Figs. 6.8 and 6.9)."""
    number = "6.8" if what == "edges" else "6.9"
    panels = []
    for platform in measurements.platforms():
        cells = measurements.table(platform, ("auto", *GPU, *PARALLEL, *SERIAL), paper="ECL-CC")
        rates: dict[str, list[float]] = {}
        for row in cells.values():
            for implementation, cell in row.items():
                size = cell.graph.entries if what == "edges" else cell.graph.vertices
                if size:
                    rates.setdefault(implementation, []).append(size / cell.milliseconds * 1e3)
        marks = [
            Mark(
                series=display_name(implementation),
                implementation=implementation,
                group=display_name(implementation),
                value=sum(values) / len(values),
                note=f"mean over {len(values)} graphs",
            )
            for implementation, values in rates.items()
        ]
        if marks:
            marks.sort(key=lambda mark: -(mark.value or 0))
            group = "gpu" if platform.device == "cuda" else "parallel"
            marks += _published_rates(what, group)
            panels.append(Panel(platform.name, platform.device, tuple(marks)))
    return Figure(
        id=f"thesis-fig{number.replace('.', '-')}",
        paper="thesis",
        where=f"Fig. {number}",
        title="Edges per second" if what == "edges" else "Vertices per second",
        caption="Mean over graphs of the "
        + ("directed edges" if what == "edges" else "vertices")
        + " divided by the run time. Small and large graphs have the same weight.",
        kind="value",
        value_title="directed edges per second" if what == "edges" else "vertices per second",
        panels=panels,
        needs="the suite eclcc",
        sources=[*dict.fromkeys(m.source for p in panels for m in p.marks if m.source)],
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
            series=display_name(implementation),
            implementation=implementation,
            group=display_name(implementation),
            value=sum(rates) / len(rates),
            source=table.source,
            note=f"{name}, mean over {len(rates)} graphs, from {table.table}",
        )


def cong_muzio_devices(measurements: Measurements, where: str) -> Figure:
    """Cong & Muzio's Figs. 1 and 7: the same code, or the best code of each, on GPU and CPU."""
    pairs = {
        "Fig. 1": (("cuda", ("cc",)), ("cpu", ("cc",))),
        "Fig. 7": (("cuda", ("stages-cc",)), ("cpu", ("rem-prefetch", "rem"))),
    }[where]
    marks = []
    for (device, implementations), (other_device, other_names) in permutations(pairs):
        for platform in measurements.platforms(device)[:1]:
            others = [(other, other_names) for other in measurements.platforms(other_device)]
            cells = measurements.table(
                platform,
                implementations,
                paper="Cong & Muzio",
                same_sizes_as=others[0] if others else None,
            )
            for graph, row in cells.items():
                for implementation in implementations:
                    if implementation in row:
                        cell = row[implementation]
                        marks.append(
                            Mark(
                                series=f"{display_name(implementation)} on {platform.name}",
                                implementation=implementation,
                                graph=graph,
                                value=cell.milliseconds,
                                cell=cell,
                            )
                        )
    devices = {mark.cell.platform.device for mark in marks if mark.cell}
    missing = [
        f"not measured on a {'GPU' if device == 'cuda' else 'CPU'}"
        for device, _ in pairs
        if device not in devices
    ]
    return Figure(
        id=f"cong-muzio-fig{where.removeprefix('Fig. ')}",
        paper="Cong & Muzio",
        where=where,
        title="Plain CC on GPU and CPU" if where == "Fig. 1" else "The best code of each device",
        caption="Milliseconds."
        + (" Stages on the GPU, Rem on the CPU." if where == "Fig. 7" else ""),
        kind="value",
        value_title="ms",
        panels=[Panel(ALL_DEVICES, "", tuple(marks))] if marks else [],
        missing=missing,
        needs="the suite cong-muzio on a GPU and on a CPU",
    )
