"""Images on a GPU have the labels of the CPU, in the caller's stream, run after run."""

from __future__ import annotations

import numpy as np
import pytest

import skerry.ndimage
import skerry.sam2
from support.grid_oracle import comb, spiral
from support.on_gpu import require_gpu

cp = require_gpu()
RANDOM = np.random.default_rng(50)
SHAPES = [(64, 64), (33, 100), (700, 1000), (5, 40, 70), (33, 64, 130), (1, 500), (1500,), (900, 3)]
RUNS = 30


def assert_same(image, **options):
    expected, count = skerry.ndimage.label(image, **options)
    given = cp.asarray(image)
    for _ in range(RUNS):
        labels, found = skerry.ndimage.label(given, **options)
        np.testing.assert_array_equal(found.get(), count)
        np.testing.assert_array_equal(labels.get(), expected)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("values", ["binary", "equal"])
def test_random_images(shape, values):
    for density in (0.1, 0.45, 0.6, 0.95):
        image = (RANDOM.random(shape) < density) * RANDOM.integers(1, 3, shape)
        for connectivity in range(1, len(shape) + 1):
            assert_same(image.astype(np.int16), values=values, connectivity=connectivity)


@pytest.mark.parametrize("image", [spiral(1025), comb(1025, 700)], ids=["spiral", "comb"])
def test_long_components(image):
    for turned in (image, image.T, ~image):
        assert_same(np.ascontiguousarray(turned), connectivity=1)
        assert_same(np.ascontiguousarray(turned), connectivity=2)


@pytest.mark.parametrize("shape", [(7, 100, 90), (3, 4, 33, 300)], ids=str)
def test_batches(shape):
    images = RANDOM.random(shape) < 0.5
    images[1] = False
    for leading in range(1, len(shape) - 1):
        assert_same(images, batch_axes=leading, connectivity=2)


def test_masks_of_sam2():
    masks = (RANDOM.random((9, 1, 257, 123)) < 0.6).astype(np.uint8)
    expected, areas = skerry.sam2.get_connected_components(masks)
    torch = pytest.importorskip("torch")
    for _ in range(RUNS):
        labels, counts = skerry.sam2.get_connected_components(torch.from_numpy(masks).cuda())
        np.testing.assert_array_equal(labels.cpu().numpy(), expected)
        np.testing.assert_array_equal(counts.cpu().numpy(), areas)


def test_the_stream_of_the_caller():
    image = cp.asarray(RANDOM.random((300, 300)) < 0.5)
    expected, _ = skerry.ndimage.label(image.get())
    cp.cuda.get_current_stream().synchronize()
    with cp.cuda.Stream(non_blocking=True) as stream:
        labels, _ = skerry.ndimage.label(image)
        stream.synchronize()
    np.testing.assert_array_equal(labels.get(), expected)


@pytest.mark.parametrize("shape", [(700, 1000), (33, 64, 130), (1500,)], ids=str)
@pytest.mark.parametrize("kind", ["cupy", "torch"])
def test_a_grid(shape, kind):
    image = RANDOM.integers(0, 3, shape).astype(np.int16)
    given = cp.asarray(image)
    if kind == "torch":
        given = pytest.importorskip("torch").from_numpy(image).cuda()
    for rule in ({}, {"connectivity": len(shape)}, {"values": "equal", "background": None}):
        expected = skerry.connected_components(skerry.Grid(image, **rule))
        grid = skerry.Grid(given, **rule)
        result = skerry.connected_components(grid)
        np.testing.assert_array_equal(result.labels.get(), expected.labels)
        assert result.count == expected.count and result.verify()
        assert skerry.verify(grid, result) and result.plan.device != "cpu"
        sizes = np.sort(np.bincount(expected.labels.astype(np.int64)))
        np.testing.assert_array_equal(np.sort(result.sizes().get()), sizes[sizes > 0])
