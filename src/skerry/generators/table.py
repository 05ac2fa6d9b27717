"""The table of generators by name: from text to a recipe.

`skerry.generators.definition` adds the entries. The command line, the functions for devices and the
texts such as ``rmat:scale=20`` are made of this table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from skerry.errors import ArgumentError
from skerry.generators.builder import Recipe
from skerry.generators.parameters import Parameter


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
    example
        Parameters of a graph, as in a text that `parse` reads.
    """

    name: str
    summary: str
    make: Callable[..., Recipe]
    parameters: tuple[Parameter, ...]
    example: str

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
        return self.make(**_values(self, parameters))


def _values(generator: Generator, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The values of parameters, each given as a value or text; hyphens count as underscores."""
    known = {parameter.name: parameter for parameter in generator.parameters}
    values = {name.replace("-", "_"): value for name, value in parameters.items()}
    for name in values:
        if name not in known:
            hint = _did_you_mean(name, list(known))
            raise ArgumentError(f"{generator.name} has no parameter {name!r}{hint}")
    missing = [name for name, each in known.items() if each.required and name not in values]
    if missing:
        raise ArgumentError(f"{generator.name} needs {' and '.join(missing)}")
    return {name: known[name].read(value) for name, value in values.items()}


def _did_you_mean(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, 1)
    return f"; did you mean {close[0]!r}?" if close else f"; it is one of {', '.join(known)}"


GENERATORS: dict[str, Generator] = {}
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
    return _find(name).recipe(**parameters)


def _find(name: str) -> Generator:
    generator = GENERATORS.get(name.replace("-", "_"))
    if generator is None:
        raise ArgumentError(f"no generator {name!r}{_did_you_mean(name, list(GENERATORS))}")
    return generator


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
    generator, parameters = read_spec(text)
    return generator.make(**parameters)


def read_spec(text: str) -> tuple[Generator, dict[str, Any]]:
    """The generator that a text names, and the values of the parameters that it gives."""
    name, _, listed = text.partition(":")
    generator = _find(name.strip())
    parameters: dict[str, str] = {}
    for part in filter(None, listed.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ArgumentError(f"in {text!r}, {part!r} must be name=value")
        if key.strip() in parameters:
            raise ArgumentError(f"in {text!r}, {key.strip()} is given twice")
        parameters[key.strip()] = value.strip()
    return generator, _values(generator, parameters)
