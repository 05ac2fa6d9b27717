"""`components`: the labels of an image with the size, the box and the centroid of each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import ArgumentError
from skerry.graph.build import csr_from_edges
from skerry.graph.csr import Csr
from skerry.graph.grid import Grid
from skerry.graph.grid_pairs import each_direction
from skerry.option_checks import integer

Array = npt.NDArray[Any]


class ImageComponents:
    """The components of an image. Complete when it is made; threads may share it.

    Attributes
    ----------
    labels : numpy.ndarray
        0 for the background and 1, 2, ... for the components, in raster order; read-only.
    count : int
        The number of components.
    """

    labels: Array
    count: int

    def __init__(self, grid: Grid, labels: Array, count: int) -> None:
        labels.flags.writeable = False
        self.labels = labels
        self.count = count
        if grid.rule.values == "binary":  # the labels say which pixels are joined
            grid = Grid._of(labels, grid.rule._replace(background=0))
        self._grid = grid

    def __repr__(self) -> str:
        return f"ImageComponents(count={self.count}, pixels={self.labels.shape})"

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """Pixels of each label, the background first: ``sizes[label]``."""
        return self._statistics[0]

    @property
    def boxes(self) -> list[tuple[slice, ...]]:
        """The bounding box of each component, that of label 1 first, as slices of the image."""
        low, high = self._statistics[1:3]
        pairs = zip(low[1:].tolist(), (high[1:] + 1).tolist(), strict=True)
        return [tuple(map(slice, first, end)) for first, end in pairs]

    @property
    def centroids(self) -> npt.NDArray[np.float64]:
        """The mean position of each label, the background first: ``centroids[label]``.

        NaN for a background without pixels. Periodic axes are not followed around.
        """
        with np.errstate(invalid="ignore"):
            return self._statistics[3] / self.sizes[:, None]

    def largest_k(self, k: int) -> Array:
        """The labels with only the largest components, numbered from 1 in raster order.

        Parameters
        ----------
        k
            How many to keep. Of equal sizes, the first in raster order are kept.

        Returns
        -------
        numpy.ndarray
            A new array of labels.
        """
        if integer("k", k) < 0:
            raise ArgumentError(f"k must not be negative, got {k}")
        order = np.argsort(-self.sizes[1:], kind="stable")
        keep = np.zeros(self.count + 1, bool)
        keep[1 + order[:k]] = True
        return self._keep(keep)

    def remove_small(self, size: int) -> Array:
        """The labels without components of fewer pixels, numbered from 1 in raster order.

        Parameters
        ----------
        size
            The smallest number of pixels of a component that stays.

        Returns
        -------
        numpy.ndarray
            A new array of labels.
        """
        keep = self.sizes >= integer("size", size)
        keep[0] = False
        return self._keep(keep)

    def each(self) -> Iterator[tuple[int, tuple[slice, ...], npt.NDArray[np.bool_]]]:
        """Goes through the components.

        Returns
        -------
        iterator of tuple
            The label, the box, and which pixels of the box belong to the component.
        """
        for label, box in enumerate(self.boxes, 1):
            yield label, box, self.labels[box] == label

    def region_graph(self) -> dict[tuple[int, int], int]:
        """The contacts of components: which are next to each other, and at how many places.

        With ``values="equal"`` or ``delta``, components can touch; binary ones never do, and the
        result is empty.

        Returns
        -------
        dict
            From two labels, the smaller first, to the number of pairs of neighbors.
        """
        contacts: dict[tuple[int, int], int] = {}
        for own, other in each_direction(self._grid.rule):
            a, b = self.labels[own], self.labels[other]
            touching = (a != b) & (a != 0) & (b != 0)
            pairs = np.sort(np.stack([a[touching], b[touching]], axis=1), axis=1)
            unique, counts = np.unique(pairs, axis=0, return_counts=True)
            for pair, places in zip(unique.tolist(), counts.tolist(), strict=True):
                key = (pair[0], pair[1])
                contacts[key] = contacts.get(key, 0) + places
        return dict(sorted(contacts.items()))

    def as_graph(self) -> Csr:
        """The image as a graph: pixels are vertices in raster order, joined neighbors edges.

        Returns
        -------
        Csr
            A graph whose components are those of the image; pixels of the background have no edge.
        """
        return csr_from_edges(self._grid.edges())

    def _keep(self, keep: npt.NDArray[np.bool_]) -> Array:
        numbers = np.where(keep, np.cumsum(keep), 0).astype(self.labels.dtype)
        return np.asarray(numbers[self.labels])

    @cached_property
    def _statistics(self) -> tuple[Array, Array, Array, Array]:
        """Pixels, smallest and largest positions, and sums of positions of each label."""
        shape = self.labels.shape
        table = np.zeros((self.count + 1, 1 + 3 * len(shape)), np.int64)
        table[:, 1 : 1 + len(shape)] = np.iinfo(np.int64).max
        table[:, 1 + len(shape) : 1 + 2 * len(shape)] = -1
        sizes = np.array(shape, np.uint64)
        _native.measure_labels(self.labels.reshape(-1), sizes, table.reshape(-1))
        parts = np.split(table[:, 1:], 3, axis=1)
        return table[:, 0], parts[0], parts[1], parts[2]
