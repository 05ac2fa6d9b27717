"""The numbers that decide what skerry does, read from its C++ headers and its Python modules."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Mapping
from pathlib import Path

from skerry import InputError

OWN = "kernels/cpu/own"
SOURCES: Mapping[str, tuple[str, ...]] = {
    "cpu": (
        f"{OWN}/decisions.h",
        f"{OWN}/first_neighbor.h",
        f"{OWN}/entries.h",
        "algorithms/planner.py",
    ),
    "cuda": ("algorithms/gpu_planner.py",),
}
"""Where they stand, below the folder of the package."""

CPP = re.compile(r"^inline constexpr [\w:]+ (.*?);", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^([A-Z][A-Z_]*) = (.*)$", re.MULTILINE)
OPERATORS = {
    ast.LShift: operator.lshift,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
}


def constants_of(text: str, *, cpp: bool) -> dict[str, float]:
    """The named numbers at the top level of a source; other values are left out.

    >>> constants_of("inline constexpr int kFew = 1, kMany = 9;  // of 16", cpp=True)
    {'kFew': 1, 'kMany': 9}
    """
    if cpp:
        parts = [part for line in CPP.findall(text) for part in line.split(",")]
        pairs = [part.partition("=")[::2] for part in parts]
    else:
        pairs = PYTHON.findall(text)
    numbers = {name.strip(): _number(value) for name, value in pairs}
    return {name: number for name, number in numbers.items() if number is not None}


def _number(text: str) -> float | None:
    try:
        return _evaluate(ast.parse(text.replace("'", "_").strip(), mode="eval").body)
    except (SyntaxError, KeyError, ValueError):
        return None


def _evaluate(node: ast.AST) -> float:
    if isinstance(node, ast.BinOp):
        return float(OPERATORS[type(node.op)](_evaluate(node.left), _evaluate(node.right)))
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, int | float):
        return value
    raise ValueError("not a number")


def read_constants(package: Path, device: str) -> dict[str, float]:
    """All of a device, from the folder of the package's sources."""
    values: dict[str, float] = {}
    for name in SOURCES[device]:
        path = package / name
        if not path.is_file():
            raise InputError(f"{path} is missing: --sources is the folder src/skerry of a checkout")
        values |= constants_of(path.read_text(), cpp=path.suffix == ".h")
    return values
