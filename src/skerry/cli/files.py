"""The files of the command line: edges in, labels out."""

from __future__ import annotations

import os
import warnings
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from skerry.errors import InputError, UnsupportedError

__all__ = ["check_output", "read_graph", "write_labels"]

TEXT = ("", ".txt", ".tsv", ".el", ".edges", ".edgelist")
"""Suffixes read as text. Others are refused: a Matrix Market file read as text would be wrong."""


def read_graph(path: Path) -> Any:
    """The graph in a file, in a form that `skerry.connected_components` takes."""
    path.stat()  # the plain error for a missing file; readers have their own ways to say it
    suffix = path.suffix.lower()
    if suffix == ".npy":
        return _read_npy(path)
    if suffix == ".npz":
        return _read_npz(path)
    if suffix in TEXT:
        return _read_text(path)
    raise UnsupportedError(
        f"{path}: cannot read {suffix} files; there are: .npy, .npz, {', '.join(TEXT[1:])}"
    )


def _read_npy(path: Path) -> Any:
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise InputError(f"{path}: not a .npy file of numbers: {error}") from None


def _read_npz(path: Path) -> Any:
    try:
        # A zip file first of all: numpy would take other contents too, or leave the file open.
        with path.open("rb") as file, zipfile.ZipFile(file), np.load(file) as archive:
            found = set(archive.files)
            if {"src", "dst"} <= found:
                return archive["src"], archive["dst"]
        if {"format", "shape"} <= found:
            return _read_scipy(path)
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"{path}: not a .npz file of numbers: {error}") from None
    raise InputError(
        f"{path}: holds the arrays {', '.join(sorted(found)) or 'none'}; "
        "needs src and dst, or a matrix written by scipy.sparse.save_npz"
    )


def _read_scipy(path: Path) -> Any:
    try:
        from scipy.sparse import load_npz
    except ImportError:
        raise UnsupportedError(
            f"{path}: reading a sparse matrix needs scipy: pip install 'skerry[scipy]'"
        ) from None
    return load_npz(path)


def _read_text(path: Path) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*no data")  # an empty graph is a graph
            table = np.loadtxt(path, dtype=np.int64, comments="#", usecols=(0, 1), ndmin=2)
    except (ValueError, OverflowError) as error:
        raise InputError(f"{path}: {error}") from None
    # As a pair: two edges make a 2 x 2 array, which by itself could be read either way.
    return table[:, 0], table[:, 1]


def check_output(path: Path) -> None:
    """Raises now, before any work, if labels could not be written to ``path`` later."""
    if path.suffix != ".npy":
        raise InputError(f"{path}: labels are written as .npy; name the output so")
    if path.is_dir():
        raise InputError(f"{path}: is a folder")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")


def write_labels(path: Path, labels: Any) -> None:
    """Writes the whole file or nothing: written beside and renamed."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    file = beside.open("xb")
    try:
        with file:
            np.save(file, labels, allow_pickle=False)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
