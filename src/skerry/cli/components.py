"""``skerry components INPUT...``: reads, solves, verifies, writes and summarizes."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import typer
from rich.table import Table
from rich.text import Text

from skerry.api import connected_components
from skerry.cli.components_request import Request
from skerry.cli.errors import WRONG, UsageError, say
from skerry.cli.format_numbers import bytes_of, duration, percent, plural
from skerry.cli.logged_progress import progress_display
from skerry.cli.memory_limit import check_spill, spill_folder
from skerry.cli.output import BestRecords
from skerry.cli.progress import ProgressDisplay
from skerry.cli.result_facts import LISTED, ResultFacts, collect_facts, describe_input
from skerry.cli.run_log import current_log
from skerry.cli.summary import console, labeled_lines, render
from skerry.cli.terminal import print_json
from skerry.engines.streaming.checkpoint_folder import (
    checkpoint_files,
    remove_checkpoint,
    what_is_kept,
)
from skerry.formats.overwriting import refuse_overwriting
from skerry.io import EdgeSource
from skerry.printable import printable
from skerry.request import Checkpoint, Spill, StreamOptions
from skerry.result.components import Components
from skerry.result.earlier import read_previous
from skerry.thresholds import split_large

_log = logging.getLogger(__name__)


SHOWN = 3
"""Ids and edges that a warning names."""
HUB_EDGES, HUB_SHARE = 10, 0.01
"""A hub has so many edges and, as both sides of a bridge, this share of its component."""
BRIDGES_UNTIL = 5_000_000
"""Edges up to which bridges are looked for: the component is solved once more."""
TABLES = ("parquet", "arrow", "csv", "tsv")
"""Formats that lists of duplicates come in; networks come in others."""


def show_components(request: Request) -> None:
    """Runs the request; labels that fail their verification are not written."""
    _check_outputs(request)
    check_spill(request)
    _check_max_size(request)
    if request.previous is not None and request.named_after is not None:
        raise UsageError(
            "--previous and --named-after exclude each other: either these edges are added to the "
            "earlier clusters, or they are all edges"
        )
    request.vertices.check()
    source = request.arguments.open(request.vertices.id_kind, cuts=request.max_size is not None)
    for output in request.outputs:
        output.check(source.id_kind)
    if request.outputs or request.checkpoint is not None:
        refuse_overwriting(_written(request), _read(request))
    log = current_log()
    silent = request.quiet and not request.as_json and log is None
    facts, written = None, []
    if request.limit is not None:
        request = replace(request, spill=spill_folder(request, source))
    with _interruptible(request), progress_display(request.quiet or request.as_json) as display:
        result = _solve(request, display.track(source, "reading", "labeling", "verifying"), display)
        bytes_read = display.bytes
        _log_plan(result)
        verification = result.verify() if request.verify else None
        correct = verification is None or verification.ok
        if request.outputs and correct:
            display.begin("writing")
            written = [output.write(result, display.advance) for output in request.outputs]
        if correct and not silent:
            display.begin("counting")
            largest = request.largest or LISTED
            facts = collect_facts(result, verification, largest, request.min_size, bytes_read)
    if request.checkpoint is not None:  # the answer is written: nothing is left to go on with
        remove_checkpoint(request.checkpoint)
    if verification is not None and not verification:
        say(f"the labels are WRONG and were not written: {verification.message}")
        raise typer.Exit(WRONG)
    if facts is not None:
        _show(request, source, facts, written)


@contextmanager
def _interruptible(request: Request) -> Iterator[None]:
    """Says after Ctrl-C or a signal whether there is a checkpoint."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        if request.checkpoint is not None:
            say(what_is_kept(request.checkpoint))
        raise


def _check_outputs(request: Request) -> None:
    """Raises if two outputs would go to one place."""
    options = {"--output": request.output, "--sizes": request.sizes}
    names = [f"{name} -" for name, output in options.items() if output and output.to_stdout]
    if request.as_json:
        names.insert(0, "--json")
    if request.to_stdout and len(names) > 1:
        both = " and ".join(names)
        raise UsageError(f"{both} both write to standard output: choose one")


def _written(request: Request) -> Iterator[tuple[str, str]]:
    """Options that name files to write, and the files."""
    options = {"--output": request.output, "--sizes": request.sizes}
    yield from ((name, output.path) for name, output in options.items() if output is not None)
    if request.checkpoint is not None:
        yield from (("--checkpoint", path) for path in checkpoint_files(request.checkpoint))


def _read(request: Request) -> list[str]:
    """All files that are read, those of ``--vertices`` too.

    Not earlier clusters: today's replace yesterday's, when they are complete.
    """
    records = [request.output.records] if isinstance(request.output, BestRecords) else []
    files = (*request.arguments.files, *request.vertices.files())
    return [*(each.location for each in files), *records]


def _check_max_size(request: Request) -> None:
    """Raises if something is asked for that cutting components does not do."""
    if request.max_size is None:
        return
    options = {
        "--previous": request.previous is not None,
        "--algorithm": request.algorithm != "auto",
        "--device": request.device not in ("auto", "cpu"),
        "--labels": request.labels != "min",
        "--limit-memory": request.limit is not None,
        "--checkpoint": request.checkpoint is not None,
        "--spill": request.spill is not None,
        "--verify": request.verify,
    }
    for name, is_stated in options.items():
        if is_stated:
            raise UsageError(f"--max-size and {name} cannot be used together")


def _log_plan(result: Components) -> None:
    if not _log.isEnabledFor(logging.INFO):
        return
    plan = result.plan
    threads = f", {plural(plan.threads, 'thread', 'threads')}" if plan.threads else ""
    device = f"{plan.device}{threads}"
    _log.info("%s engine, %s on %s: %s", plan.engine, plan.algorithm, device, plan.reason)
    for note in plan.notes:
        _log.info("%s", note)
    for phase in plan.passes:
        _log.info("%s took %s", phase.name, duration(phase.seconds))


def _split(request: Request, source: EdgeSource) -> Components:
    """The components of at most the size that was asked for."""
    arguments, vertices = request.arguments, request.vertices
    further: Any = vertices.read(arguments)
    result = split_large(
        source,
        None,
        request.max_size or 1,
        threshold=arguments.threshold,
        keep=arguments.keep or "above",
        threads=request.threads,
        vertices=further,
        num_vertices=vertices.num_vertices,
        ids=vertices.id_kind,
    )
    return result if request.named_after is None else result.named_after(request.named_after)


def _solve(request: Request, source: EdgeSource, display: ProgressDisplay) -> Components:
    if request.max_size is not None:
        return _split(request, source)
    arguments = request.arguments
    spill = None if request.spill is None else Spill(request.spill, display.show_pass)
    checkpoint = None if request.checkpoint is None else Checkpoint(request.checkpoint, True)
    path = request.previous
    previous = None if path is None else read_previous(path, bool(arguments.ids_as_text))
    result = connected_components(
        source,
        algorithm=request.algorithm,
        device=request.device,
        threads=request.threads,
        labels=request.labels,
        stream=StreamOptions(request.limit, None, checkpoint, spill),
        previous=previous,
        **request.vertices.keywords(arguments),
    )
    return result if request.named_after is None else result.named_after(request.named_after)


def _show(request: Request, source: EdgeSource, facts: ResultFacts, written: list[str]) -> None:
    warning, log = _warning(request, source, facts), current_log()
    if log is not None or request.as_json:  # it looks for members: a pass over the vertices
        report = _report(request, facts, warning)
        if log is not None:
            if warning:
                log.write("warning", message=warning)
            log.write("result", **report)
        if request.as_json:
            print_json(report)
            return
    out = console(stderr=request.to_stdout)
    if request.to_stdout and not (out.is_terminal and log is None):
        if warning and log is None:
            say(f"warning: {warning}")
        return
    if request.quiet:
        return
    out.print(_graph(request, facts))
    out.print()
    out.print(render(out, facts))
    lines: list[tuple[str, str | Text]] = []
    for output, text in zip(request.outputs, written, strict=True):
        if not output.to_stdout:
            lines.append(("written", text))
    if lines:
        out.print(labeled_lines(lines))
    if warning:
        out.print()
        out.print(labeled_lines([("warning", Text(warning, style="yellow"))]))


def _report(request: Request, facts: ResultFacts, warning: str | None) -> dict[str, Any]:
    facts_of_input = facts.result.plan.input
    return {
        "inputs": list(request.arguments.inputs),
        "format": facts_of_input.format,
        "input": facts_of_input.as_json(),
        **facts.as_json(),
        "warning": warning,
        "output": None if request.output is None else request.output.path,
        "sizes_output": None if request.sizes is None else request.sizes.path,
    }


def _graph(request: Request, facts: ResultFacts) -> Table:
    plan, arguments = facts.result.plan, request.arguments
    files = "" if len(arguments.files) == 1 else f", {len(arguments.files):,} files"
    size = f", {bytes_of(facts.bytes)}" if facts.bytes else ""
    vertices, edges = (
        plural(plan.vertices, "vertex", "vertices"),
        plural(plan.edges, "edge", "edges"),
    )
    lines: list[tuple[str, str | Text]] = [
        ("graph", Text(arguments.title, style="bold")),
        ("", f"{vertices}, {edges} ({plan.input.format}{files}{size})"),
    ]
    if columns := describe_input(plan.input):
        lines.append(("input", columns))
    return labeled_lines(lines)


def _warning(request: Request, source: EdgeSource, facts: ResultFacts) -> str | None:
    """Explains a giant component among pairs of duplicates; networks usually have one."""
    arguments = request.arguments
    pairs = arguments.threshold is not None or source.facts.format in TABLES
    if not (facts.has_giant and pairs and source.id_kind == "external"):
        return None
    if source.facts.groups:
        return (
            f"one component holds {percent(facts.share)} of all ids. Look for keys that very many "
            "ids have, such as an empty or a default value, and for ids that have very many keys."
        )
    if arguments.threshold is None:
        advice = "give a --weight and a --threshold"
    elif arguments.keep == "below":
        advice = f"lower --threshold below {arguments.threshold:g}"
    else:
        advice = f"raise --threshold above {arguments.threshold:g}"
    return (
        f"one component holds {percent(facts.share)} of all ids. If these are pairs of "
        "duplicates, most of them are not: weak pairs chain different things together. To split "
        f"it, {advice}, and look for hubs: ids with very many pairs, such as an empty or a default "
        f"value.{_causes(request, source, facts)}"
    )


def _causes(request: Request, source: EdgeSource, facts: ResultFacts) -> str:
    """The hubs and bridges of the largest component, where the edges can be read again."""
    result, largest = facts.result, facts.largest
    if not source.repeatable or source.num_bytes is None or largest is None:
        return ""
    if request.spill is not None:  # both take memory for all vertices
        return ""
    text, minimum = "", max(HUB_EDGES, HUB_SHARE * largest.size)
    hubs = [hub for hub in result.hubs(SHOWN) if hub.edges >= minimum]
    if hubs:
        shown = ", ".join(f"{printable(repr(hub.id))} ({hub.edges:,})" for hub in hubs)
        text = f" The ids with the most pairs are {shown}."
    if result.plan.edges > BRIDGES_UNTIL:
        return text
    part = result.subgraph()
    forest = connected_components(
        (part.src, part.dst), num_vertices=len(part.vertices), forest=True
    )
    bridges = [
        f"row {int(part.rows[bridge.row]):,}: {ends} ({bridge.source_size:,} and "
        f"{bridge.target_size:,} ids)"
        for bridge in forest.bridges()[:SHOWN]
        if min(bridge.source_size, bridge.target_size) >= HUB_SHARE * largest.size
        for ends in [" and ".join(_quoted(part.ids, end) for end in bridge[:2])]
    ]
    if bridges:
        text += f" Single pairs that hold large parts together are {'; '.join(bridges)}."
    return text


def _quoted(ids: Any, position: int) -> str:
    parts = ids if isinstance(ids, tuple) else (ids,)
    values = [
        value.as_py() if hasattr(value, "as_py") else value.item()
        for value in (part[position] for part in parts)
    ]
    return printable(repr(tuple(values) if len(values) > 1 else values[0]))
