"""The same edges in every kind of object, under every kind of ids: one partition.

`make test` takes the kinds of `QUICK` with every container and a fifth of all other pairs; all of
them are marked slow (`make test ARGS="-m 'slow or not slow' tests/unit/forms"`).
"""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from support.forms.arrays import ARRAYS, Numbered
from support.forms.edges import COUNT, PAIRS, RIGHT, Vertices, check, check_edges
from support.forms.kinds import KINDS, Kind
from support.forms.objects import CONTAINERS, Container
from support.spilled import LIMIT, tiny_passes

QUICK = ("numbers", "text", "nanosecond")
SHARE = 5
SMALLEST = [min(next(group for group in RIGHT if v in group)) for v in range(COUNT)]
"""The label of each vertex where ids are vertex numbers."""


def cases():
    for i, container in enumerate(CONTAINERS):
        for j, kind in enumerate(KINDS):
            if container.takes(kind):
                slow = kind.name not in QUICK and (i + j) % SHARE
                marks = [pytest.mark.slow] if slow else []
                name = f"{container.name}, {kind.name}"
                yield pytest.param(container, kind, id=name, marks=marks)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("container", "kind"), list(cases()))
def test_every_container_of_every_kind_of_ids(container: Container, kind: Kind) -> None:
    if container.package:
        pytest.importorskip(container.package)
    graph, arguments = container.given(kind)
    result = skerry.connected_components(graph, **arguments)
    check(result, kind.vertices, container.repeatable)
    if container.repeatable and kind.name in ("numbers", "text"):
        result = skerry.connected_components(graph, forest=True, **arguments)
        check_edges(result, kind.vertices, container.keeps)


@pytest.mark.parametrize("form", ARRAYS, ids=lambda form: form.name)
def test_every_array_of_vertex_numbers(form: Numbered) -> None:
    if form.package:
        pytest.importorskip(form.package)
    graph = form.make(*np.array(PAIRS).T)
    result = skerry.connected_components(graph)
    check(result, Vertices(range(COUNT)), form.repeatable)
    assert result.labels.tolist() == SMALLEST
    if form.repeatable:
        result = skerry.connected_components(graph, forest=True)
        check_edges(result, Vertices(range(COUNT)), form.keeps)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.is_integer], ids=lambda k: k.name)
@pytest.mark.parametrize("container", [c for c in CONTAINERS if c.is_table], ids=lambda c: c.name)
def test_tables_of_integers_on_disk(container: Container, kind: Kind, tmp_path) -> None:
    if container.package:
        pytest.importorskip(container.package)
    graph, arguments = container.given(kind)
    with tiny_passes(1):
        arguments |= {"stream": skerry.StreamOptions(LIMIT, spill=tmp_path)}
        check(skerry.connected_components(graph, **arguments), kind.vertices, container.repeatable)
