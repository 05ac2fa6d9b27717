"""``connected_components`` of `cc3d` (connected-components-3d): its arguments, its meaning.

>>> import numpy as np
>>> from skerry.cc3d import connected_components
>>> connected_components(np.array([[1, 0, 2], [0, 2, 2]]), connectivity=4, return_N=True)
(array([[1, 0, 2],
       [0, 2, 2]], dtype=uint16), 2)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import ndimage
from skerry.errors import ArgumentError, InputError, UnsupportedError

__all__ = ["connected_components"]

NEIGHBORS = {(2, 4): 1, (2, 8): 2, (3, 6): 1, (3, 18): 2, (3, 26): 3}
NEIGHBORS |= {(2, 6): 1, (2, 18): 2, (2, 26): 2}  # an image is a volume of one plane
"""From axes and neighbors to the number of axes along which neighbors differ."""
FEW_RUNS = 2**16 - 1
RUNS_PIXELS = 1 << 20  # whose runs are counted together


class _DataTypeError(UnsupportedError, TypeError):
    """A type of data that cc3d refuses by a `TypeError`."""


def connected_components(
    data: Any,
    max_labels: int = -1,
    connectivity: int = 26,
    return_N: bool = False,  # noqa: N803 (their name)
    delta: float = 0,
    out_dtype: npt.DTypeLike | None = None,
    out_file: None = None,
    periodic_boundary: bool = False,
    binary_image: bool = False,
) -> Any:
    """Labels the components of an image or a volume, as `cc3d.connected_components` does.

    Parameters
    ----------
    data
        An array with one to three axes. Neighbors of equal value are joined; 0 is the background.
    max_labels
        Not used: no memory is reserved for labels.
    connectivity
        How many neighbors a voxel has: 6, 18 or 26, in images 4 or 8.
    return_N
        Whether to return the number of components, too.
    delta
        Neighbors are joined if they differ by at most this.
    out_dtype
        The type of the labels: ``uint16``, ``uint32`` or ``uint64``. By default ``uint16`` for
        volumes with fewer than 65,535 runs of equal voxels in their rows, else ``uint32``, for
        2^31 - 2 voxels and more ``uint64``.
    out_file
        Not supported: `skerry.ndimage.label_slabs` writes to files.
    periodic_boundary
        Whether the first and the last voxel along each axis are neighbors, with any connectivity.
    binary_image
        Whether all voxels above 0 are joined, and all others are background.

    Returns
    -------
    labels : numpy.ndarray
        0 for the background and 1, 2, ... for the components, in the order of memory: an array in
        Fortran's order gives another one.
    N : int
        The number of components. Only with ``return_N``.

    Raises
    ------
    InputError
        If an argument is not one of these, the data has a NaN, or the labels do not fit.
    UnsupportedError
        If ``out_file`` is given, or ``delta`` with ``float16``.

    Examples
    --------
    >>> import numpy as np, skerry.cc3d
    >>> volume = np.zeros((2, 2, 2), int)
    >>> volume[0, 0, 0] = volume[1, 1, 1] = 5
    >>> skerry.cc3d.connected_components(volume, return_N=True)[1]
    1
    >>> skerry.cc3d.connected_components(volume, connectivity=6, return_N=True)[1]
    2
    """
    del max_labels
    if out_file is not None:
        raise UnsupportedError("out_file: label_slabs of skerry.ndimage writes labels to a file")
    image = np.asarray(data)
    if not 1 <= image.ndim <= 3:
        raise InputError(f"data must have one to three axes, got {image.ndim}")
    reach = 1 if image.ndim == 1 else NEIGHBORS.get((image.ndim, connectivity))
    if reach is None:
        choices = [count for axes, count in NEIGHBORS if axes == image.ndim]
        raise ArgumentError(f"connectivity must be one of {choices}, got {connectivity!r}")
    if delta and image.dtype == np.float16:
        raise _DataTypeError("data: delta is not for float16, as in cc3d; cast it to float32")
    transposed = image.flags.f_contiguous and not image.flags.c_contiguous
    image = image.T if transposed else image
    dtype = _label_type(image) if out_dtype is None else np.dtype(out_dtype)
    if dtype.kind != "u" or dtype.itemsize == 1:
        raise ArgumentError(f"out_dtype must be uint16, uint32 or uint64, got {dtype}")
    if binary_image:
        image = image > 0
    options: dict[str, Any] = {"delta": delta} if delta else {"values": "equal"}
    labels, count = ndimage.label(
        image,
        connectivity=reach,
        output=dtype,
        wrap=range(image.ndim) if periodic_boundary else None,
        **({} if image.dtype == np.bool_ else options),
    )
    labels = labels.T if transposed else labels
    return (labels, count) if return_N else labels


def _label_type(image: npt.NDArray[Any]) -> np.dtype[Any]:
    """The type of labels that cc3d takes, by the runs of the rows."""
    if image.size >= ndimage.WIDE_FROM:
        return np.dtype(np.uint64)
    runs, rows = 0, image.reshape(-1, image.shape[-1] or 1)
    step = max(1, RUNS_PIXELS // rows.shape[1])
    for begin in range(0, len(rows), step):
        part = rows[begin : begin + step]
        heads = part != 0
        heads[:, 1:] &= part[:, 1:] != part[:, :-1]
        runs += int(np.count_nonzero(heads))
        if runs >= FEW_RUNS:
            return np.dtype(np.uint32)
    return np.dtype(np.uint16)
