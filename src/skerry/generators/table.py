"""The table of generators by name, with their parameters: from text to a recipe.

The parameters come from the signatures of `skerry.generators.recipes`; an entry adds their
descriptions. The command line is made of this table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import Parameter as Argument
from inspect import signature
from typing import Any, get_args, get_type_hints

from skerry.errors import ArgumentError
from skerry.generators import recipes
from skerry.generators.parameters import READERS, Kind
from skerry.generators.recipes import Recipe

__all__ = ["GENERATORS", "Generator", "Parameter", "parse", "recipe"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a generator.

    Immutable; threads may share it.

    Attributes
    ----------
    name
        Its name.
    kind
        ``"int"``, ``"float"``, ``"bool"`` or ``"sizes"``.
    required
        Whether it has no default.
    default
        None where it is required, or where leaving it out has a meaning of its own.
    summary
        What it means.
    """

    name: str
    kind: Kind
    required: bool
    default: Any
    summary: str

    def read(self, value: Any) -> Any:
        """The value, from text or as it is.

        Parameters
        ----------
        value
            Text such as ``"2^20"``, or a value.

        Returns
        -------
        object
            An int, float, bool or list of ints.
        """
        try:
            return READERS[self.kind](value)
        except (TypeError, ValueError, OverflowError):
            raise ArgumentError(f"{self.name} must be {KINDS[self.kind]}, got {value!r}") from None


KINDS: Mapping[Kind, str] = {
    "int": "an integer, such as 1000000, 1e6 or 2^20",
    "float": "a number",
    "bool": "true or false",
    "sizes": "sizes with plus signs between them, such as 1000+20x5 for one of 1000 and 20 of 5",
}


@dataclass(frozen=True, slots=True)
class Generator:
    """A generator of graphs: a family and its parameters.

    Immutable; threads may share it.

    Attributes
    ----------
    name
        Its name.
    summary
        What its graphs are.
    make
        The function that makes a recipe of parameters.
    parameters
        Its parameters, in order.
    """

    name: str
    summary: str
    make: Callable[..., Recipe]
    parameters: tuple[Parameter, ...]

    def recipe(self, **parameters: Any) -> Recipe:
        """The recipe for these parameters.

        Parameters
        ----------
        **parameters
            Each of them a value or text.

        Returns
        -------
        Recipe
            The description of the graph.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in parameters:
            if name not in known:
                hint = _did_you_mean(name, list(known))
                raise ArgumentError(f"{self.name} has no parameter {name!r}{hint}")
        missing = [
            name
            for name, parameter in known.items()
            if parameter.required and name not in parameters
        ]
        if missing:
            raise ArgumentError(f"{self.name} needs {' and '.join(missing)}")
        return self.make(**{name: known[name].read(value) for name, value in parameters.items()})


def _did_you_mean(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, 1)
    return f"; did you mean {close[0]!r}?" if close else f"; it is one of {', '.join(known)}"


def _entry(make: Callable[..., Recipe], summary: str, **summaries: str) -> Generator:
    hints = get_type_hints(make)
    described = {**COMMON, **summaries}
    parameters = tuple(
        Parameter(
            name,
            _kind(hints[name]),
            required=argument.default is Argument.empty,
            default=None if argument.default is Argument.empty else argument.default,
            summary=described[name],
        )
        for name, argument in signature(make).parameters.items()
    )
    return Generator(make.__name__, summary, make, parameters)


def _kind(hint: Any) -> Kind:
    kinds: dict[Any, Kind] = {int: "int", float: "float", bool: "bool"}
    for member in (hint, *get_args(hint)):
        if member in kinds and hint not in SIZES:
            return kinds[member]
    return "sizes"


SIZES = (get_type_hints(recipes.planted)["sizes"],)

COMMON = {
    "n": "vertices",
    "seed": "decides every draw",
    "shuffled": "whether ids are permuted at random",
    "edge_factor": "pairs for each vertex",
    "links": "links of each vertex to earlier ones",
}

GENERATORS: Mapping[str, Generator] = {
    generator.name: generator
    for generator in (
        _entry(recipes.grid, "grid, ids row by row", rows="rows", columns="columns"),
        _entry(recipes.torus, "grid with opposite sides joined", rows="rows", columns="columns"),
        _entry(recipes.path, "path"),
        _entry(recipes.star, "vertex 0 joined to all others"),
        _entry(recipes.complete, "every pair of vertices"),
        _entry(recipes.uniform, "pairs drawn from all pairs, G(n, m)", m="pairs"),
        _entry(recipes.random_picks, "every vertex picks k others", k="picks"),
        _entry(
            recipes.ring, "cycle, and pairs drawn from all pairs", chords="pairs beside the cycle"
        ),
        _entry(
            recipes.rmat,
            "R-MAT: quarters of the matrix chosen again and again",
            scale="there are 2^scale vertices",
            a="probability of the upper left quarter",
            b="probability of the upper right quarter",
            c="probability of the lower left quarter",
        ),
        _entry(
            recipes.rmat_of,
            "R-MAT with any number of vertices",
            m="pairs",
            a="probability of the upper left quarter",
            b="probability of the upper right quarter",
            c="probability of the lower left quarter",
        ),
        _entry(
            recipes.graph500,
            "R-MAT as the Graph500 has it, ids shuffled",
            scale="there are 2^scale vertices",
        ),
        _entry(
            recipes.graph500_reference,
            "the edges that the Graph500's reference code 2.1.4 makes",
            scale="there are 2^scale vertices",
            seed1="first seed of the user",
            seed2="second seed of the user",
        ),
        _entry(
            recipes.delaunay,
            "triangulation of random points (needs scipy)",
            points="points",
            swept="share of the points whose ids follow a sweep over the square",
        ),
        _entry(
            recipes.geometric,
            "random points in a square, joined where they are close",
            degree="average degree; 8 if no radius is given either",
            radius="points closer than this are joined; the side of the square is 1",
        ),
        _entry(
            recipes.road,
            "road network: a grid of bent streets, some missing",
            width="crossings in a row",
            keep="share of the streets that exist",
            subdivisions="vertices on each street",
            joined="whether a maze of streets joins all crossings",
            largest_degree="degree of one crossing in 256 x 256; 0 for none but those of the grid",
        ),
        _entry(
            recipes.web,
            "web pages that copy links of earlier ones",
            links="links on each page",
            copied="probability that a link is copied",
        ),
        _entry(
            recipes.preferential_attachment, "links to earlier vertices, drawn by their degrees"
        ),
        _entry(
            recipes.profile,
            "stated numbers of edges, of neighbors of a hub, and of components",
            m="distinct edges, about",
            largest_degree="degree of the hub, about",
            components="one large and small parts",
            part_size="vertices of a small part",
            near="share of the links that lead to vertices with near ids",
            leaves="share of the vertices with one neighbor",
        ),
        _entry(
            recipes.mawi,
            "internet traffic: most vertices joined to a few hubs",
            hubs="hubs",
            hub_share="probability that a vertex's edge goes to a hub",
            extra="further edges between any vertices, as a share of n",
        ),
        _entry(
            recipes.tiny,
            "random trees of 1, 2, ... vertices",
            components="trees",
            max_size="vertices of the largest",
        ),
        _entry(
            recipes.planted,
            "components of given sizes, so that the labels are known",
            sizes="1000+20x5: one of 1000 vertices and 20 of 5",
            chords="edges beyond a tree in each",
        ),
    )
}
"""By name."""


def recipe(name: str, **parameters: Any) -> Recipe:
    """The recipe of a generator with these parameters.

    Parameters
    ----------
    name
        A key of `GENERATORS`; hyphens count as underscores.
    **parameters
        Values, or text such as ``"2^20"``.

    Returns
    -------
    Recipe
        The description of the graph.

    Raises
    ------
    InputError
        If there is no such generator or parameter, or a value is out of range.

    Examples
    --------
    >>> recipe("grid", rows=3, columns="2^4")
    Recipe(family='grid', parameters=(3, 16), shuffle=None)
    """
    generator = GENERATORS.get(name.replace("-", "_"))
    if generator is None:
        raise ArgumentError(f"no generator {name!r}{_did_you_mean(name, list(GENERATORS))}")
    return generator.recipe(**{key.replace("-", "_"): value for key, value in parameters.items()})


def parse(text: str) -> Recipe:
    """The recipe that a text such as ``rmat:scale=20,edge_factor=16`` describes.

    Parameters
    ----------
    text
        The name of a generator, a colon, and its parameters with commas between them.

    Returns
    -------
    Recipe
        The description of the graph.

    Raises
    ------
    InputError
        If it does not describe a graph.

    Examples
    --------
    >>> parse("uniform:n=1e6,m=4e6,seed=7")
    Recipe(family='uniform', parameters=(1000000, 4000000, 7), shuffle=None)
    """
    name, _, listed = text.partition(":")
    parameters: dict[str, str] = {}
    for part in filter(None, listed.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ArgumentError(f"in {text!r}, {part!r} must be name=value")
        if key.strip() in parameters:
            raise ArgumentError(f"in {text!r}, {key.strip()} is given twice")
        parameters[key.strip()] = value.strip()
    return recipe(name.strip(), **parameters)
