"""Graphs whose components are known without solving them, and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import ArgumentError
from skerry.generators import recipes
from skerry.generators.builder import make, plan_of_sizes, starts_of_sizes
from skerry.generators.recipes import check_count, check_seed
from skerry.graph.edges import Edges, vertex_dtype
from skerry.threads import resolve_threads

__all__ = ["planted", "planted_labels", "tiny", "tiny_labels"]


def tiny(
    components: int,
    max_size: int = 7,
    *,
    shuffled: bool = True,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """Random trees of 1, 2, ... ``max_size``, 1, 2, ... vertices.

    `tiny_labels` returns its components.

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
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    Edges
        The graph.

    Raises
    ------
    InputError
        If a count is negative, or ``max_size`` is 0.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.tiny(7)
    Edges(vertices=28, edges=21, uint32)
    """
    return make(recipes.tiny(components, max_size, shuffled=shuffled, seed=seed), threads)


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


def planted(
    sizes: Sequence[int] | npt.NDArray[Any],
    chords: int = 0,
    *,
    shuffled: bool = True,
    seed: int = 1,
    threads: int | None = None,
) -> Edges:
    """Components of the given sizes: a random tree each, and more edges inside them.

    `planted_labels` returns its components.

    Parameters
    ----------
    sizes
        Number of vertices of each component.
    chords
        Edges beyond the trees.
    shuffled
        Whether ids are a random permutation.
    seed
        Decides every draw, 0..2**64 - 1.
    threads
        How many threads to use; all of the machine by default.

    Returns
    -------
    Edges
        The graph.

    Raises
    ------
    InputError
        If a size is below 1, or ``chords`` negative.

    Examples
    --------
    >>> from skerry import generators
    >>> generators.planted([1000, 5, 5, 1], chords=100, seed=3)
    Edges(vertices=1,011, edges=1,107, uint32)
    """
    starts = _starts(sizes)
    n = int(starts[-1])
    check_count(n + chords, chords=chords)
    shuffle = check_seed(seed) if shuffled else None
    team = resolve_threads(threads)
    return plan_of_sizes(starts, chords, check_seed(seed), shuffle).all_edges(team)


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
    starts = _starts(sizes)
    n = int(starts[-1])
    ids = np.arange(n, dtype=vertex_dtype(n))
    if not n:
        return ids
    if shuffled:
        _native.shuffle_ids(ids, n, check_seed(seed), resolve_threads(None))
    labels = np.empty_like(ids)
    smallest = np.minimum.reduceat(ids, starts[:-1].astype(np.intp))
    labels[ids] = np.repeat(smallest, np.diff(starts).astype(np.intp))
    return labels


def _starts(sizes: Sequence[int] | npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    counts = np.asarray(sizes, dtype=np.int64)
    if counts.ndim != 1 or (counts < 1).any():
        raise ArgumentError("sizes must be a list of integers from 1 up")
    return starts_of_sizes(counts)
