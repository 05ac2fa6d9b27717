"""``skerry diff`` and ``skerry representatives``: files of clusters, without their edges."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from skerry.cli.errors import UsageError
from skerry.cli.format_numbers import plural
from skerry.cli.run_log import log_result
from skerry.cli.summary import console, labeled_lines
from skerry.cli.terminal import print_json
from skerry.errors import UnsupportedError
from skerry.formats.overwriting import refuse_overwriting
from skerry.formats.writers.write import check_output, write_labels
from skerry.result.answer import Answer
from skerry.result.changes import KINDS, changes_of
from skerry.result.earlier import read_previous
from skerry.result.plan import Plan
from skerry.result.previous import Previous
from skerry.result.representatives import representatives_of

TABLES = ("parquet", "arrow")


def show_diff(
    old_path: str,
    new_path: str,
    output: str | None,
    ids_as_text: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Prints the counts of changes and the largest merges and splits; writes all of them."""
    if output is not None and check_output(output, "labels").name not in TABLES:
        raise UnsupportedError(
            f"{output}: changes have lists of clusters; write .parquet or .arrow"
        )
    if output is not None:
        refuse_overwriting([("--output", output)], [old_path, new_path])
    old, new = (read_previous(path, ids_as_text) for path in (old_path, new_path))
    changes = changes_of(answer_of(new), old)
    if output is not None:
        write_labels(changes.table(), output)
    report = {"old": old_path, "new": new_path, **changes.counts, "output": output}
    log_result(**report)
    if as_json:
        print_json(report)
        return
    if quiet:
        return
    lines: list[tuple[str, str | Text]] = [
        (kind, plural(changes.counts[kind], "cluster", "clusters")) for kind in KINDS
    ]
    lines.append(("unchanged", plural(changes.counts["unchanged"], "cluster", "clusters")))
    lines += [("", example) for example in changes.examples()]
    if output is not None:
        count = plural(len(changes), "change", "changes")
        lines.append(("written", f"{count} to {output}"))
    console().print(labeled_lines(lines))


def answer_of(clusters: Previous) -> Answer:
    """Clusters that were read, as an answer that can be compared."""

    def plan() -> Plan:
        raise AssertionError("nothing was solved")

    labels = clusters.labels.copy()
    return Answer(labels, clusters.id_space, "min", plan, None, 1, names=lambda: clusters.names)


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
    log_result(
        kept=len(kept),
        unclustered=kept.unclustered,
        clusters=answer.count,
        output=request.output,
    )
    if not request.quiet:
        count = plural(len(kept), "record", "records")
        lines = [
            ("clusters", f"{answer.count:,} of {plural(answer.num_vertices, 'record', 'records')}"),
            ("kept", f"{count}, {kept.unclustered:,} of them in no cluster"),
            ("written", f"{plural(rows, 'record', 'records')} to {request.output}"),
        ]
        console().print(labeled_lines([*lines]))
