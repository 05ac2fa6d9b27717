"""Every public class says in its docstring what threads may share."""

from __future__ import annotations

import inspect

import pytest

import skerry
import skerry.datasets
import skerry.generators
import skerry.io

CLASSES = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (skerry, skerry.io, skerry.generators, skerry.datasets)
    for name in module.__all__
    if inspect.isclass(getattr(module, name)) and not issubclass(getattr(module, name), Exception)
}


@pytest.mark.parametrize("name", CLASSES)
def test_threads_are_mentioned(name):
    text = inspect.getdoc(CLASSES[name]) or ""
    assert "thread" in text.lower(), f"{name}: say what threads may share"
