"""Images as graphs: `skerry.Grid`."""

from __future__ import annotations

from skerry.graph.edge_source import InputFacts
from skerry.graph.grid import Grid
from skerry.inputs.sources import DeviceGridSource, GridSource, InputKind
from skerry.request import InputOptions


def _open(grid: Grid, options: InputOptions) -> GridSource | DeviceGridSource:
    facts = InputFacts("grid")
    if grid.device == "cpu":
        return GridSource(grid, options, facts)
    return DeviceGridSource(grid, options, facts, int(grid.device.removeprefix("cuda:")))


GRID = InputKind("skerry.Grid", _open, ("vertices",))
