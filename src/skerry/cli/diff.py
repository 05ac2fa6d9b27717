"""``skerry diff OLD NEW``: what became of the clusters of one file in another."""

from __future__ import annotations

from rich.text import Text

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
