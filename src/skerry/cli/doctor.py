"""``skerry doctor``: what this machine and this installation can do, and why not more."""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from rich.table import Table
from rich.text import Text

import skerry
from skerry.algorithms.catalog import catalog
from skerry.cli.format_numbers import bytes_of, plural
from skerry.cli.summary import console, labeled_lines
from skerry.cli.terminal import print_json
from skerry.cli.wording import as_options
from skerry.config import VARIABLES, origin
from skerry.control_groups import quota_cores
from skerry.cuda.devices import find_runtime
from skerry.errors import SkerryError
from skerry.formats.registry import FORMATS
from skerry.machine import memory_free, memory_total, package_version, processor
from skerry.threads import available_cores

REQUIRED = (("numpy", "arrays"),)
CUPY = ("cupy-cuda13x", "cupy-cuda12x", "cupy")
OPTIONAL = (
    (("pyarrow",), "tables, Parquet, CSV, compression"),
    (("scipy",), "sparse matrices, BSR and DIA files, the generator delaunay"),
    (("networkx",), "networkx graphs"),
    (("igraph",), "igraph graphs"),
    (("pandas",), "pandas tables"),
    (("polars",), "polars tables"),
    (("fsspec",), "remote files: s3://, gs://, https://"),
    (CUPY, "NVIDIA GPUs"),
)
"""Packages that are used where they are installed: any of these names, and their purpose."""


def show_doctor(as_json: bool = False) -> None:
    """Prints all of it."""
    report = examine()
    if as_json:
        print_json(report)
        return
    out = console()
    out.print(_machine(report))
    for table in (
        _packages(report["packages"]),
        _settings(report["settings"]),
        _gpu(report["gpu"]),
        _capabilities(report),
    ):
        out.print()
        out.print(table)


def examine() -> dict[str, Any]:
    """What `skerry doctor --json` prints."""
    specs = catalog()
    return {
        "machine": {
            "system": f"{platform.system()} {platform.release()}",
            "architecture": platform.machine(),
            "processor": processor(),
            "cores": available_cores(),
            "cpu_quota": quota_cores(),
            "memory_total": memory_total(),
            "memory_free": memory_free(),
        },
        "python": {"version": platform.python_version(), "executable": sys.executable},
        "skerry": {
            "version": skerry.__version__,
            "folder": str(Path(skerry.__file__).parent),
        },
        "packages": _installed(),
        "settings": [_setting(variable) for variable in VARIABLES],
        "gpu": _examine_gpu(),
        "algorithms": {
            "cpu": sum("cpu" in spec.devices for spec in specs),
            "gpu": sum("cuda" in spec.devices for spec in specs),
        },
        "formats": {
            "read": sum(entry.read is not None for entry in FORMATS),
            "write_graph": sum(entry.write_graph is not None for entry in FORMATS),
            "write_labels": sum(entry.write_labels is not None for entry in FORMATS),
        },
    }


def _installed() -> list[dict[str, Any]]:
    packages = [
        {"name": name, "version": package_version(name), "purpose": purpose, "required": True}
        for name, purpose in REQUIRED
    ]
    for names, purpose in OPTIONAL:
        versions = {name: package_version(name) for name in names}
        name = next((name for name, version in versions.items() if version), names[0])
        packages.append(
            {"name": name, "version": versions[name], "purpose": purpose, "required": False}
        )
    return packages


def _setting(variable: Any) -> dict[str, Any]:
    """A variable of the table of settings, its value, and where that comes from."""
    value: Any = None
    error = None
    source = variable.name
    try:
        source = origin(variable)
        value = resolve_name(variable.reader)()
    except SkerryError as problem:
        error = str(problem)
    return {
        "name": variable.name,
        "value": value,
        "origin": source,
        "error": error,
        "meaning": variable.meaning,
        "argument": as_options(variable.argument),
        "fallbacks": list(variable.fallbacks),
        "default": variable.default,
    }


def _examine_gpu() -> dict[str, Any]:
    """The GPUs that can be used, or why none can."""
    try:
        find_runtime("cuda")
        return {"usable": True, "reason": None, **find_gpus()}
    except SkerryError as error:
        reason = f"none can be used: {as_options(str(error))}"
    except Exception as error:  # a broken driver or CuPy may raise anything: a finding, not a crash
        reason = f"CuPy cannot be used: {error}"
    return {"usable": False, "reason": reason, "devices": []}


def _machine(report: dict[str, Any]) -> Table:
    machine, python, package = report["machine"], report["python"], report["skerry"]
    total, free = bytes_of(machine["memory_total"]), bytes_of(machine["memory_free"])
    cores = f"{plural(machine['cores'], 'core', 'cores')} to use"
    if machine["cpu_quota"] == machine["cores"]:
        cores += ", by the CPU quota of its control group"
    return labeled_lines(
        [
            ("machine", f"{machine['system']}, {machine['architecture']}"),
            ("cores", f"{cores}: {machine['processor']}"),
            ("memory", f"{total}, {free} of it free"),
            ("python", f"{python['version']}, {python['executable']}"),
            ("skerry", Text.assemble((package["version"], "bold"), f", {package['folder']}")),
        ]
    )


def _packages(packages: list[dict[str, Any]]) -> Table:
    table = _three_columns(" package", "version", "purpose")
    for package in packages:
        missing = Text("MISSING", "bold red") if package["required"] else Text("missing", "yellow")
        version = Text(package["version"], "green") if package["version"] else missing
        table.add_row(f" {package['name']}", version, package["purpose"])
    return table


def _settings(settings: list[dict[str, Any]]) -> Table:
    table = _three_columns(" variable", "value", "origin, and what it sets")
    for entry in settings:
        value = Text("?", "bold red") if entry["error"] else Text(str(entry["value"]), "green")
        source = entry["error"] or f"{entry['origin']}: {entry['meaning']}"
        table.add_row(f" {entry['name']}", value, source)
    return table


def _three_columns(*heads: str) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, min_width=14)
    table.add_column(no_wrap=True, min_width=10)
    table.add_column()
    table.add_row(*heads, style="dim")
    return table


def _gpu(gpu: dict[str, Any]) -> Table:
    if not gpu["usable"]:
        return labeled_lines([("gpu", Text(gpu["reason"], style="yellow"))])
    return labeled_lines([("gpu", line) for line in describe_gpus(gpu)])


def _capabilities(report: dict[str, Any]) -> Table:
    algorithms, formats = report["algorithms"], report["formats"]
    gpu = "usable here" if report["gpu"]["usable"] else "not usable here"
    return labeled_lines(
        [
            (
                "runs",
                f"{algorithms['cpu']} algorithms on this CPU; {algorithms['gpu']} on a GPU, {gpu}",
            ),
            (
                "reads",
                f"{formats['read']} formats; writes graphs in {formats['write_graph']} and labels "
                f"in {formats['write_labels']}",
            ),
        ]
    )


def find_gpus() -> dict[str, Any]:
    """Versions of CuPy, driver and runtime, and the properties of every device."""
    import cupy

    runtime = cupy.cuda.runtime
    devices = []
    for number in range(runtime.getDeviceCount()):
        properties = runtime.getDeviceProperties(number)
        with cupy.cuda.Device(number):
            free, total = runtime.memGetInfo()
        devices.append(
            {
                "device": f"cuda:{number}",
                "name": properties["name"].decode("utf-8", "replace"),
                "compute_capability": f"{properties['major']}.{properties['minor']}",
                "memory_total": total,
                "memory_free": free,
            }
        )
    return {
        "cupy": cupy.__version__,
        "driver": _release(runtime.driverGetVersion()),
        "runtime": _release(runtime.runtimeGetVersion()),
        "devices": devices,
    }


def describe_gpus(gpus: dict[str, Any]) -> list[str]:
    """What `find_gpus` returns, as lines: the versions, then each device."""
    lines = [f"CuPy {gpus['cupy']}, driver for CUDA {gpus['driver']}, runtime {gpus['runtime']}"]
    lines += [
        f"{device['device']}  {device['name']}, compute capability "
        f"{device['compute_capability']}, {bytes_of(device['memory_total'])}, "
        f"{bytes_of(device['memory_free'])} of it free"
        for device in gpus["devices"]
    ]
    return lines


def _release(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"
