"""What the papers call the algorithms: their names, and those of codes that they compare with.

A name is found in any case of letters, with or without hyphens, spaces and underscores.
"""

from __future__ import annotations

from functools import cache

CHOICE_VALUES = {
    "Init1": ("init", "own"),
    "Init2": ("init", "smallest"),
    "Init3": ("init", "first_smaller"),
    "Jump1": ("jump", "multiple"),
    "Jump2": ("jump", "single"),
    "Jump3": ("jump", "none"),
    "Jump4": ("jump", "halving"),
    "Fini1": ("finish", "halving"),
    "Fini2": ("finish", "multiple"),
    "Fini3": ("finish", "single"),
}
"""ECL-CC's names of the variants of its three phases (section 3), each a choice of ``ecl``."""

PAPER_NAMES = {
    "ECL-CC": "ecl",
    "ECL": "ecl",
    "ECL-CC_OMP": "ecl",
    "ECL-CC_SER": "ecl-serial",
    **{name: f"ecl[{choice}={value}]" for name, (choice, value) in CHOICE_VALUES.items()},
    "Stages": "stages-cc",
    "Stages with CC-updt": "stages-cc-updt",
    "Stages with SV": "stages-sv",
    "Stages with SV-updt": "stages-sv-updt",
    "Stages with Schd": "stages-schd",
    "Shiloach-Vishkin": "sv",
    "IrGL": "soman",
    "LSG": "soman",
    "LonestarGPU": "soman",
    "Cusp": "bfs",
    "Ligra+ BFSCC": "bfscc",
    "Ligra+ Comp": "label-propagation",
    "Ligra+ Components": "label-propagation",
    "CRONO": "crono-sv",
    "Galois": "galois-async",
    "LS asynchronous": "galois-async",
    "LS blocked asynchronous": "galois-blocked",
    "LS synchronous": "galois-sync",
    "LS serial": "union-find",
    "Boost": "dfs",
    "Lemon": "bfs",
}
"""The algorithm of the catalog for each name; the catalog's own names are not repeated."""


def find(name: str) -> str | None:
    """The catalog's name, perhaps with choices, for what a paper calls ``name``.

    >>> find("ECL-CC"), find("init1"), find("ligra+ comp"), find("magic")
    ('ecl', 'ecl[init=own]', 'label-propagation', None)
    """
    return _by_key().get(_key(name))


def value_of(choice: str, value: str) -> str:
    """The catalog's word for a value of a choice, which may be a paper's name of it.

    >>> value_of("init", "Init3"), value_of("init", "own")
    ('first_smaller', 'own')
    """
    named = CHOICE_VALUES.get(value.capitalize())
    return named[1] if named and named[0] == choice else value


def names_of(algorithm: str) -> tuple[str, ...]:
    """The papers' names for an algorithm of the catalog, those of its variants included.

    >>> names_of("soman")
    ('IrGL', 'LSG', 'LonestarGPU')
    """
    return tuple(name for name, own in PAPER_NAMES.items() if own.partition("[")[0] == algorithm)


def _key(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter not in " -_+")


@cache
def _by_key() -> dict[str, str]:
    return {_key(name): own for name, own in PAPER_NAMES.items()}
