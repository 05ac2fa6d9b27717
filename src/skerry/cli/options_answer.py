"""Options of the result: which labels are written, and how."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

RESULT = "Result"


class LabelChoice(StrEnum):
    """How components are labeled."""

    MIN = "min"
    DENSE = "dense"


LabelsOutput = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the labels: .parquet, .arrow, .csv, .tsv or .npy; - is CSV to standard output.",
        rich_help_panel=RESULT,
    ),
]
SizesOutput = Annotated[
    str | None,
    typer.Option(
        "--sizes",
        metavar="FILE",
        help="Write a row for each component, the largest first: what it is called, its size.",
        rich_help_panel=RESULT,
    ),
]
LabelKindOption = Annotated[
    LabelChoice,
    typer.Option(
        help="Label by the smallest member, or 0..k-1 by first appearance.",
        rich_help_panel=RESULT,
    ),
]
ChangesOutput = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write a row for each change: .parquet or .arrow.",
        rich_help_panel=RESULT,
    ),
]
RecordsOutput = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the records: .parquet, .arrow, .csv or .tsv.",
        rich_help_panel=RESULT,
    ),
]
ClustersFile = Annotated[
    str | None,
    typer.Option(
        "--clusters",
        metavar="FILE",
        help="The clusters, as for --previous; by default columns of the records.",
        rich_help_panel=RESULT,
    ),
]
IdColumn = Annotated[
    str | None,
    typer.Option(
        "--id", metavar="COLUMN", help="Column of ids of the records.", rich_help_panel=RESULT
    ),
]
Ascending = Annotated[
    bool,
    typer.Option("--ascending", help="The smallest value is the best.", rich_help_panel=RESULT),
]
Flag = Annotated[
    bool,
    typer.Option(
        "--flag",
        help="Write all records, with a column is_representative.",
        rich_help_panel=RESULT,
    ),
]
PreviousFile = Annotated[
    str | None,
    typer.Option(
        "--previous",
        metavar="FILE",
        help="Earlier clusters to add these edges to, as written here or by other tools.",
        rich_help_panel=RESULT,
    ),
]
NamedAfterFile = Annotated[
    str | None,
    typer.Option(
        "--named-after",
        metavar="FILE",
        help="Earlier clusters whose names go on; their edges do not.",
        rich_help_panel=RESULT,
    ),
]
LargestCount = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="K",
        help="List, and write, only the K largest components.",
        rich_help_panel=RESULT,
    ),
]
MinSize = Annotated[
    int,
    typer.Option(min=1, help="Leave out components smaller than this.", rich_help_panel=RESULT),
]
DropSingletons = Annotated[
    bool,
    typer.Option("--drop-singletons", help="The same as --min-size 2.", rich_help_panel=RESULT),
]
