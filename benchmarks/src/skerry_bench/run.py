"""One run, from its options to a record: the machine, a GPU, the graphs, the file."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from skerry import SkerryError
from skerry.errors import ArgumentError
from skerry.formats.overwriting import refuse_overwriting
from skerry_bench import gpu_device
from skerry_bench.corpus.peer_library import libraries
from skerry_bench.energy import find_meters
from skerry_bench.energy_meters import Meter
from skerry_bench.environment import this_commit, this_machine, versions
from skerry_bench.external import parse_external
from skerry_bench.gpu_device import GpuDevice
from skerry_bench.implementation import Device, Peer
from skerry_bench.isolation import Isolation
from skerry_bench.journal import Journal
from skerry_bench.options import Options
from skerry_bench.peers import PEERS
from skerry_bench.progress import RunProgress
from skerry_bench.results import RunLine
from skerry_bench.runner import Runner
from skerry_bench.suites import SUITES
from skerry_bench.tasks import plan_tasks

PEER_GROUPS = ("none", "installed", "all")


def known_peers() -> Mapping[str, Peer]:
    """All adapters, by name."""
    return PEERS


def choose_peers(names: str) -> dict[str, Peer]:
    """``installed``, ``all``, ``none``, or names; a named peer that is missing is recorded."""
    known = known_peers()
    if names == "none":
        return {}
    if names == "installed":
        return {name: peer for name, peer in known.items() if peer.available() is None}
    if names == "all":
        return dict(known)
    chosen = [name.strip() for name in names.split(",") if name.strip()]
    for name in chosen:
        if name not in known:
            there = ", ".join((*PEER_GROUPS, *known))
            raise ArgumentError(f"no peer {name!r}; there are: {there}")
    return {name: known[name] for name in chosen}


def choose_libraries(text: str, suite: str) -> dict[str, Path]:
    """The shared libraries of a folder, if that is what the text names and the suite takes."""
    if not SUITES[suite].libraries or set(text.split(",")) <= {*known_peers(), *PEER_GROUPS}:
        return {}
    folder = Path(text)
    if not folder.is_dir() and folder.name == text:
        return {}  # a name, which no peer has
    paths = libraries(folder)
    if not paths:
        raise ArgumentError(f"--peers {text}: the folder has no shared library (*.so)")
    return paths


def devices_of(name: str) -> tuple[Device, ...]:
    """The devices of ``cpu``, ``cuda`` or ``both``."""
    table: dict[str, tuple[Device, ...]] = {
        "cpu": ("cpu",),
        "cuda": ("cuda",),
        "both": ("cpu", "cuda"),
    }
    if name not in table:
        raise ArgumentError(f'device must be "cpu", "cuda" or "both", got {name!r}')
    return table[name]


def default_output(suite: str) -> Path:
    """A new file for each run."""
    return Path("bench-results") / f"{suite}-{datetime.now():%Y-%m-%d-%H%M%S}.jsonl"


def run_suite(
    options: Options,
    output: Path | None,
    *,
    resume: bool = False,
    progress: RunProgress | None = None,
) -> Runner:
    """Measures all that the options name; each result is in the file as soon as it is measured."""
    with Isolation(options.policy, energy=options.energy) as isolation:
        peers = {name: isolation.of(peer) for name, peer in options.peers.items()}
        for external in (parse_external(text, options.policy) for text in options.external):
            if external.name in {**peers, **known_peers()}:
                raise ArgumentError(f"--external {external.name}: that name is taken")
            peers[external.name] = external
        return _run(replace(options, peers=peers), output, resume, progress or RunProgress())


def _run(options: Options, output: Path | None, resume: bool, progress: RunProgress) -> Runner:
    plan = plan_tasks(options)  # before anything is written: a mistake leaves no file
    if output is not None:
        graphs = [case.source for case, _ in plan if isinstance(case.source, Path)]
        option = "--continue" if resume else "--output"
        refuse_overwriting([(option, str(output))], map(str, graphs))
    gpu, no_gpu = _find_gpu(options.devices)
    meters = _find_meters(options, gpu) if options.energy else {}
    run = RunLine(
        run=f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}",
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        suite=options.suite,
        machine=this_machine(gpu.description if gpu else None),
        versions=versions() | _versions_of(options),
        commit=this_commit(),
        options=options.recorded() | _recorded_meters(options, meters),
    )
    if resume and output is None:
        raise ArgumentError("name the file to continue")
    journal = Journal.resumed(output, run) if resume and output else Journal(output, run)
    runner = Runner(journal, options, progress, gpu, no_gpu, meters)
    runner.run(plan)
    return runner


def _find_meters(options: Options, gpu: GpuDevice | None) -> dict[str, list[Meter]]:
    """The counters of energy of each device; raises if there are none at all."""
    meters: dict[str, list[Meter]] = {}
    reasons: dict[str, None] = {}
    for device in options.devices:
        if device == "cuda" and gpu is None:
            continue
        address = gpu_device.pci_address() if device == "cuda" else ""
        meters[device], missing = find_meters(device, address)
        reasons |= dict.fromkeys(missing)
    if not any(meters.values()):
        raise ArgumentError(f"--energy: no counter can be read here. {'; '.join(reasons)}")
    return meters


def _recorded_meters(
    options: Options, meters: Mapping[str, Sequence[Meter]]
) -> dict[str, dict[str, list[str]]]:
    """What the energy of each device is read from."""
    if not options.energy:
        return {}
    return {
        "energy": {device: [meter.description for meter in own] for device, own in meters.items()}
    }


def _versions_of(options: Options) -> dict[str, str]:
    """Of the peers; a library is known by its bytes."""
    peers = {
        name: peer.version() for name, peer in options.peers.items() if peer.available() is None
    }
    return peers | {
        name: f"sha256 {sha256(path.read_bytes()).hexdigest()[:16]}"
        for name, path in options.libraries.items()
    }


def _find_gpu(devices: Sequence[Device]) -> tuple[GpuDevice | None, str]:
    """The GPU, or why there is none; raises if nothing else is measured."""
    if "cuda" not in devices:
        return None, "this run measures no GPU"
    try:
        return gpu_device.this_gpu(), ""
    except SkerryError as error:
        if "cpu" not in devices:
            raise
        return None, str(error)
