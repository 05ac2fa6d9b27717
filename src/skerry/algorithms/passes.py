"""The passes algorithms are made of. A pass is data; a backend knows how to run it.

All union-find algorithms are an init, one or more hooks and a finish over one parent array, so
choices add up instead of multiplying: see docs/architecture.md. Algorithms that are not union-find
are one `Kernel` pass each.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, TypeAlias, get_args

InitKind = Literal["own", "smallest", "first_smaller"]
"""ECL-CC's Init1, Init2 and Init3: first parent = own id, smallest or first smaller neighbor."""
Jump = Literal["multiple", "single", "none", "halving"]
"""ECL-CC's Jump1 to Jump4: what a find does to the path it walks."""
FinishKind = Literal["halving", "multiple", "single", "ordered"]
"""ECL-CC's Fini1 to Fini3, and a sweep in order: how the last pass finds each vertex's root."""
Entries = Literal["one_direction", "all"]
"""Which stored entries a hook reads; one direction is enough only on a symmetric CSR."""
Loads = Literal["device", "plain"]
"""How a GPU reads links: past the caches of a multiprocessor, or through them as plain loads do."""
Schedule = Literal["parts", "guided"]
"""How a CPU's threads get rows: small ranges of a part each, or OpenMP's falling ranges."""


@dataclass(frozen=True, slots=True)
class Init:
    """Gives every vertex its first parent."""

    init: InitKind = "own"


@dataclass(frozen=True, slots=True)
class Hook:
    """Hooks the trees at the two ends of every edge that it reads."""

    jump: Jump = "halving"
    entries: Entries = "one_direction"
    first: int = 0
    """Entries of each row to skip, because `HookNth` passes have hooked them."""
    skip_largest: bool = False
    """Skip the rows of the component that a sample shows to be the largest so far.

    Needs all entries: an edge stored in one direction may be in a row that is skipped.
    """
    warp_from: int = 17
    """On a GPU, entries from which a warp processes a row: ECL-CC sect. 3."""
    block_from: int = 353
    """On a GPU, entries from which a block processes a row: ECL-CC sect. 3."""
    loads: Loads = "device"
    schedule: Schedule = "parts"


@dataclass(frozen=True, slots=True)
class HookNth:
    """Hooks every vertex with its nth neighbor."""

    nth: int
    loads: Loads = "device"


@dataclass(frozen=True, slots=True)
class Finish:
    """Makes every vertex point to its root."""

    finish: FinishKind = "single"
    loads: Loads = "device"


@dataclass(frozen=True, slots=True)
class Kernel:
    """Runs an algorithm of the native registry that is not made of passes."""

    kernel: str
    options: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Stream:
    """Hooks all edges of an edge list in one pass, in prefetched batches."""


@dataclass(frozen=True, slots=True)
class Canonical:
    """Replaces each label by the smallest member of its class."""


Pass: TypeAlias = Init | Hook | HookNth | Finish | Kernel | Stream | Canonical

_CHOICES: dict[str, tuple[object, ...]] = {
    "init": get_args(InitKind),
    "jump": get_args(Jump),
    "entries": get_args(Entries),
    "finish": get_args(FinishKind),
    "warp_from": (),
    "block_from": (),
    "loads": get_args(Loads),
    "schedule": get_args(Schedule),
}


def choices_of(step: Pass) -> dict[str, tuple[object, ...]]:
    """The choices of a pass that an ablation may change, with the values they can take."""
    fixed = {"entries"} if isinstance(step, Hook) and step.skip_largest else set()
    return {f.name: _CHOICES[f.name] for f in fields(step) if f.name in _CHOICES.keys() - fixed}
