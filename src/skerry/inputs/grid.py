"""Images as graphs: `skerry.Grid`."""

from __future__ import annotations

from functools import partial

from skerry.graph.edge_source import InputFacts
from skerry.inputs.sources import GridSource, InputKind

GRID = InputKind("skerry.Grid", partial(GridSource, facts=InputFacts("grid")), ("vertices",))
