"""Graphs of others that both engines must solve as their owners do."""

from __future__ import annotations

import gzip
from collections import namedtuple

from support.paths import SHARED

FOLDER = SHARED / "acceptance"
PUBLISHED = {
    path.name.split("-WCC")[0]: path for path in sorted(FOLDER.glob("*/*-WCC*")) if path.is_file()
}
"""LDBC's graphs, and those in LDBC's files, where they lie beside the repository."""

Case = namedtuple("Case", ["vertices", "edges", "components"])
"""Ids that are vertices, pairs of them, and the sets that must come out."""

HIGH = 2**63 - 1
TRIANGLES = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
BLOBS = [(a + n, b + n) for n in (0, 5) for a in range(5) for b in range(5)]
FRIENDS = "ab bc cb fc ef ed da ae"

CASES = {
    "no vertex": Case([], [], []),
    "one vertex": Case([0], [], [{0}]),
    "vertices without edges": Case(range(5), [], [{i} for i in range(5)]),
    "texts without edges": Case("abcde", [], [{c} for c in "abcde"]),
    "two vertices": Case([0, 1], [(0, 1)], [{0, 1}]),
    "a chain": Case(range(5), [(i, i + 1) for i in range(4)], [set(range(5))]),
    "a star": Case(range(6), [(0, i) for i in range(1, 6)], [set(range(6))]),
    "two blobs and a bridge": Case(range(10), [*BLOBS, (0, 5)], [set(range(10))]),
    "two triangles": Case(range(6), TRIANGLES, [{0, 1, 2}, {3, 4, 5}]),
    "edges in both directions": Case(range(5), [(0, 4), (4, 3), (2, 3), (2, 1)], [{0, 1, 2, 3, 4}]),
    "two triangles and two alone": Case(range(8), TRIANGLES, [{0, 1, 2}, {3, 4, 5}, {6}, {7}]),
    "the largest integers": Case(
        [HIGH - i for i in range(10)],
        [(HIGH - i, HIGH - i - 1) for i in range(9)],
        [{HIGH - i for i in range(10)}],
    ),
    "friends": Case(
        "abcdefg", [(pair[0], pair[1]) for pair in FRIENDS.split()], [set("abcdef"), {"g"}]
    ),
}
"""The graphs of GraphFrames' ConnectedComponentsSuite (commit e49a655b), in our words."""


def rows_of_sets(sets):
    """Rows (id, component): the component is the smallest id of a set."""
    return sorted(
        (each, smallest)
        for members, smallest in ((members, min(members)) for members in sets)
        for each in members
    )


def numbers_of(path):
    """The lines of a file, which may be compressed, as lists of numbers; weights are left out."""
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return [[int(word) for word in line.split()[:2]] for line in text.splitlines() if line.strip()]


def published(name):
    """Vertices, edges, and the sets of the published labels of a graph."""
    labels = PUBLISHED[name]
    vertices, edges = (
        numbers_of(labels.with_name(labels.name.replace("-WCC", kind))) for kind in (".v", ".e")
    )
    sets = {}
    for vertex, label in numbers_of(labels):
        sets.setdefault(label, set()).add(vertex)
    return Case([vertex for vertex, *_ in vertices], edges, list(sets.values()))
