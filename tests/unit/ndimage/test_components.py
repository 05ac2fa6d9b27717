"""What `skerry.ndimage.components` counts is what scipy counts of the same labels."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage

import skerry
import skerry.ndimage
from support import grid_oracle

RANDOM = np.random.default_rng(30)
SHAPES = [(90,), (30, 70), (7, 9, 20), (3, 4, 5, 6)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_counts(shape):
    image = RANDOM.random(shape) < 0.4
    result = skerry.ndimage.components(image)
    labels, count = scipy.ndimage.label(image)
    assert result.count == count
    np.testing.assert_array_equal(result.labels, labels)
    np.testing.assert_array_equal(result.sizes, np.bincount(labels.ravel()))
    assert result.boxes == scipy.ndimage.find_objects(labels)
    centers = scipy.ndimage.center_of_mass(np.ones(shape), labels, np.arange(count + 1))
    np.testing.assert_allclose(result.centroids, centers)
    for label, box, pixels in result.each():
        np.testing.assert_array_equal(pixels, labels[box] == label)


def test_selections():
    image = RANDOM.random((40, 50)) < 0.4
    result = skerry.ndimage.components(image)
    sizes = result.sizes[1:]
    for k in (0, 1, 3, 10**6):
        kept = np.sort(np.argsort(-sizes, kind="stable")[:k]) + 1
        expected = np.zeros_like(result.labels)
        for number, label in enumerate(kept, 1):
            expected[result.labels == label] = number
        np.testing.assert_array_equal(result.largest_k(k), expected)
    large = result.remove_small(5)
    np.testing.assert_array_equal(large > 0, image & (result.sizes[result.labels] >= 5))
    assert large.max() == (sizes >= 5).sum()
    with pytest.raises(skerry.InputError, match="k must not be negative"):
        result.largest_k(-1)


@pytest.mark.parametrize("wrap", [None, 0, (0, 1)])
def test_contacts(wrap):
    image = RANDOM.integers(0, 4, (9, 12))
    result = skerry.ndimage.components(image, connectivity=2, values="equal", wrap=wrap)
    axes = () if wrap is None else np.atleast_1d(wrap)
    expected: dict[tuple[int, int], int] = {}
    for y, x in np.ndindex(image.shape):
        for step in ((-1, -1), (-1, 0), (-1, 1), (0, -1)):
            at = [y + step[0], x + step[1]]
            for axis in axes:
                at[axis] %= image.shape[axis]
            if 0 <= at[0] < 9 and 0 <= at[1] < 12:
                pair = sorted((int(result.labels[y, x]), int(result.labels[tuple(at)])))
                if pair[0] != pair[1] and pair[0] != 0:
                    expected[tuple(pair)] = expected.get(tuple(pair), 0) + 1
    assert result.region_graph() == expected


@pytest.mark.parametrize("rule", [{}, {"values": "equal"}, {"delta": 1}], ids=str)
@pytest.mark.parametrize("dtype", ["u1", "i1", "f8"])
def test_the_graph_has_the_same_components(rule, dtype):
    image = (RANDOM.integers(0, 4, (9, 80)) - (dtype != "u1")).astype(dtype)
    result = skerry.ndimage.components(image, wrap=1, **rule)
    solved = skerry.connected_components(result.as_graph())
    objects = image.ravel() != 0
    labels = np.where(objects, solved.labels.astype(np.int64) + 1, 0)
    _, numbers = np.unique([0, *labels], return_inverse=True)
    np.testing.assert_array_equal(numbers[1:].reshape(image.shape), result.labels)
    oracle = {"equal": "values" in rule, "delta": rule.get("delta")}
    cross = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])
    expected, _ = grid_oracle.label(image, cross, wrap=(1,), **oracle)
    np.testing.assert_array_equal(result.labels, expected)


def test_empty_images():
    result = skerry.ndimage.components(np.zeros((0, 5)))
    assert result.count == 0 and result.sizes.tolist() == [0] and result.boxes == []
    assert result.region_graph() == {} and np.isnan(result.centroids).all()
    assert repr(result) == "ImageComponents(count=0, pixels=(0, 5))"
    assert skerry.ndimage.components(np.zeros((2, 5))).as_graph().num_vertices == 10
    with pytest.raises(skerry.InputError, match="at least one axis"):
        skerry.ndimage.components(1)
    with pytest.raises(ValueError, match="read-only"):
        result.labels[:] = 1
