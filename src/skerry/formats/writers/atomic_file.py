"""Files are written whole or not at all: beside their place first, then renamed into it.

Whatever ends the writing early (a full disk, Ctrl-C, an error in the graph) leaves what was there
before, and nothing else. What can be known beforehand, such as a folder that does not exist, is
asked before any work is done: see `check_target`.
"""

from __future__ import annotations

import errno
import io
import lzma
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from skerry.errors import InputError, OutputError, UnsupportedError

__all__ = ["COMPRESSIONS", "check_target", "split_compression", "whole_file"]

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".xz": "xz"}
"""Suffixes that compress what is written, and what pyarrow calls it (but for xz, which is ours)."""

NUMBER_OF_FILE = count()


def split_compression(path: Path) -> tuple[Path, str]:
    """The path without a suffix of compression, and that suffix: ``a.csv.gz``, ``.gz``."""
    suffix = path.suffix.lower()
    return (path.with_suffix(""), suffix) if suffix in COMPRESSIONS else (path, "")


def check_target(path: str | os.PathLike[str]) -> Path:
    """The place to write to, links followed; raises now if no file could be written there later."""
    if "://" in os.fspath(path):
        raise UnsupportedError(
            f"{os.fspath(path)}: files are written on this machine only, because a remote file "
            "cannot be renamed into place; write a local file and copy it"
        )
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise InputError(f"{path}: is a folder; name a file in it")
    if not target.parent.is_dir():
        raise InputError(f"{path}: there is no folder {target.parent}")
    if target.exists() and not target.is_file():
        raise InputError(f"{path}: is not a plain file")
    if target.exists() and not os.access(target, os.W_OK):
        raise InputError(f"{path}: may not be overwritten (it is read-only)")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise InputError(f"{path}: the folder {target.parent} may not be written to")
    return target


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Any]:
    """A binary file to write to, which takes the place of ``path`` when the block ends well.

    What is written is compressed where the name ends so (``.gz``, ``.zst``, ``.bz2``, ``.xz``).

    Examples
    --------
    >>> import gzip, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "edges.txt.gz")
    ...     with whole_file(path) as file:
    ...         _ = file.write(b"1 2")
    ...     gzip.decompress(path.read_bytes())
    b'1 2'
    """
    target = check_target(path)
    beside = target.with_name(f".{target.name[:40]}.{os.getpid()}-{next(NUMBER_OF_FILE)}.part")
    try:
        with beside.open("xb") as file:
            with _compressed(_Open(file), split_compression(Path(path))[1]) as inner:
                yield inner
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    except OSError as error:
        raise _told(error, path, beside) from error
    finally:
        beside.unlink(missing_ok=True)


class _Open(io.RawIOBase):
    """A file that stays open when those who wrote to it close it: it has yet to reach the disk."""

    def __init__(self, file: Any) -> None:
        super().__init__()
        self._file = file

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return int(self._file.write(data))

    def tell(self) -> int:
        return int(self._file.tell())


@contextmanager
def _compressed(file: Any, suffix: str) -> Iterator[Any]:
    if not suffix:
        yield file
    elif suffix == ".xz":
        with lzma.open(file, "wb", preset=1) as inner:
            yield inner
    else:
        import pyarrow as pa

        with pa.CompressedOutputStream(file, COMPRESSIONS[suffix]) as inner:
            yield inner


def _told(error: OSError, path: str | os.PathLike[str], beside: Path) -> OSError:
    """The same error in plain words if it is about the file that was written, else as it is."""
    if isinstance(error, OutputError) or error.filename not in (None, str(beside)):
        return error  # of another file, such as the one that was being read
    reasons = {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the quota of this user is used up",
        errno.EFBIG: "the file would be larger than allowed here",
    }
    if error.errno is None:  # pyarrow tells the number only in words
        reason = next((reasons[n] for n in reasons if f"errno {n}" in str(error)), str(error))
    else:
        reason = reasons.get(error.errno, error.strerror or str(error))
    try:
        size = f" after {beside.stat().st_size:,} bytes"
    except OSError:
        size = ""
    return OutputError(
        error.errno or errno.EIO, f"could not be written{size}: {reason}; nothing was left", path
    )
