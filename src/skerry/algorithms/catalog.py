"""The table of named algorithms, and the way from a name to its row.

Tests, command line, benchmark and docs iterate over this table: adding a row (in `rows`) is enough.
An ablation is a row with a choice replaced: ``algorithm("ecl").replace(jump="single")``, or as text
``"ecl[jump=single]"``.
"""

from __future__ import annotations

from functools import cache

from skerry.algorithms.algorithm import Algorithm, Form
from skerry.algorithms.specs import ALGORITHMS
from skerry.errors import UnsupportedError

__all__ = ["Algorithm", "Form", "algorithm", "catalog"]


def catalog() -> tuple[Algorithm, ...]:
    """All rows of the catalog, in the order in which they are shown."""
    return ALGORITHMS


def algorithm(name: str) -> Algorithm:
    """The algorithm of that name; ``"name[choice=value,...]"`` gives an ablation of it."""
    base, bracket, rest = name.partition("[")
    row = _by_name().get(base.strip())
    if row is None:
        raise UnsupportedError(
            f"no algorithm named {base.strip()!r}; there are: auto, {', '.join(_by_name())}"
        )
    if not bracket:
        return row
    values: dict[str, str | float] = {}
    if not rest.endswith("]"):
        raise UnsupportedError(f"{name!r} lacks its closing bracket")
    for part in rest[:-1].split(","):
        key, equals, value = part.partition("=")
        if not equals:
            raise UnsupportedError(f"{name!r}: write choices as name[choice=value,choice=value]")
        values[key.strip()] = _number_or_text(value.strip())
    return row.replace(**values)


def _number_or_text(value: str) -> str | float:
    try:
        return float(value)
    except ValueError:
        return value


@cache
def _by_name() -> dict[str, Algorithm]:
    return {row.name: row for row in catalog()}
