"""The options that commands share, said once: their names, their help, what completes them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from skerry.cli import completion
from skerry.cli.verbose import verbose_option

__all__ = [
    "EDGES",
    "HELP",
    "RUN",
    "AlgorithmName",
    "AsJson",
    "ConvertedFormat",
    "DelimiterText",
    "DeviceName",
    "FormatName",
    "HasHeader",
    "IdChoice",
    "IdMeaning",
    "Inputs",
    "MemoryLimit",
    "NamesBecoming",
    "NamesChoice",
    "Quiet",
    "SourceColumns",
    "TargetColumns",
    "Threads",
    "Threshold",
    "Verbose",
    "Verify",
    "VertexCount",
    "VerticesFile",
    "WeightColumn",
    "WrittenFormat",
    "WrittenGraph",
    "WrittenWeight",
]


class IdChoice(StrEnum):
    """What ids are."""

    AUTO = "auto"
    VERTICES = "vertices"
    NAMES = "external"


class NamesChoice(StrEnum):
    """What becomes of ids in a format that numbers its vertices."""

    REFUSED = "refused"
    NUMBERS = "numbers"
    RANKS = "ranks"


EDGES = "Columns of edges"
RUN = "How it runs"
HELP = {"help_option_names": ["-h", "--help"]}

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT...",
        help="Files of edges: paths, patterns, folders or addresses (s3://...), compressed or not; "
        "- is standard input.",
        show_default=False,
    ),
]
SourceColumns = Annotated[
    list[str],
    typer.Option(
        "--source",
        metavar="COLUMN",
        help="Column of one end, by name or by number from 0; a,b for ids of several columns.",
        rich_help_panel=EDGES,
        show_default=False,
    ),
]
TargetColumns = Annotated[
    list[str],
    typer.Option(
        "--target",
        metavar="COLUMN",
        help="Column of the other end.",
        rich_help_panel=EDGES,
        show_default=False,
    ),
]
WeightColumn = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="Column of weights, for --threshold; by default 'weight'.",
        rich_help_panel=EDGES,
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option(help="Use only edges of at least this weight.", rich_help_panel=EDGES),
]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="Format of the input, where its suffix does not tell.",
        autocompletion=completion.readable_formats,
        rich_help_panel=EDGES,
    ),
]
DelimiterText = Annotated[
    str | None,
    typer.Option(
        "--delimiter",
        metavar="CHARACTER",
        help="What stands between columns of text; 'tab' and 'space' are understood.",
        rich_help_panel=EDGES,
    ),
]
HasHeader = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether the first line names the columns; by default found out.",
        rich_help_panel=EDGES,
        show_default=False,
    ),
]
AlgorithmName = Annotated[
    str,
    typer.Option(
        "--algorithm",
        metavar="NAME",
        help="A name of `skerry algorithms`; see there for choices.",
        autocompletion=completion.algorithms,
        rich_help_panel=RUN,
    ),
]
DeviceName = Annotated[
    str,
    typer.Option(
        "--device",
        metavar="DEVICE",
        help="auto, cpu, cuda or cuda:1.",
        autocompletion=completion.devices,
        rich_help_panel=RUN,
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(min=1, help="Threads; by default as many as pay.", rich_help_panel=RUN),
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="Say nothing but errors: no progress, no summary."),
]
WrittenGraph = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Where to write it; the suffix tells the format.",
        show_default=False,
    ),
]
ConvertedFormat = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="Format to write, where the suffix of OUTPUT does not tell.",
        autocompletion=completion.writable_formats,
    ),
]
WrittenWeight = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Column of weights, to be written too."),
]
NamesBecoming = Annotated[
    NamesChoice,
    typer.Option(
        help="What names become in a format that numbers vertices 0..n-1: their ranks, or "
        "integers as they are."
    ),
]
WrittenFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="Format to write, where the suffix does not tell.",
        autocompletion=completion.writable_formats,
    ),
]
VerticesFile = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Ids that are vertices with or without an edge: the first column of this file.",
    ),
]
VertexCount = Annotated[
    int | None,
    typer.Option(min=0, help="Ids are the numbers 0..N-1, and all of these are vertices."),
]
IdMeaning = Annotated[
    IdChoice,
    typer.Option(help="What ids are: numbers of vertices, names, or as the format has it."),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Stop before labels and ids take more than this: 4G, 500M.",
        rich_help_panel=RUN,
    ),
]
Verify = Annotated[
    bool,
    typer.Option(
        "--verify",
        help="Check the answer by independent means; a wrong one is not written.",
        rich_help_panel=RUN,
    ),
]
Verbose = Annotated[int, verbose_option]
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON, for programs.")]
