"""What the generators share: pairs of ids as edges, and sizes that follow from a count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import Edges

Ids = npt.NDArray[Any]
Maker = Callable[[int, np.random.Generator], Edges]
"""From the wanted number of entries and a random stream to edges."""


def edges_of(num_vertices: int, *pairs: tuple[Ids, Ids]) -> Edges:
    """The edges of several pairs of arrays, with 32-bit ids."""
    src = [np.asarray(begin, np.uint32).ravel() for begin, _ in pairs]
    dst = [np.asarray(end, np.uint32).ravel() for _, end in pairs]
    if not pairs:
        src = dst = [np.empty(0, np.uint32)]
    return Edges(np.concatenate(src), np.concatenate(dst), num_vertices)


def ascending(count: int) -> Ids:
    """0, 1, ... as 64-bit ids, so that products do not overflow."""
    return np.arange(count, dtype=np.int64)


def by_first_use(sequence: Ids, count: int) -> tuple[Ids, int]:
    """New ids in the order in which a sequence has the old ones, and how many of them it has."""
    first = np.full(count, len(sequence))
    first[sequence[::-1]] = ascending(len(sequence))[::-1]
    ranks = np.empty(count, np.int64)
    ranks[np.argsort(first, kind="stable")] = ascending(count)
    return ranks, int((first < len(sequence)).sum())


def groups_of(count: int, sizes: Ids) -> tuple[Ids, Ids]:
    """Begins and sizes of groups, as many as fill the count; the last is cut."""
    begin = np.cumsum(sizes) - sizes
    begin = begin[begin < count]
    return begin, np.diff(np.append(begin, count))


def picked(count: int | Ids, rng: np.random.Generator, size: int, power: float = 1.0) -> Ids:
    """Numbers below the count or counts: the greater the power, the more small ones."""
    numbers: Ids = (count * rng.random(size) ** power).astype(np.int64)
    return numbers


def stepped(shape: tuple[int, ...], *steps: tuple[int, ...]) -> list[tuple[Ids, Ids]]:
    """Pairs of every cell of a lattice and the cell a step further, where there is one."""
    ids = np.arange(np.prod(shape), dtype=np.uint32).reshape(shape)
    pairs = []
    for step in steps:
        begin = tuple(slice(max(0, -s), n - max(0, s)) for s, n in zip(step, shape, strict=True))
        end = tuple(slice(max(0, s), n - max(0, -s)) for s, n in zip(step, shape, strict=True))
        pairs.append((ids[begin], ids[end]))
    return pairs


def stepped_inside(inside: Ids, numbers: Ids, *steps: tuple[int, ...]) -> list[tuple[Ids, Ids]]:
    """Such pairs of which both cells are inside, by the numbers of the cells."""
    kept, number = inside.ravel(), numbers.ravel()
    pairs = []
    for begin, end in stepped(inside.shape, *steps):
        both = kept[begin] & kept[end]
        pairs.append((number[begin[both]], number[end[both]]))
    return pairs


def side_of(count: float, dimensions: int = 2, minimum: int = 2) -> int:
    """The side of a cube of that many cells."""
    side: float = count ** (1 / dimensions)
    return max(minimum, round(side))


def joined(parts: Sequence[Edges]) -> Edges:
    """The graphs beside each other: ids of each come after those of the graphs before it."""
    starts = np.cumsum([0, *(part.num_vertices for part in parts)])
    pairs = [
        (part.src.astype(np.int64) + start, part.dst.astype(np.int64) + start)
        for part, start in zip(parts, starts[:-1], strict=True)
    ]
    return edges_of(int(starts[-1]), *pairs)
