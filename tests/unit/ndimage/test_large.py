"""More than 2^31 pixels: `make test-images-large`."""

from __future__ import annotations

import numpy as np
import pytest

import skerry.ndimage
from skerry.machine import memory_free

pytestmark = pytest.mark.slow
SIDE, PLANES, LENGTH = 1024, 2100, 300
POSTS = (SIDE // 2) ** 2
"""Objects of one pixel in every second row and column of a plane."""


class Posts:
    """Posts through many planes, with a gap in each LENGTH planes; nothing is stored."""

    shape = (PLANES, SIDE, SIDE)
    dtype = np.dtype(np.uint8)

    def __getitem__(self, planes):
        pixels = np.zeros((planes.stop - planes.start, SIDE, SIDE), np.uint8)
        pixels[:, ::2, ::2] = 1
        pixels[np.arange(planes.start, planes.stop) % LENGTH == LENGTH - 1] = 0
        return pixels


class Checked:
    """Takes labels, and compares them with those that posts must have."""

    shape = Posts.shape
    dtype = np.dtype(np.uint32)
    planes = 0

    def __setitem__(self, planes, labels):
        first = np.zeros((SIDE, SIDE), np.uint32)
        first[::2, ::2] = np.arange(1, POSTS + 1).reshape(SIDE // 2, -1)
        for plane, own in zip(range(planes.start, planes.stop), labels, strict=True):
            expected = np.where(first, first + plane // LENGTH * POSTS, 0)
            assert np.array_equal(own, expected if plane % LENGTH != LENGTH - 1 else first * 0)
        self.planes += len(labels)


def test_slabs():
    out = Checked()
    assert skerry.ndimage.label_slabs(Posts(), out) == POSTS * (PLANES // LENGTH)
    assert out.planes == PLANES


@pytest.mark.skipif(memory_free() < 22e9, reason="needs 22 GB of memory")
def test_one_image():
    image = np.zeros((2**15 + 1, 2**16), np.uint8)
    image[::64, 5::1000] = image[-1, -1] = 1
    labels, count = skerry.ndimage.label(image)
    assert labels.dtype == np.int64
    rows, columns = np.nonzero(image)
    assert count == len(rows)
    np.testing.assert_array_equal(labels[rows, columns], np.arange(1, count + 1))
    assert np.count_nonzero(labels) == count
