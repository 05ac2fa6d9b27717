"""Labels of images, found otherwise: all pairs of neighbors as edges, solved by scipy."""

from __future__ import annotations

import itertools

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


def label(image, structure, *, equal=False, delta=None, wrap=(), background=0):
    """Labels and their number, in raster order of the first pixels."""
    numbers = np.arange(image.size).reshape(image.shape)
    objects = np.ones(image.size, bool) if background is None else (image != background).ravel()
    values = image.ravel().astype(object if image.dtype.kind in "iu" else float)
    sources, targets = [], []
    for step in itertools.product((-1, 0, 1), repeat=image.ndim):
        if not structure[tuple(each + 1 for each in step)]:
            continue
        at = np.indices(image.shape).reshape(image.ndim, -1) + np.array(step)[:, None]
        inside = np.ones(image.size, bool)
        for axis, size in enumerate(image.shape):
            if axis in wrap:
                at[axis] %= size
            else:
                inside &= (at[axis] >= 0) & (at[axis] < size)
        source, target = np.flatnonzero(inside), numbers[tuple(at[:, inside])]
        joined = objects[source] & objects[target]
        if delta is not None:
            joined &= np.abs(values[source] - values[target]) <= delta
        elif equal:
            joined &= values[source] == values[target]
        sources.append(source[joined])
        targets.append(target[joined])
    u, v = np.concatenate([*sources, [0]]), np.concatenate([*targets, [0]])
    matrix = coo_array((np.ones(len(u)), (u, v)), shape=(image.size, image.size))
    component = connected_components(matrix, directed=False)[1]
    kept, first = np.unique(component[objects], return_index=True)
    number = np.zeros(component.max() + 1, int)
    number[kept[np.argsort(first)]] = np.arange(1, len(kept) + 1)
    return np.where(objects, number[component], 0).reshape(image.shape), len(kept)


def symmetric(flags):
    """A structure with the neighbors of both directions."""
    return flags | flags[(slice(None, None, -1),) * flags.ndim]


def spiral(size):
    y, x = np.mgrid[:size, :size] - size / 2
    return (np.hypot(x, y) + np.arctan2(y, x) * 8 / np.pi) % 16 < 8


def comb(height, width):
    image = np.zeros((height, width), bool)
    image[:, ::2] = image[-1] = True
    return image
