"""``skerry doctor``: what this machine and this installation can do, and why not more."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from rich.table import Table
from rich.text import Text

import skerry
from skerry import _native
from skerry.algorithms.catalog import catalog
from skerry.cli.errors import as_options
from skerry.cli.format_numbers import bytes_of, many
from skerry.cli.machine import memory_free, memory_total, package_version, processor
from skerry.cli.summary import console, rows
from skerry.cuda.devices import find_runtime
from skerry.errors import SkerryError
from skerry.formats.registry import FORMATS
from skerry.threads import available_threads

__all__ = ["show_doctor"]

CUPY = ("cupy-cuda13x", "cupy-cuda12x", "cupy")

OPTIONAL = (
    (("scipy",), "sparse matrices, BSR and DIA files, the generator delaunay"),
    (("networkx",), "networkx graphs, GML, GEXF, Pajek and adjacency lists"),
    (("igraph",), "igraph graphs"),
    (("pandas",), "pandas tables"),
    (("polars",), "polars tables"),
    (("fsspec",), "remote files: s3://, gs://, https://"),
    (CUPY, "NVIDIA GPUs"),
)
"""Packages that are used where they are: any of these names, and what for."""


def show_doctor() -> None:
    """Prints all of it."""
    out = console()
    out.print(_machine())
    out.print()
    out.print(_packages())
    out.print()
    usable, told = _gpus()
    out.print(told)
    out.print()
    out.print(_able(usable))


def _machine() -> Table:
    threads = available_threads()
    team = "OpenMP" if _native.uses_openmp() else "threads of C++, without OpenMP"
    place = Path(skerry.__file__).parent
    return rows(
        [
            ("machine", f"{platform.system()} {platform.release()}, {platform.machine()}"),
            ("cores", f"{many(threads, 'core', 'cores')} to use: {processor()}"),
            ("memory", f"{bytes_of(memory_total())}, {bytes_of(memory_free())} of it free"),
            ("python", f"{platform.python_version()}, {sys.executable}"),
            ("skerry", Text.assemble((skerry.__version__, "bold"), f", {place}")),
            ("threads", team),
        ]
    )


def _packages() -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, min_width=14)
    table.add_column(no_wrap=True, min_width=10)
    table.add_column()
    table.add_row(" package", "version", "what it gives", style="dim")
    for name, gives in (("numpy", "arrays"), ("pyarrow", "tables, Parquet, CSV, compression")):
        table.add_row(f" {name}", package_version(name) or Text("MISSING", "bold red"), gives)
    for names, gives in OPTIONAL:
        found = [(name, package_version(name)) for name in names]
        name, version = next((one for one in found if one[1]), (names[0], None))
        shown = Text(version, "green") if version else Text("missing", "yellow")
        table.add_row(f" {name}", shown, gives)
    return table


def _gpus() -> tuple[bool, Table]:
    """Whether a GPU can be used, and which, or why not."""
    try:
        find_runtime("cuda")
        from skerry.cli.gpus import describe_gpus

        return True, rows([("gpu", line) for line in describe_gpus()])
    except SkerryError as error:
        why = f"none can be used: {as_options(str(error))}"
    except Exception as error:  # a broken driver or CuPy may raise anything: a finding, not a crash
        why = f"CuPy cannot be used: {error}"
    return False, rows([("gpu", Text(why, style="yellow"))])


def _able(gpu: bool) -> Table:
    found = catalog()
    on_cpu = sum("cpu" in row.devices for row in found)
    on_gpu = sum("cuda" in row.devices for row in found)
    read = sum(row.read is not None for row in FORMATS)
    graphs = sum(row.write_graph is not None for row in FORMATS)
    here = "which is here" if gpu else "which cannot be used here"
    labels = sum(row.write_labels is not None for row in FORMATS)
    return rows(
        [
            ("runs", f"{on_cpu} algorithms on this CPU; {on_gpu} on a GPU, {here}"),
            ("reads", f"{read} formats; writes graphs in {graphs} and labels in {labels}"),
        ]
    )
