"""``skerry diff OLD NEW``: what became of the clusters of one file in another."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from skerry.cli.format_numbers import plural
from skerry.cli.run_log import current_log
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

TABLES = ("parquet", "arrow")


@dataclass(frozen=True, slots=True)
class DiffRequest:
    """The arguments of ``skerry diff``."""

    old: str
    new: str
    output: str | None
    ids_as_text: bool
    as_json: bool
    quiet: bool


def show_diff(request: DiffRequest) -> None:
    """Prints the counts of changes and the largest merges and splits; writes all of them."""
    if request.output is not None and check_output(request.output, "labels").name not in TABLES:
        raise UnsupportedError(
            f"{request.output}: changes have lists of clusters; write .parquet or .arrow"
        )
    if request.output is not None:
        refuse_overwriting([("--output", request.output)], [request.old, request.new])
    old, new = (read_previous(path, request.ids_as_text) for path in (request.old, request.new))
    changes = changes_of(answer_of(new), old)
    if request.output is not None:
        write_labels(changes.table(), request.output)
    log = current_log()
    report = {"old": request.old, "new": request.new, **changes.counts, "output": request.output}
    if log is not None:
        log.write("result", **report)
    if request.as_json:
        print_json(report)
        return
    if request.quiet:
        return
    lines: list[tuple[str, str | Text]] = [
        (kind, plural(changes.counts[kind], "cluster", "clusters")) for kind in KINDS
    ]
    lines.append(("unchanged", plural(changes.counts["unchanged"], "cluster", "clusters")))
    lines += [("", example) for example in changes.examples()]
    if request.output is not None:
        count = plural(len(changes), "change", "changes")
        lines.append(("written", f"{count} to {request.output}"))
    console().print(labeled_lines(lines))


def answer_of(clusters: Previous) -> Answer:
    """Clusters that were read, as an answer that can be compared."""

    def plan() -> Plan:
        raise AssertionError("nothing was solved")

    labels = clusters.labels.copy()
    return Answer(labels, clusters.id_space, "min", plan, None, 1, names=lambda: clusters.names)
