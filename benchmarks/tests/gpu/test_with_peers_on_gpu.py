"""The benchmark's peers on a GPU: those installed are measured and right, others are listed."""

from __future__ import annotations

import pytest

from skerry_bench.options import Options
from skerry_bench.run import choose_peers, run_suite
from support.on_gpu import require_gpu

require_gpu()

PEERS = {name: peer for name, peer in choose_peers("all").items() if peer.device == "cuda"}


@pytest.fixture(scope="module")
def lines():
    options = Options(
        "smoke",
        devices=("cuda",),
        scale=0.1,
        repeat=2,
        algorithms=("auto",),
        peers=PEERS,
        names=("grid", "tiny"),
    )
    runner = run_suite(options, None)
    assert runner.wrong == []
    return runner.journal.lines


@pytest.mark.parametrize("name", PEERS)
def test_measured_or_told(lines, name):
    peer = PEERS[name]
    missing = peer.available()
    results = [one for one in lines.results if one.implementation == name]
    skipped = [one for one in lines.skipped if one.implementation == name]
    if missing is not None:
        assert results == []
        assert {(one.graph, one.reason) for one in skipped} == {("*", missing)}
        pytest.skip(missing)
    assert skipped == []
    assert {(one.graph, one.scope) for one in results} == {
        (graph, scope) for graph in ("grid", "tiny") for scope in peer.scopes
    }
    assert all(one.verified and one.verified_by == "labels" for one in results)


def test_auto_is_beside_them(lines):
    assert len([one for one in lines.results if one.implementation == "auto"]) == 4
