"""The table of named algorithms: each row is its passes, its paper and where it runs.

Tests, command line, benchmark and docs iterate over this table: adding a row is enough. An
ablation is a row with a choice replaced: ``algorithm("ecl").replace(jump="single")``, or as text
``"ecl[jump=single]"``.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache
from typing import Literal

from skerry.algorithms.passes import (
    Canonical,
    Finish,
    Hook,
    HookNth,
    Init,
    Kernel,
    Pass,
    Stream,
    choices_of,
)
from skerry.errors import UnsupportedError

__all__ = ["Algorithm", "Form", "algorithm", "catalogue"]

Form = Literal["edges", "csr", "symmetric csr", "either"]
"""What an algorithm reads; other inputs are converted first, and the plan says so."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One row of the catalogue."""

    name: str
    passes: tuple[Pass, ...]
    form: Form
    summary: str
    paper: str
    section: str
    serial: bool = False
    """Runs on one thread whatever is asked for."""
    changed: tuple[str, ...] = ()
    """Choices that differ from the catalogue's row, as ``name=value``."""

    def __str__(self) -> str:
        return f"{self.name}[{','.join(self.changed)}]" if self.changed else self.name

    @property
    def choices(self) -> dict[str, tuple[object, ...]]:
        """Choices that `replace` can change, with their possible values (none: any number)."""
        found: dict[str, tuple[object, ...]] = {}
        for step in self.passes:
            found |= choices_of(step)
            if isinstance(step, Kernel):
                found |= {name: () for name, _ in step.options}
        if self.form == "edges":
            found.pop("init", None)  # other inits look at neighbours, and an edge list has no rows
        return found

    def replace(self, **values: str | float) -> Algorithm:
        """This row with other choices: ``replace(jump="single")``, ``replace(q=2)``."""
        possible = self.choices
        for name, value in values.items():
            if name not in possible:
                known = ", ".join(possible) or "none"
                raise UnsupportedError(f"{self.name} has no choice {name!r}; it has: {known}")
            if possible[name] and value not in possible[name]:
                allowed = ", ".join(map(str, possible[name]))
                raise UnsupportedError(f"{name}={value!r} is not one of: {allowed}")
            if not possible[name] and not isinstance(value, int | float):
                raise UnsupportedError(f"{name} of {self.name} takes a number, got {value!r}")
        passes = tuple(_replace_in(step, values) for step in self.passes)
        changed = {part.split("=")[0]: part for part in self.changed}
        changed |= {name: f"{name}={value}" for name, value in values.items()}
        return dataclasses.replace(self, passes=passes, changed=tuple(changed.values()))


def _replace_in(step: Pass, values: dict[str, str | float]) -> Pass:
    if isinstance(step, Kernel):
        options = tuple((name, float(values.get(name, old))) for name, old in step.options)
        return dataclasses.replace(step, options=options)
    own = {name: values[name] for name in choices_of(step) if name in values}
    return dataclasses.replace(step, **own) if own else step  # type: ignore[arg-type]


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
    return {row.name: row for row in catalogue()}


_ECL = "Jaiganesh & Burtscher 2018"
_THESIS = "Jaiganesh 2017"
_CONG = "Cong & Muzio 2014"
_OURS = "docs/algorithms.md"


def _kernel(name: str, **options: float) -> Kernel:
    return Kernel(name, tuple(options.items()))


@cache
def catalogue() -> tuple[Algorithm, ...]:
    """All rows of the catalogue, in the order in which they are shown."""
    ecl = (Init("first_smaller"), Hook("halving", "one_direction"), Finish("single"))
    afforest = (
        Init("own"),
        HookNth(0),
        Finish("single"),
        HookNth(1),
        Finish("single"),
        Hook("halving", "all", first=2, skip_largest=True),
        Finish("single"),
    )
    return (
        Algorithm(
            "dfs",
            (_kernel("dfs"),),
            "symmetric csr",
            "depth-first search from every unvisited vertex",
            "Hopcroft & Tarjan 1973",
            "algorithm 447",
            serial=True,
        ),
        Algorithm(
            "bfs",
            (_kernel("bfs"),),
            "symmetric csr",
            "breadth-first search from every unvisited vertex",
            _ECL,
            "1",
            serial=True,
        ),
        Algorithm(
            "union-find",
            (Init("own"), Hook("multiple", "all"), Finish("multiple")),
            "either",
            "plain union-find with full path compression",
            "Tarjan 1975; " + _ECL,
            "1",
            serial=True,
        ),
        Algorithm("ecl-serial", ecl, "csr", "ECL-CC on one core", _ECL, "3", serial=True),
        Algorithm("ecl", ecl, "csr", "ECL-CC: asynchronous lock-free union-find", _ECL, "3"),
        Algorithm(
            "eclaf",
            (_kernel("eclaf"),),
            "csr",
            "ECLaf: ECL without atomic read-modify-writes, repeated until stable",
            _THESIS,
            "4.5, algorithms 14 and 15",
        ),
        Algorithm("cc", (_kernel("cc"),), "edges", "graft and shortcut", _CONG, "2, algorithm 1"),
        Algorithm(
            "cc-updt",
            (_kernel("cc-updt"),),
            "edges",
            "graft and shortcut, edges rewritten to components each round",
            _CONG,
            "4, algorithm 2",
        ),
        Algorithm(
            "sv",
            (_kernel("sv"), Canonical()),
            "edges",
            "conditional and star hooking, one pointer jump a round",
            "Shiloach & Vishkin 1982; " + _CONG,
            "5",
        ),
        Algorithm(
            "sv-updt",
            (_kernel("sv-updt"), Canonical()),
            "edges",
            "SV with the update step",
            _CONG,
            "5",
        ),
        Algorithm(
            "stages-cc",
            (_kernel("stages-cc", q=1.0, seed=1),),
            "edges",
            "the meta algorithm over edge groups of q n, CC inside",
            _CONG,
            "5, algorithm 3",
        ),
        Algorithm(
            "stages-sv",
            (_kernel("stages-sv", q=1.0, seed=1), Canonical()),
            "edges",
            "Stages with SV inside",
            _CONG,
            "5, Fig. 4",
        ),
        Algorithm(
            "stages-sv-updt",
            (_kernel("stages-sv-updt", q=1.0, seed=1), Canonical()),
            "edges",
            "Stages with SV-updt inside",
            _CONG,
            "5, Fig. 4",
        ),
        Algorithm(
            "stages-schd",
            (_kernel("stages-schd", q=1.0, seed=1, block_bits=16),),
            "edges",
            "Stages with coordinated scheduling inside",
            _CONG,
            "5, Fig. 4",
        ),
        Algorithm(
            "schd",
            (_kernel("schd", block_bits=16),),
            "edges",
            "CC with accesses scheduled by cache-sized blocks of vertices",
            "Cong & Makarychev 2012; " + _CONG,
            "3",
        ),
        Algorithm(
            "rem",
            (_kernel("rem", prefetch=0),),
            "edges",
            "Rem's union-find with splicing, lock-free, with verification rounds",
            "Patwary, Refsnes & Manne 2012; " + _CONG,
            "6",
        ),
        Algorithm(
            "rem-prefetch",
            (_kernel("rem", prefetch=1),),
            "edges",
            "Rem with software prefetching",
            "Patwary, Refsnes & Manne 2012; " + _CONG,
            "6",
        ),
        Algorithm(
            "afforest",
            afforest,
            "csr",
            "two neighbour rounds, then all but the largest component's rows",
            "Sutton, Ben-Nun & Barak 2018; Gerasimou 2026",
            "3.4",
        ),
        Algorithm(
            "label-propagation",
            (_kernel("label-propagation"),),
            "symmetric csr",
            "Ligra's Components: smallest label to the neighbours until stable",
            "Shun & Blelloch 2013; " + _ECL,
            "2",
        ),
        Algorithm(
            "bfscc",
            (_kernel("bfscc"),),
            "symmetric csr",
            "Ligra's BFSCC: a parallel breadth-first search a component",
            "Shun & Blelloch 2013; " + _ECL,
            "2",
        ),
        Algorithm(
            "multistep",
            (_kernel("multistep", serial_below=10000), Canonical()),
            "symmetric csr",
            "BFS from the largest degree, label propagation on the rest",
            "Slota, Rajamanickam & Madduri 2014; " + _ECL,
            "2",
        ),
        Algorithm(
            "ndhybrid",
            (_kernel("ndhybrid", beta=0.2, seed=1), Canonical()),
            "symmetric csr",
            "low-diameter decomposition and contraction",
            "Shun, Dhulipala & Blelloch 2014; " + _ECL,
            "2",
        ),
        Algorithm(
            "galois-async",
            (_kernel("galois-async"),),
            "symmetric csr",
            "Galois/LS, asynchronous: every edge once into a concurrent union-find",
            "Kulkarni et al. 2007; " + _THESIS,
            "6.2",
        ),
        Algorithm(
            "galois-blocked",
            (_kernel("galois-blocked", block=64),),
            "symmetric csr",
            "Galois/LS, blocked asynchronous: hubs are cut into blocks of edges",
            "Kulkarni et al. 2007; " + _THESIS,
            "6.2",
        ),
        Algorithm(
            "galois-sync",
            (_kernel("galois-sync"),),
            "symmetric csr",
            "Galois/LS, synchronous: rounds of merge and find",
            "Kulkarni et al. 2007; " + _THESIS,
            "6.2",
        ),
        Algorithm(
            "crono-sv",
            (_kernel("crono-sv"),),
            "csr",
            "CRONO's Shiloach-Vishkin over rows",
            "Ahmad et al. 2015; " + _ECL,
            "2",
        ),
        Algorithm(
            "stream",
            (Init("own"), Stream(), Finish("ordered")),
            "edges",
            "one pass over an edge list in prefetched batches; no memory but the labels and 1 MB",
            _OURS,
            "stream",
        ),
        Algorithm(
            "window",
            (_kernel("window"),),
            "csr",
            "first neighbours linked, other entries joined in prefetched windows",
            _OURS,
            "window",
        ),
        Algorithm(
            "local",
            (_kernel("local"),),
            "csr",
            "window, with links followed where neighbours have near ids",
            _OURS,
            "local",
        ),
        Algorithm(
            "rounds",
            (_kernel("rounds", rounds=2, follow=0),),
            "symmetric csr",
            "as few neighbour rounds as a sample asks for, then all but the largest component",
            _OURS,
            "rounds",
        ),
        Algorithm(
            "flood",
            (_kernel("flood"),),
            "symmetric csr",
            "the giant component by bitmap sweeps, union-find on the rest",
            _OURS,
            "flood",
        ),
    )
