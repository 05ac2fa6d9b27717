"""The stub of the compiled module describes the module that is built."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from support.paths import ROOT

TOOL = ROOT / "tools/native_stub.py"
pytestmark = [
    pytest.mark.skipif(not TOOL.exists(), reason="no tools/native_stub.py"),
    pytest.mark.skipif(not importlib.util.find_spec("nanobind"), reason="needs nanobind"),
]


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("native_stub", TOOL)
    module = sys.modules["native_stub"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_stub_is_up_to_date(tool):
    lines = tool.differences(tool.STUB.read_text(), tool.generate())
    assert not lines, "\n".join([f"run python {TOOL.relative_to(ROOT)}", *lines])


def test_differences_are_found(tool):
    stub = "import b\nimport a\ndef f(x: int, /) -> int: ...\n"
    assert not tool.differences(
        stub, "import a\nimport b\n\ndef f(\n    x: int,\n    /,\n) -> int: ..."
    )
    assert tool.differences(stub, stub.replace("-> int", "-> str"))
    assert tool.differences(stub, stub + "def g() -> None: ...\n")
