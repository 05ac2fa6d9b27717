"""``get_connected_components`` of SAM 2, without its CUDA extension, on a CPU or a GPU.

>>> import numpy as np
>>> from skerry.sam2 import get_connected_components
>>> labels, areas = get_connected_components(np.array([[[[1, 1, 0], [0, 0, 1]]]], np.uint8))
>>> labels.tolist(), areas.tolist()
([[[[1, 1, 0], [0, 0, 1]]]], [[[[3, 3, 0], [0, 0, 3]]]])
"""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from skerry import ndimage
from skerry.algorithms.gpu.images import arrays_of, count_pixels, label_arrays
from skerry.errors import InputError
from skerry.graph.grid_rule import make_rule
from skerry.patch.swap import use_of

__all__ = ["get_connected_components", "use"]

logger = logging.getLogger("skerry")


def get_connected_components(mask: Any) -> tuple[Any, Any]:
    """Labels the components of masks, 8 neighbors, and counts the pixels of each.

    Parameters
    ----------
    mask
        A torch tensor or a NumPy array of the shape (N, 1, H, W), of numbers or bool. Pixels that
        are not 0 are foreground. H and W may be odd.

    Returns
    -------
    labels : torch.Tensor or numpy.ndarray
        The component of each pixel, ``int32`` and of the same shape: 0 for the background, and for
        each mask 1, 2, ... in raster order. A tensor is on the device of the mask.
    counts : torch.Tensor or numpy.ndarray
        The number of pixels of the component of each pixel, 0 for the background.

    Raises
    ------
    InputError
        If the mask does not have this shape. It is logged, too, as callers may catch all errors.

    Examples
    --------
    >>> import numpy as np, skerry.sam2
    >>> mask = np.zeros((2, 1, 5, 5), np.uint8)
    >>> mask[0, 0, 1:3, 1:4] = 1
    >>> skerry.sam2.get_connected_components(mask)[1].max(axis=(1, 2, 3)).tolist()
    [6, 0]
    """
    try:
        return _of_tensor(mask) if hasattr(mask, "detach") else _of_array(np.asarray(mask))
    except Exception:
        logger.exception("connected components of masks failed")
        raise


def _of_tensor(mask: Any) -> tuple[Any, Any]:
    import torch

    if mask.is_cuda:
        return _of_gpu(mask)
    labels, counts = _of_array(mask.detach().cpu().numpy())
    return torch.from_numpy(labels).to(mask.device), torch.from_numpy(counts).to(mask.device)


def _of_gpu(mask: Any) -> tuple[Any, Any]:
    _check_shape(mask)
    rule = make_rule(2, 2, None, 2, None, "binary", 0, None)
    with arrays_of(mask, mask.get_device()) as (runtime, array, as_given):
        labels, _ = label_arrays(runtime, array, 2, rule)
        return as_given(labels), as_given(count_pixels(runtime, labels, 2))


def _check_shape(mask: Any) -> None:
    if mask.ndim != 4 or mask.shape[1] != 1:
        raise InputError(f"mask must have the shape (N, 1, H, W), got {tuple(mask.shape)}")


def _of_array(mask: np.ndarray[Any, Any]) -> tuple[Any, Any]:
    _check_shape(mask)
    labels, counts = ndimage.label(mask, connectivity=2, batch_axes=2, output=np.int32)
    areas = np.empty_like(labels)
    for image, out, count in zip(labels, areas, counts[:, 0], strict=True):
        sizes = np.bincount(image.ravel(), minlength=int(count) + 1)
        sizes[0] = 0
        np.take(sizes, image, out=out, mode="clip")
    return labels, areas


use = use_of("sam2", {"sam2.utils.misc:get_connected_components": get_connected_components})
