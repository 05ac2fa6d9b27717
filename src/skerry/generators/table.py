"""Every generator by name, with what can be chosen about it: from text to a recipe.

The rows are read off the functions of `skerry.generators.recipes`; a row here adds only what a signature
cannot say. A command line, and anyone who has a graph's description as text, needs nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import Parameter as Argument
from inspect import signature
from typing import Any, get_args, get_type_hints

from skerry.errors import InputError
from skerry.generators import recipes
from skerry.generators.parameters import READERS, Kind
from skerry.generators.recipes import Recipe

__all__ = ["GENERATORS", "Generator", "Parameter", "parse", "recipe"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something that can be chosen."""

    name: str
    kind: Kind
    required: bool
    default: Any
    """None where it is required, or where leaving it out means something of its own."""
    summary: str

    def read(self, value: Any) -> Any:
        """The value, from text or as it is; `InputError` if it is not one of this kind."""
        try:
            return READERS[self.kind](value)
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"{self.name} must be {KINDS[self.kind]}, got {value!r}") from None


KINDS: Mapping[Kind, str] = {
    "int": "a whole number (2^20 and 1e6 are understood)",
    "float": "a number",
    "bool": "true or false",
    "sizes": "sizes with plus signs between them, such as 1000+20x5 for one of 1000 and 20 of 5",
}


@dataclass(frozen=True, slots=True)
class Generator:
    """A family of graphs."""

    name: str
    summary: str
    make: Callable[..., Recipe]
    parameters: tuple[Parameter, ...]

    def recipe(self, **parameters: Any) -> Recipe:
        """The recipe for these parameters, each of them a value or text."""
        known = {one.name: one for one in self.parameters}
        for name in parameters:
            if name not in known:
                wished = _did_you_mean(name, list(known))
                raise InputError(f"{self.name} has no parameter {name!r}{wished}")
        missing = [
            one.name for one in self.parameters if one.required and one.name not in parameters
        ]
        if missing:
            raise InputError(f"{self.name} needs {' and '.join(missing)}")
        return self.make(**{name: known[name].read(value) for name, value in parameters.items()})


def _did_you_mean(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, 1)
    return f"; did you mean {close[0]!r}?" if close else f"; it is one of {', '.join(known)}"


def _row(make: Callable[..., Recipe], summary: str, **summaries: str) -> Generator:
    hints = get_type_hints(make)
    told = {**summaries, **{name: text for name, text in COMMON.items() if name not in summaries}}
    parameters = tuple(
        Parameter(
            name,
            _kind(hints[name]),
            required=one.default is Argument.empty,
            default=None if one.default is Argument.empty else one.default,
            summary=told[name],
        )
        for name, one in signature(make).parameters.items()
    )
    return Generator(make.__name__, summary, make, parameters)


def _kind(hint: Any) -> Kind:
    kinds: dict[Any, Kind] = {int: "int", float: "float", bool: "bool"}
    for one in (hint, *get_args(hint)):
        if one in kinds and hint not in SIZES:
            return kinds[one]
    return "sizes"


SIZES = (get_type_hints(recipes.planted)["sizes"],)

COMMON = {
    "n": "vertices",
    "seed": "decides every draw",
    "shuffled": "whether ids are given at random",
    "edge_factor": "pairs for each vertex",
    "links": "links of each vertex to earlier ones",
}

GENERATORS: Mapping[str, Generator] = {
    row.name: row
    for row in (
        _row(recipes.grid, "grid, ids row by row", rows="rows", columns="columns"),
        _row(recipes.torus, "grid with opposite sides joined", rows="rows", columns="columns"),
        _row(recipes.path, "path"),
        _row(recipes.star, "vertex 0 joined to all others"),
        _row(recipes.complete, "every pair of vertices"),
        _row(recipes.uniform, "pairs drawn from all pairs, G(n, m)", m="pairs"),
        _row(recipes.random_picks, "every vertex picks k others (Galois r4)", k="picks"),
        _row(
            recipes.rmat,
            "R-MAT: quarters of the matrix chosen again and again",
            scale="there are 2^scale vertices",
            a="probability of the upper left quarter",
            b="probability of the upper right quarter",
            c="probability of the lower left quarter",
        ),
        _row(
            recipes.graph500,
            "R-MAT as the Graph500 has it, ids shuffled",
            scale="there are 2^scale vertices",
        ),
        _row(recipes.delaunay, "triangulation of random points (needs scipy)", points="points"),
        _row(
            recipes.geometric,
            "random points in a square, joined where they are close",
            degree="average degree; 8 if no radius is given either",
            radius="points closer than this are joined; the side of the square is 1",
        ),
        _row(
            recipes.road,
            "road network: a grid of bent streets, some missing",
            width="crossings in a row",
            keep="share of the streets that exist",
            subdivisions="vertices on each street",
        ),
        _row(
            recipes.web,
            "web pages that copy links of earlier ones",
            links="links on each page",
            copied="probability that a link is copied",
        ),
        _row(recipes.preferential_attachment, "links to earlier vertices, drawn by their degrees"),
        _row(
            recipes.mawi,
            "internet traffic: most vertices joined to a few hubs",
            hubs="hubs",
            hub_share="probability that a vertex's edge goes to a hub",
            extra="further edges between any vertices, as a share of n",
        ),
        _row(
            recipes.tiny,
            "random trees of 1, 2, ... vertices",
            components="trees",
            max_size="vertices of the largest",
        ),
        _row(
            recipes.planted,
            "components of given sizes, hence with a known answer",
            sizes="1000+20x5: one of 1000 vertices and 20 of 5",
            chords="edges beyond a tree in each",
        ),
    )
}
"""By name."""


def recipe(name: str, **parameters: Any) -> Recipe:
    """The recipe of a generator with these parameters; text is understood too, and hyphens.

    >>> recipe("grid", rows=3, columns="2^4")
    Recipe(family='grid', parameters=(3, 16), shuffle=None)
    """
    row = GENERATORS.get(name.replace("-", "_"))
    if row is None:
        raise InputError(f"no generator {name!r}{_did_you_mean(name, list(GENERATORS))}")
    return row.recipe(**{key.replace("-", "_"): value for key, value in parameters.items()})


def parse(text: str) -> Recipe:
    """The recipe that a text such as ``rmat:scale=20,edge_factor=16`` describes.

    >>> parse("uniform:n=1e6,m=4e6,seed=7")
    Recipe(family='uniform', parameters=(1000000, 4000000, 7), shuffle=None)
    """
    name, _, rest = text.partition(":")
    parameters: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise InputError(f"in {text!r}, {part!r} must be name=value")
        if key.strip() in parameters:
            raise InputError(f"in {text!r}, {key.strip()} is given twice")
        parameters[key.strip()] = value.strip()
    return recipe(name.strip(), **parameters)
