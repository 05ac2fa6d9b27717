"""The catalog of named algorithms, and the lookup of an algorithm by its name.

Tests, command line, benchmark and docs iterate over the catalog: a new entry in `specs` is enough.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache

from skerry.algorithms import paper_names
from skerry.algorithms.algorithm import Algorithm, Form
from skerry.algorithms.specs import ALGORITHMS
from skerry.errors import ArgumentError, UnsupportedError

__all__ = ["Algorithm", "Form", "algorithm", "catalog"]


def catalog() -> tuple[Algorithm, ...]:
    """All algorithms, in the order in which they are listed.

    Returns
    -------
    tuple of Algorithm
        The catalog, without "auto".

    Examples
    --------
    >>> import skerry
    >>> [spec.name for spec in skerry.catalog() if spec.serial]
    ['dfs', 'bfs', 'union-find', 'ecl-serial']
    """
    return ALGORITHMS


def algorithm(name: str) -> Algorithm:
    """The algorithm of a name, with changed choices where the name has them in brackets.

    Parameters
    ----------
    name
        ``"ecl"``, or with choices ``"ecl[jump=single]"`` or ``"name[choice=value,choice=value]"``.
        Names of the papers are known too, in any case of letters: ``"ECL-CC"``, ``"Init3"``,
        ``"Stages"``, ``"ecl[jump=Jump2]"``.

    Returns
    -------
    Algorithm
        The entry of the catalog, or a changed copy of it.

    Raises
    ------
    UnsupportedError
        If there is no such algorithm, choice or value.
    InputError
        If a choice has two values, or a number is not in the range of its choice.

    Examples
    --------
    >>> import skerry
    >>> skerry.algorithm("afforest").summary
    "two neighbor rounds, then all but the largest component's rows"
    >>> skerry.algorithm("ecl[jump=single]").changed
    ('jump=single',)
    >>> print(skerry.algorithm("Init2"))
    ecl[init=smallest]
    """
    base, bracket, rest = name.partition("[")
    spec = _named(base.strip())
    if not bracket:
        return spec
    values: dict[str, str | float] = {}
    if not rest.endswith("]"):
        raise UnsupportedError(f"{name!r} has no closing bracket")
    for part in rest[:-1].split(","):
        key, equals, value = part.partition("=")
        if not equals:
            raise UnsupportedError(f"{name!r}: write choices as name[choice=value,choice=value]")
        key = key.strip()
        if key in values:
            raise ArgumentError(f"{name!r} has two values for {key}: write it once")
        values[key] = _number_or_text(paper_names.value_of(key, value.strip()))
    return spec.replace(**values)


def _named(name: str) -> Algorithm:
    spec = _by_name().get(name)
    if spec is not None:
        return spec
    own = paper_names.find(name) or next((n for n in _by_name() if n == name.lower()), None)
    if own is not None:
        return algorithm(own)
    names = ["auto", *_by_name()]
    close = get_close_matches(name, [*names, *paper_names.PAPER_NAMES], 1)
    hint = f"; did you mean {close[0]!r}?" if close else f"; there are: {', '.join(names)}"
    raise UnsupportedError(f"no algorithm named {name!r}{hint}")


def _number_or_text(value: str) -> str | float:
    try:
        return float(value)
    except ValueError:
        return value


@cache
def _by_name() -> dict[str, Algorithm]:
    return {spec.name: spec for spec in catalog()}
