"""The commands and their options. Each command runs in a module of its own, which it loads."""

from __future__ import annotations

from typing import Annotated

import typer

import skerry
from skerry.cli.errors import UsageError, plain_errors
from skerry.cli.graph_options import GROUPS, SELECTION, VERTICES, GraphArguments, reads_graph
from skerry.cli.label_command import label
from skerry.cli.options import (
    HELP,
    AlgorithmName,
    Ascending,
    AsJson,
    BestColumn,
    ChangesOutput,
    CheckpointFolder,
    ClusterEngineName,
    ClustersFile,
    ConvertedFormat,
    DeviceName,
    DropSingletons,
    ExternalIdChoice,
    ExternalIds,
    Flag,
    IdColumn,
    IdsAsText,
    Inputs,
    LabelChoice,
    LabelKindOption,
    LabelsOutput,
    LargestCount,
    MasterAddress,
    MaxSize,
    MemoryLimit,
    MinSize,
    NamedAfterFile,
    PreviousFile,
    Quiet,
    RecordsFile,
    RecordsOutput,
    SizesOutput,
    SpillPath,
    StatePath,
    Threads,
    Verbose,
    Verify,
    WrittenWeight,
)
from skerry.cli.plugins import Commands
from skerry.cli.questions import explore, sweep, why
from skerry.cli.run_log import LogFormat
from skerry.cli.subcommands import generate, graphs
from skerry.cli.terminal import print_line

app = typer.Typer(
    cls=Commands,
    help="Connected components of graphs: fast, exact, and the same answer every time.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=HELP,
)


def _version(wanted: bool) -> None:
    if wanted:
        print_line(f"skerry {skerry.__version__}")
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
@reads_graph(*GROUPS, *SELECTION, *VERTICES)
def components(
    inputs: Inputs,
    output: LabelsOutput = None,
    sizes: SizesOutput = None,
    *,
    graph: GraphArguments,
    best: BestColumn = None,
    records: RecordsFile = None,
    previous: PreviousFile = None,
    named_after: NamedAfterFile = None,
    labels: LabelKindOption = LabelChoice.MIN,
    largest: LargestCount = None,
    min_size: MinSize = 1,
    max_size: MaxSize = None,
    drop_singletons: DropSingletons = False,
    algorithm: AlgorithmName = "auto",
    device: DeviceName = "auto",
    threads: Threads = None,
    limit_memory: MemoryLimit = None,
    checkpoint: CheckpointFolder = None,
    spill: SpillPath = None,
    engine: ClusterEngineName = None,
    master: MasterAddress = None,
    state: StatePath = None,
    verify: Verify = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    _: Verbose = 0,
    _log: LogFormat = None,
) -> None:
    """Find the connected components of a graph in files."""
    with plain_errors():
        from skerry.cli.components import show_components
        from skerry.cli.components_request import Request
        from skerry.cli.input_options import byte_count
        from skerry.cli.output import Output, output_of

        smallest = max(min_size, 2 if drop_singletons else 1)
        request = Request(
            arguments=graph.inputs(inputs, again=verify),
            output=output_of(output, largest, smallest, best, records),
            sizes=None if sizes is None else Output(sizes, largest, smallest, sizes=True),
            vertices=graph.vertices(),
            previous=previous,
            named_after=named_after,
            algorithm=algorithm,
            device=device,
            threads=threads,
            labels=labels.value,
            largest=largest,
            min_size=smallest,
            max_size=max_size,
            limit=byte_count(limit_memory),
            checkpoint=checkpoint,
            spill=spill,
            verify=verify,
            as_json=as_json,
            quiet=quiet,
        )
        if engine is None:
            if master is not None or state is not None:
                raise UsageError("--master and --state need --engine")
            show_components(request)
        else:
            from skerry.cli.cluster import show_on_cluster

            show_on_cluster(request, engine.value, master, state)


@app.command(epilog="Example: skerry info edges.txt.gz")
@reads_graph()
def info(
    inputs: Inputs,
    graph: GraphArguments,
    count: Annotated[
        bool | None,
        typer.Option(
            help="Count vertices, edges and degrees: reads all of it; by default small files.",
            show_default=False,
        ),
    ] = None,
    threads: Threads = None,
    as_json: AsJson = False,
    _log: LogFormat = None,
) -> None:
    """Show what is in files: format, columns, size, vertices, edges, degrees."""
    with plain_errors():
        from skerry.cli.info import show_info

        show_info(graph.inputs(inputs), count, threads, as_json)


@app.command(epilog="Example: skerry convert graph.mtx.gz graph.parquet")
@reads_graph(weight=WrittenWeight)
def convert(
    inputs: Inputs,
    output: Annotated[
        str,
        typer.Argument(
            metavar="OUTPUT",
            help="The file to write; the suffix selects the format. - is standard output: --to.",
        ),
    ],
    to: ConvertedFormat = None,
    *,
    graph: GraphArguments,
    external_ids: ExternalIds = ExternalIdChoice.REFUSE,
    threads: Threads = None,
    quiet: Quiet = False,
    _log: LogFormat = None,
) -> None:
    """Convert a graph to another format."""
    with plain_errors():
        from skerry.cli.convert import show_convert

        show_convert(graph.inputs(inputs), output, to, external_ids.value, threads, quiet)


app.command(epilog="Example: skerry sweep pairs.parquet --weight score --at 0.7,0.8,0.9")(sweep)


@app.command(epilog="Example: skerry verify edges.txt labels.parquet")
@reads_graph(*GROUPS, *SELECTION, *VERTICES)
def verify(
    edges: Annotated[
        str,
        typer.Argument(
            metavar="EDGES", help="The graph: a file, a pattern or a folder; - is standard input."
        ),
    ],
    labels: Annotated[
        str,
        typer.Argument(
            metavar="LABELS", help="Its labels, as `skerry components -o` or LDBC writes them."
        ),
    ],
    graph: GraphArguments,
    threads: Threads = None,
    quiet: Quiet = False,
    _log: LogFormat = None,
) -> None:
    """Verify labels against a graph with independent code; exit code 1 if they are wrong."""
    with plain_errors():
        from skerry.cli.verify import show_verify

        arguments = graph.inputs([edges], again=True)
        show_verify(arguments, labels, graph.vertices(), threads, quiet)


@app.command(epilog="Example: skerry representatives docs.parquet --by quality -o kept.parquet")
def representatives(
    records: Annotated[
        str, typer.Argument(metavar="RECORDS", help="A file of records: Parquet, Arrow, CSV, TSV.")
    ],
    by: Annotated[
        str, typer.Option(metavar="COLUMN", help="Which record is the best: its largest value.")
    ],
    output: RecordsOutput,
    clusters: ClustersFile = None,
    id_column: IdColumn = None,
    ascending: Ascending = False,
    flag: Flag = False,
    ids_as_text: IdsAsText = False,
    quiet: Quiet = False,
    _log: LogFormat = None,
) -> None:
    """Keep the best record of each cluster, and all records in none."""
    with plain_errors():
        from skerry.cli.diff import RepresentativesRequest, show_representatives

        show_representatives(
            RepresentativesRequest(
                *(records, by, output, clusters, id_column, ascending, flag, ids_as_text, quiet)
            )
        )


@app.command(epilog="Example: skerry diff friday.parquet monday.parquet")
def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="Earlier clusters, as for --previous.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Later clusters.")],
    output: ChangesOutput = None,
    ids_as_text: IdsAsText = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    _log: LogFormat = None,
) -> None:
    """Show what became of clusters: created, grown, merged, split, shrunk, removed."""
    with plain_errors():
        from skerry.cli.diff import show_diff

        show_diff(old, new, output, ids_as_text, as_json, quiet)


app.command(epilog="Example: skerry why pairs.csv kim ann --weight score")(why)
app.command(epilog="Example: skerry explore pairs.csv --weight score -o pairs.html")(explore)


app.command(epilog="Example: skerry label volume.tif -o labels.zarr")(label)


@app.command(epilog="Example: skerry doctor")
def doctor(as_json: AsJson = False) -> None:
    """Show this machine, its GPUs, packages and settings: what can run, and why not."""
    with plain_errors():
        from skerry.cli.doctor import show_doctor

        show_doctor(as_json)


@app.command(epilog="Example: skerry demo --algorithm afforest")
def demo(algorithm: AlgorithmName = "auto", threads: Threads = None) -> None:
    """Find and verify the components of 72,000 Debian packages."""
    with plain_errors():
        from skerry.cli.demo import show_demo

        show_demo(algorithm, threads)


@app.command(epilog="Example: skerry algorithms Burtscher")
def algorithms(
    text: Annotated[
        str,
        typer.Argument(help="Only those with this text in a name, the summary or the paper."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """List all algorithms, with their papers and choices."""
    with plain_errors():
        from skerry.cli.algorithms import show_algorithms

        show_algorithms(text, as_json)


app.add_typer(generate, name="generate")
app.add_typer(graphs, name="graphs")
