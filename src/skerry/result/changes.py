"""What became of earlier clusters: created, grown, merged, split, shrunk, removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from skerry.ids.lookup import take
from skerry.optional import require_arrow
from skerry.printable import printable
from skerry.result.answer import Answer
from skerry.result.identities import Numbers, Pairs, identities
from skerry.result.links import ForestEdges
from skerry.result.names import Names
from skerry.result.previous import Previous

if TYPE_CHECKING:
    import pyarrow as pa

KINDS = ("created", "grown", "merged", "split", "shrunk", "removed")
NONE: Numbers = np.empty(0, np.int64)
SHOWN = 3
"""Merges and splits that the summary names, the largest first."""
PARTS = 4
"""Clusters that it names of each."""


class _Lists(NamedTuple):
    """Lists of numbers: one for each of some clusters."""

    lengths: Numbers
    values: Numbers

    def of(self, chosen: Numbers) -> _Lists:
        """The lists of some clusters."""
        ends = np.cumsum(self.lengths)
        lengths = self.lengths[chosen]
        begins = (ends - self.lengths)[chosen]
        shift = np.repeat(begins - (np.cumsum(lengths) - lengths), lengths)
        return _Lists(lengths, self.values[shift + np.arange(lengths.sum())])


class Changes:
    """What became of earlier clusters. Immutable; threads may share it.

    Made by `Components.changes`, not by hand. ``str()`` is a summary.
    """

    def __init__(self, counts: dict[str, int], columns: dict[str, Any]) -> None:
        self._counts = counts
        self._columns = columns

    @property
    def counts(self) -> dict[str, int]:
        """The number of clusters of each kind of change, and of those that are ``unchanged``."""
        return dict(self._counts)

    def table(self) -> pa.Table:
        """The changes as an Arrow table, the largest clusters of each kind first.

        Returns
        -------
        pyarrow.Table
            ``change``: the kind. ``component``: the name of the new cluster, or of the old one that
            was split or removed. ``others``: the old clusters that merged, or the new ones into
            which one was split. ``before`` and ``after``: the number of its records in all old
            clusters that it came from, and in all new ones that it went to. ``added`` and ``lost``:
            records that only the new, or only the old answer has. ``rows``: of a merge, the rows of
            the input that caused it, if the result has a forest.
        """
        return require_arrow("changes of clusters").table(self._columns)

    def __len__(self) -> int:
        """The number of changes."""
        return sum(self._counts[kind] for kind in KINDS)

    def __str__(self) -> str:
        lines = [
            f"{kind:<10}{count:>12,}" for kind, count in self._counts.items() if count or len(self)
        ]
        return "\n".join((lines if len(self) else ["no changes"]) + self.examples())

    def examples(self) -> list[str]:
        """Lines that name the largest merges and splits."""
        table, lines = self.table(), []
        kinds = list(KINDS)
        begin = 0
        for kind in kinds:
            count = self._counts[kind]
            if kind in ("merged", "split"):
                rows = table.slice(begin, min(count, SHOWN)).to_pylist()
                lines += [_example(row) for row in rows]
            begin += count
        return lines

    def __repr__(self) -> str:
        counts = ", ".join(f"{kind}={count:,}" for kind, count in self._counts.items())
        return f"Changes({counts})"


def _example(row: dict[str, Any]) -> str:
    names = [printable(repr(name)) for name in row["others"][:PARTS]]
    more = len(row["others"]) - len(names)
    parts = ", ".join(names) + (f" and {more:,} more" if more else "")
    name = printable(repr(row["component"]))
    if row["change"] == "split":
        return f"{name} was split into {parts}"
    rows = row["rows"][:PARTS] if row["rows"] else []
    because = f" (rows {', '.join(map(str, rows))})" if rows else ""
    return f"{name} has merged {parts}{because}"


def changes_of(result: Answer, previous: Previous) -> Changes:
    """See `Components.changes`."""
    goes_on = identities(result, previous)
    matched = goes_on.matched
    sizes = _Sizes(previous.sizes, result._to_host(result.sizes()))
    names = goes_on() if result._make_names is None else result._names
    rows = _causes(result, previous, matched.positions)
    return _collect(matched.pairs, sizes, previous.names, names, rows)


class _Sizes(NamedTuple):
    old: Numbers
    new: Numbers


def _collect(
    pairs: Pairs, sizes: _Sizes, old_names: Names, new_names: Names, causes: _Lists | None
) -> Changes:
    olds, news = len(sizes.old), len(sizes.new)
    targets = np.bincount(pairs.old, minlength=olds)
    sources = np.bincount(pairs.new, minlength=news)
    shared_old = np.bincount(pairs.old, pairs.shared, olds).astype(np.int64)
    shared_new = np.bincount(pairs.new, pairs.shared, news).astype(np.int64)
    added, lost = sizes.new - shared_new, sizes.old - shared_old
    before = np.bincount(pairs.new, sizes.old[pairs.old], news).astype(np.int64)
    after = np.bincount(pairs.old, sizes.new[pairs.new], olds).astype(np.int64)
    lost_new = np.bincount(pairs.new, lost[pairs.old], news).astype(np.int64)
    added_old = np.bincount(pairs.old, added[pairs.new], olds).astype(np.int64)
    alone = np.ones(news, np.bool_)  # the old cluster that it comes from has no other target
    alone[pairs.new[targets[pairs.old] > 1]] = False
    same = (sources == 1) & alone
    chosen = {
        "created": np.flatnonzero(sources == 0),
        "grown": np.flatnonzero(same & (added > 0)),
        "merged": np.flatnonzero(sources > 1),
        "split": np.flatnonzero(targets > 1),
        "shrunk": np.flatnonzero(same & (added == 0) & (lost_new > 0)),
        "removed": np.flatnonzero(targets == 0),
    }
    counts = {kind: len(numbers) for kind, numbers in chosen.items()}
    counts["unchanged"] = int(np.count_nonzero(same & (added == 0) & (lost_new == 0)))
    by_new = np.argsort(pairs.new, kind="stable")
    lists = {
        "merged": _Lists(sources, pairs.old[by_new]),
        "split": _Lists(targets, pairs.new),
    }
    new_columns, old_columns = (
        {"before": before, "after": sizes.new, "added": added, "lost": lost_new},
        {"before": sizes.old, "after": after, "added": added_old, "lost": lost},
    )
    parts = []
    for kind, numbers in chosen.items():
        of_old = kind in ("split", "removed")
        columns = old_columns if of_old else new_columns
        by_size = np.argsort(-columns["before" if of_old else "after"][numbers], kind="stable")
        numbers = numbers[by_size]
        names = (old_names if of_old else new_names, new_names if kind == "split" else old_names)
        others = lists[kind].of(numbers) if kind in lists else None
        rows = causes.of(numbers) if causes is not None and kind == "merged" else None
        parts.append(_part(kind, numbers, columns, names, others, rows))
    pa = require_arrow("changes of clusters")
    return Changes(
        counts,
        {
            name: pa.chunked_array([part[name] for part in parts]).combine_chunks()
            for name in parts[0]
        },
    )


def _part(
    kind: str,
    numbers: Numbers,
    columns: dict[str, Numbers],
    names: tuple[Names, Names],
    others: _Lists | None,
    rows: _Lists | None,
) -> dict[str, Any]:
    pa = require_arrow("changes of clusters")
    others = _Lists(np.zeros(len(numbers), np.int64), NONE) if others is None else others
    rows = _Lists(np.zeros(len(numbers), np.int64), NONE) if rows is None else rows
    return {
        "change": pa.array([kind] * len(numbers), pa.string()),
        "component": _arrow(take(names[0].column, numbers)),
        "others": _list_array(others.lengths, _arrow(take(names[1].column, others.values))),
        **{name: pa.array(column[numbers]) for name, column in columns.items()},
        "rows": _list_array(rows.lengths, pa.array(rows.values)),
    }


def _arrow(column: Any) -> Any:
    pa = require_arrow("changes of clusters")
    return pa.array(column.astype(np.int64)) if isinstance(column, np.ndarray) else column


def _list_array(lengths: Numbers, values: Any) -> Any:
    pa = require_arrow("changes of clusters")
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return pa.LargeListArray.from_arrays(pa.array(offsets), values)


def _causes(result: Answer, previous: Previous, positions: Numbers) -> _Lists | None:
    """The rows of the forest that join records of different old clusters, for every new cluster.

    New records that hang from one old cluster only cause nothing: their edges are left out, from
    the ends of the tree on.
    """
    if result._forest is None:
        return None
    edges: ForestEdges = result._forest.edges
    old, old_count = previous.dense
    known = positions >= 0
    node = old_count + np.arange(result.num_vertices)  # a new record is a node of its own
    node[positions[known]] = old[known]
    source, target, row = node[edges.source], node[edges.target], edges.row
    ends = edges.source
    proper = source != target
    while True:
        source, target, row, ends = source[proper], target[proper], row[proper], ends[proper]
        degree = np.bincount(np.concatenate([source, target]), minlength=old_count)
        loose = (degree == 1) & (np.arange(len(degree)) >= old_count)
        proper = ~(loose[source] | loose[target])
        if proper.all():
            break
    component = result._to_host(result._dense[0])[ends].astype(np.int64)
    order = np.lexsort((row, component))
    return _Lists(np.bincount(component, minlength=result.count), row[order])
