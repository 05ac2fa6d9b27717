"""``skerry components --engine``: solves on Ray or Spark and writes a folder of Parquet files."""

from __future__ import annotations

import signal
from dataclasses import asdict
from typing import Any

import typer

from skerry.cli.components_request import Request
from skerry.cli.errors import WRONG, UsageError, say
from skerry.cli.format_numbers import duration, plural
from skerry.cli.input_options import parse_column, parse_columns
from skerry.cli.output import BestRecords
from skerry.cli.run_log import current_log
from skerry.cli.summary import console, labeled_lines
from skerry.cli.terminal import print_json
from skerry.cluster.result import DistributedComponents
from skerry.cluster.state import StateFolder
from skerry.config import silence_ray
from skerry.formats.overwriting import refuse_mixing, refuse_overwriting
from skerry.result.identities import name_counts

SPARK_READS = {"parquet": "parquet", "csv": "csv", "tsv": "csv"}
"""Formats that Spark reads itself, and its names of them."""


def show_on_cluster(request: Request, engine: str, master: str | None, state: str | None) -> None:
    """Runs the request; labels that fail their verification are not written."""
    _refuse_others(request)
    _check_output(request)
    if state is not None:
        further = [] if request.vertices.file is None else [request.vertices.file]
        refuse_mixing("--state", state, [*request.arguments.paths, *further])
    log = current_log()
    progress = None if log is None and (request.quiet or request.as_json) else say
    solve = _solve_on_ray if engine == "ray" else _solve_on_spark
    result = solve(request, master, {"state": state, "progress": progress})
    verification = result.verify() if request.verify else None
    if verification is not None and not verification:
        say(f"the labels are WRONG and were not written: {verification.message}")
        raise typer.Exit(WRONG)
    lines = _write(request, result)
    if request.output is not None and state is not None:  # the labels are in the output
        StateFolder(state).remove_run()
    report = {
        "inputs": list(request.arguments.inputs),
        "vertices": result.num_vertices,
        "components": result.count,
        "output": None if request.output is None else request.output.path,
        "verified": None if verification is None else verification.ok,
        "plan": asdict(result.plan),
    }
    if log is not None:
        log.write("result", **report)
    if request.as_json:
        print_json(report)
    elif not request.quiet:
        verified = [] if verification is None else [("verified", verification.message)]
        _show(request, result, verified + lines)


def _is_collected(request: Request) -> bool:
    """Whether an option is stated for which labels are brought to this process."""
    return request.named_after is not None or isinstance(request.output, BestRecords)


def _check_output(request: Request) -> None:
    """Raises if the file that is then written, in place of a folder, could not be."""
    output = request.output
    if output is not None and _is_collected(request):
        output.check("external")
        records = [output.records] if isinstance(output, BestRecords) else []
        refuse_overwriting([("--output", output.path)], [*request.arguments.paths, *records])


def _write(request: Request, result: DistributedComponents) -> list[tuple[str, str]]:
    """Writes the labels, or the best records; returns lines of the summary."""
    lines, output = [], request.output
    if _is_collected(request):
        answer = result.collect()
        if request.named_after is not None:
            answer = answer.named_after(request.named_after)
            lines.append(("names", str(name_counts(answer))))
        if output is not None:
            lines.append(("written", output.write(answer)))
    elif output is not None:
        result.write(output.path)
        lines.append(("written", f"{result.num_vertices:,} labels to {output.path}"))
    return lines


def _show(request: Request, result: DistributedComponents, further: list[tuple[str, str]]) -> None:
    plan = result.plan
    lines: list[tuple[str, Any]] = [
        ("graph", request.arguments.title),
        ("found", plural(result.count, "component", "components")),
        ("ids", f"{result.num_vertices:,}"),
        ("ran", f"{plan.algorithm} on {plan.device}: {plan.reason}"),
        ("time", duration(plan.seconds)),
    ]
    lines += [("", note) for note in plan.notes]
    lines += further
    console(stderr=False).print(labeled_lines(lines))


def _refuse_others(request: Request) -> None:
    """Raises for options that a cluster does not honor."""
    stated = {
        "--sizes": request.sizes is not None,
        "--groups": bool(request.arguments.groups),
        "--lists": request.arguments.lists,
        "--previous": request.previous is not None,
        "--labels": request.labels != "min",
        "--largest": request.largest is not None,
        "--max-size": request.max_size is not None,
        "--min-size or --drop-singletons": request.min_size > 1,
        "--algorithm": request.algorithm != "auto",
        "--device": request.device != "auto",
        "--threads": request.threads is not None,
        "--checkpoint": request.checkpoint is not None,
        "--num-vertices": request.vertices.num_vertices is not None,
        "--output -": request.output is not None and request.output.to_stdout,
        "-, standard input": "-" in request.arguments.inputs,
    }
    stated |= {"--spill": getattr(request, "spill", None) is not None}
    refused = [name for name, is_stated in stated.items() if is_stated]
    if refused:
        raise UsageError(f"--engine and {', '.join(refused)} cannot be used together")


def _solve_on_ray(
    request: Request, master: str | None, options: dict[str, Any]
) -> DistributedComponents:
    from skerry.ray import distributed_components

    silence_ray()
    arguments = request.arguments
    further = request.vertices.read(arguments)
    return distributed_components(
        list(arguments.paths),
        source=parse_columns(arguments.source),
        target=parse_columns(arguments.target),
        vertices=None if further is None else further.ids,
        weight=None if arguments.weight is None else parse_column(arguments.weight),
        threshold=arguments.threshold,
        keep=arguments.keep,
        ids=request.vertices.id_kind,
        format=arguments.format,
        delimiter=arguments.delimiter_character,
        header=arguments.header,
        ids_as_text=arguments.ids_as_text,
        on_null=arguments.on_null,
        memory=request.limit,
        address=master,
        **options,
    )


def _solve_on_spark(
    request: Request, master: str | None, options: dict[str, Any]
) -> DistributedComponents:
    from skerry.cluster.spark_engine import require_spark
    from skerry.spark import distributed_components

    arguments = request.arguments
    if request.vertices.file is not None:
        raise UsageError(
            "--engine spark and --vertices cannot be used together: use --engine ray, or "
            "skerry.spark"
        )
    facts = arguments.open(request.vertices.id_kind).facts
    if facts.format not in SPARK_READS or len(facts.source) != 1:
        raise UsageError(
            f"{arguments.title}: --engine spark reads Parquet, CSV and TSV with one column for an "
            f"id, not {facts.format}; use --engine ray, or skerry.spark"
        )
    builder = require_spark().SparkSession.builder.appName("skerry components")
    handler = signal.getsignal(signal.SIGINT)
    session = (builder if master is None else builder.master(master)).getOrCreate()
    # PySpark's own handler fails where Ctrl-C has ended Java as well: the run cancels its jobs.
    signal.signal(signal.SIGINT, handler)
    reader = session.read
    if SPARK_READS[facts.format] == "csv":
        reader = reader.option("header", True).option("inferSchema", not arguments.ids_as_text)
        reader = reader.option("sep", facts.delimiter or ",")
        if not facts.header:
            raise UsageError(f"{arguments.title}: --engine spark needs a header in text files")
    frame = reader.format(SPARK_READS[facts.format]).load(list(arguments.paths))
    return distributed_components(
        frame,
        source=facts.source[0],
        target=facts.target[0],
        weight=facts.weight,
        threshold=arguments.threshold,
        keep=arguments.keep,
        on_null=arguments.on_null,
        memory=request.limit,
        **options,
    )
