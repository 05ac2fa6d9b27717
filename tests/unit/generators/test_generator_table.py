"""The table of generators: what is written once is found in texts, commands and on the page."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest

from skerry import generators
from skerry.errors import InputError
from skerry.generators import GENERATORS, Recipe, parse
from skerry.generators import device as device_generators
from skerry.generators.definition import generator
from skerry.generators.parameters import Count, Seed
from support.cli import ok, refused
from support.emulator import EmulatedRuntime, works
from support.paths import ROOT


@pytest.fixture
def wheel():
    """A generator that is in the table while a test runs."""

    @generator("spokes=7")
    def wheel(
        spokes: Count, *, shuffled: bool = False, seed: Seed = 1, threads: int | None = None
    ) -> Recipe:
        """A hub joined to all others.

        Parameters
        ----------
        spokes
            Number of neighbors of the ``hub``.
        """
        del shuffled, seed, threads
        return Recipe("star", (spokes + 1,))

    yield wheel
    del GENERATORS["wheel"]


def test_a_generator_that_is_added_is_found_everywhere(wheel, tmp_path):
    edges = wheel(9, threads=1)
    assert (edges.num_vertices, edges.num_edges) == (10, 9)
    assert str(inspect.signature(wheel)).startswith("(spokes: int, *, shuffled: bool = False")
    for text in ("Number of neighbors", "Decides every draw", "How many threads", "InputError"):
        assert text in inspect.getdoc(wheel)

    entry = GENERATORS["wheel"]
    assert entry.summary == "A hub joined to all others"
    assert [each.name for each in entry.parameters] == ["spokes", "shuffled", "seed"]
    assert entry.parameters[0].summary == "Number of neighbors of the hub"
    assert parse("wheel:spokes=9") == wheel.recipe(9) == generators.recipe("wheel", spokes="9")
    assert parse("wheel:spokes=9,shuffled=yes,seed=4") == Recipe("star", (10,), 4)

    assert " wheel " in ok("generate", "--list")
    told = " ".join(ok("generate", "wheel", "--help").split())
    assert "A hub joined to all others." in told
    assert "--spokes" in told and "Number of neighbors of the hub" in told
    assert "Example: skerry generate wheel --spokes 7 -o wheel.parquet" in told
    ok("generate", "wheel", "--spokes", 3, "-o", tmp_path / "wheel.el")
    assert (tmp_path / "wheel.el").read_text() == "0 1\n0 2\n0 3\n"
    line = refused("generate", "wheel", "--spokes", -1, "-o", tmp_path / "no.el")
    assert "--spokes must not be negative, got -1" in line

    if works():
        made = device_generators.make(EmulatedRuntime(), generators.recipe("wheel", spokes=9))
        np.testing.assert_array_equal(made.dst, edges.dst)


@pytest.mark.parametrize("name", GENERATORS)
def test_the_example_of_a_generator_is_a_graph(name):
    assert parse(f"{name}:{GENERATORS[name].example}")


@pytest.mark.parametrize("name", GENERATORS)
def test_bounds_hold_for_every_way_to_call(name):
    values = dict(part.split("=") for part in GENERATORS[name].example.split(","))
    for parameter in GENERATORS[name].parameters:
        if parameter.bounds is None:
            continue
        for bad in (parameter.bounds.low - 1, parameter.bounds.high + 1):
            if abs(bad) == float("inf"):
                continue
            with pytest.raises(InputError, match=f"^{parameter.name} must"):
                generators.recipe(name, **{**values, parameter.name: bad})


def test_a_call_that_does_not_fit_names_the_function():
    with pytest.raises(TypeError, match=r"grid\(\): missing a required argument: 'columns'"):
        generators.grid(3)
    with pytest.raises(TypeError, match=r"grid\(\): got an unexpected keyword argument 'rowz'"):
        generators.grid(3, 4, rowz=3)


def test_the_page_lists_all_generators():
    page = (ROOT / "docs/generators.md").read_text()
    assert re.findall(r"^\| `.*", page, re.MULTILINE) == [row(each) for each in GENERATORS.values()]


def row(entry):
    """A generator in the table of docs/generators.md."""
    parameters = ", ".join(
        each.name if not each.default else f"{each.name}={each.default:.4g}"
        for each in entry.parameters
        if each.name not in ("seed", "shuffled")
    )
    return f"| `{entry.name}` | {parameters} | {entry.summary} |"
