"""tools/lint_docstrings.py sees what a docstring lacks. `make lint` runs it over the package."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from support.paths import ROOT

pytest.importorskip("numpydoc", reason="of the group lint")


@pytest.fixture(scope="module")
def tool():
    sys.path.insert(0, str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location(
        "lint_docstrings", ROOT / "tools/lint_docstrings.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path.remove(str(ROOT / "tools"))
    return module


GOOD = '''
def function(count: int) -> int:
    """
    Doubles a number.

    Parameters
    ----------
    count
        The number.

    Returns
    -------
    int
        Twice the number.

    Raises
    ------
    ValueError
        If it is negative.

    Examples
    --------
    >>> 1 + 1
    2
    """
    return 2 * count
'''


@pytest.fixture
def complaints(tool, monkeypatch, tmp_path):
    """Codes of what is missing in a module of one function, or class."""

    def run(text, name="function"):
        path = tmp_path / "made_up.py"
        path.write_text(f"from __future__ import annotations\n__all__ = [{name!r}]\n{text}")
        spec = importlib.util.spec_from_file_location("made_up", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        monkeypatch.setitem(sys.modules, "made_up", module)
        monkeypatch.setattr(tool, "PUBLIC", ("made_up",))
        pairs = tool.public_names("made_up")
        return [complaint.code for full, value in pairs for complaint in tool.lint(full, value)]

    return run


def test_a_good_docstring(complaints):
    assert complaints(GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("    count\n        The number.\n", "    number\n        The number.\n", "PR01"),
        ("        The number.\n", "", "PR07"),
        ("Raises\n    ------\n    ValueError\n        If it is negative.\n", "", "Raises"),
        ("Examples\n    --------\n    >>> 1 + 1\n    2\n", "", "Examples"),
        ("Returns\n    -------\n    int\n        Twice the number.\n", "", "RT01"),
    ],
)
def test_what_is_missing_is_said(complaints, old, new, code):
    assert old in GOOD
    assert code in complaints(GOOD.replace(old, new))


def test_no_docstring(complaints):
    assert complaints("def function(): pass") == ["GL08"]


def test_methods_and_errors(complaints):
    text = '''
class Thing:
    """What callers receive."""

    size: int
    """Its size."""
    count: int

    def method(self, count): return count

    @property
    def number(self): return 1
'''
    assert complaints(text, "Thing") == ["field", "GL08", "GL08"]
    assert complaints('class BadError(Exception):\n    """What it means."""', "BadError") == []
