"""The command ``sweep`` and its options."""

from __future__ import annotations

from skerry.cli.errors import plain_errors
from skerry.cli.options import (
    AsJson,
    DelimiterText,
    FormatName,
    HasHeader,
    IdChoice,
    IdMeaning,
    IdsAsText,
    Inputs,
    Keep,
    NullChoice,
    OnNull,
    SourceColumns,
    SweptWeight,
    TargetColumns,
    Threads,
    Thresholds,
    VertexCount,
    VerticesColumn,
    VerticesFile,
    VerticesHeader,
)
from skerry.cli.run_log import LogFormat
from skerry.graph.threshold import Keep as KeptSide
from skerry.graph.threshold import loosest


def sweep(
    inputs: Inputs,
    at: Thresholds,
    source: SourceColumns = [],  # noqa: B006
    target: TargetColumns = [],  # noqa: B006
    weight: SweptWeight = None,
    keep: Keep = None,
    file_format: FormatName = None,
    delimiter: DelimiterText = None,
    header: HasHeader = None,
    ids_as_text: IdsAsText = False,
    on_null: OnNull = NullChoice.ERROR,
    vertices: VerticesFile = None,
    vertices_column: VerticesColumn = [],  # noqa: B006
    vertices_header: VerticesHeader = None,
    num_vertices: VertexCount = None,
    ids: IdMeaning = IdChoice.AUTO,
    threads: Threads = None,
    as_json: AsJson = False,
    _log: LogFormat = None,
) -> None:
    """Count the components at several thresholds for the weights, to choose one."""
    with plain_errors():
        from skerry.cli.input_options import InputArguments
        from skerry.cli.sweep import SweepRequest, parse_thresholds, show_sweep
        from skerry.cli.vertices import VertexArguments

        thresholds = parse_thresholds(at)
        kept: KeptSide = "above" if keep is None else keep.value
        arguments = InputArguments(
            inputs,
            source,
            target,
            weight,
            loosest(thresholds, kept),
            file_format,
            delimiter,
            header,
            ids_as_text,
            keep=kept,
            on_null=on_null.value,
        )
        further = VertexArguments(
            vertices, vertices_column, vertices_header, num_vertices, ids.value
        )
        show_sweep(SweepRequest(arguments, thresholds, further, threads, as_json))
