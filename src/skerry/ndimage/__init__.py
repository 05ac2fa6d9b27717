"""Connected components of images and volumes: the signature and the answers of `scipy.ndimage`.

>>> import numpy as np, skerry.ndimage
>>> skerry.ndimage.label(np.array([1, 1, 0, 1]))
(array([1, 1, 0, 2], dtype=int32), 2)
"""

from __future__ import annotations

from skerry.ndimage.labeling import label

__all__ = ["label"]
