"""`label`: the connected components of an image."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.algorithms.cpu.grid import label_into
from skerry.cuda.devices import device_number
from skerry.errors import ArgumentError, InputError, UnsupportedError
from skerry.graph.grid import Grid, check_numbers, device_of_image, label_type
from skerry.graph.grid_rule import Rule, check_batch_axes, make_rule
from skerry.graph.vertex_ids import as_array
from skerry.inputs.device import device_of_array
from skerry.ndimage.measure import ImageComponents
from skerry.ndimage.on_dask import is_dask, label_lazily
from skerry.threads import check_threads

Array = npt.NDArray[Any]


def label(
    input: Any,
    structure: Any = None,
    output: Any = None,
    *,
    values: str = "binary",
    connectivity: int | None = None,
    background: Any = 0,
    wrap: Any = None,
    delta: float | None = None,
    batch_axes: int = 0,
    device: str = "auto",
    threads: int | None = None,
) -> Any:
    """Labels the connected components of an image, as `scipy.ndimage.label` does.

    Parameters
    ----------
    input
        An array of numbers or bool, with any number of axes. Every pixel that is not background is
        part of an object. One of dask is labeled by the chunks of its first axis, when labels or
        count are computed: both are arrays of dask.
    structure
        Which pixels are neighbors: an array of 3 x 3 x ... flags that is symmetric about its
        center. Without it, those that differ by one along one axis.
    output
        The type of the labels, or an array that they are written to. Without it, ``int32``, for
        images of 2^31 - 2 pixels and more ``int64``.
    values
        ``"binary"``: neighbors are joined if both are part of an object. ``"equal"``: if they are
        equal, too.
    connectivity
        Instead of ``structure``: neighbors differ by one along at most so many axes. 1 to the
        number of axes.
    background
        The value of pixels that belong to no object. None: all pixels belong to one.
    wrap
        The axes that are periodic: the last pixel along them is next to the first.
    delta
        Neighbors are joined if their values differ by at most this.
    batch_axes
        How many leading axes count images: each image is labeled on its own.
    device
        ``"auto"``: where the input is. An array of CuPy or torch on a GPU is labeled there, in the
        current stream, and the host does not wait; ``"cpu"`` or ``"cuda"`` refuses the other.
    threads
        How many threads to use; all available ones by default.

    Returns
    -------
    labels : numpy.ndarray, cupy.ndarray or torch.Tensor
        0 for the background and 1, 2, ... for the components, in raster order of their first
        pixels. Not returned if ``output`` is an array.
    count : int or numpy.ndarray
        How many components there are. With ``batch_axes``, an array with the number of each image;
        on a GPU always an array there.

    Raises
    ------
    InputError
        If an argument is not what it must be, the input has a NaN, or the labels do not fit
        ``output``. Nothing is written to ``output`` then.
    UnsupportedError
        If the device cannot be used, or an argument is not for images on a GPU.

    Examples
    --------
    >>> import numpy as np, skerry.ndimage
    >>> image = np.array([[1, 1, 0, 0], [0, 0, 1, 0], [1, 0, 1, 1]])
    >>> labels, count = skerry.ndimage.label(image)
    >>> labels
    array([[1, 1, 0, 0],
           [0, 0, 2, 0],
           [3, 0, 2, 2]], dtype=int32)
    >>> skerry.ndimage.label(image, connectivity=2)[1]
    2
    """
    if is_dask(input):
        if batch_axes != 0 or device not in ("auto", "cpu"):
            raise UnsupportedError("batch_axes and device are not for arrays of dask: map_blocks")
        rule = make_rule(input.ndim, 0, structure, connectivity, wrap, values, background, delta)
        return label_lazily(input, rule, _type(output, input.shape), check_threads(threads))
    number = _gpu(input, device)
    image = as_array(input, "input") if number is None else input
    leading = check_batch_axes(batch_axes, image.ndim)
    ndim = image.ndim - leading
    rule = make_rule(ndim, leading, structure, connectivity, wrap, values, background, delta)
    if number is not None:
        return _label_on_gpu(image, number, leading, rule, output)
    check_threads(threads)
    target = _target(output, image.shape)
    if target is output and image.dtype.kind == "f" and image.size:
        check_numbers(image.min())  # the kernel finds a NaN when it has written labels
    work = _work(image, leading, target)
    counts = label_into(image, leading, rule, work, threads)
    if target is not work:
        _check_fit(counts, target.dtype)
        np.copyto(target, work, casting="unsafe")
    count = counts.reshape(image.shape[:leading]) if leading else int(counts[0])
    return count if target is output else (target, count)


def components(
    input: Any,
    structure: Any = None,
    *,
    values: str = "binary",
    connectivity: int | None = None,
    background: Any = 0,
    wrap: Any = None,
    delta: float | None = None,
    threads: int | None = None,
) -> ImageComponents:
    """Finds the connected components of an image, with what can be counted of each.

    Parameters
    ----------
    input
        An array of numbers or bool with at least one axis, as of `label`.
    structure, values, connectivity, background, wrap, delta, threads
        As of `label`.

    Returns
    -------
    ImageComponents
        Labels and their number, sizes, bounding boxes, centroids, the largest ones, contacts.

    Raises
    ------
    InputError
        As by `label`.

    Examples
    --------
    >>> import numpy as np, skerry.ndimage
    >>> found = skerry.ndimage.components(np.array([[1, 1, 0, 0], [0, 0, 1, 0], [1, 0, 1, 1]]))
    >>> found.sizes
    array([6, 2, 3, 1])
    >>> found.centroids[1]
    array([0. , 0.5])
    >>> found.largest_k(1)
    array([[0, 0, 0, 0],
           [0, 0, 1, 0],
           [0, 0, 1, 1]], dtype=int32)
    """
    if device_of_image(input) != "cpu":
        raise UnsupportedError("input is on a GPU: copy it to the host, where components counts")
    grid = Grid(
        as_array(input, "input"),
        structure,
        values=values,
        connectivity=connectivity,
        background=background,
        wrap=wrap,
        delta=delta,
    )
    if grid.image.ndim == 0:
        raise InputError("input must have at least one axis")
    check_threads(threads)
    labels = np.empty(grid.image.shape, _default_type(grid.image.shape))
    count = int(label_into(grid.image, 0, grid.rule, labels, threads)[0])
    return ImageComponents(grid, labels, count)


def _gpu(image: Any, device: str) -> int | None:
    """The number of the GPU that the image is on, or None; refuses any other device."""
    number = None if isinstance(image, np.ndarray) else device_of_array(image)
    if device == "auto" or (device == "cpu" and number is None):
        return number
    if device == "cpu":
        raise UnsupportedError("device='cpu': copy the input to the host, for instance by .get()")
    asked = device_number(device)
    if number is None or asked not in (None, number):
        raise UnsupportedError(f"device={device!r}: pass an array that is on this GPU")
    return number


def _label_on_gpu(image: Any, number: int, leading: int, rule: Rule, output: Any) -> Any:
    # Imported with the first image on a GPU: a host needs none of it.
    from skerry.algorithms.gpu.images import arrays_of, label_arrays

    with arrays_of(image, number) as (runtime, array, as_given):
        labels, counts = label_arrays(runtime, array, leading, rule)
        if output is not None and output not in (np.int32, np.int64, "int32", "int64"):
            raise UnsupportedError("output: labels on a GPU are int32 or int64")
        if output is not None:
            labels = labels.astype(output, copy=False)
        return as_given(labels), as_given(counts)


def _target(output: Any, shape: tuple[int, ...]) -> Array:
    """The array that receives the labels."""
    if isinstance(output, np.ndarray):
        if output.shape != shape:
            raise ArgumentError(f"output must have the shape of the input, {shape}: {output.shape}")
        if not output.flags.writeable:
            raise ArgumentError("output is read-only: pass an array that can be written")
        dtype = output.dtype
    else:
        dtype = _type(output, shape)
    if dtype.kind not in "iuf":
        raise ArgumentError(f"output must have a type of numbers, got {dtype}")
    return output if isinstance(output, np.ndarray) else np.empty(shape, dtype)


def _type(output: Any, shape: tuple[int, ...]) -> np.dtype[Any]:
    """The type of labels that ``output`` names."""
    try:
        return _default_type(shape) if output is None else np.dtype(output)
    except TypeError:
        raise ArgumentError(f"output must be an array or a type, got {output!r}") from None


def _default_type(shape: tuple[int, ...]) -> np.dtype[Any]:
    return label_type(prod(shape))


def _work(image: Array, leading: int, target: Array) -> Array:
    """The array that the kernel writes: the target itself, if it is of a fitting type and form."""
    own = _default_type(image.shape[leading:])
    fits = (
        target.dtype.kind in "iu"
        and target.dtype.isnative
        and target.itemsize in (own.itemsize, 8)
        and target.flags.c_contiguous
        and target.flags.aligned
        and not np.may_share_memory(target, image)
    )
    return target if fits else np.empty(image.shape, own)


def _check_fit(counts: npt.NDArray[np.int64], dtype: np.dtype[Any]) -> None:
    largest = int(counts.max(initial=0))
    limit = 2 ** (np.finfo(dtype).nmant + 1) if dtype.kind == "f" else int(np.iinfo(dtype).max)
    if largest > limit:
        raise InputError(f"output: {largest} labels do not fit the type {dtype}; pass a larger one")
