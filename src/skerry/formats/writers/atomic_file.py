"""Atomic files: written beside their path, then renamed to it, so they are complete or not there.

Whatever ends the writing early (a full disk, Ctrl-C, an error in the graph) leaves the file that
was there before, and nothing else. What can be checked before any work is done, such as a folder
that does not exist, is checked by `check_target`.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from skerry.config import temporary_folder
from skerry.errors import ArgumentError, OutputError, TargetError, UnsupportedError
from skerry.formats.source import is_remote, remote_filesystem
from skerry.optional import arrow_if_installed, require_arrow

COMPRESSIONS = (".gz", ".zst", ".bz2", ".xz")
"""Suffixes that compress the file."""

FILE_NUMBERS = count()


def split_compression(path: Path) -> tuple[Path, str]:
    """The path without a suffix of compression, and that suffix: ``a.csv.gz``, ``.gz``."""
    suffix = path.suffix.lower()
    return (path.with_suffix(""), suffix) if suffix in COMPRESSIONS else (path, "")


def check_target(path: str | os.PathLike[str]) -> None:
    """Raises now if no file could be written there later."""
    if not os.fspath(path):
        raise ArgumentError("the path of the output is empty: name a file")
    if is_remote(os.fspath(path)):
        check_remote(os.fspath(path))
    else:
        _local_target(path)


def local_path(path: str | os.PathLike[str]) -> str:
    """A path of this machine, which may be given as an address."""
    return os.fspath(path).removeprefix("file://")


def _local_target(path: str | os.PathLike[str]) -> Path:
    """The path to write to, links followed."""
    try:
        target = Path(os.path.realpath(local_path(path)))
        target.exists()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TargetError(f"{path}: no file can have this name: {reason}") from None
    if target.is_dir():
        raise TargetError(f"{path}: is a folder; name a file in it")
    if not target.parent.is_dir():
        raise TargetError(f"{path}: there is no folder {target.parent}")
    if target.exists() and not target.is_file():
        raise TargetError(f"{path}: is not a plain file")
    if target.exists() and not os.access(target, os.W_OK):
        raise TargetError(f"{path}: may not be overwritten (it is read-only)")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise TargetError(f"{path}: the folder {target.parent} may not be written to")
    return target


def new_temporary_file(suffix: str) -> str:
    """The path of a new, empty file that only its owner may read, and that is kept."""
    handle, path = tempfile.mkstemp(suffix, "skerry-", temporary_folder())
    os.close(handle)
    return path


@contextmanager
def atomic_file(path: str | os.PathLike[str], mode: int | None = None) -> Iterator[Any]:
    """A binary file to write to, which replaces ``path`` when the block ends without an error.

    It is compressed if the name ends with one of `COMPRESSIONS`, and may be an address. ``mode``
    are the permissions of a file of this machine; by default those of the file that it replaces.

    Examples
    --------
    >>> import gzip, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "edges.txt.gz")
    ...     with atomic_file(path) as file:
    ...         _ = file.write(b"1 2")
    ...     gzip.decompress(path.read_bytes())
    b'1 2'
    """
    compression = split_compression(Path(path))[1]
    if is_remote(os.fspath(path)):
        with (
            remote_file(os.fspath(path)) as file,
            _compressed(InOrder(file), compression) as inner,
        ):
            yield inner
        return
    target = _local_target(path)
    beside = target.with_name(f".{target.name[:40]}.{os.getpid()}-{next(FILE_NUMBERS)}.part")
    try:
        beside.touch(0o666 if mode is None else mode, exist_ok=False)
        with beside.open("wb") as file:
            with _compressed(InOrder(file), compression) as inner:
                yield inner
            file.flush()
            os.fsync(file.fileno())
        if target.exists() and mode is None:
            shutil.copymode(target, beside)
        beside.replace(target)
    except OSError as error:
        raise _output_error(error, path, beside) from error
    finally:
        beside.unlink(missing_ok=True)


class InOrder(io.RawIOBase):
    """A file that is written in order, perhaps a pipe, and that its writers do not close."""

    def __init__(self, file: Any) -> None:
        super().__init__()
        self._file = file
        self._written = 0

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, data: Any) -> int:
        """Writes all of it."""
        view = memoryview(data).cast("B")
        self._file.write(view)
        self._written += len(view)
        return len(view)

    def tell(self) -> int:
        """How many bytes were written."""
        return self._written


@contextmanager
def _compressed(file: Any, suffix: str) -> Iterator[Any]:
    if not suffix:
        yield file
    else:
        with _compressor(file, suffix) as inner:
            yield inner


def _compressor(file: Any, suffix: str) -> Any:
    if suffix == ".xz":
        return lzma.open(file, "wb", preset=1)
    if suffix == ".bz2":
        return bz2.open(file, "wb")
    if suffix == ".zst":
        return require_arrow("writing .zst files").CompressedOutputStream(file, "zstd")
    arrow = arrow_if_installed()
    if arrow is not None:
        return arrow.CompressedOutputStream(file, "gzip")
    return gzip.GzipFile("", "wb", fileobj=file, mtime=0)


def _output_error(error: OSError, path: str | os.PathLike[str], beside: Path) -> OSError:
    """An `OutputError` if the error is about the file that is written, else the error itself."""
    if isinstance(error, OutputError) or error.filename not in (None, str(beside)):
        return error  # of another file, such as the one that was being read
    reasons = {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the quota of this user is used up",
        errno.EFBIG: "the file would be larger than allowed here",
    }
    if error.errno is None:  # pyarrow has the number only in its message
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


def check_remote(address: str) -> None:
    """Raises now if nothing could be written to this address later."""
    remote_filesystem(address)
    if address.endswith("/"):
        raise TargetError(f"{address}: is a folder; name a file in it")


@contextmanager
def remote_file(address: str) -> Iterator[Any]:
    """A binary file to write to, which is sent when the block ends without an error."""
    system, inner = remote_filesystem(address)
    with tempfile.NamedTemporaryFile(prefix="skerry-", dir=temporary_folder()) as file:
        yield file
        file.flush()
        try:
            system.put_file(file.name, inner)
        except NotImplementedError:
            raise UnsupportedError(
                f"{address}: fsspec cannot write there; write a local file and copy it"
            ) from None
        except OSError as error:
            raise OutputError(
                error.errno or errno.EIO,
                f"could not be written: {error.strerror or error}",
                address,
            ) from error
