"""Programs of others: how they are called, what they print, and what becomes of liars."""

from __future__ import annotations

import stat
import sys

import numpy as np
import pytest

import skerry
from skerry.errors import InputError
from skerry_bench.external import External, parse_external, write_graph
from skerry_bench.external_output import read_output
from skerry_bench.isolated import small_graph
from skerry_bench.isolation import PeerFailedError
from skerry_bench.options import Options
from skerry_bench.run import run_suite
from skerry_bench.sampler import SamplingPolicy

PACE = SamplingPolicy(3, 60.0)  # no test is to fail on a busy machine
GAPBS = """Read Time:           0.00041
Graph has 5 nodes and 4 undirected edges for degree: 0
Trial Time:          0.01230
Trial Time:          0.01210
Average Time:        0.01220

1 biggest clusters
3:0
There are 42 components
"""
ECL = """ECL-CC v1.1 (some.cu)
input graph: 5 nodes and 8 edges (some.egr)
compute time: 0.0123 s
throughput: 0.407 Mnodes/s
number of connected components: 42
"""
GBBS = "### Threads: 2\n### Running Time: 0.0123\nnum_components = 42\n"
LIGRA = "n_cc = 42\nn_cc = 42\nRunning time : 0.0123\nn_cc = 42\nRunning time : 0.0121\n"
CONNECTIT = """# n_cc = 42
### t = 0.0200
# n_cc = 42
### t = 0.0210
{
  "test_type": "static_connectivity_result",
  "test_name" : "uf; sample=sample_kout; unite=unite_rem_cas; find=find_compress",
  "rounds" : 2,
  "medt" : 0.0205
}
# n_cc = 42
### t = 0.0123
# n_cc = 42
### t = 0.0121
{
  "test_type": "static_connectivity_result",
  "test_name" : "uf; sample=sample_kout; unite=unite_rem_cas; find=find_naive",
  "rounds" : 2,
  "medt" : 0.0122
}
"""

# Counts the components in a file by its own means, and says so.
PROGRAM = """#!{python}
import os, sys
import numpy as np
path = sys.argv[1]
if path.endswith(".egr"):
    n, m = np.fromfile(path, "<i4", 2)
    offsets = np.fromfile(path, "<i4", n + 1, offset=8)
    ends = np.fromfile(path, "<i4", m, offset=8 + 4 * (n + 1))
else:
    m, n = np.fromfile(path, "<i8", 2, offset=1)
    offsets = np.fromfile(path, "<i8", n + 1, offset=17)
    ends = np.fromfile(path, "<i4", m, offset=17 + 8 * (n + 1))
label = list(range(n))
changed = True
while changed:
    changed = False
    for v in range(n):
        low = min([label[v], *(label[u] for u in ends[offsets[v]:offsets[v + 1]])])
        changed |= low != label[v]
        label[v] = low
count = len(set(label)) {wrong}
{say}
"""
SAY = {
    "plain": "print('seconds: 0.01'); print('components:', count)",
    "gapbs": "print('Trial Time:   0.01\\nTrial Time:  0.02'); "
    "print('There are', count, 'components')",
    "ecl": "print('compute time: 0.0100 s\\nnumber of connected components:', count)",
    "threads": "print('seconds: 0.0' + sys.argv[2] + os.environ['OMP_NUM_THREADS']); "
    "print('components:', count)",
}


@pytest.fixture
def program(tmp_path):
    def make(say="plain", wrong="", body=None):
        path = tmp_path / "a program"
        text = PROGRAM.format(python=sys.executable, wrong=wrong, say=SAY.get(say, say))
        path.write_text(body or text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return f"'{path}'"

    return make


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("seconds: 0.0123\ncomponents: 42\n", (0.0123,)),
        ("seconds = 1.5e-3 s\nseconds: 2 ms\ncomponents=42", (0.0015, 0.002)),
        (GAPBS, (0.0123, 0.0121)),
        (GAPBS.replace("Trial", "Other"), (0.0122,)),
        (ECL, (0.0123,)),
        (GBBS, (0.0123,)),
        (LIGRA, (0.0123, 0.0121)),
        (CONNECTIT, (0.0123, 0.0121)),  # the faster of its two tests
        ('noise {\n{"seconds": [0.5, 0.25], "components": 42}\n', (0.5, 0.25)),
        ('{"seconds": 0.5, "components": 42}', (0.5,)),
        ('{"peer": "a", "ms": [12.5], "components": 42}', (0.0125,)),
        (
            '{"peer": "b", "ms": [9], "components": 1}\n'
            '{"peer": "mine", "ms": [12.5], "components": 42}',
            (0.0125,),
        ),
    ],
)
def test_forms(text, seconds):
    found = read_output(text, "mine")
    assert found.seconds == pytest.approx(seconds) and found.components == 42


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no seconds in a known form"),
        ("components: 3", "no seconds in a known form"),
        ("seconds: 0.1\n", "no number of components"),
        (ECL.replace("0.0123", "0.0000"), "too coarse"),
        (GAPBS + "Verification:           FAIL\n", "verification failed"),
        ('{"peer": "b", "ms": [1], "components": 1}\n{"peer": "c", "ms": [1]}', "no seconds"),
        ('{"ms": ["x"], "components": 1}', "JSON cannot be used"),
        ('{"seconds": [], "components": 1}', "no seconds"),
    ],
)
def test_what_cannot_be_read(text, message):
    with pytest.raises(InputError, match=message):
        read_output(text, "mine")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prog {egr}", "NAME=COMMAND"),
        ("name=", "NAME=COMMAND"),
        ("=prog {egr}", "NAME=COMMAND"),
        ("name@tpu=prog {egr}", "NAME@cuda=COMMAND"),
        ("name=prog", "needs one of {egr}, {sg}, {adj}, {base}"),
        ("name=prog '{egr}", "quotation"),
    ],
)
def test_wrong_commands(text, message):
    with pytest.raises(InputError, match=message):
        parse_external(text, PACE)


def test_the_command_is_told_the_graph_and_threads(program):
    peer = parse_external(f"mine={program('threads')} {{egr}} {{threads}}", PACE)
    assert peer.device == "cpu" and peer.available() is None and "a program" in peer.version()
    found = peer.solve(peer.prepare(small_graph(), 2))
    assert found.count == 2 and found.seconds == (0.022,) * 3
    with pytest.raises(NotImplementedError):
        peer.end_to_end(small_graph(), 1)


@pytest.mark.parametrize("place", ["{egr}", "{sg}", "{base}.egr", "{base}.sg"])
def test_both_files(program, place):
    peer = parse_external(f"mine@cuda={program('gapbs')} {place}", PACE)
    state = peer.prepare(small_graph(), 1)
    assert peer.device == "cuda"
    found = peer.solve(state)
    assert found.count == 2 and found.seconds == (0.01, 0.02)  # one run has enough of them
    folder = state.files.base.parent
    assert len([*folder.iterdir()]) == 1 + ("base" in place)
    del state
    assert not folder.exists()


def test_files_are_those_that_skerry_reads(tmp_path):
    rows = small_graph().csr
    write_graph(rows, tmp_path / "g")
    for suffix in (".egr", ".sg"):
        assert skerry.connected_components(tmp_path / f"g{suffix}").count == 2
    assert np.fromfile(tmp_path / "g.egr", "<i4", 2).tolist() == [65, 126]
    assert not (tmp_path / "g.adj").exists()
    write_graph(rows, tmp_path / "g", egr=False, sg=False, adj=True)
    assert skerry.connected_components(tmp_path / "g.adj").count == 2
    text = (tmp_path / "g.adj").read_text().split()
    assert text[:3] == ["AdjacencyGraph", "65", "126"]
    assert [*map(int, text[3:])] == [*rows.offsets[:-1], *rows.neighbors]


def test_a_graph_is_written_once_for_all_programs(program):
    graph = small_graph()
    one, other = (parse_external(f"{name}={program()} {{egr}}", PACE) for name in "ab")
    first = one.prepare(graph, 1)
    path = first.files.base.with_suffix(".egr")
    written = path.stat().st_mtime_ns
    del first
    second = other.prepare(graph, 2)
    assert second.files.base.with_suffix(".egr") == path
    assert path.stat().st_mtime_ns == written
    del second, graph
    assert not path.exists()


def test_counts_that_differ_within_a_run():
    with pytest.raises(InputError, match="different numbers"):
        read_output(LIGRA.replace("42", "43", 1))


def test_the_command_is_told_how_many_samples(program):
    body = "#!/bin/sh\necho seconds: 0.0$2\necho components: 2\n"
    peer = parse_external(f"mine={program(body=body)} {{adj}} {{repeat}}", SamplingPolicy(7, 60.0))
    assert peer.solve(peer.prepare(small_graph(), 1)).seconds == (0.07,) * 7


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("#!/bin/sh\necho 'out of memory' >&2; exit 3\n", "exit code 3: out of memory"),
        ("#!/bin/sh\nkill -SEGV $$\n", "exit code -11"),
        ("#!/no/such/interpreter\n", "could not be started"),
        ("#!/bin/sh\nsleep 60\n", "stopped after"),
    ],
)
def test_failures(program, body, message, monkeypatch):
    monkeypatch.setattr("skerry_bench.external.LOADING", 0.1)
    pace = SamplingPolicy(1, 0.05) if "sleep" in body else PACE
    peer = External("mine", (program(body=body).strip("'"), "{egr}"), pace)
    with pytest.raises(PeerFailedError, match=message):
        peer.solve(peer.prepare(small_graph(), 1))


def test_runs_that_differ(program, tmp_path):
    count = tmp_path / "count"
    body = f"#!/bin/sh\necho x >>'{count}'\necho seconds: 0.1\nwc -l <'{count}' >'{count}2'\n"
    body += f"echo components: $(cat '{count}2')\n"
    peer = parse_external(f"mine={program(body=body)} {{egr}}", PACE)
    with pytest.raises(PeerFailedError, match="different numbers"):
        peer.solve(peer.prepare(small_graph(), 1))


def measured(external):
    return run_suite(
        Options(
            "smoke",
            scale=0.001,
            repeat=2,
            algorithms=("auto",),
            names=("grid", "tiny"),
            external=external,
        ),
        None,
    )


def test_in_a_run(program):
    runner = measured((f"mine={program('ecl')} {{egr}}", "none=/no/such/program {sg}"))
    lines = runner.journal.lines
    found = [one for one in lines.results if one.implementation == "mine"]
    assert {one.graph for one in found} == {"grid", "tiny"} and not runner.wrong
    assert all(one.peer and one.seconds == (0.01, 0.01) for one in found)
    assert [one.reason for one in lines.skipped] == ["there is no program /no/such/program"]


def test_a_wrong_count_is_not_a_time(program):
    runner = measured((f"mine={program(wrong='+ 1')} {{egr}}",))
    assert len(runner.wrong) == 2
    assert not [one for one in runner.journal.lines.results if one.implementation == "mine"]


def test_a_name_is_one_program(program):
    for twice in (("scipy={0} {{egr}}",), ("mine={0} {{egr}}",) * 2):
        with pytest.raises(InputError, match="that name is taken"):
            measured(tuple(text.format(program()) for text in twice))
