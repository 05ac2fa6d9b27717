"""The calls of scikit-image, cc3d and SAM 2, answered by skerry; and theirs, if installed."""

from __future__ import annotations

import inspect
import logging
import sys
import types

import numpy as np
import pytest

import skerry
import skerry.cc3d
import skerry.sam2
import skerry.skimage
from support import grid_oracle

RANDOM = np.random.default_rng(20)
IMAGES = {
    "bool": RANDOM.random((30, 41)) < 0.5,
    "labels": RANDOM.integers(0, 4, (25, 66)),
    "bytes": RANDOM.integers(0, 3, (7, 8, 70)).astype(np.uint8),
    "line": RANDOM.integers(-1, 3, 90),
    "Fortran": np.asfortranarray(RANDOM.integers(0, 3, (20, 30, 11)).astype(np.uint16)),
}


def structure(ndim, reach):
    return np.abs(np.indices((3,) * ndim) - 1).sum(axis=0) <= reach


@pytest.mark.parametrize("name", IMAGES)
@pytest.mark.parametrize("background", [None, 0, 1, -1])
def test_skimage(name, background):
    image = IMAGES[name]
    for reach in (None, *range(1, image.ndim + 1)):
        labels, count = skerry.skimage.label(image, background, True, reach)
        flags = structure(image.ndim, reach or image.ndim)
        value = background or 0
        if image.dtype == bool:
            value = value == 1
        expected, number = grid_oracle.label(image, flags, equal=True, background=value)
        assert count == number
        np.testing.assert_array_equal(labels, expected)
        np.testing.assert_array_equal(skerry.skimage.label(image, background, False, reach), labels)


@pytest.mark.parametrize("name", IMAGES)
@pytest.mark.parametrize("background", [None, 0, 1, -1])
def test_skimage_itself(name, background):
    theirs = pytest.importorskip("skimage.measure")
    for reach in (None, *range(1, IMAGES[name].ndim + 1)):
        options = {"background": background, "return_num": True, "connectivity": reach}
        expected, count = theirs.label(IMAGES[name], **options)
        labels, ours = skerry.skimage.label(IMAGES[name], **options)
        assert ours == count and labels.dtype == expected.dtype
        np.testing.assert_array_equal(labels, expected)


CC3D = [(2, 4), (2, 8), (3, 6), (3, 18), (3, 26)]


@pytest.mark.parametrize("ndim, connectivity", CC3D)
@pytest.mark.parametrize("options", [{}, {"delta": 1}, {"periodic_boundary": True}], ids=str)
def test_cc3d(ndim, connectivity, options):
    reach = {4: 1, 8: 2, 6: 1, 18: 2, 26: 3}[connectivity]
    for image in (each for each in IMAGES.values() if each.ndim == ndim):
        labels, count = skerry.cc3d.connected_components(image, -1, connectivity, True, **options)
        wrap = range(ndim) if "periodic_boundary" in options else ()
        expected, number = grid_oracle.label(
            image, structure(ndim, reach), equal=True, delta=options.get("delta"), wrap=wrap
        )
        assert count == number and labels.dtype == np.uint16
        assert_same_partition(labels, expected)


@pytest.mark.parametrize("ndim, connectivity", CC3D)
@pytest.mark.parametrize(
    "options", [{}, {"delta": 1}, {"periodic_boundary": True}, {"binary_image": True}], ids=str
)
def test_cc3d_itself(ndim, connectivity, options):
    theirs = pytest.importorskip("cc3d")
    if "periodic_boundary" in options and connectivity in (18, 26):
        pytest.skip("cc3d has no periodic boundary with so many neighbors")
    if options == {"delta": 1} and connectivity == 8:
        pytest.skip("cc3d 4.1.1 joins pixels through others that differ by more; see test_cc3d")
    for image in (each for each in IMAGES.values() if each.ndim == ndim):
        if "binary_image" in options:  # of other values cc3d 4.1.1 splits components
            image = (image > 0).astype(np.uint8)
        options = {"connectivity": connectivity, "return_N": True, **options}
        expected, count = theirs.connected_components(image, **options)
        labels, ours = skerry.cc3d.connected_components(image, **options)
        assert ours == count and labels.dtype == expected.dtype
        assert_same_partition(labels, expected)


def assert_same_partition(labels, expected):
    pairs = np.unique(np.stack([labels.ravel(), expected.ravel()]).astype(np.int64), axis=1)
    assert (labels.min(), labels.max()) == (expected.min(), expected.max())
    assert len(pairs[0]) == len(np.unique(pairs[0])) == len(np.unique(pairs[1]))
    np.testing.assert_array_equal(labels == 0, expected == 0)


def test_label_types_of_cc3d():
    """The type depends on the runs of rows, of which each second pixel begins one here."""
    for runs, axes, expected in ((65_534, 1, "u2"), (65_535, 1, "u4"), (32_768, 2, "u4")):
        image = np.zeros((axes, 2 * runs), np.uint8)
        image[:, ::2] = 1
        for order in (image, np.asfortranarray(image.T)):
            assert skerry.cc3d.connected_components(order, connectivity=4).dtype == expected
            if "cc3d" in sys.modules:
                theirs = sys.modules["cc3d"].connected_components(order, connectivity=4)
                assert theirs.dtype == expected


def test_what_theirs_refuse():
    with pytest.raises(NotImplementedError, match="at most 3 axes"):
        skerry.skimage.label(np.ones((1, 2, 3, 4)))
    assert skerry.skimage.label(np.ones((1, 2, 3, 4), bool)).max() == 1
    with pytest.raises(TypeError, match="delta is not for float16"):
        skerry.cc3d.connected_components(np.ones((2, 2), np.float16), delta=1)


def test_arguments_of_cc3d():
    theirs = pytest.importorskip("cc3d")
    own, other = (
        {name: each.default for name, each in inspect.signature(function).parameters.items()}
        for function in (skerry.cc3d.connected_components, theirs.connected_components)
    )
    assert list(own.items()) == list(other.items())


def test_types_of_cc3d():
    image = IMAGES["bool"]
    assert skerry.cc3d.connected_components(image, out_dtype=np.uint16).dtype == np.uint16
    flat = {6: 4, 18: 8, 26: 8}  # an image is a volume of one plane
    for connectivity, same in flat.items():
        ours = skerry.cc3d.connected_components(image, connectivity=connectivity)
        np.testing.assert_array_equal(
            ours, skerry.cc3d.connected_components(image, connectivity=same)
        )
    for options in ({"connectivity": 5}, {"out_dtype": np.int32}, {"out_dtype": np.uint8}):
        with pytest.raises(skerry.InputError, match=next(iter(options))):
            skerry.cc3d.connected_components(image, **options)
    with pytest.raises(skerry.UnsupportedError, match="out_file: label_slabs"):
        skerry.cc3d.connected_components(image, out_file="labels.bin")
    with pytest.raises(skerry.InputError, match="one to three axes"):
        skerry.cc3d.connected_components(np.ones((1, 1, 1, 1)))


def masks():
    return (RANDOM.random((3, 1, 31, 45)) < 0.4).astype(np.uint8)


def check_masks(mask, labels, counts):
    assert labels.dtype == counts.dtype == np.int32 and labels.shape == counts.shape == mask.shape
    for image, own, areas in zip(mask[:, 0], labels[:, 0], counts[:, 0], strict=True):
        expected, _ = grid_oracle.label(image, structure(2, 2))
        np.testing.assert_array_equal(own, expected)
        sizes = np.bincount(expected.ravel())
        np.testing.assert_array_equal(areas, np.where(expected, sizes[expected], 0))


def test_sam2():
    mask = masks()
    check_masks(mask, *skerry.sam2.get_connected_components(mask))
    check_masks(mask[:0], *skerry.sam2.get_connected_components(mask[:0]))


def test_sam2_with_tensors():
    torch = pytest.importorskip("torch")
    mask = masks()
    labels, counts = skerry.sam2.get_connected_components(torch.from_numpy(mask))
    check_masks(mask, labels.numpy(), counts.numpy())


def test_errors_of_sam2_are_logged(caplog):
    with pytest.raises(skerry.InputError, match="mask must have"), caplog.at_level(logging.ERROR):
        skerry.sam2.get_connected_components(np.ones((5, 5)))
    assert "masks failed" in caplog.text


def test_use(monkeypatch):
    module = types.ModuleType("sam2.utils.misc")
    module.get_connected_components = theirs = print
    for name in ("sam2", "sam2.utils"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "sam2.utils.misc", module)
    mask = masks()
    with skerry.sam2.use():
        check_masks(mask, *module.get_connected_components(mask))
    assert module.get_connected_components is theirs


def test_binary_images_of_cc3d():
    image = np.array([[3, 1, -1, 2, 0, 5]])
    labels = skerry.cc3d.connected_components(image, connectivity=4, binary_image=True)
    np.testing.assert_array_equal(labels, [[1, 1, 0, 2, 0, 3]])
