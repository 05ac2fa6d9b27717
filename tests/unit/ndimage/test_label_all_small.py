"""Labels of all small images with all structures are scipy's."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.ndimage

import skerry.ndimage


def all_images(shape):
    """Every binary image of a shape, along a first axis."""
    pixels = int(np.prod(shape))
    numbers = np.arange(2**pixels, dtype=np.uint32)[:, None]
    return (numbers >> np.arange(pixels, dtype=np.uint32) & 1).astype(bool).reshape(-1, *shape)


def structures_of_2d():
    """All 16 structures that are symmetric about their center."""
    for flags in itertools.product((0, 1), repeat=4):
        yield np.array([*flags, 1, *flags[::-1]], bool).reshape(3, 3)


def check(images, structure):
    """Compares one call of each library: scipy's images are planes that are no neighbors."""
    planes = np.zeros((3, *structure.shape), bool)
    planes[1] = structure
    expected, total = scipy.ndimage.label(images, planes)
    labels, counts = skerry.ndimage.label(images, structure, batch_axes=1)
    before = (np.cumsum(counts) - counts).reshape(-1, *[1] * structure.ndim)
    assert counts.sum() == total
    assert np.array_equal(np.where(labels > 0, labels + before, 0), expected)


@pytest.mark.parametrize("shape", [*itertools.product(range(1, 5), repeat=2)], ids=str)
def test_images(shape):
    images = all_images(shape)
    for structure in structures_of_2d():
        check(images, structure)


@pytest.mark.parametrize("shape", [(1, 3, 3), (2, 1, 3), (2, 2, 2), (2, 2, 3), (2, 3, 3)], ids=str)
@pytest.mark.parametrize("connectivity", [1, 2, 3])
def test_volumes(shape, connectivity):
    check(all_images(shape), scipy.ndimage.generate_binary_structure(3, connectivity))


@pytest.mark.parametrize("length", [1, 2, 16])
def test_lines(length):
    for structure in ([1, 1, 1], [0, 1, 0]):
        check(all_images((length,)), np.array(structure, bool))
