"""``skerry components FILE``: reads, solves, verifies, writes, tells."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import typer

from skerry.api import connected_components
from skerry.cli.errors import WRONG, say
from skerry.cli.facts import gather
from skerry.cli.files import check_output, read_graph, write_labels
from skerry.cli.summary import console, render, rows
from skerry.components import LabelKind

__all__ = ["Request", "show_components"]


@dataclass(frozen=True, slots=True)
class Request:
    """What to do, as the options say."""

    file: Path
    num_vertices: int | None
    algorithm: str
    threads: int | None
    labels: LabelKind
    output: Path | None
    verify: bool


def show_components(request: Request, as_json: bool) -> None:
    """Does what is asked for; an answer that fails its verification is not written."""
    if request.output is not None:
        check_output(request.output)
    result = connected_components(
        read_graph(request.file),
        num_vertices=request.num_vertices,
        algorithm=request.algorithm,
        ids="vertices",
        threads=request.threads,
        labels=request.labels,
    )
    facts = gather(result, verify=request.verify)
    if facts.verification is not None and not facts.verification:
        say(f"the answer is WRONG and was not written: {facts.verification.message}")
        raise typer.Exit(WRONG)
    if request.output is not None:
        write_labels(request.output, result.labels)
    if as_json:
        output = None if request.output is None else str(request.output)
        typer.echo(json.dumps({"file": str(request.file), **facts.as_json(), "output": output}))
        return
    out = console()
    size = f"{result.num_vertices:,} vertices, {result.plan.edges:,} edges"
    out.print(rows([("graph", f"{request.file}: {size}")]))
    out.print()
    out.print(render(out, facts))
    if request.output is not None:
        out.print(rows([("labels", f"{request.output}: {result.labels.dtype}")]))
