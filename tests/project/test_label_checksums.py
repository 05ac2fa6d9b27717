"""Labels are the same for every form of ids, algorithm and number of threads, and in every version.

tools/label_checksums.py made the file, and compared every label with scipy's.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import skerry
from support import checksum_graphs
from support.paths import ROOT

CHECKSUMS = json.loads((ROOT / "tests/project/label_checksums.json").read_text())
GRAPHS = {name: graph for name, *graph in checksum_graphs.graphs()}


def test_there_are_thirty():
    assert len(CHECKSUMS) == 30 and CHECKSUMS.keys() == GRAPHS.keys()
    assert len({entry["external"] for entry in CHECKSUMS.values()}) > 20  # some are one component
    kinds = {checksum_graphs.key(form) for form in checksum_graphs.FORMS}
    assert all(entry.keys() == kinds for entry in CHECKSUMS.values())


@pytest.mark.parametrize("form", checksum_graphs.FORMS)
@pytest.mark.parametrize("threads", [1, 2, None])
def test_forms_and_threads(form, threads):
    if not checksum_graphs.works(form):
        pytest.skip("needs pyarrow")
    for name, graph in GRAPHS.items():
        labels = checksum_graphs.solve(form, *graph, threads=threads).labels
        right = CHECKSUMS[name][checksum_graphs.key(form)]
        assert checksum_graphs.checksum(labels) == right, name


@pytest.mark.parametrize(
    "algorithm", [each.name for each in skerry.catalog() if "cpu" in each.devices]
)
@pytest.mark.parametrize("threads", [1, 2])
def test_algorithms(algorithm, threads):
    for name, graph in GRAPHS.items():
        for form in ("int32", "csr"):
            options = {"algorithm": algorithm, "threads": threads, "device": "cpu"}
            try:
                labels = checksum_graphs.solve(form, *graph, **options).labels
            except skerry.UnsupportedError:
                assert threads > 1  # a serial algorithm says so
                continue
            assert checksum_graphs.checksum(labels) == CHECKSUMS[name]["vertices"], (name, form)


def test_dtype_and_dense_labels():
    for name, graph in GRAPHS.items():
        wide = checksum_graphs.solve("int32", *graph, dtype="uint64").labels
        assert checksum_graphs.checksum(wide) == CHECKSUMS[name]["vertices"]
        dense = checksum_graphs.solve("int32", *graph, labels="dense").labels
        first = np.unique(dense, return_index=True)[1]
        assert checksum_graphs.checksum(first[dense]) == CHECKSUMS[name]["vertices"]


def test_a_wrong_label_is_seen():
    name, graph = next(iter(GRAPHS.items()))
    labels = checksum_graphs.solve("int32", *graph).labels.copy()
    labels[-1] += 1
    assert checksum_graphs.checksum(labels) != CHECKSUMS[name]["vertices"]
