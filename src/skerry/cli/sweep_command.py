"""The command ``sweep`` and its options."""

from __future__ import annotations

from skerry.cli.errors import plain_errors
from skerry.cli.graph_options import VERTICES, GraphArguments, reads_graph
from skerry.cli.options import (
    AsJson,
    Inputs,
    SweptWeight,
    Threads,
    Thresholds,
)
from skerry.cli.run_log import LogFormat
from skerry.graph.threshold import Keep as KeptSide
from skerry.graph.threshold import loosest


@reads_graph("keep", *VERTICES, weight=SweptWeight)
def sweep(
    inputs: Inputs,
    at: Thresholds,
    graph: GraphArguments,
    threads: Threads = None,
    as_json: AsJson = False,
    _log: LogFormat = None,
) -> None:
    """Count the components at several thresholds for the weights, to choose one."""
    with plain_errors():
        from skerry.cli.sweep import SweepRequest, parse_thresholds, show_sweep

        thresholds = parse_thresholds(at)
        kept: KeptSide = graph.values["keep"] or "above"
        arguments = graph.inputs(inputs, threshold=loosest(thresholds, kept), keep=kept)
        show_sweep(SweepRequest(arguments, thresholds, graph.vertices(), threads, as_json))
