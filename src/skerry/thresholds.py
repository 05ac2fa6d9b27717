"""The public functions on weights of edges: threshold_sweep, single_linkage, split_large."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any, Unpack

import numpy as np

from skerry.errors import ArgumentError
from skerry.graph.threshold import Keep, loosest
from skerry.inputs.recognize import recognize
from skerry.keywords import SweepKeywords, check_keywords
from skerry.option_checks import number
from skerry.request import InputOptions, Progress, input_options
from skerry.result.components import Components
from skerry.result.linkage import Linkage
from skerry.result.threshold_sweep import ThresholdSweep


def threshold_sweep(
    graph: Any,
    weight: Any,
    thresholds: Iterable[float],
    *,
    keep: Keep = "above",
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[SweepKeywords],
) -> ThresholdSweep:
    """Finds the components at several thresholds for the weights of edges, in one pass over them.

    Parameters
    ----------
    graph
        As in `skerry.connected_components`, with weights: arrays, a sparse matrix, a table, files,
        a networkx or igraph graph; not on a GPU.
    weight
        As in `skerry.connected_components`: an array beside arrays, a column of a table or file,
        an attribute of edges; None for the values of a sparse matrix, and for a column or
        attribute ``"weight"``.
    thresholds
        Numbers, in any order; repeats are harmless.
    keep
        ``"above"``: an edge is used where its weight is the threshold or more; ``"below"``, for
        distances: the threshold or less.
    threads
        How many threads to use for reading and numbering ids; the edges are joined by one.
    progress
        For tables, files and batches: called as ``progress(edges, bytes)`` after each batch.
    **options
        ``num_vertices``, ``source``, ``target``, ``vertices``, ``ids`` and ``on_null``, as in
        `skerry.connected_components`.

    Returns
    -------
    ThresholdSweep
        ``counts``, ``table()``, and ``sweep[t]``, which has the labels that
        ``connected_components(..., threshold=t)`` has.

    Raises
    ------
    InputError
        If the graph, a weight or a threshold is not valid.
    UnsupportedError
        If the graph has no weights, or is on a GPU.

    Notes
    -----
    Memory is proportional to the number of vertices, not of edges or thresholds: a spanning forest
    is kept, in the order in which edges pass the thresholds.

    Examples
    --------
    >>> import pyarrow, skerry
    >>> pairs = pyarrow.table(
    ...     {"id_l": ["kim", "lee", "bo"], "id_r": ["lee", "li", "al"], "score": [0.95, 0.7, 0.9]}
    ... )
    >>> sweep = skerry.threshold_sweep(pairs, "score", [0.6, 0.8, 0.93])
    >>> print(sweep)
    threshold  edges  vertices  components  largest
          0.6      3         5           2        3
          0.8      2         4           2        2
         0.93      1         2           1        2
    >>> sweep[0.93].table().to_pydict()
    {'id': ['kim', 'lee'], 'component': ['kim', 'kim']}
    """
    values = _thresholds(thresholds)
    check_keywords(threshold_sweep, options, SweepKeywords)
    chosen = InputOptions(weight=weight, threshold=loosest(values, keep), keep=keep, **options)
    read = recognize(graph, input_options(chosen))
    from skerry.engines.thresholds.sweep import sweep  # loaded with its first use

    return sweep(read, values, threads, progress)


def single_linkage(
    graph: Any,
    distances: Any = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[SweepKeywords],
) -> Linkage:
    """Finds the single-linkage dendrogram of a graph: the components at every threshold.

    Parameters
    ----------
    graph
        As in `threshold_sweep`. A pair of vertices without an edge is infinitely far apart.
    distances
        As ``weight`` of `threshold_sweep`: the smaller, the earlier two vertices are joined. For
        similarities pass ``1 - similarity``, or another falling function of them.
    threads, progress, **options
        As in `threshold_sweep`.

    Returns
    -------
    Linkage
        Its ``matrix`` is that of ``scipy.cluster.hierarchy.linkage(..., method="single")``.

    Raises
    ------
    InputError
        If the graph or a distance is not valid.
    UnsupportedError
        If the graph has no weights, or is on a GPU.

    Notes
    -----
    Of distinct distances the matrix is scipy's, row by row. Where distances are equal, merges at
    one distance may come in another order; edges that come first join first.

    The matrix has n - 1 rows also where the graph is not connected: its components are joined at
    the distance ``inf``, in the order of their smallest members. So ``fcluster(matrix, t,
    "distance")`` gives the components of edges of at most ``t`` for every finite ``t``. scipy
    cannot draw such a dendrogram; ``numpy.isfinite(matrix[:, 2])`` tells its rows.

    Distances are compared as 64-bit floats, which scipy's matrix has.

    Examples
    --------
    >>> import numpy as np, skerry
    >>> distances = np.array([0.5, 0.1, 0.9])
    >>> skerry.single_linkage((np.array([0, 1, 2]), np.array([1, 2, 3])), distances).matrix
    array([[1. , 2. , 0.1, 2. ],
           [0. , 4. , 0.5, 3. ],
           [3. , 5. , 0.9, 4. ]])
    """
    check_keywords(single_linkage, options, SweepKeywords)
    chosen = InputOptions(weight=distances, threshold=inf, keep="below", **options)
    read = recognize(graph, input_options(chosen))
    from skerry.engines.thresholds.linkage import link  # loaded with its first use

    return link(read, threads, progress)


def split_large(
    graph: Any,
    weight: Any,
    max_size: int,
    *,
    threshold: float | None = None,
    keep: Keep = "above",
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[SweepKeywords],
) -> Components:
    """Finds components of at most some size: larger ones are split by a stricter threshold.

    Every component has the loosest threshold of its own at which it is small enough, but none
    looser than ``threshold``. All edges of one weight are used or none, so the answer does not
    depend on the order of the edges. Where the edges of the strictest weight already join more than
    ``max_size`` vertices, these are all alone.

    Parameters
    ----------
    graph, weight
        As in `threshold_sweep`.
    max_size
        The most vertices that a component may have.
    threshold
        The threshold where components are small enough; by default all edges are used.
    keep
        As in `threshold_sweep`: with ``"below"``, a stricter threshold is a smaller one.
    threads, progress, **options
        As in `threshold_sweep`.

    Returns
    -------
    Components
        The vertices are those of ``connected_components(..., threshold=threshold)``.

    Raises
    ------
    InputError
        If the graph, a weight or an option is not valid.
    UnsupportedError
        If the graph has no weights, or is on a GPU.

    Notes
    -----
    Weights are compared as 64-bit floats. ``verify()`` of the result is refused where a component
    was split: no single threshold gives it.

    Examples
    --------
    >>> import numpy as np, skerry
    >>> src, dst = np.array([0, 1, 2, 5]), np.array([1, 2, 3, 6])
    >>> score = np.array([0.9, 0.6, 0.8, 0.5])
    >>> skerry.split_large((src, dst), score, 3, threshold=0.5).labels
    array([0, 0, 2, 2, 4, 5, 5], dtype=uint32)
    """
    size: Any = max_size  # not of its type where the caller is not type-checked
    if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
        raise ArgumentError(f"max_size must be an integer, 1 or more, got {max_size!r}")
    if threshold is None:
        threshold = -inf if keep == "above" else inf
    check_keywords(split_large, options, SweepKeywords)
    chosen = InputOptions(weight=weight, threshold=threshold, keep=keep, **options)
    read = recognize(graph, input_options(chosen))
    from skerry.engines.thresholds.split import split  # loaded with its first use

    return split(read, int(size), threads, progress)


def _thresholds(thresholds: Any) -> list[float]:
    """The caller's thresholds, checked."""
    try:
        values = list(thresholds)
    except TypeError:
        raise ArgumentError(f"thresholds must be a list of numbers, got {thresholds!r}") from None
    if not values:
        raise ArgumentError("thresholds is empty: give at least one")
    for value in values:
        number("a threshold", value)
    return values
