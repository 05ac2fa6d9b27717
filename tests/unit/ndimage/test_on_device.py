"""Images on an emulated GPU have scipy's labels, each image numbered anew."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
import skerry.ndimage
from skerry.algorithms.gpu.images import count_pixels, label_arrays
from skerry.cuda.source import kernel_names
from skerry.graph.grid_rule import make_rule
from support import grid_oracle
from support.emulator import EmulatedRuntime, works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")
RANDOM = np.random.default_rng(50)
SHAPES = [
    (2, 90),
    (3, 20, 33),
    (2, 5, 7, 70),
    (1, 1, 1),
    (3, 0, 4),
    (1, 64, 64),
    (2, 35, 300),  # several tiles across and down
    (1, 9, 12, 140),  # and back
]


def check(images, leading=1, values="binary", structure=None, background=0, **options):
    runtime = EmulatedRuntime(**options)
    ndim = images.ndim - leading
    rule = make_rule(ndim, leading, structure, None, None, values, background, None)
    labels, counts = label_arrays(runtime, images, leading, rule)
    assert labels.shape == images.shape and labels.dtype == np.int32
    assert counts.shape == images.shape[:leading]
    for index in np.ndindex(images.shape[:leading]):
        expected, count = grid_oracle.label(
            images[index], rule.structure, equal=values == "equal", background=background
        )
        assert counts[index] == count
        np.testing.assert_array_equal(labels[index], expected)
    return runtime


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("values", ["binary", "equal"])
def test_images(shape, values):
    for density in (1, 3):
        images = RANDOM.integers(-1, density, shape).astype(np.int16)
        for _ in range(3):
            flags = RANDOM.random((3,) * (len(shape) - 1)) < 0.6
            if images.size:
                check(images, values=values, structure=grid_oracle.symmetric(flags))
        if images.size:
            check(images, values=values, structure=np.ones_like(flags))
            check(images, values=values, background=None)


@pytest.mark.parametrize("dtype", ["?", "u1", "i2", "f2", "u4", "f4", "i8", "f8"])
def test_types(dtype):
    images = RANDOM.integers(0, 3, (2, 9, 40)).astype(dtype)
    if images.dtype.kind == "f":
        images[images == 0] = -0.0
    for values in ("binary", "equal"):
        check(images, values=values)
        check(images, values=values, background=1)


@pytest.mark.parametrize("background", [0, 1, 7])
def test_bytes_in_whole_words(background):
    images = RANDOM.integers(0, 3, (2, 40, 320)).astype(np.uint8)
    check(images, background=background, structure=np.ones((3, 3)))
    check(images, background=background, values="equal")


def test_many_chunks():
    images = RANDOM.random((2, 70, 80)) < 0.55
    runtime = check(images, structure=np.ones((3, 3)), max_blocks=40)
    assert set(runtime.launched) == set(kernel_names("label_images"))
    check(images.reshape(2, 1, 70, 80), leading=2)
    check(images[0], leading=0)


def test_empty_images():
    for shape in ((0, 5, 5), (3, 0, 5)):
        rule = make_rule(2, 1, None, None, None, "binary", 0, None)
        labels, counts = label_arrays(EmulatedRuntime(), np.zeros(shape), 1, rule)
        assert labels.shape == shape and counts.tolist() == [0] * shape[0]


@pytest.mark.parametrize("shape", [(3, 1, 31, 45), (1, 1, 1, 1), (0, 1, 5, 5)], ids=str)
def test_pixels_of_components(shape):
    labels = RANDOM.integers(0, min(4, 1 + shape[2]), shape).astype(np.int32)
    counts = count_pixels(EmulatedRuntime(), labels, 2)
    assert counts.dtype == np.int32
    for image, own in zip(labels, counts, strict=True):
        np.testing.assert_array_equal(own, np.where(image, np.bincount(image.ravel())[image], 0))


def test_label_of_a_device_array(monkeypatch):
    runtime = EmulatedRuntime()
    monkeypatch.setattr("skerry.algorithms.gpu.images.find_runtime", lambda _name: runtime)
    monkeypatch.setattr("skerry.ndimage.labeling._gpu", lambda _image, _device: 0)
    images = RANDOM.random((2, 20, 30)) < 0.5
    labels, counts = skerry.ndimage.label(images, batch_axes=1, output="int64")
    expected, numbers = skerry.ndimage.components(images[1]), counts[1]
    assert labels.dtype == np.int64 and numbers == expected.count
    np.testing.assert_array_equal(labels[1], expected.labels)
    with pytest.raises(skerry.UnsupportedError, match="output: labels on a GPU"):
        skerry.ndimage.label(images, output=np.uint8)


class DeviceImage(np.ndarray):
    """An array that says it is on a GPU."""

    def __dlpack_device__(self):
        return (2, 0)

    def get(self):
        return np.array(self)


def test_a_grid_on_a_device(monkeypatch):
    runtime = EmulatedRuntime()
    monkeypatch.setattr("skerry.algorithms.gpu.images.find_runtime", lambda _name: runtime)
    rules = ({}, {"connectivity": 2, "background": 1}, {"values": "equal", "background": None})
    for rule, shape in [(rule, shape) for rule in rules for shape in ((20, 70), (1, 1), (0, 5))]:
        image = RANDOM.integers(0, 3, shape).astype(np.int16)
        grid = skerry.Grid(image.view(DeviceImage), **rule)
        host = skerry.Grid(image, **rule)
        expected = skerry.connected_components(host)
        for dtype in (None, np.int32, np.int64):
            result = skerry.connected_components(grid, dtype=dtype)
            np.testing.assert_array_equal(result.labels, expected.labels)
            assert result.labels.dtype == (dtype or np.uint32)
        dense = skerry.connected_components(grid, labels="dense", device="cuda:0").labels
        numbers = skerry.connected_components(host, labels="dense").labels
        np.testing.assert_array_equal(dense, numbers)
        assert result.count == expected.count and result.verify() and skerry.verify(grid, result)
        assert result.plan.engine == "device grid" and result.plan.edges == host.num_entries
        if image.size > 1:
            wrong = np.array(expected.labels)
            wrong[-1] = 0 if wrong[-1] else 1
            assert not skerry.verify(grid, wrong)
        np.testing.assert_array_equal(grid.edges().src, host.edges().src)
    assert {"find_first", "write_first"} <= set(runtime.launched)


def test_what_a_grid_on_a_device_refuses():
    grid = skerry.Grid(np.ones((2, 3)).view(DeviceImage))
    assert grid.device == "cuda:0" and grid.on_host().device == "cpu"
    for options, message in (
        ({"device": "cpu"}, 'device="cpu" was asked for: copy it'),
        ({"device": "cuda:1"}, 'but device="cuda:1" was asked for'),
        ({"forest": True}, "forest=True"),
        ({"algorithm": "ecl"}, "algorithm="),
        ({"threads": 2}, "threads="),
    ):
        with pytest.raises(skerry.UnsupportedError, match=message):
            skerry.connected_components(grid, **options)
    with pytest.raises(skerry.UnsupportedError, match="input is on a GPU"):
        skerry.ndimage.components(grid.image)


def test_devices():
    with pytest.raises(skerry.UnsupportedError, match="pass an array that is on this GPU"):
        skerry.ndimage.label(np.ones(3), device="cuda")


def test_refusals():
    for options in ({"wrap": 0}, {"delta": 1}):
        rule = make_rule(1, 0, *[options.get(each) for each in ("s", "c", "wrap")], "binary", 0, 1)
        with pytest.raises(skerry.UnsupportedError, match="wrap and delta"):
            label_arrays(EmulatedRuntime(), np.ones(3), 0, rule)
    rule = make_rule(4, 0, None, None, None, "binary", 0, None)
    with pytest.raises(skerry.UnsupportedError, match="at most 3 axes"):
        label_arrays(EmulatedRuntime(), np.ones((2, 2, 2, 2)), 0, rule)
