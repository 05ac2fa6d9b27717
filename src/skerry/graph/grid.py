"""A graph of pixels: vertices are the pixels of an image, and no edge is stored."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.edges import Edges, vertex_dtype
from skerry.graph.grid_pairs import each_direction, same_values
from skerry.graph.grid_rule import Rule, check_batch_axes, make_rule
from skerry.graph.vertex_ids import as_array

Array = npt.NDArray[Any]
CUDA = 2  # kDLCUDA of DLPack
WIDE_FROM = 2**31 - 2
"""Pixels of an image from which labels are 64-bit; scipy's number."""


class Grid:
    """An image as a graph: pixels are the vertices, in raster order, joined neighbors the edges.

    Pixels of the background are vertices without an edge, and components of their own. No edge is
    stored, and nothing is copied or checked here. `skerry.ndimage.label` numbers the objects of an
    image instead, and its labels tell the background from objects. Threads may share a grid while
    nothing changes its image.

    Parameters
    ----------
    image
        An array of numbers or bool with any number of axes; on a GPU, of CuPy or torch, with up to
        three. It is not moved: labels are made where it is.
    structure, values, connectivity, background, wrap, delta
        As of `skerry.ndimage.label`: which pixels are neighbors, and which of them are joined.

    Raises
    ------
    InputError
        If an argument is not what it must be.

    Examples
    --------
    >>> import numpy as np, skerry
    >>> grid = skerry.Grid(np.array([[1, 1, 0], [0, 0, 1]]), connectivity=2)
    >>> skerry.connected_components(grid).labels
    array([0, 0, 2, 3, 4, 0], dtype=uint32)
    """

    __slots__ = ("device", "image", "rule")
    image: Array
    """As it was given, if it is on a GPU."""
    device: str
    """``"cpu"`` or ``"cuda:0"``, where the image is."""
    rule: Rule
    """Which pixels are neighbors and which of them are joined, validated."""

    form: ClassVar[Literal["grid"]] = "grid"
    symmetric: ClassVar[bool | None] = None
    """Each pair of neighbors comes once, in one direction."""
    trusted: ClassVar[bool] = False

    def __init__(
        self,
        image: Any,
        structure: Any = None,
        *,
        values: str = "binary",
        connectivity: int | None = None,
        background: Any = 0,
        wrap: Any = None,
        delta: float | None = None,
    ) -> None:
        self.device = device_of_image(image)
        self.image = as_array(image, "image") if self.device == "cpu" else image
        ndim = self.image.ndim
        check_batch_axes(0, ndim)
        self.rule = make_rule(ndim, 0, structure, connectivity, wrap, values, background, delta)

    @classmethod
    def _of(cls, image: Array, rule: Rule) -> Grid:
        """A grid of arguments that have been validated."""
        grid = cls.__new__(cls)
        grid.image, grid.rule, grid.device = image, rule, device_of_image(image)
        return grid

    def __repr__(self) -> str:
        return f"Grid(pixels={self.image.shape}, {self.image.dtype}, values={self.rule.values!r})"

    @property
    def num_vertices(self) -> int:
        """Number of pixels."""
        return prod(self.image.shape)

    @property
    def num_entries(self) -> int:
        """Pairs of neighboring pixels, joined or not."""
        return sum(
            prod(len(range(size)[along]) for along, size in zip(own, self.image.shape, strict=True))
            for own, _ in each_direction(self.rule)
        )

    @property
    def id_dtype(self) -> np.dtype[Any]:
        """Type of the vertex numbers that `batches` gives."""
        return vertex_dtype(self.num_vertices)

    @property
    def nbytes(self) -> int:
        """Bytes of the image."""
        return self.image.nbytes

    def on_host(self) -> Grid:
        """The same graph in the memory of the host.

        Returns
        -------
        Grid
            This one, if its image is there; else one of a copy, which waits for the device.
        """
        if self.device == "cpu":
            return self
        image: Any = self.image
        return Grid._of(image.get() if hasattr(image, "get") else image.cpu().numpy(), self.rule)

    def arrays(self) -> tuple[Array, Array, Array]:
        """The pixels as kernels read them.

        Returns
        -------
        tuple
            Pixels in raster order, the background (empty: there is none), and the largest
            difference, all of one type. The pixels are a copy where the image is not contiguous or
            not of a native type, or on a GPU.
        """
        return read_pixels(self.on_host().image, self.rule)

    def batches(self, entries: int) -> Iterator[tuple[Array, Array]]:
        """Both ends of all joined pairs of neighbors, some at a time.

        Parameters
        ----------
        entries
            About how many pairs of neighbors are looked at together.

        Yields
        ------
        tuple
            Vertex numbers of pixels, and of their neighbors.
        """
        pixels, background, _ = self.arrays()
        check_numbers(pixels.min(initial=0))
        image = pixels.reshape(self.image.shape)
        numbers = np.arange(image.size, dtype=self.id_dtype).reshape(image.shape)
        for own, other in each_direction(self.rule):
            ends = image[own], image[other]
            step = max(1, entries // max(1, prod(ends[0].shape[1:])))
            for begin in range(0, len(ends[0]), step):
                part = slice(begin, begin + step)
                a, b = (end[part] for end in ends)
                joined = same_values(a, b, self.rule)
                if len(background):
                    joined &= (a != background[0]) & (b != background[0])
                yield numbers[own][part][joined], numbers[other][part][joined]

    def edges(self) -> Edges:
        """The graph with its edges stored.

        Returns
        -------
        Edges
            All joined pairs of neighbors.
        """
        none = np.empty(0, self.id_dtype)
        parts = [(none, none), *self.batches(self.num_vertices)]
        src, dst = (np.concatenate(ends) for ends in zip(*parts, strict=True))
        return Edges(src, dst, self.num_vertices)


def device_of_image(image: Any) -> str:
    """Where an array is: ``"cpu"`` or ``"cuda:0"``."""
    if type(image) is np.ndarray or not hasattr(image, "__dlpack_device__"):
        return "cpu"
    kind, number = image.__dlpack_device__()
    return f"cuda:{int(number)}" if int(kind) == CUDA else "cpu"


def label_type(size: int) -> np.dtype[Any]:
    """The type of labels of an image with so many pixels, unless another is asked for."""
    return np.dtype(np.int32 if size < WIDE_FROM else np.int64)


def read_pixels(image: Array, rule: Rule) -> tuple[Array, Array, Array]:
    """Pixels in raster order, the background (empty: there is none), and the largest difference."""
    if image.dtype.kind not in "biuf":
        raise InputError(
            f"input must be an array of real numbers or bool, got the type {image.dtype}"
        )
    if image.dtype.kind == "f" and image.dtype.itemsize > 8:
        if rule.values != "binary":
            raise InputError(f"input: pixels of the type {image.dtype} must be cast to float64")
        check_numbers(image.min(initial=0))
        image, rule = image != rule.background, rule._replace(background=0)
    if image.dtype == np.float16:
        image = image.astype(np.float32)
    elif image.dtype == np.bool_:
        image = image.view(np.uint8)
    pixels = np.ascontiguousarray(image, image.dtype.newbyteorder("="))
    return pixels.reshape(-1), background_of(rule, pixels.dtype), _delta(rule, pixels.dtype)


def check_numbers(value: Any) -> None:
    """Raises an error if the value, made of all pixels, is NaN."""
    if value != value:
        raise InputError("input has a NaN: replace it, for instance by numpy.nan_to_num")


def background_of(rule: Rule, dtype: np.dtype[Any]) -> Array:
    """The background in the type of the pixels; empty if no pixel has it."""
    background = rule.background
    if background is None:
        return np.empty(0, dtype)
    if np.ndim(background) != 0 or not np.isreal(background) or background != background:
        raise InputError(f"background must be a number or None, got {background!r}")
    if dtype.kind == "f":
        return np.array([background], dtype)
    limits = np.iinfo(dtype)
    if background != int(background) or not limits.min <= background <= limits.max:
        return np.empty(0, dtype)  # a value that no pixel has
    return np.array([int(background)], dtype)


def _delta(rule: Rule, dtype: np.dtype[Any]) -> Array:
    if dtype.kind == "f":
        return np.array([rule.delta or 0], dtype)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    largest = np.iinfo(unsigned).max
    delta = 0 if rule.delta is None else largest if rule.delta >= largest else int(rule.delta)
    return np.array([delta], unsigned).view(dtype)
