"""Images in files of the field's formats: the same pixels, the same labels, whatever is used."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import skerry
import skerry.ndimage
from skerry.ndimage.image_files import RawImage, open_image
from support.paths import ROOT

RANDOM = np.random.default_rng(70)
IMAGE = (RANDOM.random((20, 30, 13)) < 0.3).astype(np.uint16)
EXPECTED, COUNT = skerry.ndimage.label(IMAGE)
FORMATS = [".npy", ".tif", ".nii", ".nii.gz", ".zarr", ".h5"]
PACKAGES = {".tif": "tifffile", ".nii": "nibabel", ".nii.gz": "nibabel", ".zarr": "zarr"}
PACKAGES[".h5"] = "h5py"


def need(suffix):
    """The package of a format; the test is skipped without it."""
    return pytest.importorskip(PACKAGES[suffix]) if suffix in PACKAGES else None


def write(path, image, **options):
    """Writes an image by the format's own package."""
    suffix = ".nii.gz" if path.name.endswith(".nii.gz") else path.suffix
    package = need(suffix)
    if suffix == ".npy":
        np.save(path, image)
    elif suffix == ".tif":
        package.imwrite(path, image, photometric="minisblack", **options)
    elif suffix == ".zarr":
        options = {"chunks": (7, 30, 13)} | options
        package.create_array(str(path), data=np.ascontiguousarray(image), **options)
    elif suffix == ".h5":
        with package.File(path, "w") as file:
            file.create_dataset("raw", data=image, **options)
    else:
        package.save(package.Nifti1Image(image.T, np.diag([2, 3, 4, 1.0])), path)
    return path


def read(path):
    """All of an image, by the format's own package."""
    suffix = ".nii.gz" if path.name.endswith(".nii.gz") else path.suffix
    package = need(suffix)
    if suffix == ".npy":
        return np.load(path)
    if suffix == ".tif":
        return package.imread(path)
    if suffix == ".zarr":
        return package.open_array(str(path), mode="r")[:]
    if suffix == ".h5":
        with package.File(path) as file:
            return file["labels"][:]
    return np.asarray(package.load(path).dataobj).T


@pytest.mark.parametrize("suffix", FORMATS)
def test_from_each_format_and_to_it(suffix, tmp_path):
    source = write(tmp_path / f"image{suffix}", IMAGE)
    out = tmp_path / f"labels{suffix}"
    for depth in (3, 20):
        assert skerry.ndimage.label_slabs(source, out, depth=depth) == COUNT
        labels = read(out)
        assert labels.dtype == np.uint32
        np.testing.assert_array_equal(labels, EXPECTED)
    assert {path.name for path in tmp_path.iterdir()} == {source.name, out.name}


STORED = [
    (".tif", {"compression": "zlib"}),
    (".tif", {"byteorder": ">"}),
    (".tif", {"bigtiff": True, "tile": (16, 16)}),
    (".h5", {"chunks": (5, 5, 5), "compression": "gzip"}),
    (".zarr", {"zarr_format": 2}),
]


@pytest.mark.parametrize(("suffix", "options"), STORED, ids=str)
def test_however_it_is_stored(suffix, options, tmp_path):
    source = write(tmp_path / f"image{suffix}", IMAGE, **options)
    with open_image(source) as image:
        np.testing.assert_array_equal(np.concatenate([image[0:4], image[4:20]]), IMAGE)
    assert skerry.ndimage.label_slabs(source, tmp_path / "l.npy", depth=6) == COUNT
    np.testing.assert_array_equal(np.load(tmp_path / "l.npy"), EXPECTED)


def test_what_is_not_compressed_is_read_by_seeks(tmp_path):
    for suffix in (".npy", ".tif", ".nii", ".h5"):
        with suppress(pytest.skip.Exception):
            source = write(tmp_path / f"image{suffix}", IMAGE)
            with open_image(source) as image:
                assert isinstance(image, RawImage), suffix


@pytest.mark.parametrize("shape", [(7,), (5, 6), (3, 4, 5, 6), (0, 4)], ids=str)
def test_axes(shape, tmp_path):
    image = RANDOM.random(shape) < 0.5
    np.save(tmp_path / "image.npy", np.asfortranarray(image))
    expected, count = skerry.ndimage.label(image)
    for suffix in FORMATS:
        refused = suffix == ".tif" and len(shape) == 1
        if refused or (0 in shape and suffix != ".npy"):
            continue
        with suppress(pytest.skip.Exception):
            need(suffix)
            out = tmp_path / f"labels{suffix}"
            assert skerry.ndimage.label_slabs(tmp_path / "image.npy", out, depth=2) == count
            np.testing.assert_array_equal(read(out).reshape(shape), expected)


def test_a_nifti_image_stays_where_it_is(tmp_path):
    nibabel = need(".nii")
    source = write(tmp_path / "image.nii.gz", IMAGE)
    skerry.ndimage.label_slabs(source, tmp_path / "labels.nii.gz")
    np.testing.assert_array_equal(
        nibabel.load(tmp_path / "labels.nii.gz").affine, np.diag([2, 3, 4, 1.0])
    )
    scaled = nibabel.Nifti1Image(IMAGE.T.astype(np.int16), None)
    scaled.header.set_slope_inter(0.5, -1)
    nibabel.save(scaled, tmp_path / "scaled.nii")
    with open_image(tmp_path / "scaled.nii") as image:
        pixels = np.asarray(nibabel.load(tmp_path / "scaled.nii").dataobj).T
        np.testing.assert_array_equal(image[0:20], pixels)


def test_arrays_inside_of_files(tmp_path):
    h5py, zarr = need(".h5"), need(".zarr")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["one/raw"] = IMAGE
        file["two"] = IMAGE[::-1]
    group = zarr.open_group(str(tmp_path / "a.zarr"), mode="w")
    group.create_array("0", data=IMAGE)
    group.create_array("1", data=IMAGE[::2])
    out = tmp_path / "labels.npy"
    for name in ("a.h5/one/raw", "a.zarr/0"):
        assert skerry.ndimage.label_slabs(tmp_path / name, out) == COUNT
    for name, names in (("a.h5", "one/raw, two"), ("a.zarr", "0, 1")):
        with pytest.raises(skerry.InputError, match=f"holds several arrays: {names}; name one"):
            skerry.ndimage.label_slabs(tmp_path / name, out)
    with pytest.raises(skerry.InputError, match="has no array three"):
        skerry.ndimage.label_slabs(tmp_path / "a.h5/three", out)
    skerry.ndimage.label_slabs(tmp_path / "a.zarr/0", tmp_path / "a.zarr/labels")
    np.testing.assert_array_equal(group["labels"][:], EXPECTED)


def test_pictures(tmp_path):
    imageio = pytest.importorskip("imageio.v3")
    imageio.imwrite(tmp_path / "mask.png", IMAGE[0].astype(np.uint8) * 255)
    imageio.imwrite(tmp_path / "photo.png", np.zeros((4, 5, 3), np.uint8))
    expected, count = skerry.ndimage.label(IMAGE[0])
    assert skerry.ndimage.label_slabs(tmp_path / "mask.png", tmp_path / "labels.png") == count
    labels = imageio.imread(tmp_path / "labels.png")
    assert labels.dtype == np.uint16
    np.testing.assert_array_equal(labels, expected)
    with pytest.raises(skerry.InputError, match="has 3 numbers a pixel"):
        skerry.ndimage.label_slabs(tmp_path / "photo.png", tmp_path / "l.npy")
    tifffile = need(".tif")
    tifffile.imwrite(tmp_path / "photo.tif", np.zeros((4, 5, 3), np.uint8))
    with pytest.raises(skerry.InputError, match="colors or transparency"):
        skerry.ndimage.label_slabs(tmp_path / "photo.tif", tmp_path / "l.npy")
    with tifffile.TiffWriter(tmp_path / "two.tif") as file:
        for image in (IMAGE[0], IMAGE[0, :5]):
            file.write(image, photometric="minisblack")
    with pytest.raises(skerry.InputError, match="holds 2 images"):
        skerry.ndimage.label_slabs(tmp_path / "two.tif", tmp_path / "l.npy")


KILLED = """
import os, signal, sys
import skerry.ndimage

def progress(done, total):
    if done == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

skerry.ndimage.label_slabs(
    sys.argv[1], sys.argv[2], depth=4, state=sys.argv[1] + ".state", progress=progress
)
"""


@pytest.mark.parametrize("suffix", [*FORMATS, ".png"])
def test_a_killed_call_goes_on(suffix, tmp_path):
    need(suffix)
    image, expected = (IMAGE, EXPECTED) if suffix != ".png" else (IMAGE[:, 0], None)
    if expected is None:
        expected, _ = skerry.ndimage.label(image)
    source, out = write(tmp_path / "image.npy", image), tmp_path / f"labels{suffix}"
    state = Path(f"{source}.state")
    for stop in (2, 6, 8):  # of 10 slabs: five to read, five to write
        done = subprocess.run(
            [sys.executable, "-c", KILLED, source, out, str(stop)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), *sys.path])},
            check=False,
        )
        assert done.returncode == -signal.SIGKILL
        assert not out.exists() and state.exists() == (stop > 5)
    calls = []
    skerry.ndimage.label_slabs(source, out, state=state, progress=lambda *each: calls.append(each))
    assert calls[0] == ((9, 10) if suffix != ".png" else (6, 10))
    if suffix == ".png":
        labels = np.asarray(pytest.importorskip("imageio.v3").imread(out))
    else:
        labels = read(out)
    np.testing.assert_array_equal(labels, expected)
    assert {path.name for path in tmp_path.iterdir()} == {"image.npy", out.name}


@pytest.mark.parametrize("suffix", FORMATS)
def test_an_error_leaves_what_was_there(suffix, tmp_path):
    source = write(tmp_path / f"image{suffix}", IMAGE)
    out = tmp_path / f"labels{suffix}"
    skerry.ndimage.label_slabs(source, out)

    def stop(done, _total):
        if done == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        skerry.ndimage.label_slabs(source, out, connectivity=3, depth=4, progress=stop)
    np.testing.assert_array_equal(read(out), EXPECTED)
    assert {path.name for path in tmp_path.iterdir()} == {source.name, out.name}


def test_bad_files(tmp_path, monkeypatch):
    out = tmp_path / "labels.npy"
    for suffix in FORMATS[1:]:
        need(suffix)
        path = tmp_path / f"bad{suffix}"
        path.write_bytes(b"no image" * 100)
        with pytest.raises(skerry.InputError, match=rf"bad{suffix}: cannot be read as {suffix}"):
            skerry.ndimage.label_slabs(path, out)
    (tmp_path / "folder.zarr").mkdir()
    (tmp_path / "folder.zarr/thesis.txt").write_text("x")
    np.save(tmp_path / "image.npy", IMAGE)
    for name, message in (
        ("folder.zarr", "is no Zarr array"),
        ("none/labels.npy", "there is no folder"),
        ("labels.txt", "labels are written to"),
    ):
        with pytest.raises(skerry.InputError, match=message):
            skerry.ndimage.label_slabs(tmp_path / "image.npy", tmp_path / name)
    for options, message in (
        ({"dtype": "f4"}, "dtype must be a type of integers"),
        ({"depth": 1, "limit": "1G"}, "depth and limit cannot be used together"),
        ({"limit": "much"}, "limit must be a number of bytes"),
        (
            {"dtype": "u1", "structure": np.zeros((3, 3, 3))},
            'labels do not fit the type uint8; say dtype="uint16"',
        ),
    ):
        with pytest.raises(skerry.InputError, match=message):
            skerry.ndimage.label_slabs(tmp_path / "image.npy", out, **options)
    with pytest.raises(skerry.InputError, match="dtype is for files"):
        skerry.ndimage.label_slabs(IMAGE, np.zeros(IMAGE.shape, int), dtype="i4")
    need(".png")
    np.save(tmp_path / "image.npy", np.ones((2**8, 2**8 + 1), np.uint8))
    with pytest.raises(skerry.InputError, match="fit the type uint16; name a file of another"):
        skerry.ndimage.label_slabs(
            tmp_path / "image.npy", tmp_path / "l.png", structure=np.zeros((3, 3))
        )
    with pytest.raises(MemoryError, match="a slab of one plane takes"):
        skerry.ndimage.label_slabs(tmp_path / "image.npy", out, limit="1M")
    monkeypatch.setitem(sys.modules, "tifffile", None)
    with pytest.raises(skerry.UnsupportedError, match=r"tifffile: pip install 'skerry\[images\]'"):
        skerry.ndimage.label_slabs(tmp_path / "image.npy", tmp_path / "l.tif")
    assert not out.exists() and (tmp_path / "folder.zarr/thesis.txt").exists()
