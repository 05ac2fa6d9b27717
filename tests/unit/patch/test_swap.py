"""`Swap`: another library's functions replaced, and put back."""

from __future__ import annotations

import subprocess
import sys
import types

import pytest

import skerry.dedupe
import skerry.recordlinkage
from skerry.patch import Swap


def ours(value):
    """Takes the place of the library's."""
    return "ours", value


@pytest.fixture
def library(monkeypatch):
    module, user = types.ModuleType("made_up"), types.ModuleType("made_up_user")

    class Step:
        def run(self, value):
            return "theirs", value

    module.solve = user.renamed = lambda value: ("theirs", value)
    module.Step = Step
    for made in (module, user):
        monkeypatch.setitem(sys.modules, made.__name__, made)
    return module


def test_functions_are_replaced_wherever_they_are_named_and_put_back(library):
    user, solve = sys.modules["made_up_user"], library.solve
    with Swap("made-up", {"made_up:solve": ours}):
        assert library.solve(1) == user.renamed(1) == ("ours", 1)
        library.later = library.solve  # as `from made_up import solve` in the block
        assert Swap.original("made-up", "made_up:solve") is solve
    assert library.solve is user.renamed is library.later is solve
    assert Swap.original("made-up", "made_up:solve") is solve


def test_methods_are_replaced_of_objects_that_exist(library):
    step = library.Step()
    with Swap("made-up", {"made_up:Step.run": lambda _, value: ours(value)}):
        assert step.run(2) == ("ours", 2)
    assert step.run(2) == ("theirs", 2)


class Steps:
    """Takes the place of a class."""


def test_classes_can_be_swapped_more_than_once(library):
    original = library.Step
    for _ in range(2):
        with Swap("made-up", {"made_up:Step": Steps}):
            assert library.Step is Steps
        assert library.Step is original


def test_swaps_may_be_nested_and_end_with_an_error(library):
    outer, inner = (Swap("made-up", {"made_up:solve": ours}) for _ in range(2))
    outer.start()
    with pytest.raises(ZeroDivisionError), inner:
        raise ZeroDivisionError
    assert library.solve(3) == ("ours", 3)
    assert outer.start() is outer  # it is active: nothing to do
    outer.stop()
    outer.stop()
    assert library.solve(3) == ("theirs", 3)


def test_ours_that_a_caller_imported_stays_ours(library):
    library.imported_from_skerry = ours
    with Swap("made-up", {"made_up:solve": ours}):
        pass
    assert library.imported_from_skerry is ours


def test_nothing_is_replaced_if_something_is_missing(library):
    for path in ("made_up:absent", "made_up:Step.absent", "not_installed_at_all:solve"):
        with pytest.raises(skerry.UnsupportedError, match="made-up"):
            Swap("made-up", {"made_up:solve": ours, path: ours}).start()
        assert library.solve(4) == ("theirs", 4)


@pytest.mark.parametrize("name", ["splink", "dedupe", "recordlinkage", "text_dedup", "data_juicer"])
def test_a_library_is_not_imported_before_it_is_used(name):
    program = f"import sys, skerry.{name} as it; assert {name!r} not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.fixture
def recordlinkage(monkeypatch):
    """A library of this name, as far as `skerry.recordlinkage` looks at it."""
    package, network = (types.ModuleType(f"recordlinkage{part}") for part in ("", ".network"))
    network.ConnectedComponents = type("ConnectedComponents", (), {"compute": lambda _: "its"})
    for module in (package, network):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return network.ConnectedComponents


def test_the_plain_call_of_use_replaces_until_it_is_stopped(recordlinkage):
    own = recordlinkage.compute
    swap = skerry.recordlinkage.use()
    assert recordlinkage.compute is not own
    swap.stop()
    assert recordlinkage.compute is own
    with skerry.recordlinkage.use():
        assert recordlinkage.compute is not own
    assert recordlinkage.compute is own


def test_use_of_a_library_that_is_missing_is_an_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "dedupe", None)
    with pytest.raises(skerry.UnsupportedError, match="this needs dedupe"):
        skerry.dedupe.use()
