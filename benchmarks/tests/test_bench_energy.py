"""Energy in the record: counters that go around, are missing or lie; blocks that are too short."""

from __future__ import annotations

import dataclasses
import sys
from types import SimpleNamespace

import pytest

from lab.fake_peer import FakePeer
from lab.made_up_results import all_lines
from skerry.errors import InputError
from skerry_bench import energy as energy_module
from skerry_bench import isolated
from skerry_bench import run as run_module
from skerry_bench.energy import MIN_SECONDS, energy_per_call, find_meters
from skerry_bench.energy_meters import MeterError, NvmlMeter, RaplMeter, find_nvml, find_rapl
from skerry_bench.options import Options
from skerry_bench.report.build import build_report
from skerry_bench.report.html_body import html_body
from skerry_bench.report.markdown import markdown
from skerry_bench.results import Results, decode, encode, read_results
from skerry_bench.run import run_suite

RANGE = 262_143_328_850
"""Of the counter of many a processor, in microjoules."""


def domain(folder, name, title="package-0", energy=10**9, size=RANGE):
    path = folder / name
    path.mkdir(parents=True)
    (path / "name").write_text(f"{title}\n")
    (path / "energy_uj").write_text(f"{energy}\n")
    if size is not None:
        (path / "max_energy_range_uj").write_text(f"{size}\n")
    return path


def set_energy(path, microjoules):
    (path / "energy_uj").write_text(f"{microjoules}\n")


class FakeNvml:
    """The part of ``pynvml`` that is used; a total of None is an error."""

    class NVMLError(Exception):
        pass

    def __init__(self, totals=(), known=b"0000:17:00.0"):
        self.totals = list(totals)
        self.known = known
        self.started = 0

    def nvmlInit(self):  # noqa: N802
        self.started += 1

    def nvmlDeviceGetHandleByPciBusId(self, address):  # noqa: N802
        if address != self.known:
            raise self.NVMLError("Not Found")
        return "handle"

    def nvmlDeviceGetTotalEnergyConsumption(self, handle):  # noqa: N802
        assert handle == "handle"
        total = self.totals.pop(0)
        if total is None:
            raise self.NVMLError("Not Supported")
        return total


class FakeClock:
    """A clock that each call of `work` moves on."""

    def __init__(self, step):
        self.now, self.step, self.calls = 0.0, step, 0

    def __call__(self):
        return self.now

    def work(self):
        self.now += self.step
        self.calls += 1
        return self.calls


class FakeMeter:
    """A counter in microjoules that rises by so many watts of a clock."""

    part, description = "cpu", "made up"

    def __init__(self, clock, watts=10.0):
        self.clock, self.watts, self.reads = clock, watts, []

    def read(self):
        self.reads.append(getattr(self.clock, "calls", 0))
        return (round(self.clock() * self.watts * 1e6),)

    def joules(self, before, after, seconds):
        assert seconds >= MIN_SECONDS
        return (after[0] - before[0]) / 1e6


def test_packages_count_once_and_their_parts_not_at_all(tmp_path):
    packages = [domain(tmp_path, f"intel-rapl:{i}", f"package-{i}") for i in (0, 1)]
    domain(tmp_path, "intel-rapl:0:0", "core")
    domain(tmp_path, "intel-rapl:2", "psys")
    domain(tmp_path, "intel-rapl-mmio:0", "package-0")  # the same package by another way
    (tmp_path / "dtpm").mkdir()
    meter = find_rapl(tmp_path)
    assert meter.domains == tuple(packages) and meter.description == "RAPL, 2 packages"
    before = meter.read()
    set_energy(packages[0], 10**9 + 2_500_000)
    set_energy(packages[1], 10**9 + 1_500_000)
    assert meter.joules(before, meter.read(), 1.0) == 4.0


def test_a_counter_that_goes_around_goes_on(tmp_path):
    meter = RaplMeter((domain(tmp_path, "intel-rapl:0", energy=RANGE - 1_000_000),))
    before = meter.read()
    set_energy(meter.domains[0], 2_000_000)
    assert meter.joules(before, meter.read(), 1.0) == 3.0


@pytest.mark.parametrize(
    ("size", "first", "last", "seconds", "message"),
    [
        (RANGE, 5, 5, 1.0, "did not rise"),
        (RANGE, 5, 10, 300.0, "more than once"),  # 300 s at 1 kW are more than the range
        (None, 10, 5, 1.0, "its range is unknown"),
        ("many", 10, 5, 1.0, "its range is unknown"),
        (RANGE, 5, 10 + 2 * RANGE, 1.0, "beyond its range"),
        (10**9, 5 * 10**9, 5, 1.0, "beyond its range"),
    ],
)
def test_readings_that_are_no_energy_are_refused(tmp_path, size, first, last, seconds, message):
    meter = RaplMeter((domain(tmp_path, "intel-rapl:0", energy=first, size=size),))
    with pytest.raises(MeterError, match=message):
        meter.joules((first,), (last,), seconds)


@pytest.mark.parametrize("content", ["", "many", "-5", "1.5", b"\xff\xfe"])
def test_a_file_without_a_number_is_no_counter(tmp_path, content):
    path = domain(tmp_path, "intel-rapl:0")
    data = content if isinstance(content, bytes) else content.encode()
    (path / "energy_uj").write_bytes(data)
    with pytest.raises(MeterError, match="energy_uj"):
        find_rapl(tmp_path)


def test_a_counter_that_may_not_be_read_is_absent_and_says_why(tmp_path, monkeypatch):
    path = domain(tmp_path, "intel-rapl:0") / "energy_uj"
    read = type(path).read_text

    def refuse(self, *arguments, **options):
        if self.name == "energy_uj":  # by its mode it would be readable for the administrator
            raise PermissionError(13, "Permission denied")
        return read(self, *arguments, **options)

    monkeypatch.setattr(type(path), "read_text", refuse)
    meters, reasons = find_meters("cpu", powercap=tmp_path)
    assert meters == [] and reasons == [f"RAPL: {path} cannot be read: Permission denied"]


@pytest.mark.parametrize("folder", ["nowhere", "empty"])
def test_a_machine_without_packages(tmp_path, folder):
    (tmp_path / "empty" / "intel-rapl:0").mkdir(parents=True)  # a domain without a name
    meters, reasons = find_meters("cpu", powercap=tmp_path / folder)
    assert meters == [] and reasons[0].endswith("has no package")


def test_nvml_counts_millijoules_of_the_gpu_at_an_address(monkeypatch):
    nvml = FakeNvml([1000, 5000, 8500])
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    meter = find_nvml("0000:17:00.0")
    assert nvml.started == 1
    assert meter.joules(meter.read(), meter.read(), 1.0) == 3.5
    with pytest.raises(MeterError, match="Not Found"):
        find_nvml("0000:18:00.0")


@pytest.mark.parametrize("after", [5000, 4000, None, "much"])
def test_a_gpu_whose_counter_stands_or_fails_has_no_energy(after):
    meter = NvmlMeter(FakeNvml([5000, after]), "handle")
    clock = FakeClock(0.25)
    assert energy_per_call(clock.work, [meter], clock=clock)[0] is None


def test_a_gpu_without_a_counter_and_a_missing_package(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pynvml", FakeNvml([None]))
    with pytest.raises(MeterError, match="Not Supported"):
        find_nvml("0000:17:00.0")
    monkeypatch.setitem(sys.modules, "pynvml", None)
    meters, reasons = find_meters("cuda", "0000:17:00.0", powercap=tmp_path)
    assert meters == [] and reasons[0] == "NVML: the package nvidia-ml-py is not installed"


def test_a_gpu_has_the_energy_of_its_host_beside_its_own(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pynvml", FakeNvml([0]))
    domain(tmp_path, "intel-rapl:0")
    meters, reasons = find_meters("cuda", "0000:17:00.0", powercap=tmp_path)
    assert [meter.part for meter in meters] == ["gpu", "cpu"] and reasons == []


@pytest.mark.parametrize(("step", "calls"), [(0.001, 1000), (0.3, 4), (5.0, 1)])
def test_a_block_lasts_a_second_and_is_divided_by_its_calls(step, calls):
    clock = FakeClock(step)
    meter = FakeMeter(clock)
    energy, answer = energy_per_call(clock.work, [meter], clock=clock)
    assert answer == clock.calls and abs(clock.calls - calls) <= 1  # a thousand steps add up to 1
    assert energy["cpu"] == pytest.approx(10 * step) and energy["calls"] == clock.calls
    assert energy["seconds"] == pytest.approx(clock.calls * step)
    assert meter.reads == [0, clock.calls]  # before all calls and after them: never within


def test_a_shorter_block_has_no_energy():
    clock = FakeClock(0.5)
    meter = SimpleNamespace(part="cpu", read=lambda: (0,), joules=lambda *_: 1.0)
    energy, answer = energy_per_call(clock.work, [meter], min_seconds=0.1, clock=clock)
    assert energy is None and answer == 1


def test_nothing_is_called_where_no_counter_can_be_read(tmp_path):
    clock = FakeClock(0.5)
    path = domain(tmp_path, "intel-rapl:0")
    meter = find_rapl(tmp_path)
    (path / "energy_uj").unlink()
    assert energy_per_call(clock.work, [meter], clock=clock) == (None, None)
    assert energy_per_call(clock.work, [], clock=clock) == (None, None)
    assert clock.calls == 0


def test_a_meter_that_fails_at_the_end_leaves_the_others():
    clock = FakeClock(0.5)
    gpu = NvmlMeter(FakeNvml([5000, None]), "handle")
    energy, _ = energy_per_call(clock.work, [gpu, FakeMeter(clock)], clock=clock)
    assert energy.keys() == {"cpu", "calls", "seconds"}


def test_the_counters_are_read_after_the_device_has_ended():
    clock = FakeClock(0.4)
    log = []

    class Runtime:
        def record_event(self):
            log.append(f"event {clock.calls}")
            return clock.calls

        def seconds(self, start, end):
            assert start == end
            log.append(f"wait {end}")

    meter = FakeMeter(clock)
    meter.read = lambda: (log.append("read"), round(clock() * 1e7))[1:]
    energy_per_call(clock.work, [meter], Runtime(), clock=clock)
    assert log == ["read", "event 1", "wait 1", "event 2", "wait 2", "event 3", "wait 3", "read"]


QUICK = Options("smoke", scale=0.01, repeat=2, algorithms=("ecl",), names=("grid",), energy=True)


@pytest.fixture
def fast_blocks(monkeypatch):
    """A made-up machine: one package at 10 watts, a block of few calls."""
    clock = FakeClock(0.3)

    def per_call(call, meters, runtime=None):
        def counted():
            clock.work()
            return call()

        return energy_per_call(counted, meters, runtime, clock=clock)

    for module in ("runner", "isolated"):
        monkeypatch.setattr(f"skerry_bench.{module}.energy_per_call", per_call)
    monkeypatch.setattr(run_module, "find_meters", lambda *_: ([FakeMeter(clock)], []))
    return clock


def test_a_run_records_the_joules_of_each_call(tmp_path, fast_blocks):
    fake = FakePeer()
    run_suite(dataclasses.replace(QUICK, peers={"fake": fake}), tmp_path / "r.jsonl")
    results = read_results([tmp_path / "r.jsonl"])
    (line,) = results.runs.values()
    assert line.options["energy"] == {"cpu": ["made up"]}
    assert {each.implementation for each in results.results} == {"ecl", "fake"}
    for each in results.results:
        assert each.energy == {"cpu": 3.0, "calls": 4.0, "seconds": pytest.approx(1.2)}
        assert len(each.seconds) == 2  # the block is beside the samples
    # A warm-up, two samples and four calls of the block, in both scopes.
    assert len([call for call in fake.calls if call[0] == "solve"]) == 7
    assert fast_blocks.calls == 4 * len(results.results)


def test_a_run_without_energy_has_none_and_calls_no_more(tmp_path, fast_blocks):
    fake = FakePeer(scopes=("solve",))
    run_suite(dataclasses.replace(QUICK, energy=False, peers={"fake": fake}), tmp_path / "r.jsonl")
    results = read_results([tmp_path / "r.jsonl"])
    assert all(each.energy is None for each in results.results) and fast_blocks.calls == 0
    assert "energy" not in next(iter(results.runs.values())).options
    assert len([call for call in fake.calls if call[0] == "solve"]) == 3


def test_energy_that_cannot_be_read_is_refused_before_anything_is_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(run_module, "find_meters", lambda *_: ([], ["RAPL: locked"]))
    with pytest.raises(InputError, match=r"--energy: no counter can be read here\. RAPL: locked"):
        run_suite(QUICK, tmp_path / "r.jsonl")
    assert not (tmp_path / "r.jsonl").exists()


def test_a_process_of_its_own_measures_its_energy(fast_blocks):
    labels = isolated.small_graph().csr
    answer = FakePeer().solve(labels).labels
    output, _ = isolated.measure(
        lambda: answer, repeat=2, budget=1.0, peak=False, meters=[FakeMeter(fast_blocks)]
    )
    assert output["energy"]["cpu"] == 3.0 and len(output["seconds"]) == 2
    output, _ = isolated.measure(lambda: answer, repeat=2, budget=1.0, peak=False)
    assert "energy" not in output


def test_a_process_of_its_own_finds_its_meters(monkeypatch, tmp_path):
    domain(tmp_path, "intel-rapl:0")
    monkeypatch.setattr(energy_module, "find_rapl", lambda _: find_rapl(tmp_path))
    assert [meter.part for meter in isolated._meters("cpu")] == ["cpu"]


def with_energy(lines):
    """The same lines, of which the first of each of three implementations have energy."""
    parts = {"auto": {"cpu": 1.25}, "ecl": {"cpu": 2.5, "gpu": 30.0}, "eclaf": {"gpu": 0.004}}
    for line in lines:
        suite = line.kind == "result" and line.study is None and line.scope == "solve"
        if suite and line.implementation in parts:
            energy = parts.pop(line.implementation) | {"calls": 9.0, "seconds": 1.1}
            line = dataclasses.replace(line, energy=energy)
        yield line


def test_the_record_keeps_energy_and_old_records_have_none():
    line = next(line for line in with_energy(all_lines()) if getattr(line, "energy", None))
    assert decode(encode(line)).energy == line.energy
    old = encode(line).replace('"energy"', '"later"')
    assert decode(old).energy is None
    with pytest.raises(InputError, match="energy must be"):
        decode(encode(dataclasses.replace(line, energy=3.5)))


def test_the_report_shows_energy_only_where_it_was_measured():
    plain = build_report(Results(all_lines()))
    assert not [table for table in plain.tables if table.where == "energy"]
    assert "Joules" not in markdown(plain) + html_body(plain)
    report = build_report(Results(with_energy(all_lines())))
    tables = [table for table in report.tables if table.where == "energy"]
    assert tables and all(table.rows and table.columns for table in tables)
    values = {value for table in tables for _, row in table.rows for value in row}
    assert values - {None} == {1.25, 2.5, 30.0, 0.004}
    for text in (markdown(report), html_body(report)):
        assert "Joules of a call on" in text and "0.004" in text
