"""Synthetic results for tests of the report: plausible, and determined by a seed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from skerry.datasets.papers import papers_graphs
from skerry_bench.results import Gpu, GraphLine, Line, Machine, Result, RunLine, Skipped, encode

CPU = Machine("Made-up CPU", 8, 32 << 30, "Linux")
GPU = Machine("Made-up CPU", 8, 32 << 30, "Linux", Gpu("Made-up GPU", "1.0", "13.0"))

SUITES = {
    "ECL-CC": (
        "eclcc",
        ("auto", "ecl", "eclaf", "groute", "gunrock", "soman"),
        (
            *("auto", "ecl", "eclaf", "label-propagation", "bfscc", "crono-sv", "ndhybrid"),
            *("multistep", "galois-async", "galois-blocked", "galois-sync"),
            *("ecl-serial", "dfs", "bfs", "union-find"),
        ),
    ),
    "Cong & Muzio": (
        "cong-muzio",
        ("auto", "cc", "cc-updt", "stages-cc", "stages-cc-updt", "stages-sv", "sv", "rem"),
        ("auto", "cc", "cc-updt", "stages-cc", "stages-sv", "sv", "schd", "stages-schd", "rem"),
    ),
    "Gerasimou": (
        "gerasimou",
        ("auto", "thread-per-vertex", "warp-per-row", "block-per-row", "afforest-random"),
        ("auto", "union-find"),
    ),
}
STUDIES = {
    "init": ("ecl", "ecl[init=own]", "ecl[init=smallest]"),
    "jump": ("ecl", "ecl[jump=multiple]", "ecl[jump=single]", "ecl[jump=none]"),
    "finish": ("ecl", "ecl[finish=halving]", "ecl[finish=multiple]"),
}
PEERS = ("scipy", "igraph", "networkit", "networkit-parallel", "rustworkx")
KERNELS = ("init first smaller", "hook short rows", "hook middle rows", "hook long rows", "finish")


def run_line(run: str = "r1", machine: Machine = CPU, suite: str = "eclcc") -> RunLine:
    versions = {"skerry": "0.0", "python": "3.0", "numpy": "0.0"}
    return RunLine(run, "2020-01-01T00:00:00", suite, machine, versions, "0000000", {"scale": 1.0})


def graph_line(name: str, run: str = "r1", entries: int = 1_000_000, **fields) -> GraphLine:
    common = {"stand_in": True, "family": "made up", "vertices": entries // 8, "components": 1}
    rest = {"edges": entries // 2, "entries": entries, "checksum": f"{name}-{entries}"}
    return GraphLine(run=run, graph=name, **(common | rest | fields))


def result(implementation: str, graph: str, ms: float | Iterable[float], run: str = "r1", **fields):
    samples = [ms] if isinstance(ms, int | float) else list(ms)
    common = {"suite": "eclcc", "device": "cpu", "components": 1}
    seconds = tuple(sample / 1e3 for sample in samples)
    return Result(
        run=run, graph=graph, implementation=implementation, seconds=seconds, **(common | fields)
    )


class _Maker:
    """Draws times: each implementation has a speed, which varies a little between graphs."""

    def __init__(self, seed: int, scale: float) -> None:
        self.random = random.Random(seed)
        self.scale = scale

    def graphs(self) -> list[tuple[str, GraphLine]]:
        graphs = []
        for graph in papers_graphs():
            edges = graph.undirected_edges or 2 * graph.vertices
            entries = max(64, int(2 * edges * self.scale))
            vertices = max(16, int(graph.vertices * self.scale))
            line = graph_line(graph.name, "", entries, vertices=vertices, family=graph.family)
            graphs.append((graph.paper, line))
        return graphs

    def ms(self, implementation: str, device: str, entries: int) -> list[float]:
        speed = (
            1.0 if implementation == "auto" else 1.3 + random.Random(implementation).random() * 6
        )
        expected = entries * speed * (2e-8 if device == "cuda" else 1.5e-6)
        middle = expected * self.random.lognormvariate(0, 0.25) + 0.02
        return [middle * self.random.lognormvariate(0, 0.02) for _ in range(5)]

    def line(
        self, implementation: str, graph: GraphLine, run: str, device: str, **fields
    ) -> Result:
        threads = None if device == "cuda" else fields.pop("threads", 8)
        ms = self.ms(implementation, device, graph.entries)
        return result(
            implementation, graph.graph, ms, run, device=device, threads=threads, **fields
        )


def all_lines(seed: int = 1, names: Iterable[str] = ()) -> Iterator[Line]:
    """Every suite and study, on a CPU and on a GPU, with peers.

    ``names`` selects among the graphs of ECL-CC; by default all of them.
    """
    make = _Maker(seed, 0.01)
    kept = set(names)
    graphs = [
        (paper, line)
        for paper, line in make.graphs()
        if not kept or paper != "ECL-CC" or line.graph in kept
    ]
    for run, machine, device in (("cpu-run", CPU, "cpu"), ("gpu-run", GPU, "cuda")):
        yield run_line(run, machine)
        for paper, line in graphs:
            graph = graph_line(
                line.graph, run, line.entries, vertices=line.vertices, family=line.family
            )
            yield graph
            suite, on_gpu, on_cpu = SUITES[paper]
            for implementation in on_gpu if device == "cuda" else on_cpu:
                yield make.line(implementation, graph, run, device, suite=suite)
            if paper == "ECL-CC":
                yield from _studies(make, graph, run, device)
            if device == "cpu":
                yield from _peers(make, graph, run, suite)
        yield from _sweeps(make, run, device)
    yield Skipped("cpu-run", "eclcc", "uk-2002", "networkx", "cpu", "would take about 900 s")
    yield Skipped("gpu-run", "eclcc", "uk-2002", "ecl", "cuda", "ncu is not on the PATH", "l2")


def _studies(make: _Maker, graph: GraphLine, run: str, device: str) -> Iterator[Result]:
    for study, implementations in STUDIES.items():
        for implementation in implementations:
            yield make.line(implementation, graph, run, device, study=study)
    shares = [make.random.random() for _ in KERNELS]
    passes = tuple((name, share / sum(shares)) for name, share in zip(KERNELS, shares, strict=True))
    yield make.line("ecl", graph, run, device, study="kernels", passes=passes)
    lengths = {"average_path": 1 + make.random.random(), "longest_path": make.random.randint(4, 60)}
    yield make.line("ecl", graph, run, device, study="paths", statistics=lengths)
    if device == "cuda":
        for warp, block in ((5, 353), (17, 353), (65, 353), (17, 89), (17, 1409)):
            parameter = {"warp_from": warp, "block_from": block}
            name = "ecl" if (warp, block) == (17, 353) else f"ecl[warp_from={warp}]"
            yield make.line(name, graph, run, device, study="thresholds", parameter=parameter)
        for jump in STUDIES["jump"]:
            counts = {"l2_reads": 1e6 * (1 + make.random.random()), "l2_writes": 1e5}
            yield make.line(jump, graph, run, device, study="l2", statistics=counts)


def _peers(make: _Maker, graph: GraphLine, run: str, suite: str) -> Iterator[Result]:
    for peer in PEERS:
        for scope in ("solve", "end_to_end"):
            yield make.line(
                peer, graph, run, "cpu", suite=suite, peer=True, scope=scope, peak_bytes=10**7
            )
    yield make.line("auto", graph, run, "cpu", suite=suite, scope="end_to_end", peak_bytes=10**6)


def _sweeps(make: _Maker, run: str, device: str) -> Iterator[Line]:
    for m in (10_000, 100_000, 1_000_000):
        graph = graph_line(f"uniform-{m // 4}-{m}", run, 2 * m, vertices=m // 4, family="uniform")
        yield graph
        for implementation in ("auto", "ecl"):
            yield make.line(implementation, graph, run, device, study="growth", suite="families")
    for name in ("grid", "road", "rmat"):
        graph = graph_line(name, run, 400_000, family=name)
        yield graph
        for implementation in ("auto", "ecl"):
            for threads in (1, 2, 4, 8) if device == "cpu" else ():
                ms = 8.0 / threads**0.8 * make.random.lognormvariate(0, 0.05)
                yield result(implementation, name, ms, run, threads=threads, study="threads")
            for order in ("given", "degree"):
                fields = {"study": "reorder", "parameter": {"order": order}}
                yield make.line(implementation, graph, run, device, **fields)
        for q in (0.5, 1.0, 2.0):
            implementation = "stages-cc" if q == 1.0 else f"stages-cc[q={q}]"
            yield make.line(
                implementation, graph, run, device, study="stages-q", parameter={"q": q}
            )
        for implementation in ("cc", "sv", "soman" if device == "cuda" else "crono-sv"):
            counts = {"rounds": make.random.randint(2, 20)}
            yield make.line(implementation, graph, run, device, study="rounds", statistics=counts)


def write(path, lines: Iterable[Line]):
    """Writes lines to a result file."""
    path.write_text("".join(f"{encode(line)}\n" for line in lines), encoding="utf-8")
    return path
