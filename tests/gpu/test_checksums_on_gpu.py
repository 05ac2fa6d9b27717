"""Labels of a GPU have the checksums that labels of a CPU have."""

from __future__ import annotations

import json

import pytest

import skerry
from support import checksum_graphs
from support.on_gpu import require_gpu
from support.paths import ROOT

cp = require_gpu()

CHECKSUMS = json.loads((ROOT / "tests/project/label_checksums.json").read_text())
NAMES = ["auto", *(each.name for each in skerry.catalog() if "cuda" in each.devices)]


@pytest.mark.parametrize("algorithm", NAMES)
def test_labels_of_a_gpu(algorithm):
    for name, *graph in checksum_graphs.graphs():
        for form in ("int32", "int64", "csr"):
            result = checksum_graphs.solve(form, *graph, algorithm=algorithm, device="cuda")
            right = CHECKSUMS[name]["vertices"]
            assert checksum_graphs.checksum(result.labels) == right, (name, form)
