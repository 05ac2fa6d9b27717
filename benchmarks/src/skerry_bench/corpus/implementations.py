"""What is compared on the corpus: ``auto``, and what it could have done, each forced by name."""

from __future__ import annotations

from skerry_bench.implementation import Device

OWN: dict[Device, tuple[str, ...]] = {
    "cpu": (
        "rows[seconds=leave,rest=skip]",
        "rows[seconds=join]",
        "rows[rest=join]",
        "rows[rest=join,join=window]",
        "rows[rest=join,join=as-read]",
    ),
    "cuda": ("rows", "ecl"),
}

ONE_THREAD_BELOW = 1 << 21
"""Vertices and entries together below which algorithms are measured with one thread too."""


def own_names(device: Device, threads: int | None, size: int) -> list[str]:
    """Names of implementations; ``@1`` at their end means one thread."""
    names = list(OWN[device])
    if device == "cpu" and threads != 1 and size < ONE_THREAD_BELOW:
        names += [f"{name}@1" for name in names]
    return names


def split_name(name: str, threads: int | None) -> tuple[str, int | None]:
    """The algorithm and the threads of a name: ``NAME@4`` has four."""
    algorithm, _, number = name.partition("@")
    return algorithm, int(number) if number else threads


_PEER = "peer "


def peer_key(name: str) -> str:
    """What a peer is called among all implementations: our own may have its name."""
    return _PEER + name


def is_peer(key: str) -> bool:
    """Whether a key is that of a peer."""
    return key.startswith(_PEER)


def implementation_of(key: str) -> str:
    """The name in the record, which says separately whether it is a peer's."""
    return key.removeprefix(_PEER)
