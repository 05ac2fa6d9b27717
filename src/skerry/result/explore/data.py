"""What the page shows, as plain values: sizes of all components, ids and links of some."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from skerry.errors import ArgumentError
from skerry.result.answer import Answer
from skerry.result.explore.links import (
    Integers,
    Neighborhoods,
    PageLinks,
    page_links,
    spanning_forest,
)
from skerry.result.forest import RecordedForest

VERTICES = 50_000
"""Ids on a page, at most, unless more are asked for by name."""
DRAWN = 400
"""Vertices of a drawing; of larger components a sample is drawn."""
LINKS = 2_000
"""Links of a drawing; those of the spanning forest come first."""


class Shown(NamedTuple):
    """The components of a page, and which of their vertices."""

    components: Integers
    """By number, in the order of the page."""
    sizes: Integers
    """Of these components."""
    vertices: Integers
    """By position in the graph: those of a component after those of the one before."""
    ends: Integers
    """Where those of each component end."""
    others: dict[int, Integers]
    """Vertices of a component that its sample does not have, to be found by their ids."""


def page_data(
    answer: Answer, include: Iterable[Any] = (), redact: bool = False, title: str = ""
) -> dict[str, Any]:
    """All that the script of the page reads; nothing of it is escaped yet."""
    if isinstance(include, str | bytes) or not isinstance(include, Iterable):
        raise ArgumentError(f"include= is a list of ids, got {include!r}")
    wanted = [_position(answer, id) for id in include]
    plan = answer.plan
    sizes = answer._to_host(answer.sizes())
    forest, problem = spanning_forest(answer) if len(sizes) else (None, "")
    random = np.random.default_rng() if redact else None
    shown = _shown(answer, sizes, wanted, forest, random)
    links = None
    if forest is not None:
        numbers = np.full(len(sizes), -1, np.int64)
        numbers[shown.components] = np.arange(len(shown.components))
        links, problem = page_links(answer, forest, shown.vertices, numbers)
    return {
        "title": "" if redact else title,
        "vertices": answer.num_vertices,
        "edges": plan.edges,
        "components": len(sizes),
        "ids": len(shown.vertices) + sum(map(len, shown.others.values())),
        "redacted": redact,
        "problem": "The edges cannot be read again" if problem and redact else problem,
        "hasEdges": links is not None,
        "classes": _size_classes(sizes),
        "parts": _parts(answer, shown, links, redact),
    }


def _position(answer: Answer, id: Any) -> int:
    position = answer._ids.lookup(id)
    if position.ndim:
        raise ArgumentError(f"include= is a list of ids, and {id!r} is not one of this graph")
    return int(position)


def _shown(
    answer: Answer,
    sizes: Integers,
    wanted: list[int],
    forest: RecordedForest | None,
    random: np.random.Generator | None,
) -> Shown:
    """The components of the ids that are wanted, then the largest, until the page is full.

    With a generator, the order within a component and of components of equal size is random.
    """
    dense = answer._to_host(answer._dense[0]).astype(np.int64, copy=False)
    ties = np.arange(len(sizes)) if random is None else random.permutation(len(sizes))
    order = np.lexsort((ties, -sizes))
    starts: dict[int, list[int]] = {}
    for position in wanted:
        starts.setdefault(int(dense[position]), []).append(position)
    first = np.array(list(starts), np.int64)
    order = np.append(first, order[~np.isin(order, first)])
    filled = np.cumsum(np.minimum(sizes[order], DRAWN))
    count = max(len(first), int(np.searchsorted(filled, VERTICES, "right")))
    chosen = order[: max(count, min(1, len(order)))]
    numbers = np.full(len(sizes), -1, np.int64)
    small = sizes[chosen] <= DRAWN
    numbers[chosen[small]] = np.flatnonzero(small)
    numbers_of = numbers[dense]
    members = np.flatnonzero(numbers_of >= 0)
    members = members[np.argsort(numbers_of[members], kind="stable")]
    counts = np.where(small, sizes[chosen], 0)
    parts = np.split(members, np.cumsum(counts)[:-1]) if len(chosen) else []
    nearby = None if small.all() or forest is None else Neighborhoods(forest)
    others: dict[int, Integers] = {}
    free = VERTICES - int(np.minimum(sizes[chosen], DRAWN).sum())
    for number in np.flatnonzero(~small).tolist():
        inside = np.flatnonzero(dense == chosen[number])
        roots = starts.get(int(chosen[number]), [])
        parts[number] = _sample(inside, roots, nearby)
        if free > 0 and random is None:  # ids that are redacted are not searched
            others[number] = inside[~np.isin(inside, parts[number])][:free]
            free -= len(others[number])
    if random is not None:
        parts = [random.permutation(part) for part in parts]
    ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
    vertices = np.concatenate([*parts, np.empty(0, np.int64)]).astype(np.int64)
    return Shown(chosen, sizes[chosen], vertices, ends, others)


def _sample(members: Integers, starts: list[int], nearby: Neighborhoods | None) -> Integers:
    if nearby is None:
        return np.append(np.array(starts, np.int64), members[~np.isin(members, starts)])[:DRAWN]
    return nearby.sample(starts or [nearby.hub(members)], DRAWN)


def _size_classes(sizes: Integers) -> list[list[int]]:
    """Of each power of two the smallest and the largest size that occur, components, vertices."""
    values, counts = np.unique(sizes, return_counts=True)
    powers = np.ceil(np.log2(np.maximum(values, 1))).astype(np.int64)
    classes = []
    for power in np.unique(powers).tolist():
        inside = powers == power
        own, times = values[inside], counts[inside]
        ends = [int(own[0]), int(own[-1])]
        classes.append([*ends, int(times.sum()), int((own * times).sum())])
    return classes


def _parts(
    answer: Answer, shown: Shown, links: PageLinks | None, redact: bool
) -> list[dict[str, Any]]:
    """A dict for each component; what is usual is left out, since there may be many."""
    begins = np.append(0, shown.ends)
    texts = [] if redact else list(map(id_text, answer._ids.objects(shown.vertices)))
    parts: list[dict[str, Any]] = []
    for number, size in enumerate(shown.sizes.tolist()):
        begin, end = int(begins[number]), int(begins[number + 1])
        part: dict[str, Any] = {"size": size}
        if redact:
            part["ids"] = end - begin
        else:
            part["ids"] = texts[begin:end]
            if answer._kind == "dense":
                part["label"] = str(shown.components[number])
            elif end - begin < size:  # otherwise the first of its ids
                smallest = answer._to_host(answer._smallest[shown.vertices[begin : begin + 1]])
                part["label"] = id_text(answer._ids[int(smallest[0])])
            if number in shown.others:
                ids = answer._ids.objects(shown.others[number])
                part["others"] = list(map(id_text, ids))
        if links is not None and size > 1:
            part["edges"] = int(links.edges[number])
            part["bridges"] = int(links.bridges[number])
        parts.append(part)
    if links is not None:
        _add_links(parts, begins, links, redact)
    return parts


def _add_links(
    parts: list[dict[str, Any]], begins: Integers, links: PageLinks, redact: bool
) -> None:
    owner = np.searchsorted(begins, links.source, "right") - 1
    rows = np.zeros_like(links.row) if redact else links.row
    order = np.lexsort((rows, ~links.in_forest, owner))
    weights = None if links.weight is None else links.weight.astype(str)
    cuts = np.searchsorted(owner[order], np.arange(len(parts) + 1))
    for number in np.flatnonzero(np.diff(cuts)).tolist():
        part, begin = parts[number], int(begins[number])
        all_links = order[cuts[number] : cuts[number + 1]]
        drawn = all_links[:LINKS]
        columns = (links.source[drawn] - begin, links.target[drawn] - begin, links.splits[drawn])
        part["links"] = np.column_stack(columns).ravel().tolist()
        part["distinct"] = len(all_links)
        if not redact:  # a row finds its ids in the input
            part["rows"] = links.row[drawn].tolist()
        if weights is not None:
            part["weights"] = weights[drawn].tolist()


def id_text(id: Any) -> str:
    """An id as it is shown, searched and copied: as ``skerry why`` reads it.

    >>> id_text(7), id_text(b"kim"), id_text(("a,b", 1))
    ('7', 'kim', '"a,b",1')
    """
    if isinstance(id, tuple):
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow([id_text(part) for part in id])
        return line.getvalue()
    return id.decode("utf-8", "backslashreplace") if isinstance(id, bytes) else str(id)
