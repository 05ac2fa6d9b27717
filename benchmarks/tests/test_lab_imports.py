"""What the lab imports: of skerry its public names; its own modules without circles."""

from __future__ import annotations

import ast
import importlib
import runpy
from collections import Counter

import pytest

from lab.paths import LAB
from support import layers
from support.paths import ROOT

PUBLIC = runpy.run_path(str(ROOT / "tools/public_api.py"))["PUBLIC"]

LATE = {
    "skerry_bench.cli": (13, "start-up: a subcommand loads what it runs"),
    "skerry_bench.cases": (4, "start-up"),
    "skerry_bench.counters": (4, "runs in a process of its own"),
    "skerry_bench.isolation": (1, "the name of the program that it starts"),
    "skerry_bench.isolated": (1, "runs in a process of its own"),
}
"""Imports inside functions: how many modules may have, and why. The number may only shrink."""


@pytest.fixture(scope="module")
def sources():
    return layers.read_sources(LAB / "src")


def test_no_circles(sources):
    assert layers.circles(sources) == []


def test_late_imports_have_a_reason(sources):
    counts = Counter[str]()
    for module, count in layers.late_imports(sources).items():
        entry = layers.allowance(module, LATE)
        assert entry, f"{module} imports our modules inside functions: say why in LATE"
        counts[entry] += count
    assert [name for name, count in counts.items() if count > LATE[name][0]] == []


NOT_PUBLIC = {
    "skerry._native": 2,
    "skerry.algorithms.gpu_planner.ONE_BLOCK": 2,
    "skerry.algorithms.gpu_planner.links_over": 1,
    "skerry.cli.errors.WRONG": 1,
    "skerry.cli.errors.plain_errors": 10,
    "skerry.cli.errors.say": 3,
    "skerry.cli.options.Quiet": 1,
    "skerry.formats.overwriting.refuse_overwriting": 2,
    "skerry.config.temporary_folder": 7,
    "skerry.cuda.devices.find_runtime": 2,
    "skerry.cuda.runtime.Runtime": 9,
    "skerry.engines.streaming.gather.gather": 2,
    "skerry.errors.ArgumentError": 19,
    "skerry.formats.open.open_edges": 1,
    "skerry.formats.readers.text.ldbc.read_pair": 1,
    "skerry.formats.sniff.known_suffix": 1,
    "skerry.formats.source.COMPRESSIONS": 1,
    "skerry.formats.writers.atomic_file.atomic_file": 1,
    "skerry.formats.writers.integer_text.write_rows": 1,
    "skerry.generators.device.make": 4,
    "skerry.generators.parameters.READERS": 1,
    "skerry.graph.build": 1,
    "skerry.graph.build._built": 3,
    "skerry.graph.build.csr_from_edges": 6,
    "skerry.graph.build.edges_from_csr": 1,
    "skerry.graph.device.DeviceCsr": 2,
    "skerry.graph.device.DeviceEdges": 2,
    "skerry.graph.device_build": 2,
    "skerry.graph.device_build.csr_from_edges": 1,
    "skerry.graph.edges.vertex_dtype": 3,
    "skerry.graph.graph.GraphForm": 1,
    "skerry.inputs.device.upload": 1,
    "skerry.machine.memory_free": 1,
    "skerry.machine.memory_total": 1,
    "skerry.machine.processor": 1,
    "skerry.threads.resolve_threads": 4,
}
"""Other names of skerry that the lab imports, and in how many modules. The list may only shrink:
lower a number, or remove a name, when an import goes. New code uses public names.
"""


def is_public(module, name):
    full = f"{module}.{name}"
    return full in PUBLIC or (
        module in PUBLIC and name in (*importlib.import_module(module).__all__, "__version__")
    )


def private_names(text):
    """The names of skerry that a source uses and that are not public."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "skerry":
            names |= {
                f"{node.module}.{alias.name}"
                for alias in node.names
                if not is_public(node.module, alias.name)
            }
        elif isinstance(node, ast.Import):
            modules = (alias.name for alias in node.names)
            names |= {name for name in modules if name.startswith("skerry.")} - {*PUBLIC}
        elif isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "skerry":
            is_private = not node.attr.startswith("__") and not is_public("skerry", node.attr)
            names |= {f"skerry.{node.attr}"} if is_private else set()
    return names


def test_the_lab_uses_public_names(sources):
    found = Counter(name for text in sources.values() for name in private_names(text))
    more = {name: count for name, count in found.items() if count > NOT_PUBLIC.get(name, 0)}
    assert not more, "names of skerry that are not public"
    assert found == NOT_PUBLIC, "fewer imports: lower the numbers of NOT_PUBLIC"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from skerry.graph.csr import Csr", {"skerry.graph.csr.Csr"}),
        ("def f():\n    import skerry.engines.dispatch", {"skerry.engines.dispatch"}),
        ("from skerry import Csr, _native", {"skerry._native"}),
        ("import skerry\nskerry.engines.solve()", {"skerry.engines"}),
        ("from skerry.generators import builder, recipe", {"skerry.generators.builder"}),
        ("import skerry.io\nfrom skerry import Edges, generators\nskerry.__file__", set()),
        ("from skerry_bench.cases import Case", set()),
    ],
)
def test_a_private_name_is_found(text, expected):
    assert private_names(text) == expected
