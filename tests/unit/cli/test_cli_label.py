"""``skerry label``: an image in a file, its labels in another one."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
import scipy.ndimage

from skerry.ndimage import slabs
from support.cli import invoke, ok, refused, said
from support.paths import ROOT

RANDOM = np.random.default_rng(60)
KILLED = """
import os, signal
from unittest.mock import patch
from skerry.cli import main
from skerry.ndimage import slabs
from skerry.ndimage.slab_state import SlabState

save = SlabState.save

def save_and_die(self, *arguments, count=[0]):
    save(self, *arguments)
    count[0] += 1
    if count[0] == 3:
        os.kill(os.getpid(), signal.SIGKILL)

with patch.object(slabs, "_depth", lambda *_: 5), patch.object(SlabState, "save", save_and_die):
    main()
"""


@pytest.fixture
def volume(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    image = (RANDOM.random((30, 20, 40)) < 0.3).astype(np.uint8)
    np.save("volume.npy", image)
    return image


def names(folder="."):
    return sorted(path.name for path in Path(folder).iterdir())


def pixels_of_png(path):
    """The pixels of a PNG file without filters, and its palette."""
    data, at, chunks = path.read_bytes(), 8, {}
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        chunks[kind] = data[at + 8 : at + 8 + length]
        check = struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0]
        assert check == zlib.crc32(kind + chunks[kind])
        at += 12 + length
    width, height, bits = struct.unpack(">IIB", chunks[b"IHDR"][:9])
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert not rows[:, 0].any()
    pixels = np.ascontiguousarray(rows[:, 1:]).view(f">u{bits // 8}")
    assert pixels.shape == (height, width)
    return pixels, np.frombuffer(chunks.get(b"PLTE", b""), np.uint8).reshape(-1, 3)


def test_labels_and_sizes(volume, tmp_path):
    expected, count = scipy.ndimage.label(volume)
    printed = ok("label", "volume.npy", "-o", "labels.npy", "--picture", "p.png")
    labels = np.load("labels.npy")
    assert labels.dtype == np.uint32
    np.testing.assert_array_equal(labels, expected)
    assert said(printed, "found") == f"{count:,} components"
    sizes = np.bincount(expected.ravel())
    assert said(printed, "largest").startswith(f"{sizes[1:].max():,} voxels, ")
    assert said(printed, "objects") == f"{volume.mean():.1%} of the image"
    assert "30 x 20 x 40, uint8, 24 kB" in printed
    pixels, palette = pixels_of_png(tmp_path / "p.png")
    np.testing.assert_array_equal(pixels == 0, expected[15] == 0)
    np.testing.assert_array_equal(pixels, np.where(expected[15], 1 + (expected[15] - 1) % 255, 0))
    assert len(palette) == 256 and len(np.unique(palette, axis=0)) > 200
    report = json.loads(ok("label", "volume.npy", "-o", "labels.npy", "--json"))
    assert report["components"] == count and report["largest"] == sizes[1:].max()
    assert report["background"] == sizes[0] and report["shape"] == [30, 20, 40]


def test_options(volume):
    import skerry.ndimage

    np.save("values.npy", volume + RANDOM.integers(0, 3, volume.shape).astype(np.uint8))
    image = np.load("values.npy")
    for words, options in (
        ("--connectivity 3", {"connectivity": 3}),
        ("--values equal --background none", {"values": "equal", "background": None}),
        ("--delta 1 --wrap 0,2", {"delta": 1, "wrap": (0, 2)}),
        ("--background 2 --wrap 1 --wrap 2", {"background": 2, "wrap": (1, 2)}),
    ):
        ok("label", "values.npy", "-o", "l.npy", "--dtype", "int64", "-q", *words.split())
        expected, _ = skerry.ndimage.label(image, **options)
        assert np.load("l.npy").dtype == np.int64
        np.testing.assert_array_equal(np.load("l.npy"), expected)


def test_slabs_under_a_limit(volume, monkeypatch):
    depths = []
    choose = slabs._depth

    def recorded(*arguments):
        depths.append(choose(*arguments))
        return depths[-1]

    monkeypatch.setattr(slabs, "_depth", recorded)
    monkeypatch.setattr(slabs, "resident", lambda: 10**6)
    needed = 20 * 40 * (2 + 8 + slabs.BYTES_PER_PIXEL)
    limit = 10**6 + slabs.MARGIN + 4 * needed + 20 * 40 * (4 + slabs.BYTES_OF_BORDERS)
    ok("label", "volume.npy", "-o", "labels.npy", "--limit-memory", limit, "-q")
    ok("label", "volume.npy", "-o", "other.npy", "-q")
    assert depths == [4, 30]
    np.testing.assert_array_equal(np.load("labels.npy"), scipy.ndimage.label(volume)[0])
    line = refused("label", "volume.npy", "-o", "x.npy", "--limit-memory", limit // 2, code=5)
    assert f"a slab of one plane takes {needed + 48_000:,} bytes" in line
    monkeypatch.setattr("skerry.cli.label_survey.resident", lambda: 10**9)
    assert "not counted" in ok("label", "volume.npy", "-o", "x.npy", "--limit-memory", limit)


def test_a_picture_in_gray(volume):
    mask = volume[0]
    np.save("mask.npy", mask)
    ok("label", "mask.npy", "-o", "labels.png", "-q")
    pixels, palette = pixels_of_png(Path("labels.png"))
    assert pixels.dtype == ">u2" and not len(palette)
    np.testing.assert_array_equal(pixels, scipy.ndimage.label(mask)[0])
    line = refused("label", "volume.npy", "-o", "l.png", code=3)
    assert ".png files hold 2 axes, and the image has 3" in line


def test_what_is_killed_goes_on(volume, tmp_path):
    arguments = ["label", "volume.npy", "-o", "labels.npy", "--checkpoint", "kept", "--json"]
    arguments += ["--picture", "p.png"]
    done = subprocess.run(
        [sys.executable, "-c", KILLED, *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), *sys.path])},
        capture_output=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert names("kept") == [
        "checkpoint.lock",
        "checkpoint.skerry",
        "checkpoint.skerry.labels.npy",
    ]
    assert names() == ["kept", "volume.npy"]
    np.save("other.npy", volume)
    other = ["label", "other.npy", *arguments[2:]]
    assert "belongs to a call with another source" in refused(*other, code=3)
    Path("other.npy").unlink()
    report = json.loads(ok(*arguments))
    expected, count = scipy.ndimage.label(volume)
    np.testing.assert_array_equal(np.load("labels.npy"), expected)
    sizes = np.bincount(expected.ravel())
    assert (report["components"], report["background"]) == (count, sizes[0])
    assert report["largest"] == sizes[1:].max()
    np.testing.assert_array_equal(pixels_of_png(tmp_path / "p.png")[0] > 0, expected[15] > 0)
    assert names() == ["labels.npy", "p.png", "volume.npy"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs terminals of Unix")
@pytest.mark.parametrize("checkpoint", [False, True])
def test_ctrl_c_leaves_nothing(terminals, volume, tmp_path, checkpoint):
    (tmp_path / "labels.npy").write_bytes(b"yesterday's")
    more = ["--checkpoint", "kept"] if checkpoint else []
    arguments = ("label", "volume.npy", "-o", "labels.npy", *more)
    for drawings in (1, 2, 3):
        session = terminals.start(*arguments, folder=tmp_path, pause=drawings)
        assert "paused" in terminals.wait(session)
        session.type(b"\x03")
        terminals.wait(session)
        assert session.code == 130
        text = " ".join(session.text.split())
        assert ("the same command" if checkpoint else "nothing was written; with") in text
        assert "stopped" in session.screen[-2]
        left = {"volume.npy", "labels.npy"} | ({"kept"} if checkpoint else set())
        assert names() == sorted(left)
        assert (tmp_path / "labels.npy").read_bytes() == b"yesterday's"
    session = terminals.run(*arguments, folder=tmp_path)
    assert session.code == 0
    np.testing.assert_array_equal(np.load("labels.npy"), scipy.ndimage.label(volume)[0])
    assert names() == ["labels.npy", "volume.npy"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs terminals of Unix")
def test_the_picture_in_a_terminal(terminals, tmp_path):
    image = np.zeros((20, 60), bool)
    image[2:8, 5:20] = image[12:18, 30:55] = True
    np.save(tmp_path / "image.npy", image)
    session = terminals.run("label", "image.npy", "-o", "l.npy", folder=tmp_path, eager=False)
    rows = [line for line in session.screen if set(line) <= {*" \u2580\u2584\u2588"} and line]
    assert len(rows) == 6 and rows[0] == " " * 6 + "\u2588" * 15
    assert rows[-1] == " " * 31 + "\u2588" * 25


@pytest.mark.parametrize(
    ("words", "message", "code"),
    [
        ("none.npy -o l.npy", "none.npy: No such file", 3),
        ("volume.npy -o l.xyz", "labels are written to .npy", 2),
        ("volume.csv -o l.npy", "images are read from .npy", 3),
        ("volume.npy -o volume.npy", "is an input, which --output would overwrite", 2),
        ("volume.npy -o no/l.npy", "there is no folder", 4),
        ("volume.npy -o l.npy --picture l.npy", "a picture is written to .png", 2),
        ("text.npy -o l.npy", "text.npy: cannot be read as .npy", 3),
        ("objects.npy -o l.npy", "must hold an array of real numbers", 3),
        ("short.npy -o l.npy", "ends before its last pixel", 3),
        ("nan.npy -o l.npy", "input has a NaN", 3),
        ("volume.npy -o l.npy --dtype uint8", "--dtype uint16", 3),
        ("volume.npy -o l.npy --connectivity 4", "--connectivity must be an integer in 1..3", 2),
        ("volume.npy -o l.npy --delta 1 --values equal", "cannot be used together", 2),
    ],
)
@pytest.mark.usefixtures("volume")
def test_errors(words, message, code, tmp_path):
    (tmp_path / "text.npy").write_text("1 2 3")
    (tmp_path / "volume.csv").write_text("1 2 3")
    np.save("objects.npy", np.array([{}]))
    np.save("nan.npy", np.full((3, 3), np.nan))
    data = (tmp_path / "volume.npy").read_bytes()
    (tmp_path / "short.npy").write_bytes(data[:-5])
    before = names()
    assert message in refused("label", *words.split(), code=code)
    assert names() == before
    assert (tmp_path / "volume.npy").read_bytes() == data


@pytest.mark.usefixtures("volume")
def test_a_full_disk(monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("skerry.ndimage.label_files._extend", full)
    assert "No space left" in refused("label", "volume.npy", "-o", "l.npy", code=4)
    assert names() == ["volume.npy"]
    assert invoke("label", "volume.npy").exit_code == 2
