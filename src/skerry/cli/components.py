"""``skerry components INPUT...``: reads, solves, verifies, writes, tells."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, replace
from typing import Any

import typer
from rich.text import Text

from skerry.api import connected_components
from skerry.cli.errors import WRONG, say
from skerry.cli.format_numbers import bytes_of, duration, many, percent
from skerry.cli.input_options import Reading, columns
from skerry.cli.output import Output
from skerry.cli.progress import Watch
from skerry.cli.result_facts import LISTED, Facts, gather
from skerry.cli.summary import console, render, rows
from skerry.engines.memory import IdKind
from skerry.errors import InputError, UnsupportedError
from skerry.graph.edge_source import EdgeSource
from skerry.result.components import Components, LabelKind

_log = logging.getLogger(__name__)

__all__ = ["Request", "show_components"]

TABLES = ("parquet", "arrow", "csv", "tsv")
"""Formats that lists of duplicates come in; networks come in others."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to do, as the options say."""

    reading: Reading
    output: Output | None
    vertices: str | None
    num_vertices: int | None
    ids: IdKind
    algorithm: str
    device: str
    threads: int | None
    labels: LabelKind
    largest: int | None
    min_size: int
    limit: int | None
    verify: bool
    as_json: bool
    quiet: bool

    @property
    def meant(self) -> IdKind:
        """What the ids are: with a number of vertices, their numbers."""
        given = self.ids == "auto" and self.num_vertices is not None
        return "vertices" if given else self.ids


def show_components(request: Request) -> None:
    """Does what is asked for; an answer that fails its verification is not written."""
    _check(request)
    stream = request.reading.open()
    if request.meant != "auto" and stream.num_vertices is None:
        stream = replace(stream, id_kind=request.meant)
    if request.output is not None:
        request.output.check(request.reading.paths, stream.id_kind)
    if request.verify and not stream.repeatable:
        raise UnsupportedError(f"{stream.name}: can be read only once: leave out --verify")
    silent = request.quiet and not request.as_json
    facts, written = None, 0
    with Watch(request.quiet or request.as_json) as watch:
        result = _solve(request, watch.of(stream, "reading", "labeling", "verifying"))
        read = watch.bytes
        _log_plan(result)
        checked = result.verify() if request.verify else None
        right = checked is None or checked.ok
        if request.output is not None and right:
            watch.say("writing")
            written = request.output.write(result)
        if right and not silent:
            watch.say("counting")
            largest = request.largest or LISTED
            facts = gather(result, checked, largest, request.min_size, read)
    if checked is not None and not checked:
        say(f"the answer is WRONG and was not written: {checked.message}")
        raise typer.Exit(WRONG)
    if facts is not None:
        _tell(request, stream, facts, written)


def _log_plan(result: Components) -> None:
    if not _log.isEnabledFor(logging.INFO):
        return
    plan = result.plan
    _log.info("%s on %s, %d threads: %s", plan.algorithm, plan.device, plan.threads, plan.reason)
    for note in plan.notes:
        _log.info("%s", note)
    for phase in plan.passes:
        _log.info("%s took %s", phase.name, duration(phase.seconds))


def _check(request: Request) -> None:
    if request.output is not None and request.output.to_stdout and request.as_json:
        raise InputError("--json and --output - both write to standard output: choose one")
    whole = request.algorithm != "auto" or request.device not in ("auto", "cpu")
    if request.limit is not None and whole:
        raise UnsupportedError(
            "--limit-memory is kept where edges are joined as they come; --algorithm and a GPU "
            "need all of them at once: leave it or them out"
        )


def _solve(request: Request, stream: EdgeSource) -> Components:
    reading = request.reading
    vertices: Any = None
    if request.vertices is not None:
        from skerry.cli.columns import ids_of

        vertices = ids_of(request.vertices, width=_width(reading))
    source, target = (columns(one) for one in (reading.source, reading.target))
    return connected_components(
        stream,
        source=source,
        target=target,
        vertices=vertices,
        threshold=reading.threshold,
        num_vertices=request.num_vertices,
        ids=request.meant,
        algorithm=request.algorithm,
        device=request.device,
        threads=request.threads,
        labels=request.labels,
        min_size=1 if request.largest is not None else request.min_size,
        limit=request.limit,
    )


def _width(reading: Reading) -> int:
    source = columns(reading.source)
    return len(source) if isinstance(source, tuple) else 1


def _tell(request: Request, stream: EdgeSource, facts: Facts, written: int) -> None:
    output = request.output
    if request.as_json:
        told = {
            "inputs": list(request.reading.inputs),
            "format": request.reading.format_name,
            **facts.as_json(),
            "warning": _warning(request, stream, facts),
            "output": None if output is None else output.path,
        }
        typer.echo(json.dumps(told, default=str))
        return
    warning = _warning(request, stream, facts)
    to_stderr = output is not None and output.to_stdout
    out = console(stderr=to_stderr)
    if to_stderr and not out.is_terminal:
        if warning:
            say(f"warning: {warning}")
        return
    out.print(_graph(request, facts))
    out.print()
    out.print(render(out, facts))
    if output is not None and not output.to_stdout:
        out.print(rows([("written", f"{many(written, 'label', 'labels')} to {output.path}")]))
    if warning:
        out.print()
        out.print(rows([("warning", Text(warning, style="yellow"))]))


def _graph(request: Request, facts: Facts) -> Any:
    plan, reading = facts.result.plan, request.reading
    files = "" if len(reading.files) == 1 else f", {len(reading.files):,} files"
    size = f", {bytes_of(facts.bytes)}" if facts.bytes else ""
    counts = f"{many(plan.vertices, 'vertex', 'vertices')}, {many(plan.edges, 'edge', 'edges')}"
    form = f" ({reading.format_name}{files}{size})"
    return rows([("graph", Text(reading.title, style="bold")), ("", f"{counts}{form}")])


def _warning(request: Request, stream: EdgeSource, facts: Facts) -> str | None:
    """What a giant component means among pairs of duplicates; networks just have one."""
    reading = request.reading
    pairs = reading.threshold is not None or reading.format_name in TABLES
    if not (facts.swallowed and pairs and stream.id_kind == "external"):
        return None
    raised = (
        "give a --weight and a --threshold"
        if reading.threshold is None
        else f"raise --threshold above {reading.threshold:g}"
    )
    return (
        f"one component holds {percent(facts.share)} of all ids. If these are pairs of "
        "duplicates, most of them are not: weak pairs chain different things together. To take it "
        "apart, "
        f"{raised}, and look for hubs: ids with very many pairs, such as an empty or a usual value."
    )
