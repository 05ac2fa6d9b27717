"""Ways to store a file of edges: compressions, members, folders, pipes, addresses. One row each."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import skerry.io
from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from support.edge_files import COMPRESS

Files = list[dict[str, bytes]]
"""The contents of each file by its suffix; with those that belong to it."""


class Store(NamedTuple):
    """A way to store files."""

    name: str
    keep: Callable[[Path, Files, str, dict[str, Any]], tuple[Any, dict[str, Any]]]
    """Writes them into a folder; given their format and the arguments for reading, returns what to
    read and with which arguments."""
    parts: int = 1
    """How many files the edges are in."""
    repeatable: bool = True
    refused: tuple[str, ...] = ()
    """Formats of which it makes no sense."""


def in_members(data: bytes, suffix: str, count: int = 3) -> bytes:
    """Compressed data of several members, of which the second is empty."""
    ends = [0, len(data) // 3, len(data) // 3, *range(len(data) // 3 + 1, len(data))][:count]
    pieces = [data[a:b] for a, b in zip(ends, [*ends[1:], len(data)], strict=True)]
    return b"".join(map(COMPRESS[suffix], pieces))


def write(folder: Path, files: Files, ending: str = "", change: Any = bytes) -> list[Path]:
    """Writes all files; returns the one of each that names the others."""
    named = []
    for number, contents in enumerate(files):
        for suffix, data in contents.items():
            path = folder / f"edges{number or ''}{suffix}{ending}"
            path.write_bytes(change(data))
            named += [path] * (suffix == next(iter(contents)))
    return named


def _one(ending: str = "", change: Any = bytes, show: Any = lambda path: path) -> Any:
    def keep(folder: Path, files: Files, _: str, options: dict[str, Any]) -> Any:
        return show(write(folder, files, ending, change)[0]), options

    return keep


def _members(suffix: str) -> Any:
    return _one(suffix, lambda data: in_members(data, suffix))


def _without_suffix(folder: Path, files: Files, format: str, options: dict[str, Any]) -> Any:
    path = write(folder, files)[0].rename(folder / "part-00000")
    return path, options | {"format": format}


def _in_capitals(folder: Path, files: Files, _: str, options: dict[str, Any]) -> Any:
    upper = [{suffix.upper(): data for suffix, data in contents.items()} for contents in files]
    return str(write(folder, upper, ".GZ", COMPRESS[".gz"])[0]), options


def _source(folder: Path, files: Files, _: str, options: dict[str, Any]) -> Any:
    return skerry.io.read_edges(write(folder, files)[0], **options), {}


def _small_batches(folder: Path, files: Files, _: str, options: dict[str, Any]) -> Any:
    sizes = ReadOptions(batch_rows=3, block_bytes=48, **options)
    return open_edges(write(folder, files)[0], sizes), {}


def _pipe(folder: Path, files: Files, format: str, options: dict[str, Any]) -> Any:
    (data,) = files[0].values()
    path = folder / "pipe"
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=(COMPRESS[".gz"](data),), daemon=True).start()
    return path, options | {"format": format}


def _remote(folder: Path, files: Files, _: str, options: dict[str, Any]) -> Any:
    import fsspec

    suffix, data = next(iter(files[0].items()))
    address = f"memory://{folder.name}/edges{suffix}.bz2"
    with fsspec.open(address, "wb") as file:
        file.write(COMPRESS[".bz2"](data))
    return address, options


def _several(show: Callable[[Path, list[Path]], Any], endings: tuple[str, ...] = ("",)) -> Any:
    def keep(folder: Path, files: Files, _: str, options: dict[str, Any]) -> Any:
        paths = []
        for number, contents in enumerate(files):
            ending = endings[number % len(endings)]
            inner = folder / f"day={number // 2}"
            inner.mkdir(exist_ok=True)
            change = COMPRESS[ending] if ending else bytes
            named = {f"{number}{suffix}": data for suffix, data in contents.items()}
            paths += write(inner, [named], ending, change)
        (folder / "_SUCCESS").write_bytes(b"")
        return show(folder, paths), options

    return keep


TWO_FILES = ("ldbc",)

STORES = (
    Store("plain", _one()),
    Store("path as text", _one(show=str)),
    Store("address", _one(show=lambda path: f"file://{path}")),
    Store("pattern of one", _one(show=lambda path: f"{path.parent}/edg*{path.suffix}")),
    Store("no suffix", _without_suffix, refused=TWO_FILES),
    Store("capitals", _in_capitals, refused=TWO_FILES),
    *(Store(suffix, _one(suffix, compress)) for suffix, compress in COMPRESS.items()),
    *(Store(f"{suffix} in members", _members(suffix)) for suffix in COMPRESS),
    Store("read_edges", _source),
    Store("small batches", _small_batches),
    Store("pipe", _pipe, repeatable=False, refused=TWO_FILES),
    Store("remote", _remote, refused=TWO_FILES),
    Store("list of files", _several(lambda _, paths: list(map(str, paths))), 3),
    Store("folder", _several(lambda folder, _: folder, ("", ".gz")), 3),
    Store("pattern", _several(lambda folder, _: folder / "day=*"), 2),
    Store("compressions", _several(lambda _, paths: paths, (".gz", ".bz2", ".xz", ".zst")), 4),
)
"""Of every file."""
