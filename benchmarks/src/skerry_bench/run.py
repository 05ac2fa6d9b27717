"""One run from options to a record: the machine, a GPU if one is wanted, the graphs, the file."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from skerry.errors import InputError, SkerryError
from skerry_bench.external import parse_external
from skerry_bench.implementation import Device, Peer
from skerry_bench.isolation import Isolation
from skerry_bench.journal import Journal
from skerry_bench.machine import this_commit, this_machine, versions
from skerry_bench.peers import PEERS
from skerry_bench.results import Gpu, RunLine
from skerry_bench.runner import DeviceSide, Runner
from skerry_bench.show import Show
from skerry_bench.tasks import Options, plan_tasks

__all__ = ["choose_peers", "default_output", "devices_of", "known_peers", "run_suite"]


def known_peers() -> Mapping[str, Peer]:
    """All adapters there are, by name."""
    return PEERS


def choose_peers(wanted: str) -> dict[str, Peer]:
    """``installed``, ``none``, or names: those that are named and missing will be told of."""
    known = known_peers()
    if wanted == "none":
        return {}
    if wanted == "installed":
        return {name: peer for name, peer in known.items() if peer.available() is None}
    if wanted == "all":
        return dict(known)
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    for name in names:
        if name not in known:
            there = ", ".join(("none", "installed", "all", *known))
            raise InputError(f"no peer {name!r}; there are: {there}")
    return {name: known[name] for name in names}


def devices_of(name: str) -> tuple[Device, ...]:
    """``cpu``, ``cuda`` or ``both``."""
    table: dict[str, tuple[Device, ...]] = {
        "cpu": ("cpu",),
        "cuda": ("cuda",),
        "both": ("cpu", "cuda"),
    }
    if name not in table:
        raise InputError(f'device must be "cpu", "cuda" or "both", got {name!r}')
    return table[name]


def default_output(suite: str) -> Path:
    """A file of its own for each run, so that nothing is lost or mixed up."""
    return Path("bench-results") / f"{suite}-{datetime.now():%Y-%m-%d-%H%M%S}.jsonl"


def run_suite(
    options: Options, output: Path | None, *, go_on: bool = False, show: Show | None = None
) -> Runner:
    """Measures all that the options ask for; what there is stays in the file, come what may."""
    with Isolation(options.pace) as isolation:
        peers = {name: isolation.of(peer) for name, peer in options.peers.items()}
        for external in (parse_external(text, options.pace) for text in options.external):
            if external.name in {**peers, **known_peers()}:
                raise InputError(f"--external {external.name}: that name is taken")
            peers[external.name] = external
        return _run(replace(options, peers=peers), output, go_on, show or Show())


def _run(options: Options, output: Path | None, go_on: bool, show: Show) -> Runner:
    plan = plan_tasks(options)  # before anything is written: a mistake leaves no file
    side, gpu, missing = _find_gpu(options.devices)
    run = RunLine(
        run=f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}",
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        suite=options.suite,
        machine=this_machine(gpu),
        versions=versions() | _versions_of(options.peers),
        commit=this_commit(),
        options=options.told(),
    )
    if go_on and output is None:
        raise InputError("say which file is to be continued")
    journal = Journal.going_on(output, run) if go_on and output else Journal(output, run)
    runner = Runner(journal, options, show, side, missing)
    runner.run(plan)
    return runner


def _versions_of(peers: Mapping[str, Peer]) -> dict[str, str]:
    return {name: peer.version() for name, peer in peers.items() if peer.available() is None}


def _find_gpu(devices: Sequence[Device]) -> tuple[DeviceSide | None, Gpu | None, str]:
    if "cuda" not in devices:
        return None, None, "no GPU is measured on"
    try:
        from skerry_bench.gpu import this_gpu

        bench, facts = this_gpu()
    except SkerryError as error:
        if "cpu" not in devices:
            raise
        return None, None, str(error)
    return DeviceSide(bench.runtime, bench.release), _gpu_of(facts), ""


def _gpu_of(facts: Mapping[str, Any]) -> Gpu:
    release = int(facts.get("cuda_runtime", 0))
    cuda = f"{release // 1000}.{release % 1000 // 10}" if release else ""
    return Gpu(str(facts["device"]), str(facts.get("driver", "")), cuda)
