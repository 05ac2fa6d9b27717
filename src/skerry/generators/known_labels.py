"""Graphs whose components are known without solving them, and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import ArgumentError
from skerry.generators.builder import Recipe, starts_of_sizes
from skerry.generators.definition import generator
from skerry.generators.parameters import SEED, Count, Positive, Seed, check_size
from skerry.graph.edges import vertex_dtype
from skerry.threads import resolve_threads


@generator("components=1e5")
def tiny(
    components: Count,
    max_size: Positive = 7,
    *,
    shuffled: bool = True,
    seed: Seed = 1,
    threads: int | None = None,
) -> Recipe:
    """Random trees of 1, 2, ... ``max_size``, 1, 2, ... vertices.

    `tiny_labels` returns its components.

    Parameters
    ----------
    components
        Number of trees.
    max_size
        Vertices of the largest.

    Examples
    --------
    >>> generators.tiny(7)
    Edges(vertices=28, edges=21, uint32)
    """
    check_size(components * max_size)
    return Recipe("tiny", (components, max_size, seed))


def tiny_labels(
    components: int, max_size: int = 7, *, shuffled: bool = True, seed: int = 1
) -> npt.NDArray[Any]:
    """The labels of `tiny` with the same parameters.

    Parameters
    ----------
    components
        Number of trees.
    max_size
        Vertices of the largest.
    shuffled
        Whether ids are a random permutation.
    seed
        Decides every draw, 0..2**64 - 1.

    Returns
    -------
    numpy.ndarray
        The label of every vertex: the smallest vertex of its component.

    Raises
    ------
    InputError
        If the seed is out of range.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.tiny_labels(3, shuffled=False).tolist()
    [0, 1, 1, 3, 3, 3]
    """
    sizes = 1 + np.arange(components) % max_size
    return planted_labels(sizes, shuffled=shuffled, seed=seed)


@generator("sizes=1000+20x5+1")
def planted(
    sizes: Sequence[int] | npt.NDArray[Any],
    chords: Count = 0,
    *,
    shuffled: bool = True,
    seed: Seed = 1,
    threads: int | None = None,
) -> Recipe:
    """Components of the given sizes: a random tree each, and more edges inside them.

    `planted_labels` returns its components.

    Parameters
    ----------
    sizes
        Number of vertices of each component; as text, 1000+20x5 is one of 1000 and 20 of 5.
    chords
        Edges beyond the trees.

    Examples
    --------
    >>> generators.planted([1000, 5, 5, 1], chords=100, seed=3)
    Edges(vertices=1,011, edges=1,107, uint32)
    """
    listed = _checked(sizes)
    firsts = np.flatnonzero(np.diff(listed, prepend=0))  # of runs of one size
    counts = np.diff(firsts, append=len(listed)).tolist()
    runs = list(zip(counts, listed[firsts].tolist(), strict=True))
    check_size(sum(count * size for count, size in runs) + chords)
    return Recipe("planted", (chords, seed, *(number for run in runs for number in run)))


def planted_labels(
    sizes: Sequence[int] | npt.NDArray[Any], *, shuffled: bool = True, seed: int = 1
) -> npt.NDArray[Any]:
    """The labels of `planted` with the same parameters.

    Parameters
    ----------
    sizes
        Number of vertices of each component.
    shuffled
        Whether ids are a random permutation.
    seed
        Decides every draw, 0..2**64 - 1.

    Returns
    -------
    numpy.ndarray
        The label of every vertex: the smallest vertex of its component.

    Raises
    ------
    InputError
        If a size is below 1, or the seed out of range.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.planted_labels([3, 1, 2], shuffled=False).tolist()
    [0, 0, 0, 3, 4, 4]
    """
    SEED.check("seed", seed)
    starts = starts_of_sizes(_checked(sizes))
    n = int(starts[-1])
    ids = np.arange(n, dtype=vertex_dtype(n))
    if not n:
        return ids
    if shuffled:
        _native.shuffle_ids(ids, n, seed, resolve_threads(None))
    labels = np.empty_like(ids)
    smallest = np.minimum.reduceat(ids, starts[:-1].astype(np.intp))
    labels[ids] = np.repeat(smallest, np.diff(starts).astype(np.intp))
    return labels


def _checked(sizes: Sequence[int] | npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    message = "sizes must be a list of integers from 1 up"
    try:
        counts = np.asarray(sizes, dtype=np.int64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(message) from error
    if counts.ndim != 1 or (counts < 1).any():
        raise ArgumentError(message)
    return counts
