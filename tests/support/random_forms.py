"""Random edges in a random form, against a partition by hand: one seed, one case.

A form is a file (format, dialect, kind of ids, compression, place), an object (container, kind of
ids), an array of vertex numbers or a front end; with a way to solve it. An answer is right where it
joins what the edges join; vertices that only a header or a matrix declares stand alone.
"""

from __future__ import annotations

import importlib.util
import random
import shutil
import warnings
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import skerry
from skerry.errors import InputError, UnsupportedError
from support.forms.arrays import ARRAYS
from support.forms.edges import COUNT, Vertices, partition
from support.forms.files import FILES
from support.forms.fronts import FRONTS
from support.forms.kinds import KINDS, NUMERALS
from support.forms.objects import CONTAINERS, Given
from support.forms.stores import STORES
from support.specs import names_on
from support.spilled import LIMIT, tiny_passes

PAIRS = list[tuple[int, int]]
KIND = {kind.name: kind for kind in KINDS}
SLOW = ("remote", "pipe")
"""Stores that leave something behind in the process: threads, a file system in memory."""
TRIES = 5
NUMBERS = Vertices(range(COUNT))


class Case(NamedTuple):
    """A graph in a form, and the ids of its vertices."""

    name: str
    solve: Callable[[dict[str, Any]], Any]
    """Of the options of a run, the groups of the answer: sets of vertices."""


@cache
def installed(package: str) -> bool:
    """Whether a package is there; none is."""
    return not package or importlib.util.find_spec(package) is not None


def edges(draw: random.Random) -> PAIRS:
    """Up to 24 edges: at random, in paths, stars and cycles, repeated and in both directions."""
    vertices = draw.sample(range(COUNT), draw.randint(1, COUNT))
    shape = draw.randrange(4)
    if shape == 0:
        pairs = list(zip(vertices, vertices[1:] + vertices[:1], strict=True))
    elif shape == 1:
        pairs = [(vertices[0], v) for v in vertices]
    else:
        pairs = [tuple(draw.choices(vertices, k=2)) for _ in range(draw.randint(1, 24))]
    if draw.random() < 0.3:
        pairs += [(v, u) for u, v in draw.choices(pairs, k=3)]
    draw.shuffle(pairs)
    return [(int(u), int(v)) for u, v in pairs]


def options(draw: random.Random) -> dict[str, Any]:
    """How to solve it; most often as by default."""
    return draw.choice(
        [
            {},
            {},
            {},
            {"threads": draw.randint(1, 4)},
            {"labels": "dense"},
            {"forest": True},
            {"dtype": "uint64"},
            {"statistics": True},
            {"algorithm": draw.choice(names_on("cpu"))},
            {"spill": True},
        ]
    )


def case(seed: int, folder: Path) -> tuple[Case, PAIRS, dict[str, Any]]:
    """The case of a seed; it writes into the folder."""
    draw = random.Random(seed)
    pairs, how = edges(draw), options(draw)
    make = draw.choice((_file, _file, _object, _object, _array, _front))
    return make(draw, pairs, folder), pairs, how


def _groups(vertices: Vertices) -> Callable[[Any], Any]:
    return lambda result: [frozenset(vertices.numbers(group)) for group in result.groups()]


def _file(draw: random.Random, pairs: PAIRS, folder: Path) -> Case:
    form = draw.choice(FILES)
    kind = KIND[draw.choice(form.kinds)]
    stores = [s for s in STORES if form.format not in s.refused and s.name not in SLOW]
    if form.format == "ldbc":  # its file names others, which must keep their names
        stores = [s for s in stores if s.parts == 1]
    if form.id == "sg, weighted":  # its suffix says that it has weights
        stores = [s for s in stores if s.name != "no suffix"]
    store = draw.choice(stores)
    size = -(-len(pairs) // store.parts)
    parts = [form.files(Given(kind, pairs[i : i + size])) for i in range(0, len(pairs), size)]
    reading = form.options(Given(kind, pairs))
    if kind.name == "hard text" and form.format in ("csv", "tsv"):
        # Texts that are all numbers are read as such unless skerry is asked for texts.
        used = {kind.id(v) for pair in pairs for v in pair}
        reading |= {"ids_as_text": True} if used <= {*NUMERALS} else {}
    graph, arguments = store.keep(folder, parts, form.format, reading)
    groups = _groups(form.vertices(kind))
    return Case(
        f"{form.id}, {kind.name}, {store.name}", lambda how: groups(_opened(graph, arguments | how))
    )


def _opened(graph: Any, arguments: dict[str, Any]) -> Any:
    from support.streams import opened

    keywords = {k: arguments.pop(k) for k in tuple(arguments) if k in SOLVING}
    source, rest = opened(graph, arguments)
    return skerry.connected_components(source, **rest, **keywords)


SOLVING = ("threads", "labels", "forest", "dtype", "statistics", "algorithm", "stream")


def _object(draw: random.Random, pairs: PAIRS, _: Path) -> Case:
    container = draw.choice([c for c in CONTAINERS if installed(c.package)])
    kind = draw.choice([kind for kind in KINDS if container.takes(kind)])
    given = Given(kind, pairs)
    arguments = container.arguments_of(given)
    groups = _groups(kind.vertices)
    return Case(
        f"{container.name}, {kind.name}",
        lambda how: groups(skerry.connected_components(container.make(given), **arguments | how)),
    )


def _array(draw: random.Random, pairs: PAIRS, _: Path) -> Case:
    form = draw.choice([form for form in ARRAYS if installed(form.package)])
    groups = _groups(NUMBERS)
    ends = np.array(pairs).T
    return Case(
        f"array, {form.name}",
        lambda how: groups(skerry.connected_components(form.make(*ends), **how)),
    )


def _front(draw: random.Random, pairs: PAIRS, folder: Path) -> Case:
    front = draw.choice([front for front in FRONTS if installed(front.package)])

    def solve(_: dict[str, Any]) -> Any:
        members: dict[Any, set[int]] = {}
        for v, label in enumerate(front.labels(*np.array(pairs).T, COUNT, folder)):
            members.setdefault(int(label), set()).add(v)
        return [frozenset(group) for group in members.values()]

    return Case(f"front, {front.name}", solve)


def run(seed: int, folder: Path) -> Counter[str]:
    """Runs a case: "right", or "refused" where its options are not for its form.

    A 2 x 2 array may be two edges or their ends, which skerry warns of: "warned".

    Raises
    ------
    AssertionError
        If the answer is wrong; other errors are those of the call.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with warnings.catch_warnings(record=True) as seen_warnings:
        warnings.simplefilter("always")
        made, pairs, how = case(seed, folder)
        with tiny_passes(seed % 1000):
            if how.pop("spill", False):
                (folder / "spill").mkdir()
                how["stream"] = skerry.StreamOptions(LIMIT, spill=folder / "spill")
            try:
                groups = made.solve(how)
            except UnsupportedError:
                if how:
                    return Counter(refused=1)
                raise
            except InputError as error:
                # Each file of a folder is looked at: texts of one may all be integers.
                if "files with different columns" in str(error):
                    return Counter(refused=1)
                raise
    if any("2 x 2 array" in str(each.message) for each in seen_warnings):
        return Counter(warned=1)
    right = partition(pairs)
    found = frozenset(groups)
    assert len(found) == len(groups), f"{made.name}: a group twice"
    alone = {v for group in found - right for v in group}
    seen = {v for group in right for v in group}
    if right - found or alone & seen or any(len(group) > 1 for group in found - right):
        raise AssertionError(f"{made.name}, {how}: {pairs} gives {sorted(map(sorted, groups))}")
    return Counter(right=1)
