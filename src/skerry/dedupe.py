"""The components of dedupe's scored pairs (3.0), by skerry.

``with skerry.dedupe.use():`` around the calls of dedupe is all that changes. dedupe is imported
then, not before.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.api import connected_components as components_of
from skerry.errors import InputError
from skerry.patch.swap import use_of

__all__ = ["connected_components", "use"]

logger = logging.getLogger("skerry")


def connected_components(edgelist: Any, max_components: int) -> Iterator[npt.NDArray[Any]]:
    """Replaces ``dedupe.clustering.connected_components``.

    Parameters
    ----------
    edgelist
        Fields ``pairs``, of two ids, and ``score``. It is read into memory if it is in a file.
    max_components
        Records that a component may have. Of a larger one the pairs with low scores are left out,
        by the rule of dedupe, until its parts are small enough.

    Yields
    ------
    numpy.ndarray
        The pairs of a component and their scores, which grow. Components are in the order of their
        smallest ids; parts of those that were too large come last.

    Raises
    ------
    InputError
        If the pairs are not of integers or text.

    Examples
    --------
    >>> import numpy as np
    >>> from skerry.dedupe import connected_components
    >>> kind = [("pairs", "i8", 2), ("score", "f4")]
    >>> scored = np.array([((7, 8), 0.9), ((1, 2), 0.5), ((8, 9), 0.6)], dtype=kind)
    >>> [part["pairs"].tolist() for part in connected_components(scored, 30000)]
    [[[1, 2]], [[8, 9], [7, 8]]]
    """
    fields = edgelist.dtype.fields
    if fields["pairs"][0].base.kind not in "iuSU":
        raise InputError(f"pairs are of integers or text, got {fields['pairs'][0].base}")
    scored = np.empty(len(edgelist), [(name, fields[name][0]) for name in ("pairs", "score")])
    scored["pairs"], scored["score"] = edgelist["pairs"], edgelist["score"]
    waiting = [scored]
    while waiting:
        for part, size in _components(waiting.pop()):
            if size <= max_components:
                yield part
            else:
                waiting.append(_without_low_scores(part, size, max_components))


def _components(scored: npt.NDArray[Any]) -> Iterator[tuple[npt.NDArray[Any], int]]:
    """The pairs of each component by their scores, and the number of its records."""
    if not len(scored):
        return
    pairs = scored["pairs"]
    if pairs.dtype.kind not in "iu":
        pairs = np.unique(pairs, return_inverse=True)[1].reshape(pairs.shape)
    src, dst = (np.ascontiguousarray(pairs[:, i]) for i in (0, 1))
    result = components_of((src, dst), ids="external", labels="dense")
    labels, sizes = result.edge_labels(), result.sizes()
    order = np.lexsort((scored["score"], labels))
    scored, labels = scored[order], labels[order]
    starts = np.flatnonzero(np.diff(labels, prepend=-1)).tolist()
    sizes = sizes[labels[starts]].tolist()
    for (begin, end), size in zip(pairwise([*starts, len(labels)]), sizes, strict=True):
        yield scored[begin:end], size


def _without_low_scores(part: npt.NDArray[Any], size: int, max_components: int) -> npt.NDArray[Any]:
    """What dedupe keeps of a component: its odds grow by a factor of e, two pairs go at least."""
    lowest = float(part["score"][0])
    threshold = np.e * lowest / (1 - lowest + np.e * lowest)
    logger.warning(
        "a component has %d records, more than %d: its pairs with scores below %s are left out",
        *(size, max_components, threshold),
    )
    below = int(np.searchsorted(part["score"], threshold))
    return part[max(below, 2) :]


use = use_of("dedupe", {"dedupe.clustering:connected_components": connected_components})
