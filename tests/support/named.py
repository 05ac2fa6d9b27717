"""Right answers for graphs whose vertices have ids, by a flood fill in plain Python."""

from __future__ import annotations

from support.reference import reference_labels


def named_components(pairs, vertices=()):
    """``{id: smallest id of its component}`` over the ids that occur, in ascending order."""
    ids = sorted({end for pair in pairs for end in pair} | set(vertices))
    rank = {one: number for number, one in enumerate(ids)}
    labels = reference_labels(len(ids), [(rank[u], rank[v]) for u, v in pairs])
    return {one: ids[label] for one, label in zip(ids, labels, strict=True)}


def first_edges(edges):
    """Rows of the edges that join two sets, one after the other."""
    set_of, rows = {}, []
    for row, (u, v) in enumerate(edges):
        one, other = (set_of.setdefault(end, {end}) for end in (u, v))
        if one is not other:
            one |= other
            set_of |= dict.fromkeys(other, one)
            rows.append(row)
    return rows


def as_dict(table):
    """A table (id, component) as `named_components` gives it."""
    columns = table.to_pydict()
    names = list(columns)
    half = len(names) // 2
    keys, values = (
        list(zip(*(columns[name] for name in part), strict=True)) if half > 1 else columns[part[0]]
        for part in (names[:half], names[half:])
    )
    return dict(zip(keys, values, strict=True))
