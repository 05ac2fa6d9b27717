"""More graphs of the same families: every order, and mixtures drawn at random.

For finding what rules that were fitted to the catalog do with graphs beside it. They belong to the
half of their families.
"""

from __future__ import annotations

from collections.abc import Iterator

from skerry_bench.corpus.catalog import CorpusGraph, Part, byte_of_hash, catalog
from skerry_bench.corpus.families import FAMILIES
from skerry_bench.corpus.halves import Half, half_of
from skerry_bench.corpus.mixtures import MIXTURES
from skerry_bench.corpus.orders import ORDERS

LEFT_OUT = ("complete", "isolated", "kneser", "mycielski")
"""Families that other orders do not change, or that have few sizes."""

MIXED = 120
FRACTIONS = (0.9, 0.7, 0.5, 0.3, 0.1)
SMALLEST_LOG, SIZES = 19, 5
"""Entries are 2^19 to 2^23."""


def variations(half: Half | None = None) -> list[CorpusGraph]:
    """The graphs of a half, or of both."""
    halves: tuple[Half, ...] = ("tuning", "checking") if half is None else (half,)
    return [graph for each in halves for graph in (*_reordered(each), *_mixed(each))]


def _families(half: Half) -> list[str]:
    return [name for name in FAMILIES if half_of([name]) == half and name not in LEFT_OUT]


def _reordered(half: Half) -> Iterator[CorpusGraph]:
    """A size of every family in every order; those of the catalog are not repeated."""
    known = {graph.name for graph in catalog()}
    for family in _families(half):
        for order in ("natural", *ORDERS):
            if order == "hilbert" and order not in FAMILIES[family].orders:
                continue
            log = SMALLEST_LOG + _drawn(family + order, 0) % SIZES
            name = f"{family}-{log}" if order == "natural" else f"{family}-{order}-{log}"
            if name not in known:
                yield CorpusGraph(name, (Part(family, order=order),), log)


def _mixed(half: Half) -> Iterator[CorpusGraph]:
    """Two families in any order but along a curve, which needs a square."""
    families = _families(half)
    orders = ("natural", *(order for order in ORDERS if order != "hilbert"))
    for number in range(MIXED):
        key = f"mix{number}"
        first, second = (
            families[(256 * _drawn(key, i) + _drawn(key, i + 1)) % len(families)] for i in (0, 2)
        )
        mixture = tuple(MIXTURES)[_drawn(key, 4) % len(MIXTURES)]
        share = FRACTIONS[_drawn(key, 5) % len(FRACTIONS)]
        log = SMALLEST_LOG + _drawn(key, 6) % SIZES
        first_order, second_order = (orders[_drawn(key, i) % len(orders)] for i in (7, 8))
        name = f"{mixture}:{first}.{first_order}+{second}.{second_order}@{share}-{log}"
        parts = (Part(first, share, first_order), Part(second, 1 - share, second_order))
        yield CorpusGraph(name, parts, log, mixture)


def _drawn(key: str, index: int) -> int:
    return byte_of_hash(f"sweep{key}", index)
