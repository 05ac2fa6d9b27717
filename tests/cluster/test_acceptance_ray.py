"""Graphs of others on Ray: the components that their owners expect."""

from __future__ import annotations

import pyarrow as pa
import pytest
import ray

import skerry.ray
from cluster.acceptance import CASES, PUBLISHED, published, rows_of_sets
from skerry.cluster.state import LABELS

pytestmark = pytest.mark.usefixtures("ray_cluster")


def rows_of(case, method):
    kind = pa.string() if isinstance(case.vertices, str) else pa.int64()
    ends = list(zip(*case.edges, strict=True)) or [(), ()]
    table = pa.table({name: pa.array(end, kind) for name, end in zip(LABELS, ends, strict=True)})
    result = skerry.ray.distributed_components(
        ray.data.from_arrow(table),
        source=LABELS[0],
        target=LABELS[1],
        vertices=pa.array(case.vertices, kind),
        method=method,
        tasks=2,
        verify=True,
    )
    tables = ray.get(result.dataset.to_arrow_refs())
    rows = [row for each in tables for row in zip(*each.to_pydict().values(), strict=True)]
    return sorted(rows)


@pytest.mark.parametrize("method", ["stream", "forest", "contraction"])
@pytest.mark.parametrize("name", CASES)
def test_the_graphs_of_graphframes_suite(name, method):
    assert rows_of(CASES[name], method) == rows_of_sets(CASES[name].components)


@pytest.mark.skipif(not PUBLISHED, reason="no graphs of LDBC beside the repository")
@pytest.mark.parametrize("method", ["forest", "contraction"])
@pytest.mark.parametrize("name", PUBLISHED)
def test_published_labels_of_ldbc(name, method):
    case = published(name)
    assert rows_of(case, method) == rows_of_sets(case.components)
