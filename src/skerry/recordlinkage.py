"""The connected record pairs of recordlinkage (0.16), by skerry.

``with skerry.recordlinkage.use():`` around the calls is all that changes. recordlinkage is imported
then, not before.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.api import connected_components
from skerry.errors import InputError
from skerry.patch.swap import use_of

__all__ = ["connected_pairs", "use"]


def _compute(self: Any, links: Any) -> list[Any]:
    del self  # it holds nothing
    return connected_pairs(links)


def connected_pairs(links: Any) -> list[Any]:
    """The links of each component, as ``recordlinkage.ConnectedComponents().compute`` gives them.

    Parameters
    ----------
    links
        A ``pandas.MultiIndex`` of two levels, whose ids are of one set of records.

    Returns
    -------
    list of pandas.MultiIndex
        Components in the order of their first links, and links as they were, each once.
        recordlinkage turns some of them around.

    Raises
    ------
    InputError
        If this is no index of two levels, or ids are missing.

    Examples
    --------
    >>> import pandas as pd
    >>> from skerry.recordlinkage import connected_pairs
    >>> links = pd.MultiIndex.from_tuples([(1, 2), (5, 6), (3, 2)])
    >>> [part.tolist() for part in connected_pairs(links)]
    [[(1, 2), (3, 2)], [(5, 6)]]
    """
    if getattr(links, "nlevels", 0) != 2:
        raise InputError("links are a pandas.MultiIndex of two levels")
    from pandas import Series, factorize

    src, dst, count = _numbers(links)
    once = ~Series(np.minimum(src, dst) * count + np.maximum(src, dst)).duplicated().to_numpy()
    src, dst = src[once], dst[once]
    labels = connected_components((src, dst), num_vertices=count).labels
    components = factorize(labels[src])[0]  # numbers in the order of the links
    order = np.argsort(components, kind="stable")
    bounds = np.cumsum(np.bincount(components)).tolist()
    grouped = links[np.flatnonzero(once)[order]]
    return [grouped[begin:end] for begin, end in pairwise([0, *bounds])]


def _numbers(links: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]:
    """Ids of both levels as vertex numbers, and how many there are."""
    from pandas import factorize

    if any((codes < 0).any() for codes in links.codes):
        raise InputError("links have missing ids")
    numbers, ids = factorize(links.levels[0].append(links.levels[1]))
    parts = numbers[: len(links.levels[0])], numbers[len(links.levels[0]) :]
    src, dst = (part[codes] for part, codes in zip(parts, links.codes, strict=True))
    return src.astype(np.int64), dst.astype(np.int64), len(ids)


use = use_of("recordlinkage", {"recordlinkage.network:ConnectedComponents.compute": _compute})
