"""Lines of the measurements of 2026-11-15 as lines of today's record.

Before there was one record, every command wrote lines of its own under a line for the machine.
Those of ``families`` and ``gpu`` are kept in docs/results and converted here; others (latencies,
growth, edges) have no graph to put them under and are left out. The checksums of graphs are not in
those files: the name and the number of vertices stand for them. Graphs made for the GPU that are of
a family and about the size of a paper's graph go under its name, as stand-ins.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skerry.errors import InputError
from skerry_bench.results import Gpu, GraphLine, Line, Machine, Result, RunLine, Skipped

__all__ = ["is_older", "older_lines"]

STAND_INS: Mapping[str, str] = {
    "grid1024": "2d-2e20.sym",
    "random": "r4-2e23.sym",
    "rmat22": "rmat22.sym",
    "rmat21": "kron_g500-logn21",
    "road": "europe_osm",
    "uniform": "random-50M",
    "mawi": "mawi_201512020330",
}
"""Graphs of the older measurements on a GPU, by the paper's graph that each is a stand-in of."""

PEER_NAMES: Mapping[str, str] = {
    "gapbs_afforest": "GAPBS cc",
    "gapbs_sv": "GAPBS cc_sv",
    "ecl_omp": "ECL-CC OpenMP",
    "ecl_ser": "ECL-CC serial",
    "multistep": "Multistep (peer)",
    "connectit_remcas_kout_naive": "ConnectIt Rem-CAS k-out",
    "connectit_remcas_bfs_naive": "ConnectIt Rem-CAS BFS",
}
SERIAL = ("ecl_ser",)


def is_older(first: Mapping[str, Any]) -> bool:
    """Whether a file that begins with this object is of an older form."""
    return "kind" not in first and "machine" in first


@dataclass
class _Run:
    """The run that the lines after a line for the machine belong to."""

    name: str
    first: Mapping[str, Any]
    suite: str = "families"
    gpu: Gpu | None = None
    scale: float = 1.0

    def line(self) -> RunLine:
        """As today's record tells it."""
        first = self.first
        versions = {name: str(first[name]) for name in ("skerry", "python", "numpy")}
        machine = Machine(
            str(first["processor"]), int(first["cores"]), 0, str(first["system"]), self.gpu
        )
        options = {"scale": self.scale, "device": "cuda" if self.gpu else "cpu"}
        return RunLine(
            self.name,
            str(first["date"]),
            self.suite,
            machine,
            versions,
            str(first["commit"]),
            options,
        )


def older_lines(path: Path) -> list[Line]:
    """What a file of an older form holds."""
    try:
        return list(_lines(path))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is no record of measurements: {error!r}") from error


def _lines(path: Path) -> Iterator[Line]:
    run: _Run | None = None
    held: list[Mapping[str, Any]] = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = json.loads(text)
        if "machine" in found:
            if run is not None:
                yield from _converted(run, held)
            run, held = _Run(f"{path.stem}-{number}", found["machine"]), []
        elif found.get("part") == "device" and run is not None:
            cuda = str(found.get("cuda_runtime", ""))
            run.gpu = Gpu(str(found["device"]), str(found.get("driver", "")), cuda)
            run.suite, run.scale = "gpu", float(found.get("scale", 1.0))
        else:
            held.append(found)
    if run is not None:
        yield from _converted(run, held)


def _converted(run: _Run, held: list[Mapping[str, Any]]) -> Iterator[Line]:
    convert: Callable[[_Run, Mapping[str, Any]], Iterable[Line]] = _on_gpu if run.gpu else _family
    lines = [line for found in held for line in convert(run, found)]
    if lines:
        yield run.line()
        yield from {line.graph: line for line in lines if isinstance(line, GraphLine)}.values()
        yield from (line for line in lines if not isinstance(line, GraphLine))


def _family(run: _Run, found: Mapping[str, Any]) -> Iterator[Line]:
    if "family" not in found or "samples" not in found:
        return
    graph, what = str(found["family"]), str(found["what"])
    ours = what.startswith("skerry ")
    if "vertices" in found:
        yield _graph(run, graph, graph, int(found["vertices"]), int(found["entries"]), False)
    yield Result(
        run=run.name,
        suite="families",
        graph=graph,
        contender=what.removeprefix("skerry ") if ours else PEER_NAMES.get(what, what),
        device="cpu",
        seconds=tuple(sample / 1e3 for sample in found["samples"]),
        components=0,
        peer=not ours,
        verified_by="labels" if ours else "count",
        ran=found.get("ran"),
        threads=int(found["threads"]) if ours else 1 if what in SERIAL else None,
    )


def _on_gpu(run: _Run, found: Mapping[str, Any]) -> Iterator[Line]:
    part = found.get("part")
    if part == "failed":
        name, contender = str(found["graph"]), str(found["algorithm"])
        name = STAND_INS.get(name, name)
        yield Skipped(run.name, "gpu", name, contender, "cuda", str(found["error"]))
    if part not in ("rows", "papers", "paths"):
        return
    family = str(found["graph"])
    graph = STAND_INS.get(family, family)
    if found["form"] == "csr":  # an edge list may hold repeats: its length is not that of the rows
        yield _graph(run, graph, family, int(found["n"]), int(found["m"]), family in STAND_INS)
    common: dict[str, Any] = {"run": run.name, "suite": "gpu", "graph": graph, "device": "cuda"}
    common |= {"components": 0, "input": found["form"]}
    if part == "paths":
        steps = {"average_path": found["average"], "longest_path": found["longest"]}
        counts = {"finds": found["finds"], "hooks": found["hooks"]}
        # Its run was counted, not timed: the record asks for a sample, the page shows none.
        yield Result(
            **common,
            contender="ecl",
            seconds=(0.0,),
            study="paths",
            statistics=steps | counts,
        )
        return
    seconds = tuple(sample / 1e3 for sample in found["samples"])
    yield Result(**common, contender=found["algorithm"], seconds=seconds, ran=found.get("ran"))
    if "ecl_cc_ms" in found:
        # A number that was noted from another run on such a machine, and compared with there.
        theirs = (float(found["ecl_cc_ms"]) / 1e3,)
        name = "ECL-CC 1.1 (another run)"
        yield Result(**common, contender=name, seconds=theirs, peer=True, verified=False)


def _graph(
    run: _Run, name: str, family: str, vertices: int, entries: int, stand_in: bool
) -> GraphLine:
    return GraphLine(
        run=run.name,
        graph=name,
        stand_in=stand_in,
        family=family,
        vertices=vertices,
        edges=entries // 2,
        entries=entries,
        components=0,
        checksum=f"{family}, {vertices} vertices",
    )
