"""From the definition of a generator to its public function and its entry in the table.

A definition is written once, as a function: its signature has the parameters with their types,
bounds and defaults, its docstring says what they mean, and its body returns the recipe.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from inspect import Parameter as Argument
from inspect import Signature, getdoc, signature
from textwrap import dedent, indent
from typing import Any, ParamSpec, Protocol, cast, get_type_hints

from skerry.generators.builder import Recipe, make
from skerry.generators.parameters import Kind, Parameter
from skerry.generators.table import GENERATORS, Generator
from skerry.graph.edges import Edges

P = ParamSpec("P")

SHARED = {
    "n": "Number of vertices.",
    "m": "Number of pairs.",
    "rows": "Vertices from top to bottom.",
    "columns": "Vertices from left to right.",
    "scale": "There are 2^scale vertices.",
    "edge_factor": "Pairs for each vertex.",
    "a": "Probability of the upper left quarter.",
    "b": "Probability of the upper right quarter.",
    "c": "Probability of the lower left quarter.",
    "links": "Links of each vertex to earlier ones.",
    "shuffled": "Whether ids are a random permutation.",
    "seed": "Decides every draw, 0..2**64 - 1.",
    "threads": "How many threads to use; all of the machine by default.",
}
"""What parameters mean that several generators have; a definition may say it in its own words."""

KINDS: Mapping[Any, Kind] = {int: "int", float: "float", float | None: "float", bool: "bool"}

DOCSTRING = """\
{about}

Parameters
----------
{parameters}

Returns
-------
Edges
    The graph.

Raises
------
InputError
    If a parameter is out of range, or the graph too large to be numbered.
{raises}
Examples
--------
>>> from skerry import generators
{examples}
"""


class GeneratorFunction(Protocol[P]):
    """A public function that makes a graph; ``recipe`` describes the graph without making it."""

    recipe: Callable[P, Recipe]

    def __call__(self, *arguments: P.args, **options: P.kwargs) -> Edges:
        """Makes the graph."""


def generator(example: str) -> Callable[[Callable[P, Recipe]], GeneratorFunction[P]]:
    """Makes a public function of a definition, and adds it to the table.

    A definition gets values that are within their bounds. It uses neither ``threads``, which is not
    part of a recipe, nor ``shuffled``, which is added to the recipe here. Its docstring leaves out
    the parameters of `SHARED` and what all generators return and raise. ``example`` lists
    parameters of a graph, as in a text for `skerry.generators.parse`.
    """

    def add(definition: Callable[P, Recipe]) -> GeneratorFunction[P]:
        name, sections = definition.__name__, _sections(definition)
        texts = {**SHARED, **_descriptions(sections.get("Parameters", ""))}
        public = _plain_signature(definition)
        parameters = _parameters(definition, texts)
        describe = _recipe_function(definition, public, parameters)

        def make_edges(*arguments: Any, threads: int | None = None, **options: Any) -> Edges:
            return make(describe(*arguments, **options), threads)

        _present(make_edges, definition, name, public)
        make_edges.__doc__ = _docstring(sections, texts, public.parameters)
        make_edges.recipe = describe  # type: ignore[attr-defined]
        GENERATORS[name] = Generator(name, sections["Summary"], describe, parameters, example)
        return cast("GeneratorFunction[P]", make_edges)

    return add


def _recipe_function(
    definition: Callable[..., Recipe], public: Signature, parameters: tuple[Parameter, ...]
) -> Callable[..., Recipe]:
    """The function that checks the bounds of all values and describes the graph."""
    own = [each for each in public.parameters.values() if each.name != "threads"]
    call = public.replace(parameters=own, return_annotation="Recipe")

    def describe(*arguments: Any, **options: Any) -> Recipe:
        try:
            bound = call.bind(*arguments, **options)
        except TypeError as error:
            raise TypeError(f"{definition.__name__}(): {error}") from None
        bound.apply_defaults()
        values = bound.arguments
        for parameter in parameters:
            if parameter.bounds is not None:
                parameter.bounds.check(parameter.name, values[parameter.name])
        recipe = definition(**values)
        return recipe._replace(shuffle=values["seed"]) if values.get("shuffled") else recipe

    _present(describe, definition, f"{definition.__name__}.recipe", call)
    return describe


def _present(function: Any, definition: Callable[..., Recipe], name: str, call: Signature) -> None:
    """Gives a function its place and the signature that a reader expects."""
    function.__module__, function.__name__ = definition.__module__, definition.__name__
    function.__qualname__, function.__signature__ = name, call


def _plain_signature(definition: Callable[..., Recipe]) -> Signature:
    """The signature of the public function: with ``int`` instead of `Count` and the like."""
    hints = get_type_hints(definition)
    own = signature(definition)
    plain = [
        each.replace(annotation=hints[name]) if isinstance(hints[name], type) else each
        for name, each in own.parameters.items()
    ]
    return own.replace(parameters=plain, return_annotation="Edges")


def _parameters(
    definition: Callable[..., Recipe], texts: Mapping[str, str]
) -> tuple[Parameter, ...]:
    plain, bounded = get_type_hints(definition), get_type_hints(definition, include_extras=True)
    return tuple(
        Parameter(
            name,
            KINDS.get(plain[name], "sizes"),
            required=argument.default is Argument.empty,
            default=None if argument.default is Argument.empty else argument.default,
            summary=_plain(texts.get(name, "")),
            bounds=next(iter(getattr(bounded[name], "__metadata__", ())), None),
        )
        for name, argument in signature(definition).parameters.items()
        if name != "threads"
    )


def _sections(definition: Callable[..., Recipe]) -> dict[str, str]:
    """The sections of a docstring by title: Summary, About (with the summary), Parameters, ..."""
    about, *titled = re.split(r"^(\w+)\n-+\n", getdoc(definition) or "", flags=re.MULTILINE)
    texts = dict(zip(titled[::2], titled[1::2], strict=True))
    sections = {"About": about, **texts}
    stripped = {title: text.strip() for title, text in sections.items()}
    return {"Summary": _plain(about.partition("\n")[0]), **stripped}


def _descriptions(section: str) -> dict[str, str]:
    """What a section says of each parameter."""
    _, *entries = re.split(r"^(\w+)\n", section, flags=re.MULTILINE)
    return {
        name: dedent(text).strip() for name, text in zip(entries[::2], entries[1::2], strict=True)
    }


def _plain(text: str) -> str:
    """A description in one line, without marks of code and the last full stop."""
    return " ".join(text.replace("``", "").split()).removesuffix(".")


def _docstring(
    sections: Mapping[str, str], texts: Mapping[str, str], parameters: Iterable[str]
) -> str:
    listed = (f"{name}\n{indent(texts.get(name, ''), '    ')}" for name in parameters)
    return DOCSTRING.format(
        about=sections["About"],
        parameters="\n".join(listed),
        raises=f"{sections.get('Raises', '')}\n".lstrip(),
        examples=sections.get("Examples", ""),
    )
