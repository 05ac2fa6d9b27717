"""`skerry.ndimage.label` answers as scipy's, whatever the image, its layout and the threads."""

from __future__ import annotations

import importlib
import inspect
import types

import numpy as np
import pytest
import scipy.ndimage
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import skerry.ndimage
from support import grid_oracle
from support.grid_oracle import comb, spiral

TYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "g", ">i4", ">f8"]


def assert_as_scipy(image, structure=None, **options):
    expected, count = scipy.ndimage.label(image, structure)
    labels, ours = skerry.ndimage.label(image, structure, **options)
    assert ours == count and type(ours) is int
    assert labels.dtype == expected.dtype
    np.testing.assert_array_equal(labels, expected)


# Larger than two slabs of the kernel, so that threads meet.
LARGE = {
    "full": np.ones((300, 1000), bool),
    "empty": np.zeros((300, 1000), bool),
    "checkerboard": np.indices((600, 500)).sum(axis=0) % 2,
    "spiral": spiral(640),
    "comb": comb(1500, 200),
    "comb upside down": comb(1500, 200)[::-1],
    "random": np.random.default_rng(1).random((3000, 130)) < 0.6,
    "one column": np.random.default_rng(2).random((200_000, 1)) < 0.7,
    "one row": np.random.default_rng(3).random((1, 200_000)) < 0.7,
    "volume": np.random.default_rng(4).random((40, 50, 100)) < 0.3,
    "four axes": np.random.default_rng(5).random((20, 3, 50, 70)) < 0.2,
}


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("threads", [1, 2, 8, 16])
def test_threads(name, threads):
    image = LARGE[name]
    for connectivity in (1, image.ndim):
        structure = scipy.ndimage.generate_binary_structure(image.ndim, connectivity)
        assert_as_scipy(image, structure, threads=threads)


def test_random_structures():
    random = np.random.default_rng(7)
    for _ in range(1000):
        ndim = int(random.integers(1, 5))
        structure = grid_oracle.symmetric(random.random((3,) * ndim) < random.random())
        shape = (*random.integers(1, (0, 1, 20, 8, 5)[ndim] + 1, ndim - 1), random.integers(1, 140))
        assert_as_scipy(random.random(shape) < random.random(), structure)


@pytest.mark.parametrize("dtype", TYPES)
def test_types(dtype):
    image = np.random.default_rng(8).integers(0, 3, (30, 70)).astype(dtype)
    expected, count = scipy.ndimage.label(image != 0)  # which does not take all of these types
    labels, ours = skerry.ndimage.label(image)
    assert ours == count
    np.testing.assert_array_equal(labels, expected)


def test_values_of_floats_and_integers():
    assert_as_scipy(np.array([0.0, -0.0, 1e-300, np.inf, -np.inf, 0, -1]))
    assert_as_scipy(np.array([-1, 0, -(2**63), 0, 2**63 - 1]))


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (1, 1, 1)], ids=str)
@pytest.mark.parametrize("value", [0, 1])
def test_small_shapes(shape, value):
    assert_as_scipy(np.full(shape, value))


def test_layouts():
    image = np.random.default_rng(9).random((60, 90)) < 0.5
    frozen = image.copy()
    frozen.flags.writeable = False
    for layout in (np.asfortranarray(image), image[::-2, 1::3], image.T, frozen, image.tolist()):
        assert_as_scipy(layout)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_small_image(data):
    shape = data.draw(arrays.array_shapes(min_dims=1, max_dims=3, max_side=9))
    image = data.draw(arrays.arrays(np.int8, shape, elements=st.integers(-2, 2)))
    structure = data.draw(arrays.arrays(bool, (3,) * len(shape)))
    assert_as_scipy(image, grid_oracle.symmetric(structure))


@pytest.mark.parametrize("dtype", TYPES[:-3])
def test_joined_by_value(dtype):
    random = np.random.default_rng(10)
    for trial in range(60):
        ndim = int(random.integers(1, 4))
        shape = (*random.integers(1, 7, ndim - 1), int(random.integers(1, 140)))
        image = random.integers(0, 5, shape)
        image = (image - 2 * (np.dtype(dtype).kind in "if")).astype(dtype)
        structure = grid_oracle.symmetric(random.random((3,) * ndim) < 0.6)
        wrap = tuple(np.flatnonzero(random.random(ndim) < 0.4).tolist())
        options = {"wrap": wrap, "background": [0, None, 1, -1, 0.5][trial % 5]}
        rule = [{}, {"values": "equal"}, {"delta": int(random.integers(0, 3))}][trial % 3]
        oracle = {"equal": "values" in rule, "delta": rule.get("delta")}
        expected, count = grid_oracle.label(image, structure, **oracle, **options)
        labels, ours = skerry.ndimage.label(image, structure, threads=2, **rule, **options)
        assert ours == count
        np.testing.assert_array_equal(labels, expected)


def test_periodic_axes_across_threads():
    image = np.random.default_rng(11).random((30, 50, 100)) < 0.3
    structure = np.ones((3, 3, 3), bool)
    expected, count = grid_oracle.label(image, structure, wrap=(0, 1, 2))
    labels, ours = skerry.ndimage.label(image, structure, wrap=(0, 1, -1), threads=8)
    assert ours == count
    np.testing.assert_array_equal(labels, expected)


def test_differences_that_overflow():
    image = np.array([-128, 127, 127, -128], np.int8)
    assert skerry.ndimage.label(image, delta=254)[1] == 3
    assert skerry.ndimage.label(image, delta=255)[1] == 1
    assert skerry.ndimage.label(image, delta=1e9)[1] == 1


def test_batches():
    images = np.random.default_rng(12).random((2, 3, 20, 70)) < 0.5
    for threads in (1, 2, 8):
        labels, counts = skerry.ndimage.label(images, batch_axes=2, threads=threads)
        assert counts.shape == (2, 3)
        for i, j in np.ndindex(2, 3):
            expected, count = scipy.ndimage.label(images[i, j])
            assert counts[i, j] == count
            np.testing.assert_array_equal(labels[i, j], expected)
    labels, counts = skerry.ndimage.label(images[:, :0], batch_axes=2)
    assert labels.shape == (2, 0, 20, 70) and counts.shape == (2, 0)


@pytest.mark.parametrize("dtype", ["u1", "i2", "u4", "i8", "u8", "f4", ">i4"])
def test_outputs(dtype):
    image = np.random.default_rng(13).random((9, 40)) < 0.3
    expected, count = scipy.ndimage.label(image)
    labels, ours = skerry.ndimage.label(image, output=dtype)
    assert ours == count and labels.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(labels, expected)
    for target in (np.full((9, 40), 7, dtype), np.full((40, 9), 7, dtype).T):
        assert skerry.ndimage.label(image, output=target) == count
        np.testing.assert_array_equal(target, expected)


def test_output_is_the_input():
    image = (np.random.default_rng(14).random((50, 50)) < 0.5).astype(np.int32)
    expected, count = scipy.ndimage.label(image)
    assert skerry.ndimage.label(image, output=image) == count
    np.testing.assert_array_equal(image, expected)


NAN = np.array([[1.0, np.nan]])
BAD = {
    "input has a NaN": (NAN, {}),
    "input has a NaN: ": (NAN, {"output": np.ones((1, 2), np.int32)}),
    "input must be an array of real": (np.ones(3, complex), {}),
    "input must be an array of real numbers": (np.array(["a"]), {}),
    "input is ragged": ([[1, 0], [1]], {}),
    "structure is ragged": (np.ones(2), {"structure": [[1, 1], [1]]}),
    "wrap is ragged": (np.ones(2), {"wrap": [[0], [0, 0]]}),
    "structure must have the shape 3 x 3": (np.ones((2, 2)), {"structure": np.ones(3)}),
    "structure must be symmetric": (np.ones(2), {"structure": [1, 1, 0]}),
    "structure and connectivity": (np.ones(2), {"structure": [1, 1, 1], "connectivity": 1}),
    "connectivity must be an integer in 1..2": (np.ones((2, 2)), {"connectivity": 3}),
    "output must have the shape": (np.ones(2), {"output": np.ones(3, np.int32)}),
    "output must have a type of numbers": (np.ones(2), {"output": "U3"}),
    "output must be an array or a type": (np.ones(2), {"output": "no type"}),
    "output is read-only": (np.ones(1), {"output": np.broadcast_to(np.int32(5), 1)}),
    "output: 300 labels do not fit the type uint8": (
        np.arange(600) % 2,
        {"output": np.ones(600, np.uint8)},
    ),
    "values must be": (np.ones(2), {"values": "same"}),
    "delta must be": (np.ones(2), {"delta": -1}),
    "delta and values='equal'": (np.ones(2), {"delta": 1, "values": "equal"}),
    "background must be": (np.ones(2), {"background": "0"}),
    "wrap must be axes": (np.ones(2), {"wrap": 1}),
    "wrap: axis 0 counts images": (np.ones((2, 2)), {"wrap": 0, "batch_axes": 1}),
    "batch_axes must be": (np.ones(2), {"batch_axes": 2}),
    "threads must be": (np.ones(2), {"threads": 0}),
    "device must be": (np.ones(2), {"device": "tpu"}),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input(message):
    image, options = BAD[message]
    before = np.copy(options.get("output")) if "output" in options else None
    with pytest.raises(ValueError, match="^" + message.replace("..", r"\.\.")) as caught:
        skerry.ndimage.label(image, **options)
    assert isinstance(caught.value, skerry.SkerryError)
    if isinstance(options.get("output"), np.ndarray):
        np.testing.assert_array_equal(options["output"], before)


try:
    theirs = importlib.import_module("scipy.ndimage.tests.test_measurements")
except ImportError:  # a scipy without its tests
    theirs = types.ModuleType("none")


@pytest.mark.parametrize("name", [name for name in vars(theirs) if name.startswith("test_label")])
def test_of_scipy(name, monkeypatch):
    substitute = types.SimpleNamespace(**vars(scipy.ndimage))
    substitute.label = skerry.ndimage.label
    monkeypatch.setattr(theirs, "ndimage", substitute)
    function = inspect.unwrap(getattr(theirs, name))
    function(**{"xp": np} if "xp" in inspect.signature(function).parameters else {})
