"""Reads what other programs print: seconds, and the number of components.

For wrappers and scripts: lines ``seconds: 0.0123`` (one per sample) and ``components: 42``; or
JSON, ``{"seconds": [0.0123], "components": 42}``, where ``"ms"`` may replace ``"seconds"`` and
``"peer"`` names the program if there are several. The output of some programs is known: the GAP
benchmark suite (``Trial Time:``, with ``-a`` for the count), ECL-CC (``compute time:``), Ligra
(``Running time :``), GBBS (``### Running Time:``) and ConnectIt, which runs several algorithms one
after the other (``### t =``, then ``"test_name"``); of these the fastest is taken.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from statistics import median
from typing import Any

from skerry import InputError

NUMBER = r"([\d.]+(?:[eE][+-]?\d+)?)"
COUNT = r"(?:(?:connected |weakly connected )?components?|\bn_cc)\s*[:=]\s*(\d+)"


@dataclass(frozen=True, slots=True)
class Output:
    """The output of a program."""

    seconds: tuple[float, ...]
    components: int


@dataclass(frozen=True, slots=True)
class Form:
    """The format of one family of programs; a unit may follow the number of seconds."""

    name: str
    seconds: re.Pattern[str]
    components: re.Pattern[str]


def _form(name: str, seconds: str, components: str = COUNT) -> Form:
    unit = r"\s*(ms|us|s)?\b"
    both = (
        re.compile(text, re.MULTILINE) for text in (f"^{seconds}\\s*{NUMBER}{unit}", components)
    )
    return Form(name, *both)


FORMS = (
    _form("plain", r"seconds\s*[:=]", r"^components\s*[:=]\s*(\d+)"),
    _form("GAP benchmark suite", "Trial Time:", r"^There are (\d+) components"),
    _form("GAP benchmark suite, mean", "Average Time:", r"^There are (\d+) components"),
    _form("ECL-CC", "compute time:", r"number of connected components:\s*(\d+)"),
    _form("GBBS", "### Running Time:"),
    _form("ConnectIt", "### t ="),
    _form("Ligra", "Running time :"),
)
UNITS = {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6}


def read_output(text: str, name: str = "") -> Output:
    """Samples and count; raises `InputError` if one of them is missing or invalid.

    >>> read_output("seconds: 0.25\\nseconds: 0.5\\ncomponents: 7\\n")
    Output(seconds=(0.25, 0.5), components=7)
    """
    if re.search(r"Verification:\s*FAIL", text):
        raise InputError("its own verification failed")
    parsed = _json_lines(text, name) or _matched(text)
    if parsed is None:
        forms = ", ".join(form.name for form in FORMS)
        raise InputError(f"its output has no seconds in a known form ({forms}, JSON)")
    seconds, components = parsed
    if not seconds or components is None:
        missing = "seconds" if not seconds else "number of components"
        raise InputError(f"its output has no {missing}")
    for sample in seconds:
        if not math.isfinite(sample) or sample <= 0:
            raise InputError(f"its clock shows {sample:g} s, which is too coarse for this graph")
    return Output(tuple(seconds), components)


def _matched(text: str) -> tuple[list[float], int | None] | None:
    for form in FORMS:
        samples = [_seconds(form, part) for part in re.split(r'^\s*"test_name"', text, flags=re.M)]
        tests = [seconds for seconds in samples if seconds]
        if tests:
            counts = set(form.components.findall(text) or re.findall(COUNT, text))
            if len(counts) > 1:
                raise InputError("its runs counted different numbers of components")
            return min(tests, key=median), int(counts.pop()) if counts else None
    return None


def _seconds(form: Form, text: str) -> list[float]:
    return [float(number) * UNITS[unit] for number, unit in form.seconds.findall(text)]


def _json_lines(text: str, name: str) -> tuple[list[float], int | None] | None:
    lines = [_object(line) for line in text.splitlines() if line.lstrip().startswith("{")]
    timed = [line for line in lines if "seconds" in line or "ms" in line]
    named = [line for line in timed if line.get("peer") == name]
    if not timed or (not named and len({line.get("peer") for line in timed}) > 1):
        return None
    seconds: list[float] = []
    count: int | None = None
    for line in named or timed:
        value = line["seconds"] if "seconds" in line else line["ms"]
        unit = 1.0 if "seconds" in line else 1e-3
        try:
            samples = value if isinstance(value, list) else [value]
            seconds += [float(sample) * unit for sample in samples]
            count = int(line["components"]) if line.get("components") is not None else count
        except (TypeError, ValueError) as error:
            raise InputError(f"its line of JSON cannot be used: {error}") from None
    return seconds, count


def _object(line: str) -> dict[str, Any]:
    try:
        parsed = json.loads(line)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
