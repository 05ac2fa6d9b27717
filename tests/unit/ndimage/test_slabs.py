"""Slab by slab gives the labels of the whole image, also after an interruption."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
import skerry.ndimage

RANDOM = np.random.default_rng(40)


class Recorded:
    """An image that can be read by slices of its first axis only, and fails when told to."""

    def __init__(self, image, fail_at=None):
        self.image, self.shape, self.dtype = image, image.shape, image.dtype
        self.reads, self.largest, self.fail_at = 0, 0, fail_at

    def __getitem__(self, planes):
        assert isinstance(planes, slice)
        self.reads += 1
        if self.reads == self.fail_at:
            raise OSError("the disk is gone")
        self.largest = max(self.largest, planes.stop - planes.start)
        return self.image[planes]


RULES = [
    {},
    {"connectivity": 3},
    {"values": "equal", "background": None},
    {"delta": 1, "connectivity": 2},
    {"wrap": (0, 1, 2)},
    {"wrap": 0, "values": "equal", "connectivity": 3},
]


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("depth", [1, 2, 5, 100])
def test_slabs(rule, depth):
    for density in (2, 3):
        image = RANDOM.integers(-1, density, (17, 9, 11)).astype(np.int8)
        source, out = Recorded(image), np.full(image.shape, -1, np.int64)
        count = skerry.ndimage.label_slabs(source, out, depth=depth, **rule)
        expected, number = skerry.ndimage.label(image, **rule)
        assert count == number and source.largest <= depth
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("shape", [(50,), (0, 5), (30, 40), (4, 5, 6, 7)], ids=str)
def test_shapes(shape):
    image = RANDOM.random(shape) < 0.5
    out = np.zeros(shape, np.int32)
    expected, number = skerry.ndimage.label(image)
    assert skerry.ndimage.label_slabs(image, out, depth=3) == number
    np.testing.assert_array_equal(out, expected)
    assert skerry.ndimage.label_slabs(image, out) == number
    np.testing.assert_array_equal(out, expected)


def test_every_interruption(tmp_path):
    image = RANDOM.random((12, 20)) < 0.6
    expected, number = skerry.ndimage.label(image)
    slabs = 4
    for fail_at in range(1, 2 * slabs + 1):
        out = np.full(image.shape, 7, np.int32)
        source = Recorded(image, fail_at)
        with pytest.raises(OSError, match="gone"):
            skerry.ndimage.label_slabs(source, out, depth=3, state=tmp_path / "state")
        written = max(0, fail_at - slabs - 1) * 3
        np.testing.assert_array_equal(out[:written], expected[:written])
        assert (out[written:] == 7).all()
        again = Recorded(image)
        count = skerry.ndimage.label_slabs(again, out, depth=3, state=tmp_path / "state")
        assert count == number
        assert again.reads == (2 * slabs if fail_at <= slabs else slabs - written // 3)
        np.testing.assert_array_equal(out, expected)
        assert not list(tmp_path.iterdir())


def test_progress():
    calls = []
    image = np.ones((5, 5))
    skerry.ndimage.label_slabs(
        image, np.zeros((5, 5), int), depth=2, progress=lambda *each: calls.append(each)
    )
    assert calls == [(done, 6) for done in range(1, 7)]


def test_memory_maps(tmp_path):
    image = RANDOM.random((40, 30, 20)) < 0.3
    np.save(tmp_path / "image.npy", image)
    source = np.load(tmp_path / "image.npy", mmap_mode="r")
    out = np.lib.format.open_memmap(tmp_path / "labels.npy", "w+", np.uint32, image.shape)
    skerry.ndimage.label_slabs(source, out, depth=7)
    out.flush()
    expected, _ = skerry.ndimage.label(image)
    np.testing.assert_array_equal(np.load(tmp_path / "labels.npy"), expected)


@pytest.mark.parametrize("library", ["zarr", "h5py", "dask.array"])
def test_arrays_of_others(library, tmp_path):
    module = pytest.importorskip(library)
    image = RANDOM.integers(0, 2, (20, 30, 10)).astype(np.uint8)
    expected, number = skerry.ndimage.label(image)
    if library == "dask.array":
        source, out = module.from_array(image, chunks=(6, 30, 10)), np.zeros(image.shape, np.int32)
    elif library == "zarr":
        group = module.open_group(str(tmp_path / "group.zarr"), mode="w")
        source = group.create_array("image", shape=image.shape, dtype="u1", chunks=(6, 30, 10))
        out = group.create_array("labels", shape=image.shape, dtype="u4", chunks=(6, 30, 10))
        source[:] = image
    else:
        file = module.File(tmp_path / "file.h5", "w")
        source = file.create_dataset("image", data=image)
        out = file.create_dataset("labels", image.shape, "u4")
    assert skerry.ndimage.label_slabs(source, out, depth=6) == number
    np.testing.assert_array_equal(out[:], expected)


def test_bad_input(tmp_path):
    image = np.arange(600).reshape(300, 2) % 2
    out = np.full(image.shape, 5, np.uint8)
    with pytest.raises(skerry.InputError, match="source must be a path or an array, got list"):
        skerry.ndimage.label_slabs([[1], [1, 2]], np.zeros((2, 2), int))
    with pytest.raises(skerry.InputError, match="out: 300 labels do not fit the type uint8"):
        skerry.ndimage.label_slabs(image[:, ::-1] * [1, 0], out, structure=np.ones((3, 3)) * 0)
    assert (out == 5).all()
    with pytest.raises(skerry.InputError, match="out must have the shape of the source"):
        skerry.ndimage.label_slabs(image, out[1:])
    with pytest.raises(skerry.InputError, match="depth must be"):
        skerry.ndimage.label_slabs(image, out, depth=0)
    with pytest.raises(skerry.InputError, match="input has a NaN"):
        skerry.ndimage.label_slabs(np.full((3, 3), np.nan), np.zeros((3, 3), int))
    (tmp_path / "state").write_text("something else")
    with pytest.raises(skerry.InputError, match="is no file of this function"):
        skerry.ndimage.label_slabs(image, out, state=tmp_path / "state")


def test_state_of_another_call(tmp_path):
    source = Recorded(np.ones((6, 6)), fail_at=5)
    out = np.zeros((6, 6), int)
    with pytest.raises(OSError, match="gone"):
        skerry.ndimage.label_slabs(source, out, depth=2, state=tmp_path / "state")
    with pytest.raises(skerry.InputError, match="another source or other arguments"):
        skerry.ndimage.label_slabs(source, out, depth=3, state=tmp_path / "state")


@pytest.mark.parametrize("chunks", [(20, 30, 10), (6, 30, 10), (7, 11, 4), (1, 30, 5)], ids=str)
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_arrays_of_dask_are_labeled_when_they_are_computed(chunks, rule):
    dask = pytest.importorskip("dask")
    array = pytest.importorskip("dask.array")
    reads = []

    def read(block):
        reads.append(block.size)
        return block

    image = RANDOM.integers(0, 3, (20, 30, 10)).astype(np.int8)
    lazy = array.from_array(image, chunks=chunks).map_blocks(read, dtype=image.dtype)
    reads.clear()
    labels, count = skerry.ndimage.label(lazy, **rule)
    assert isinstance(labels, array.Array) and not reads
    assert labels.shape == image.shape and labels.chunks[0] == lazy.chunks[0]
    expected, number = skerry.ndimage.label(image, **rule)
    with dask.config.set(scheduler="synchronous"):
        computed, counted = dask.compute(labels, count)
    assert counted == number and computed.dtype == labels.dtype == expected.dtype
    np.testing.assert_array_equal(computed, expected)
    assert sum(reads) == 2 * image.size  # each chunk twice: none is kept for the second time
    assert skerry.ndimage.label(lazy, output=np.int64, **rule)[0][3:5].compute().dtype == np.int64


def test_what_arrays_of_dask_cannot():
    array = pytest.importorskip("dask.array")
    image = array.ones((4, 5), chunks=2)
    for options, message in (
        ({"batch_axes": 1}, "batch_axes and device"),
        ({"device": "cuda"}, "batch_axes and device"),
        ({"output": "none"}, "output must be"),
        ({"connectivity": 3}, "connectivity must be"),
    ):
        with pytest.raises(skerry.SkerryError, match=message):
            skerry.ndimage.label(image, **options)
    for bad in (image[image > 0], array.from_array(np.array(1))):
        with pytest.raises(skerry.InputError, match="one axis or more, of known sizes"):
            skerry.ndimage.label(bad)
