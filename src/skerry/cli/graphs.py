"""``skerry graphs``: the papers' graphs as a table, downloaded and checked, or as stand-ins."""

from __future__ import annotations

from dataclasses import asdict
from math import nan
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from skerry.api import connected_components
from skerry.cli.errors import UsageError
from skerry.cli.format_numbers import bytes_of
from skerry.cli.input_options import InputArguments
from skerry.cli.logged_progress import progress_display
from skerry.cli.progress import ProgressDisplay
from skerry.cli.run_log import log_result
from skerry.cli.size_histogram import glyphs_of
from skerry.cli.summary import console, labeled_lines
from skerry.cli.terminal import print_json
from skerry.datasets.papers import PaperGraph, download, paper_graph, papers_graphs, stand_in
from skerry.engines.streaming.gather import gather
from skerry.generators.parameters import number
from skerry.graph.build import csr_from_edges
from skerry.io import EdgeSource
from skerry.machine import memory_free
from skerry.threads import available_threads

BYTES_OF_EDGE = 32
"""Memory to count distinct edges: each edge, and both of its directions in rows of a CSR."""


def show_graphs(paper: str, as_json: bool = False) -> None:
    """Prints the graphs whose paper contains ``paper``, in any case of letters."""
    graphs = [graph for graph in papers_graphs() if paper.lower() in graph.paper.lower()]
    if not graphs:
        papers = ", ".join(dict.fromkeys(graph.paper for graph in papers_graphs()))
        raise UsageError(f"no paper matches {paper!r}; there are: {papers}")
    if as_json:
        print_json([asdict(graph) for graph in graphs])
        return
    out = console()
    for title in dict.fromkeys(graph.paper for graph in graphs):
        own = [graph for graph in graphs if graph.paper == title]
        out.print(Text(f" {title}", style="bold"), Text(f"({_convention(own[0])})", style="dim"))
        out.print(_table(own, out))
        out.print()
    out.print(
        labeled_lines(
            [
                ("get", "downloads the original: skerry graphs get NAME"),
                ("make", "makes a stand-in of any size: skerry graphs make NAME -o FILE"),
            ]
        )
    )


def _convention(graph: PaperGraph) -> str:
    directions = "edges counted in both directions" if graph.directed else "edges counted once"
    return directions if graph.exact else f"{directions}, figures rounded"


def _table(graphs: list[PaperGraph], out: Console) -> Table:
    """A line a graph. Figures are never cut: in a narrow window the families are."""
    heads = ("name", "vertices", "edges", "components", "get")
    lines = [
        (
            graph.name,
            f"{graph.vertices:,}",
            "-" if graph.edges is None else f"{graph.edges:,}",
            "-" if graph.components is None else f"{graph.components:,}",
            "yes" if graph.sources else "no",
        )
        for graph in graphs
    ]
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    widths[0] = max(widths[0], 18)
    room = max(out.width - sum(widths) - 2 * len(heads) - 1, 1)
    table = Table.grid(padding=(0, 2, 0, 0))
    for head, width in zip(heads, widths, strict=True):
        align: Literal["left", "right"] = "left" if head in ("name", "get") else "right"
        table.add_column(justify=align, no_wrap=True, min_width=width)
    table.add_column(no_wrap=True)
    table.add_row(f" {heads[0]}", *heads[1:], "family", style="dim")
    for graph, line in zip(graphs, lines, strict=True):
        fits = len(graph.family) <= room
        more = glyphs_of(out).more
        family = graph.family if fits else f"{graph.family[: max(room - len(more), 0)]}{more}"
        table.add_row(f" {line[0]}", *line[1:], family)
    return table


def make_graph(
    name: str,
    output: str,
    scale: str,
    seed: int,
    file_format: str | None,
    threads: int | None,
    quiet: bool,
) -> None:
    """Writes a generated graph of the same family as a paper's, of any size."""
    from skerry.cli.generate import write_recipe

    try:
        size = number(scale)
    except ValueError:
        size = nan
    if not size > 0:
        raise UsageError(f"--scale must be a positive number such as 0.1 or 1/64, got {scale!r}")
    recipe = stand_in(name, size, seed=seed)
    write_recipe(recipe, output, file_format, threads, quiet, name=f"stand-in for {name}")


def get_graph(name: str, folder: str, source: int, check: bool, quiet: bool) -> None:
    """Downloads a graph, and compares it with what the paper says."""
    graph = paper_graph(name)
    counts: list[tuple[int, int | None, int | None]] = []
    with progress_display(quiet) as display:
        display.begin(f"downloading {name}")

        def count(path: Path) -> tuple[int, int | None, int | None]:
            display.begin(f"counting {name}")
            counts.append(_count(path, graph.sources[source].format, display))
            return counts[0]

        counting = count if check else None
        path = download(name, folder, source=source, count=counting, progress=display.update)
    log_result(output=str(path), bytes=path.stat().st_size)
    if quiet:
        return
    lines: list[tuple[str, str | Text]] = [
        ("graph", f"{path}: {graph.sources[source].format}, {bytes_of(path.stat().st_size)}")
    ]
    for vertices, edges, components in counts:
        edge_count = "edges not counted" if edges is None else f"{edges:,} edges"
        figures = f"{vertices:,} vertices, {edge_count}, {components:,} components"
        agree = "as published" if graph.exact else "as published, which is rounded"
        lines.append(("checked", Text(f"{figures}: {agree}", style="green")))
    console().print(labeled_lines(lines))


def _count(
    path: Path, format_name: str, display: ProgressDisplay
) -> tuple[int, int | None, int | None]:
    """Vertices, distinct edges without loops, and components of a file."""
    source = InputArguments([str(path)], format=format_name).open()
    result = connected_components(display.track(source, "finding components"))
    edges = None
    if BYTES_OF_EDGE * result.plan.edges < memory_free():
        edges = _distinct(display.track(source, "counting edges", "counting edges"))
    return result.num_vertices, edges, result.count


def _distinct(source: EdgeSource) -> int:
    edges = gather(source, threads=available_threads()).edges
    return csr_from_edges(edges).num_entries // 2
