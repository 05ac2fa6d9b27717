"""``label`` of `skimage.measure`: its signature, its answers, our speed.

>>> import numpy as np
>>> from skerry.skimage import label
>>> label(np.array([[1, 0, 2], [0, 2, 2]]), return_num=True)
(array([[1, 0, 2],
       [0, 2, 2]]), 2)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry import ndimage
from skerry.errors import UnsupportedError

__all__ = ["label"]

AXES = 3
"""Of images of numbers, at most."""


class _TooManyAxesError(UnsupportedError, NotImplementedError):
    """An image that scikit-image refuses by a `NotImplementedError`."""


def label(
    label_image: Any,
    background: int | None = None,
    return_num: bool = False,
    connectivity: int | None = None,
) -> Any:
    """Labels the connected regions of equal value, as `skimage.measure.label` does.

    Parameters
    ----------
    label_image
        An array of integers or bool. Other numbers are cut off to integers, as by scikit-image.
        Only one of bool may have more than three axes.
    background
        The value that belongs to no region; 0 by default.
    return_num
        Whether to return the number of regions, too.
    connectivity
        Neighbors differ by one along at most so many axes. All of them by default.

    Returns
    -------
    labels : numpy.ndarray
        0 for the background and 1, 2, ... for the regions, in raster order. ``int64``, of an image
        of bool ``int32``.
    num : int
        The number of regions. Only with ``return_num``.

    Raises
    ------
    InputError
        If ``connectivity`` is not in 1 to the number of axes.
    UnsupportedError
        If an image of numbers has more than three axes. It is a `NotImplementedError`, too.

    Examples
    --------
    >>> import numpy as np, skerry.skimage
    >>> skerry.skimage.label(np.array([[1, 0, 2], [0, 1, 2]]), connectivity=1)
    array([[1, 0, 2],
           [0, 3, 2]])
    """
    image = np.asarray(label_image)
    reach = image.ndim if connectivity is None else connectivity
    if image.dtype == np.bool_:  # False is the background, unless True is
        labels, count = ndimage.label(image, connectivity=reach, background=background == 1)
    else:
        if image.ndim > AXES:
            raise _TooManyAxesError(
                f"label_image must have at most {AXES} axes unless it is of bool, as in "
                'scikit-image: skerry.ndimage.label(image, values="equal") labels any number'
            )
        if image.dtype.kind not in "iu":
            image = image.astype(np.intp)
        labels, count = ndimage.label(
            image,
            values="equal",
            connectivity=reach,
            background=0 if background is None else background,
            output=np.intp,
        )
    return (labels, count) if return_num else labels
