"""``skerry bench gpu --peers FOLDER``: libraries in turn with auto, on an emulated device."""

from __future__ import annotations

import ctypes
import gc
import shutil
import weakref

import pytest
from typer.testing import CliRunner

from lab.emulated_gpu import emulated_gpu
from lab.peer_libraries import compile_peers
from skerry.errors import ArgumentError
from skerry_bench import gpu_device, tasks, turns
from skerry_bench.cli.command import bench_app
from skerry_bench.gpu_turns import CLOCKS, library_call
from skerry_bench.isolation import PeerFailedError
from skerry_bench.microbenchmarks.gpu_peers import IN_TURN, PeerLibrary
from skerry_bench.microbenchmarks.gpu_tables import mean_ratios, tables
from skerry_bench.options import Options
from skerry_bench.results import read_lines
from skerry_bench.run import choose_libraries, run_suite
from support.emulator import EmulatedRuntime, works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

PEER = r"""
#include <stdint.h>
int skerry_peer_queue(void *stream, int32_t n, int32_t m, const int32_t *offsets,
                      const int32_t *ends, int32_t *labels, int32_t *scratch) {
  int changed = 1;
  if ((long)stream != 5 || offsets[n] != m) return 9;
  for (int32_t v = 0; v < n; v++) labels[v] = scratch[v] = v;
  while (changed) {
    changed = 0;
    for (int32_t v = 0; v < n; v++)
      for (int32_t i = offsets[v]; i < offsets[v + 1]; i++)
        if (labels[ends[i]] < labels[v]) { labels[v] = labels[ends[i]]; changed = 1; }
  }
  for (int32_t v = 0; v < n; v++) labels[v] += 1000;  /* any values will do */
  BREAK
  return 0;
}
"""
LIBRARIES = {"good": "", "liar": "labels[1] = 7;", "refuses": "return 2;"}
SMALL = {"names": ("grid1024",), "scale": 1 / 1024, "repeat": 2}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Libraries that work on the emulator's arrays: right, wrong, and one that gives up."""
    return compile_peers(tmp_path_factory.mktemp("peers"), PEER, LIBRARIES)


@pytest.fixture
def device(monkeypatch):
    """An emulated GPU, on which host arrays count as a device's."""
    gpu = emulated_gpu(monkeypatch)
    monkeypatch.setattr(gpu_device, "current_stream", lambda: 5)
    return gpu


def run(libraries, output=None, resume=False, **options):
    options = Options("gpu", devices=("cuda",), libraries=libraries, **(SMALL | options))
    return run_suite(options, output, resume=resume)


def in_turn(lines):
    return {(r.implementation, r.clock): r for r in lines.results if r.study == IN_TURN}


def test_libraries_and_auto_are_measured_in_one_run_by_both_clocks(device, folder):
    del device
    runner = run(choose_libraries(str(folder), "gpu"))
    lines = runner.journal.lines
    results = in_turn(lines)
    assert set(results) == {(name, clock) for name in ("auto", "good") for clock in CLOCKS}
    assert all(len(each.seconds) == 2 for each in results.values())
    assert results["auto", "queued"].ran == "rows" and results["good", "device"].peer
    reasons = {(line.implementation, line.clock): line.reason for line in lines.skipped}
    for clock in CLOCKS:
        assert "WRONG ANSWER" in reasons["liar", clock] and "grid1024" in reasons["liar", clock]
        assert "returned 2" in reasons["refuses", clock]
    assert len(runner.wrong) == 2
    run_line = runner.journal.run
    assert run_line.options["peers"] == ["good", "liar", "refuses"]
    assert run_line.versions["good"].startswith("sha256 ")


def test_a_suite_by_kernels_measures_letters_and_libraries_by_that_clock_alone(device, folder):
    del device
    options = Options(
        "eclcc",
        devices=("cuda",),
        libraries={"good": folder / "good.so"},
        algorithms=("ecl", "ecl[loads=plain]"),
        only_studies=True,
        names=("internet",),
        scale=0.001,
        repeat=2,
    )
    lines = run_suite(options, None).journal.lines
    names = ("auto", "ecl", "ecl[loads=plain]", "good")
    assert set(in_turn(lines)) == {(name, "queued") for name in names}
    assert len(lines.results) == len(names) and not lines.skipped


def test_ratios_come_from_the_times_beside_them(device, folder):
    del device
    lines = run({"good": folder / "good.so"}).journal.lines
    times = {key: result.median * 1e3 for key, result in in_turn(lines).items()}
    text = tables(lines.results, list(lines.graphs.values()))
    head, _, row = text.splitlines()[2:5]
    cells = dict(
        zip(enumerate(head.strip("| ").split(" | ")), row.strip("| ").split(" | "), strict=True)
    )
    shown = [value for (_, name), value in cells.items() if name in ("ratio", "queued")]
    for value, clock in zip(shown, ("device", "queued"), strict=True):
        ratio = times["good", clock] / times["auto", clock]
        assert float(value.replace(",", "")) == pytest.approx(ratio, rel=0.01, abs=0.001)
    assert "good / auto, geometric mean without mawi: queued" in text


def test_without_libraries_there_are_no_such_columns(device):
    del device
    lines = run({}).journal.lines
    text = tables(lines.results, list(lines.graphs.values()))
    assert text.splitlines()[2] == "| graph | auto, ms | spread | queued, ms |"
    assert "ratio" not in text and "geometric mean" not in text


def counting(name, order, status=lambda: 0):
    def bind(n, _entries, _offsets, _neighbors):
        def queue(_stream, labels, _scratch):
            order.append(name)
            (ctypes.c_int32 * n).from_address(labels)[:] = [0] * n
            return status()

        return queue

    return bind


@pytest.fixture
def use(monkeypatch, tmp_path):
    """Makes Python functions count as libraries: returns them by name, as files."""

    def use(**queues):
        monkeypatch.setattr(tasks, "load_gpu", lambda path: queues[path.name])
        for name in queues:
            (tmp_path / name).write_bytes(b"")
        return {name: tmp_path / name for name in queues}

    return use


def test_the_order_of_a_round_is_rotated(device, use):
    del device
    order = []
    run(use(a=counting("a", order), b=counting("b", order)), repeat=3)
    # By each clock a warm-up, then: auto, a, b; a, b, auto; b, auto, a.
    assert "".join(order) == "aabb" + 2 * ("ab" + "ab" + "ab" + "ba")


def test_a_long_call_is_made_once(device, use, monkeypatch):
    del device
    order = []
    monkeypatch.setattr(turns, "LONG", 0.0)
    results = in_turn(run(use(slow=counting("slow", order))).journal.lines)
    assert order == ["slow"]
    assert results["slow", "queued"].seconds == results["slow", "device"].seconds
    assert len(results["slow", "device"].seconds) == 1


def test_a_library_that_fails_between_samples_has_no_time(device, use):
    del device
    order = []
    late = counting("late", order, lambda: 0 if len(order) < 4 else 3)
    lines = run(use(late=late)).journal.lines
    assert set(in_turn(lines)) == {("auto", clock) for clock in CLOCKS}
    assert {line.reason for line in lines.skipped} == {"PeerFailedError: returned 3"}


def test_samples_in_turn_are_not_completed_in_another_hour(device, folder, tmp_path):
    del device
    path = tmp_path / "run.jsonl"
    libraries = choose_libraries(str(folder), "gpu")
    run(libraries, path)
    before = path.read_text()
    run(libraries, path, resume=True)  # the liar is not measured again, without auto beside it
    assert path.read_text() == before
    assert any(getattr(line, "study", None) == IN_TURN for line in read_lines(path))


def test_the_arrays_of_a_library_live_as_long_as_its_call(device):
    made = []

    class Runtime(EmulatedRuntime):
        def empty(self, count, dtype):
            array = super().empty(count, dtype)
            made.append(weakref.ref(array))
            return array

    runtime = Runtime()
    arrays = (runtime.upload([0, 0]).astype("u4"), runtime.upload([]).astype("u4"))
    call = library_call(runtime, lambda *_: lambda *_: 0, *arrays, lambda: 0)
    gc.collect()
    assert len(made) == 2 and all(array() is not None for array in made)
    assert len(call()) == 1
    del device


def test_counts_of_more_than_32_bits_are_refused(device):
    assert PeerLibrary("a", lambda *_: 0, "queued").refusal(2.0**31) is not None
    assert PeerLibrary("a", lambda *_: 0, "queued").refusal(4e8) is None
    upload = device.runtime.upload
    wide = upload([0, 0]).astype("u8"), upload([]).astype("u4")
    with pytest.raises(PeerFailedError, match="32-bit"):
        library_call(device.runtime, lambda *_: 0, *wide, lambda: 0)


def test_means_leave_out_extreme_graphs_and_what_was_not_measured():
    times = {
        ("grid1024", "auto", "device"): 1.0,
        ("grid1024", "ecl", "device"): 2.0,
        ("random", "auto", "device"): 1.0,
        ("random", "ecl", "device"): 8.0,
        ("mawi", "auto", "device"): 1.0,
        ("mawi", "ecl", "device"): 1e6,
        ("road", "auto", "device"): 1.0,
        ("random", "auto", "queued"): 0.5,
        ("random", "ecl", "queued"): 4.5,
    }
    text = mean_ratios(times, "ecl")
    assert text.endswith("queued 9.00 (1 graphs); with the host 4.00 (2 graphs)")
    assert mean_ratios(times, "other") == ""


def test_the_command_prints_the_libraries(device, folder, tmp_path):
    del device
    output = str(tmp_path / "run.jsonl")
    words = ["gpu", "grid1024", "--scale", "0.001", "--repeat", "1", "-o", output]
    only_good = tmp_path / "one"
    only_good.mkdir()
    shutil.copy(folder / "good.so", only_good)
    done = CliRunner().invoke(bench_app, [*words, "--peers", str(only_good)])
    assert done.exit_code == 0, done.output
    assert "| good, ms | queued, ms | ratio | queued |" in done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gpu", "--peers", "no/such/folder"], "no such folder"),
        (["gpu", "--peers", "EMPTY"], "no shared library"),
        (["gpu", "--peers", "nobody"], "no peer"),
        (["gpu", "--peers", "FOLDER", "--device", "cpu"], "--device cpu"),
        (["families", "--peers", "FOLDER"], "no peer"),
    ],
)
def test_what_the_option_refuses(words, message, folder, tmp_path):
    places = {"FOLDER": str(folder), "EMPTY": str(tmp_path)}
    done = CliRunner().invoke(bench_app, [places.get(word, word) for word in words])
    assert done.exit_code in (2, 3)
    assert message in " ".join(done.output.split())


def test_a_library_cannot_have_the_name_of_an_algorithm_beside_it(device, folder):
    del device
    with pytest.raises(ArgumentError, match=r"auto\.so"):
        run({"auto": folder / "good.so"})


def test_names_of_peers_are_not_folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("cupyx", "none"):
        (tmp_path / name).mkdir()
        assert choose_libraries(name, "gpu") == {}
