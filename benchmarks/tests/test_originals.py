"""``skerry bench originals``: rewrites beside their originals, in one run."""

from __future__ import annotations

import numpy as np
import pytest
from typer.testing import CliRunner

import skerry
from lab.peer_libraries import compile_peers
from skerry.errors import ArgumentError
from skerry_bench.cli.command import bench_app
from skerry_bench.corpus.catalog import catalog
from skerry_bench.corpus.forms import ON_LOWER_ROWS, form_of, lower_rows, one_direction
from skerry_bench.corpus.peer_library import load_gpu
from skerry_bench.corpus.record import read_record
from skerry_bench.gpu_turns import library_call
from skerry_bench.isolation import PeerFailedError
from skerry_bench.originals.pairs import GRAPHS, LETTERS, ORIGINALS
from skerry_bench.originals.run import run_originals
from skerry_bench.originals.summary import ratios, tables
from support.emulator import EmulatedRuntime, works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

LABELS = r"""
#include <stdint.h>
#include <stdlib.h>
typedef struct { int64_t n; const int32_t *offsets, *ends; int32_t *labels; } State;
static int freed = 0;
static void solve(State *s, int32_t *labels) {
  int changed = 1;
  for (int64_t v = 0; v < s->n; v++) labels[v] = v;
  while (changed) {
    changed = 0;
    for (int64_t v = 0; v < s->n; v++)
      for (int32_t i = s->offsets[v]; i < s->offsets[v + 1]; i++)
        if (labels[s->ends[i]] < labels[v]) { labels[v] = labels[s->ends[i]]; changed = 1; }
  }
}
void *skerry_peer_prepare(int64_t n, int64_t m, const int32_t *offsets, const int32_t *ends) {
  State *s = malloc(sizeof(State));
  *s = (State){n, offsets, ends, malloc(4 * n + 4)};
  return s;
}
const int32_t *skerry_peer_solve(void *s) {
  solve(s, ((State *)s)->labels);
  return ((State *)s)->labels;
}
int skerry_peer_run(void *s, void *stream, int32_t *labels) {
  solve(s, labels);
  return freed ? 7 : 0;
}
void skerry_peer_free(void *s) { free(((State *)s)->labels); free(s); freed = 1; }
int skerry_peer_freed(void) { return freed; }
BREAK
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return compile_peers(tmp_path_factory.mktemp("originals"), LABELS, {"ecl_omp": "", "other": ""})


@pytest.mark.parametrize("original", ORIGINALS, ids=lambda original: original.name)
def test_a_rewrite_runs_on_the_device_of_its_original(original):
    assert original.device in skerry.algorithm(original.rewrite).devices


@pytest.mark.parametrize("device", LETTERS)
def test_a_letter_is_a_choice_of_its_algorithm_on_the_device(device):
    for name, letter in LETTERS[device].items():
        spec = skerry.algorithm(letter)
        spec.check_device(device)
        assert spec.name.partition("[")[0] == name.partition("[")[0] and letter != name


def test_the_graphs_are_ten_of_the_tuning_half():
    assert len(set(GRAPHS)) == 10
    assert set(GRAPHS) <= {graph.name for graph in catalog("tuning")}


def test_algorithms_over_edges_get_one_direction_of_each():
    assert [form_of(name, "cpu") for name in ("auto", "ecl", "cc", "union-find")] == [
        *("csr", "csr", "edges", "csr")
    ]
    offsets, neighbors = (np.array(a, np.uint32) for a in ([0, 2, 3, 4, 4], [1, 2, 0, 0]))
    rows = skerry.Csr(offsets, neighbors, symmetric=True)
    edges = one_direction(rows)
    assert list(zip(edges.src, edges.dst, strict=True)) == [(1, 0), (2, 0)]
    assert edges.num_vertices == 4


def test_an_original_and_its_rewrite_are_timed_in_one_run(folder, tmp_path):
    path = tmp_path / "record.jsonl"
    result = CliRunner().invoke(
        bench_app,
        [
            *("originals", str(folder), "--graphs", "tiny-10,path-10", "--repeat", "2"),
            *("--threads", "1", "--output", str(path)),
        ],
    )
    assert result.exit_code == 0, result.output
    record = read_record(path)
    measured = {r.implementation for r in record.results if r.seconds}
    assert measured == {"auto", "ecl", "ecl[schedule=guided]", "ecl_omp", "other"}
    original = next(each for each in ORIGINALS if each.name == "ecl_omp")
    by_graph = ratios(record, original, "wall")
    assert set(by_graph) == set(record.graphs)
    times = {(r.graph, r.implementation): r.median for r in record.results}
    for graph, ratio in by_graph.items():
        assert ratio == times[graph, "ecl_omp"] / times[graph, "ecl"]
    rows = [line for line in result.output.splitlines() if line.startswith("| ecl_omp / ecl")]
    assert rows.pop().startswith("| ecl_omp / ecl[schedule=guided] ")
    (row,) = rows
    assert f"{min(by_graph.values()):.2f}" in row and "of 2" in row
    assert "other" not in tables(record, [original])


def test_rows_of_one_direction_have_its_entries():
    offsets, neighbors = (np.array(a, np.uint32) for a in ([0, 2, 3, 4, 4], [1, 2, 0, 0]))
    lower = lower_rows(skerry.Csr(offsets, neighbors, symmetric=True))
    assert (lower.offsets.tolist(), lower.neighbors.tolist()) == ([0, 0, 1, 2, 2], [0, 0])
    assert not lower.symmetric
    assert set(ON_LOWER_ROWS) < {original.rewrite for original in ORIGINALS}


def test_a_folder_without_an_original_is_refused(tmp_path):
    with pytest.raises(ArgumentError, match="has no original for cpu; known are: ecl_omp"):
        run_originals(tmp_path, "cpu")


def test_a_library_for_a_gpu_may_have_a_form_of_its_own(folder):
    runtime = EmulatedRuntime()
    library = load_gpu(folder / "other.so")
    offsets, neighbors = (runtime.upload(a).astype("u4") for a in ([0, 1, 2, 2], [1, 0]))
    call = library_call(runtime, library, offsets, neighbors, lambda: 0)
    assert call().tolist() == [0, 0, 2]
    del call
    again = library_call(runtime, library, offsets, neighbors, lambda: 0)
    with pytest.raises(
        PeerFailedError, match="returned 7"
    ):  # the first state was freed with its call
        again()
