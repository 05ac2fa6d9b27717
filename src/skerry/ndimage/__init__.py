"""Connected components of images and volumes: the signature and the answers of `scipy.ndimage`.

>>> import numpy as np, skerry.ndimage
>>> skerry.ndimage.label(np.array([1, 1, 0, 1]))
(array([1, 1, 0, 2], dtype=int32), 2)
"""

from __future__ import annotations

from skerry.graph.grid import WIDE_FROM as WIDE_FROM
from skerry.ndimage.labeling import components, label
from skerry.ndimage.measure import ImageComponents
from skerry.ndimage.slabs import label_slabs

__all__ = ["ImageComponents", "components", "label", "label_slabs"]
