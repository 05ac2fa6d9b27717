"""The commands and their options; each command's work is in a module of its own, loaded by it."""

from __future__ import annotations

from typing import Annotated

import typer

import skerry
from skerry.cli.errors import plain_errors
from skerry.cli.options import (
    HELP,
    AlgorithmName,
    AsJson,
    ConvertedFormat,
    DelimiterText,
    DeviceName,
    FormatName,
    HasHeader,
    IdChoice,
    IdMeaning,
    Inputs,
    MemoryLimit,
    NamesBecoming,
    NamesChoice,
    Quiet,
    SourceColumns,
    TargetColumns,
    Threads,
    Threshold,
    Verbose,
    Verify,
    VertexCount,
    VerticesFile,
    WeightColumn,
    WrittenWeight,
)
from skerry.cli.options_answer import (
    DropSingletons,
    LabelChoice,
    LabelKindOption,
    LabelsOutput,
    LargestCount,
    MinSize,
)
from skerry.cli.plugins import Commands
from skerry.cli.subcommands import generate, graphs

__all__ = ["app"]

app = typer.Typer(
    cls=Commands,
    help="Connected components of graphs: fast, exact, and the same answer every time.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=HELP,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"skerry {skerry.__version__}")
        raise typer.Exit


@app.callback()
def options(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
    __: Verbose = 0,
) -> None:
    """Options before any command."""


@app.command(epilog="Example: skerry components pairs.parquet -o clusters.parquet")
def components(
    inputs: Inputs,
    output: LabelsOutput = None,
    source: SourceColumns = [],  # noqa: B006, typer copies it
    target: TargetColumns = [],  # noqa: B006
    weight: WeightColumn = None,
    threshold: Threshold = None,
    file_format: FormatName = None,
    delimiter: DelimiterText = None,
    header: HasHeader = None,
    vertices: VerticesFile = None,
    num_vertices: VertexCount = None,
    ids: IdMeaning = IdChoice.AUTO,
    labels: LabelKindOption = LabelChoice.MIN,
    largest: LargestCount = None,
    min_size: MinSize = 1,
    drop_singletons: DropSingletons = False,
    algorithm: AlgorithmName = "auto",
    device: DeviceName = "auto",
    threads: Threads = None,
    limit_memory: MemoryLimit = None,
    verify: Verify = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    _: Verbose = 0,
) -> None:
    """Find the connected components of a graph in files."""
    with plain_errors():
        from skerry.cli.components import Request, show_components
        from skerry.cli.input_options import Reading, byte_count
        from skerry.cli.output import Output

        least = max(min_size, 2 if drop_singletons else 1)
        show_components(
            Request(
                reading=Reading(
                    inputs, source, target, weight, threshold, file_format, delimiter, header
                ),
                output=None if output is None else Output(output, largest, least),
                vertices=vertices,
                num_vertices=num_vertices,
                ids=ids.value,
                algorithm=algorithm,
                device=device,
                threads=threads,
                labels=labels.value,
                largest=largest,
                min_size=least,
                limit=byte_count(limit_memory),
                verify=verify,
                as_json=as_json,
                quiet=quiet,
            )
        )


@app.command(epilog="Example: skerry info edges.txt.gz")
def info(
    inputs: Inputs,
    source: SourceColumns = [],  # noqa: B006
    target: TargetColumns = [],  # noqa: B006
    file_format: FormatName = None,
    delimiter: DelimiterText = None,
    header: HasHeader = None,
    count: Annotated[
        bool | None,
        typer.Option(
            help="Read everything to count vertices, edges and degrees; by default small files.",
            show_default=False,
        ),
    ] = None,
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """What is in files: format, columns, size, vertices, edges, degrees."""
    with plain_errors():
        from skerry.cli.info import show_info
        from skerry.cli.input_options import Reading

        reading = Reading(inputs, source, target, None, None, file_format, delimiter, header)
        show_info(reading, count, threads, as_json)


@app.command(epilog="Example: skerry convert graph.mtx.gz graph.parquet")
def convert(
    inputs: Inputs,
    output: Annotated[
        str,
        typer.Argument(metavar="OUTPUT", help="Where to write; the suffix tells the format."),
    ],
    to: ConvertedFormat = None,
    source: SourceColumns = [],  # noqa: B006
    target: TargetColumns = [],  # noqa: B006
    weight: WrittenWeight = None,
    file_format: FormatName = None,
    delimiter: DelimiterText = None,
    header: HasHeader = None,
    names: NamesBecoming = NamesChoice.REFUSED,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """A graph in another format."""
    with plain_errors():
        from skerry.cli.convert import show_convert
        from skerry.cli.input_options import Reading

        reading = Reading(inputs, source, target, weight, None, file_format, delimiter, header)
        show_convert(reading, output, to, names.value, threads, quiet)


@app.command(epilog="Example: skerry verify edges.txt labels.parquet")
def verify(
    edges: Annotated[
        str, typer.Argument(metavar="EDGES", help="The graph: a file, a pattern or a folder.")
    ],
    labels: Annotated[
        str,
        typer.Argument(
            metavar="LABELS", help="Its labels, as `skerry components -o` writes them, or .npy."
        ),
    ],
    source: SourceColumns = [],  # noqa: B006
    target: TargetColumns = [],  # noqa: B006
    weight: WeightColumn = None,
    threshold: Threshold = None,
    file_format: FormatName = None,
    delimiter: DelimiterText = None,
    header: HasHeader = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Check labels against a graph by independent means; exit code 1 if they are wrong."""
    with plain_errors():
        from skerry.cli.input_options import Reading
        from skerry.cli.verify import show_verify

        reading = Reading(
            [edges], source, target, weight, threshold, file_format, delimiter, header
        )
        show_verify(reading, labels, threads, quiet)


@app.command(epilog="Example: skerry doctor")
def doctor(as_json: AsJson = False) -> None:
    """This machine, its GPUs, packages and settings: what can run, and why not."""
    with plain_errors():
        from skerry.cli.doctor import show_doctor

        show_doctor(as_json)


@app.command(epilog="Example: skerry demo --algorithm afforest")
def demo(algorithm: AlgorithmName = "auto", threads: Threads = None) -> None:
    """The islands among 72,000 Debian packages, found and verified."""
    with plain_errors():
        from skerry.cli.demo import show_demo

        show_demo(algorithm, threads)


@app.command(epilog="Example: skerry algorithms --paper Burtscher")
def algorithms(
    paper: Annotated[str, typer.Option(help="Only those whose paper contains this text.")] = "",
    as_json: AsJson = False,
) -> None:
    """List all algorithms, with their papers and choices."""
    with plain_errors():
        from skerry.cli.algorithms import show_algorithms

        show_algorithms(paper, as_json)


app.add_typer(generate, name="generate")
app.add_typer(graphs, name="graphs")
