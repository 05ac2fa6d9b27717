"""The options that commands share: their names, their help, what completes them."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
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
_edges = partial(typer.Option, rich_help_panel=EDGES)
_run = partial(typer.Option, rich_help_panel="Execution")
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
    _edges(
        "--source",
        metavar="COLUMN",
        help="Column of one end, by name or by number from 0; a,b for ids of several columns.",
    ),
]
TargetColumns = Annotated[
    list[str], _edges("--target", metavar="COLUMN", help="Column of the other end.")
]
GroupColumns = Annotated[
    list[str],
    _edges(
        "--groups",
        metavar="COLUMN",
        help="Column of keys: all ids with one key are joined. Ids are in --source, or in the only "
        "other column.",
    ),
]
Lists = Annotated[
    bool,
    _edges(
        "--lists",
        help="Every list is a group: in the only column of a Parquet or Arrow file, or --source.",
    ),
]
WeightColumn = Annotated[
    str | None,
    _edges(metavar="COLUMN", help="Column of weights, for --threshold; by default 'weight'."),
]
Threshold = Annotated[
    float | None, _edges(help="Use only edges of at least this weight; see --keep.")
]
Thresholds = Annotated[
    list[str],
    _edges("--at", metavar="NUMBERS", help="Thresholds for the weights, with commas between them."),
]
SweptWeight = Annotated[
    str | None, _edges("--weight", metavar="COLUMN", help="Column of weights; by default 'weight'.")
]
Keep = Annotated[
    KeepChoice | None,
    _edges(help="Use edges whose weight is the threshold or 'above' it, or 'below' (distances)."),
]
FormatName = Annotated[
    str | None,
    _edges(
        "--format",
        metavar="FORMAT",
        help="Format of the input; by default from its suffix and first bytes.",
        autocompletion=completion.readable_formats,
    ),
]
DelimiterText = Annotated[
    str | None,
    _edges(
        "--delimiter",
        metavar="CHARACTER",
        help="Character between columns of text; 'tab' and 'space' are understood.",
    ),
]
HasHeader = Annotated[
    bool | None,
    _edges(
        "--header/--no-header",
        help="Whether the first line names the columns; by default inferred.",
    ),
]
IdsAsText = Annotated[
    bool,
    _edges(
        "--ids-as-text", help="Read ids of CSV and TSV as text, even if they look like integers."
    ),
]
OnNull = Annotated[
    NullChoice,
    _edges(
        "--on-null",
        help="What to do with an edge with a missing end (a null, an empty cell) or weight.",
    ),
]
AlgorithmName = Annotated[
    str,
    _run(
        "--algorithm",
        metavar="NAME",
        help="A name from `skerry algorithms`, which also lists their choices.",
        autocompletion=completion.algorithms,
    ),
]
DeviceName = Annotated[
    str,
    _run(
        "--device",
        metavar="DEVICE",
        help="auto, cpu, cuda or cuda:1; in parts: cuda:0,1 (GPUs), cpu:0,1 (a process on each "
        "NUMA node), cpu+cuda (by measured rates).",
        autocompletion=completion.devices,
    ),
]
Threads = Annotated[int | None, _run(min=1, help="Threads; by default as many as make it faster.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print errors only: no progress, no summary.")
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
    str | None, typer.Option(metavar="COLUMN", help="Column of weights, which are written too.")
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
    _run(metavar="SIZE", help="Stop before the process takes more memory than this: 4G, 500M."),
]
CheckpointFolder = Annotated[
    str | None,
    _run(
        "--checkpoint",
        metavar="DIR",
        help="Keep what was joined so far in this folder: after a crash, the same command goes on.",
    ),
]
SpillPath = Annotated[
    str | None,
    _run(
        "--spill",
        metavar="DIR",
        help="Keep --limit-memory by temporary files in this folder.",
    ),
]
Verify = Annotated[
    bool,
    _run("--verify", help="Verify the labels with independent code; wrong ones are not written."),
]
Verbose = Annotated[int, verbose_option]
AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON, for programs.")]


_result = partial(typer.Option, rich_help_panel="Result")
_cluster = partial(typer.Option, rich_help_panel="Cluster")


class LabelChoice(StrEnum):
    """How components are labeled."""

    MIN = "min"
    DENSE = "dense"


LabelsOutput = Annotated[
    str | None,
    _result(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the labels: .parquet, .arrow, .csv, .tsv or .npy; - is CSV to standard output.",
    ),
]
SizesOutput = Annotated[
    str | None,
    _result(
        "--sizes",
        metavar="FILE",
        help="Write a row for each component, the largest first: what it is called, its size.",
    ),
]
LabelKindOption = Annotated[
    LabelChoice, _result(help="Label by the smallest member, or 0..k-1 by first appearance.")
]
ChangesOutput = Annotated[
    str | None,
    _result(
        "--output", "-o", metavar="FILE", help="Write a row for each change: .parquet or .arrow."
    ),
]
RecordsOutput = Annotated[
    str,
    _result(
        "--output", "-o", metavar="FILE", help="Write the records: .parquet, .arrow, .csv or .tsv."
    ),
]
ClustersFile = Annotated[
    str | None,
    _result(
        "--clusters",
        metavar="FILE",
        help="The clusters, as for --previous; by default columns of the records.",
    ),
]
IdColumn = Annotated[
    str | None, _result("--id", metavar="COLUMN", help="Column of ids of the records.")
]
Ascending = Annotated[bool, _result("--ascending", help="The smallest value is the best.")]
Flag = Annotated[
    bool, _result("--flag", help="Write all records, with a column is_representative.")
]
BestColumn = Annotated[
    str | None,
    _result(
        "--best",
        metavar="COLUMN",
        help="Write the best record of each component instead: the largest value of this column "
        "of --records.",
    ),
]
RecordsFile = Annotated[
    str | None,
    _result("--records", metavar="FILE", help="The records, by their ids: see --best."),
]
PreviousFile = Annotated[
    str | None,
    _result(
        "--previous",
        metavar="FILE",
        help="Earlier clusters to add these edges to, as written here or by other tools.",
    ),
]
MaxSize = Annotated[
    int | None,
    _result(
        "--max-size",
        metavar="N",
        min=1,
        help="Cut components of more vertices by a stricter threshold of their own: by --weight.",
    ),
]
NamedAfterFile = Annotated[
    str | None,
    _result(
        "--named-after",
        metavar="FILE",
        help="Earlier clusters whose names go on; their edges do not.",
    ),
]
LargestCount = Annotated[
    int | None, _result(min=1, metavar="K", help="List, and write, only the K largest components.")
]
MinSize = Annotated[int, _result(min=1, help="Leave out components smaller than this.")]
DropSingletons = Annotated[bool, _result("--drop-singletons", help="The same as --min-size 2.")]


class EngineChoice(StrEnum):
    """Who runs the stages."""

    RAY = "ray"
    SPARK = "spark"


ClusterEngineName = Annotated[
    EngineChoice | None,
    _cluster(
        "--engine",
        help="Solve on a cluster, unless all ids fit this process. --output is then a folder of "
        "Parquet files.",
    ),
]
MasterAddress = Annotated[
    str | None,
    _cluster(
        "--master",
        metavar="URL",
        help="The cluster: spark://host:7077, or an address of Ray; by default this machine.",
    ),
]
StatePath = Annotated[
    str | None,
    _cluster(
        "--state",
        metavar="DIR",
        help="A folder or address that all machines see, for rounds and labels: after a crash, the "
        "same command goes on.",
    ),
]
