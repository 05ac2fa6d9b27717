"""``skerry representatives RECORDS --by COLUMN``: the best record of each cluster."""

from __future__ import annotations

from dataclasses import dataclass

from skerry.cli.diff import answer_of
from skerry.cli.errors import UsageError
from skerry.cli.format_numbers import plural
from skerry.cli.run_log import log_result
from skerry.cli.summary import console, labeled_lines
from skerry.formats.overwriting import refuse_overwriting
from skerry.formats.writers.write import check_output
from skerry.result.earlier import read_previous
from skerry.result.representatives import representatives_of


@dataclass(frozen=True, slots=True)
class RepresentativesRequest:
    """The arguments of ``skerry representatives``."""

    records: str
    by: str
    output: str
    clusters: str | None
    id: str | None
    ascending: bool
    flag: bool
    ids_as_text: bool
    quiet: bool


def show_representatives(request: RepresentativesRequest) -> None:
    """Writes the best records, and says how many."""
    check_output(request.output, "labels")
    if request.output == "-":
        raise UsageError("--output names a file")
    source = request.records if request.clusters is None else request.clusters
    refuse_overwriting([("--output", request.output)], [request.records, source])
    clusters = read_previous(source, request.ids_as_text)
    answer = answer_of(clusters)
    kept = representatives_of(
        answer, request.records, request.by, not request.ascending, request.id
    )
    rows = kept.write(request.output, flag=request.flag)
    log_result(kept=len(kept), clusters=answer.count, output=request.output)
    if not request.quiet:
        lines = [
            ("clusters", f"{answer.count:,} of {plural(answer.num_vertices, 'record', 'records')}"),
            ("kept", plural(len(kept), "record", "records")),
            ("written", f"{plural(rows, 'record', 'records')} to {request.output}"),
        ]
        console().print(labeled_lines([*lines]))
