"""What is added is one module and one entry, as CONTRIBUTING.md counts: shown by adding it."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest

import skerry
from skerry.algorithms.gpu.backend import KERNELS
from skerry.algorithms.passes import Kernel
from skerry.engines import dispatch
from skerry.engines.memory import MEMORY
from skerry.formats import registry
from skerry.graph.edge_source import Batch, EdgeSource, InputFacts
from skerry.inputs.sources import HostSource
from support.paths import ROOT

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


def read(file, _options):
    """A format of one line: the numbers of a path."""
    with file.open() as stream:
        path = np.array(stream.read().split(b">"), np.int64)
    return EdgeSource(
        file.name,
        "vertices",
        lambda _: iter([Batch(path[:-1], path[1:])]),
        facts=InputFacts("steps"),
    )


def test_a_format_is_a_module_and_an_entry(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "made_up_format", sys.modules[__name__])
    entry = registry.Format("steps", (".steps",), "a path", "vertices", read="made_up_format:read")
    formats = (*registry.FORMATS, entry)
    for module in [value for name, value in sys.modules.items() if name.startswith("skerry.")]:
        if getattr(module, "FORMATS", None) is registry.FORMATS and module is not registry:
            monkeypatch.setattr(module, "FORMATS", formats)
    monkeypatch.setattr(registry, "FORMATS", formats)
    (tmp_path / "graph.steps").write_text("0 > 4 > 2")
    result = skerry.connected_components(tmp_path / "graph.steps")
    assert result.labels.tolist() == [0, 1, 0, 3, 0]
    assert result.plan.input.format == "steps"


class Backwards:
    """An engine that passes on to the one for memory, and says so."""

    name = "backwards"
    source = HostSource
    honors = frozenset({"algorithm"})

    def refusal(self, _source, _options):
        return None

    def solve(self, source, options):
        self.calls = getattr(self, "calls", 0) + 1
        return MEMORY.solve(source, options)


def test_an_engine_is_a_module_and_an_entry(monkeypatch):
    engine = Backwards()
    module = type(sys)("made_up_engine")
    module.ENGINE = engine
    monkeypatch.setitem(sys.modules, "made_up_engine", module)
    entry = dispatch.EngineEntry("backwards", HostSource, "made_up_engine", "ENGINE")
    monkeypatch.setattr(dispatch, "ENGINES", (entry, *dispatch.ENGINES))
    graph = (np.array([0, 1]), np.array([1, 2]))
    assert skerry.connected_components(graph, algorithm="ecl").count == 1
    assert engine.calls == 1
    # An option that it does not honor goes to the next engine, which does.
    assert skerry.connected_components(graph, statistics=True).plan.statistics is not None
    assert engine.calls == 1


def test_whole_algorithms_are_a_line_of_a_registry():
    text = (ROOT / "src/skerry/kernels/cpu/registry.cpp").read_text()
    lines = set(re.findall(r'SKERRY_KERNEL\("([^"]+)"', text))
    for spec in skerry.catalog():
        for device, passes in (("cpu", spec.passes), ("cuda", spec.gpu or spec.passes)):
            for step in passes:
                if isinstance(step, Kernel) and device in spec.devices:
                    assert step.kernel in (lines if device == "cpu" else KERNELS), (
                        spec.name,
                        device,
                    )


@pytest.mark.parametrize(
    "path",
    re.findall(r"`((?:algorithms|kernels|formats|engines|inputs|config)[\w/.]*)`", CONTRIBUTING),
)
def test_files_that_the_counts_name(path):
    if "NAME" in path:
        path = path.rpartition("/")[0]
    assert (ROOT / "src/skerry" / path).exists()
