"""Options of `skerry components` for more than one machine."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

CLUSTER = "Cluster"


class EngineChoice(StrEnum):
    """Who runs the stages."""

    RAY = "ray"
    SPARK = "spark"


ClusterEngineName = Annotated[
    EngineChoice | None,
    typer.Option(
        "--engine",
        help="Solve on a cluster, unless all ids fit this process. --output is then a folder of "
        "Parquet files.",
        rich_help_panel=CLUSTER,
    ),
]
MasterAddress = Annotated[
    str | None,
    typer.Option(
        "--master",
        metavar="URL",
        help="The cluster: spark://host:7077, or an address of Ray; by default this machine.",
        rich_help_panel=CLUSTER,
    ),
]
StatePath = Annotated[
    str | None,
    typer.Option(
        "--state",
        metavar="DIR",
        help="A folder or address that all machines see, for rounds and labels: after a crash, the "
        "same command goes on.",
        rich_help_panel=CLUSTER,
    ),
]
