"""Why a call cannot run, in terms of what its caller stated: never of our engines.

An option that no engine for the input honors is named with the inputs that it is for. Otherwise
the fewest options are named that no engine honors together: leaving one of them out helps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from skerry.engines.engine import Engine
from skerry.request import SolveOptions


def explain(
    engines: Sequence[Engine],
    source: Any,
    options: SolveOptions,
    kind: str,
    inputs: dict[str, frozenset[str]],
) -> str:
    """What is refused, and what to do instead.

    Parameters
    ----------
    engines
        Those that take the source; none of them honors all that is stated.
    source
        What was to be solved.
    options
        How.
    kind
        What messages call the source.
    inputs
        All such kinds, and the options that some engine honors for them.
    """
    names = [name for name in options._fields if name in options.stated]
    for size in range(1, len(names) + 1):
        for chosen in combinations(names, size):
            alone = SolveOptions(**{name: getattr(options, name) for name in chosen})
            reasons = [_reason(engine, source, alone) for engine in engines]
            if None not in reasons:
                own = dict.fromkeys(reason for reason in reasons if reason)
                return "; ".join(own) or _unsupported(alone, chosen, kind, inputs)
    raise AssertionError("an engine honors all of it")


def refusal_together(*stated: str) -> str:
    """The message for options that exclude each other.

    >>> refusal_together("forest=True", "limit=")
    'forest=True and limit= cannot be used together: leave one of them out'
    """
    first = ", ".join(stated[:-1])
    return f"{first} and {stated[-1]} cannot be used together: leave one of them out"


def _reason(engine: Engine, source: Any, options: SolveOptions) -> str | None:
    """Why an engine does not run; empty if its options say so themselves, None if it does."""
    reason = engine.refusal(source, options)
    return "" if reason is None and options.stated - engine.honors else reason


def _unsupported(
    options: SolveOptions, names: Iterable[str], kind: str, inputs: dict[str, frozenset[str]]
) -> str:
    stated = [_stated(name, getattr(options, name)) for name in names]
    if len(stated) > 1:
        return refusal_together(*stated)
    able = [each for each, honored in inputs.items() if options.stated <= honored]
    return f"{stated[0]} is not supported for {kind}, but for {', and for '.join(able)}"


def _stated(name: str, value: Any) -> str:
    """An argument as the caller wrote it: ``device="cuda"``, ``limit=``."""
    if isinstance(value, str):
        return f'{name}="{value}"'
    return f"{name}={value}" if isinstance(value, bool) else f"{name}="
