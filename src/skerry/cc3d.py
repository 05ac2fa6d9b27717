"""``connected_components`` of `cc3d` (connected-components-3d): its arguments, its meaning.

>>> import numpy as np
>>> from skerry.cc3d import connected_components
>>> connected_components(np.array([[1, 0, 2], [0, 2, 2]]), connectivity=4, return_N=True)
(array([[1, 0, 2],
       [0, 2, 2]], dtype=uint32), 2)
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
        The type of the labels: ``uint16``, ``uint32`` or ``uint64``. By default ``uint32``, for
        volumes of 2^31 - 2 voxels and more ``uint64``.
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
        If ``out_file`` is given.

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
    wide = image.size >= ndimage.WIDE_FROM
    dtype = np.dtype(("u8" if wide else "u4") if out_dtype is None else out_dtype)
    if dtype.kind != "u" or dtype.itemsize == 1:
        raise ArgumentError(f"out_dtype must be uint16, uint32 or uint64, got {dtype}")
    if binary_image:
        image = image > 0
    options: dict[str, Any] = {"delta": delta} if delta else {"values": "equal"}
    transposed = image.flags.f_contiguous and not image.flags.c_contiguous
    labels, count = ndimage.label(
        image.T if transposed else image,
        connectivity=reach,
        output=dtype,
        wrap=range(image.ndim) if periodic_boundary else None,
        **({} if image.dtype == np.bool_ else options),
    )
    labels = labels.T if transposed else labels
    return (labels, count) if return_N else labels
