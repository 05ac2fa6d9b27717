"""The options that commands share: their names, their help, what completes them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from skerry.cli import completion
from skerry.cli.verbose import verbose_option


class IdChoice(StrEnum):
    """What the ids of the input are."""

    AUTO = "auto"
    VERTICES = "vertices"
    EXTERNAL = "external"


class KeepChoice(StrEnum):
    """Which side of the threshold is kept."""

    ABOVE = "above"
    BELOW = "below"


class NullChoice(StrEnum):
    """What an edge with a null becomes."""

    ERROR = "error"
    DROP = "drop"


class ExternalIdChoice(StrEnum):
    """What external ids become in a format that numbers its vertices 0..n-1."""

    REFUSE = "refuse"
    VERTICES = "vertices"
    RANKS = "ranks"


EDGES = "Columns of edges"
RUN = "Execution"
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
GroupColumns = Annotated[
    list[str],
    typer.Option(
        "--groups",
        metavar="COLUMN",
        help="Column of keys: all ids with one key are joined. Ids are in --source, or in the only "
        "other column.",
        rich_help_panel=EDGES,
        show_default=False,
    ),
]
Lists = Annotated[
    bool,
    typer.Option(
        "--lists",
        help="Every list is a group: in the only column of a Parquet or Arrow file, or --source.",
        rich_help_panel=EDGES,
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
    typer.Option(help="Use only edges of at least this weight; see --keep.", rich_help_panel=EDGES),
]
Thresholds = Annotated[
    list[str],
    typer.Option(
        "--at",
        metavar="NUMBERS",
        help="Thresholds for the weights, with commas between them.",
        rich_help_panel=EDGES,
        show_default=False,
    ),
]
SweptWeight = Annotated[
    str | None,
    typer.Option(
        "--weight",
        metavar="COLUMN",
        help="Column of weights; by default 'weight'.",
        rich_help_panel=EDGES,
    ),
]
Keep = Annotated[
    KeepChoice | None,
    typer.Option(
        help="Use edges whose weight is the threshold or 'above' it, or 'below' (distances).",
        rich_help_panel=EDGES,
    ),
]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="Format of the input; by default from its suffix and first bytes.",
        autocompletion=completion.readable_formats,
        rich_help_panel=EDGES,
    ),
]
DelimiterText = Annotated[
    str | None,
    typer.Option(
        "--delimiter",
        metavar="CHARACTER",
        help="Character between columns of text; 'tab' and 'space' are understood.",
        rich_help_panel=EDGES,
    ),
]
HasHeader = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether the first line names the columns; by default inferred.",
        rich_help_panel=EDGES,
        show_default=False,
    ),
]
IdsAsText = Annotated[
    bool,
    typer.Option(
        "--ids-as-text",
        help="Read ids of CSV and TSV as text, even if they look like integers.",
        rich_help_panel=EDGES,
    ),
]
OnNull = Annotated[
    NullChoice,
    typer.Option(
        "--on-null",
        help="What to do with an edge with a missing end (a null, an empty cell) or weight.",
        rich_help_panel=EDGES,
    ),
]
AlgorithmName = Annotated[
    str,
    typer.Option(
        "--algorithm",
        metavar="NAME",
        help="A name from `skerry algorithms`, which also lists their choices.",
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
    typer.Option(min=1, help="Threads; by default as many as make it faster.", rich_help_panel=RUN),
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="Print errors only: no progress, no summary."),
]
WrittenGraph = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="The file to write; the suffix selects the format. - is standard output: --format.",
        show_default=False,
    ),
]
ConvertedFormat = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="Format to write; by default from the suffix of OUTPUT.",
        autocompletion=completion.writable_formats,
    ),
]
WrittenWeight = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Column of weights, which are written too."),
]
ExternalIds = Annotated[
    ExternalIdChoice,
    typer.Option(
        "--external-ids",
        help="What external ids become in a format that numbers its vertices 0..n-1: ranks (in "
        "their order) or vertices (integers as they are).",
    ),
]
WrittenFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="Format to write; by default from the suffix.",
        autocompletion=completion.writable_formats,
    ),
]
VerticesFile = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="File that lists vertices, with or without an edge: in its only column, or in 'id'.",
    ),
]
VerticesColumn = Annotated[
    list[str],
    typer.Option(
        metavar="COLUMN",
        help="Column of --vertices, by name or by number from 0.",
        show_default=False,
    ),
]
VerticesHeader = Annotated[
    bool | None,
    typer.Option(
        "--vertices-header/--no-vertices-header",
        help="Whether the first line of --vertices names its columns; by default inferred.",
        show_default=False,
    ),
]
VertexCount = Annotated[
    int | None,
    typer.Option(min=0, help="Ids are vertex numbers 0..N-1, and all of them are vertices."),
]
IdMeaning = Annotated[
    IdChoice,
    typer.Option(
        help="Whether ids are vertex numbers 0..n-1 or external ids; by default by format."
    ),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Stop before the process takes more memory than this: 4G, 500M.",
        rich_help_panel=RUN,
    ),
]
CheckpointFolder = Annotated[
    str | None,
    typer.Option(
        "--checkpoint",
        metavar="DIR",
        help="Keep what was joined so far in this folder: after a crash, the same command goes on.",
        rich_help_panel=RUN,
    ),
]
SpillPath = Annotated[
    str | None,
    typer.Option(
        "--spill",
        metavar="DIR",
        help="Keep --limit-memory by temporary files in this folder, for ids that are integers.",
        rich_help_panel=RUN,
    ),
]
Verify = Annotated[
    bool,
    typer.Option(
        "--verify",
        help="Verify the labels with independent code; wrong ones are not written.",
        rich_help_panel=RUN,
    ),
]
Verbose = Annotated[int, verbose_option]
AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON, for programs.")]
