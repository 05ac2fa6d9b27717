"""Converts lists of the members of each component to labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt


def labels_of_sets(groups: Sequence[Iterable[int]], n: int) -> npt.NDArray[np.int64]:
    """The number of the group of each vertex; -1 without a group, the last group if there are two.

    >>> labels_of_sets([{0, 2}, {1}], 4)
    array([ 0,  1,  0, -1])
    """
    sizes = [len(group) for group in groups]  # type: ignore[arg-type]
    members = np.fromiter(chain.from_iterable(groups), np.int64, sum(sizes))
    labels = np.full(n, -1)
    labels[members] = np.repeat(np.arange(len(groups)), sizes)
    return labels
