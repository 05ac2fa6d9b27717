"""Files from the internet: complete or not there at all, and not fetched twice.

A file is written beside the target, with ``.part`` added to its name, and renamed when it is
complete. When a transfer is interrupted, the part stays: the next call requests the remaining
bytes, with the server's validator of the file (ETag or date), which is kept beside the part. A
server that has another file by now, or cannot send a range, sends all of it again.
"""

from __future__ import annotations

import gzip
import logging
import shutil
import tarfile
import zlib
from collections.abc import Callable
from errno import EACCES, EDQUOT, EFBIG, EISDIR, ENOENT, ENOSPC, ENOTDIR, EROFS
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from time import sleep
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from skerry.errors import DownloadError

_log = logging.getLogger(__name__)


Progress = Callable[[int, int | None], None]
"""Called with the bytes so far, and the size of the file where the server sends it."""

PIECE = 1 << 20
ATTEMPTS = 4
"""How often a transfer is tried before it is an error."""
PAUSE = 1.0
"""Seconds before the second attempt; twice as many before each further one."""
TRANSIENT = (429, 500, 502, 503, 504)
"""Status codes after which another attempt may succeed."""
DISK_ERRORS = (ENOSPC, EACCES, EROFS, ENOENT, ENOTDIR, EISDIR, EFBIG, EDQUOT)


def fetch(
    address: str, target: Path, *, progress: Progress | None = None, timeout: float = 60.0
) -> Path:
    """Downloads a file and returns the target; raises `DownloadError` if that fails.

    A target that exists is left as it is: it is complete.
    """
    if target.exists():
        return target
    part = target.with_name(target.name + ".part")
    failure: Exception | None = None
    for attempt in range(ATTEMPTS):
        if attempt:
            sleep(PAUSE * 2 ** (attempt - 1))
        _log.info("downloading %s to %s, attempt %d", address, target, attempt + 1)
        try:
            total = _fetch_remaining(address, part, progress, timeout)
        except (HTTPException, OSError) as error:
            _raise_permanent(error, address, part)
            failure = error
        else:
            if total is None or _size(part) == total:
                break
            failure = None
    else:
        raise DownloadError(_interrupted(address, part, failure)) from failure
    part.replace(target)
    _validator(part).unlink(missing_ok=True)
    return target


def _fetch_remaining(
    address: str, part: Path, progress: Progress | None, timeout: float
) -> int | None:
    """Adds the missing bytes to the part; returns the size of the file, where known."""
    have = _size(part)
    headers = {"User-Agent": "skerry", "Accept-Encoding": "identity"}
    if have and _validator(part).exists():
        headers |= {"Range": f"bytes={have}-", "If-Range": _validator(part).read_text()}
    try:
        response = urlopen(Request(address, headers=headers), timeout=timeout)
    except HTTPError as error:
        error.close()  # it is a response too
        if error.code != 416 or "Range" not in headers:
            raise
        _forget(part)  # there is no such range: the part is of another file
        raise ConnectionError("the server has another file now") from error
    with response:
        resumed = response.status == 206 and _begins_at(response.headers, have)
        if not resumed:
            have = 0
            _keep_validator(part, response.headers)
        length = response.headers.get("Content-Length", "")
        total = have + int(length) if length.isdigit() else None
        with part.open("ab" if resumed else "wb") as file:
            while piece := response.read(PIECE):
                file.write(piece)
                have += len(piece)
                if progress is not None:
                    progress(have, total)
    if total is not None and have > total:
        _forget(part)
        raise ConnectionError("the server sent more bytes than it declared")
    return total


def _begins_at(headers: HTTPMessage, offset: int) -> bool:
    return headers.get("Content-Range", "").startswith(f"bytes {offset}-")


def _keep_validator(part: Path, headers: HTTPMessage) -> None:
    validator = headers.get("ETag") or headers.get("Last-Modified") or ""
    if validator and not validator.startswith("W/"):  # a weak one does not imply the same bytes
        _validator(part).write_text(validator)
    else:
        _validator(part).unlink(missing_ok=True)


def _validator(part: Path) -> Path:
    return part.with_name(part.name + ".mark")


def _forget(part: Path) -> None:
    part.unlink(missing_ok=True)
    _validator(part).unlink(missing_ok=True)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _raise_permanent(error: Exception, address: str, part: Path) -> None:
    """Raises errors after which no further attempt can succeed; returns for the others."""
    if isinstance(error, HTTPError):
        if error.code not in TRANSIENT:
            raise DownloadError(_status_message(address, error)) from error
    elif isinstance(error, URLError):
        raise DownloadError(f"{address} cannot be reached: {error.reason}") from error
    elif isinstance(error, OSError) and error.errno in DISK_ERRORS:
        _forget(part)
        message = f"{part} cannot be written: {error.strerror}; nothing was left there"
        raise DownloadError(message) from error


def _status_message(address: str, error: HTTPError) -> str:
    return f"{address}: the server answered {error.code} {error.reason}"


def _interrupted(address: str, part: Path, error: Exception | None) -> str:
    if isinstance(error, HTTPError):
        return _status_message(address, error)
    why = f" ({error})" if error is not None and str(error) else ""
    return (
        f"{address}: interrupted {ATTEMPTS} times{why}; {_size(part):,} bytes are in {part}: "
        "call again to continue"
    )


def extract_member(archive: Path, member: str, target: Path) -> Path:
    """Extracts one file of a .tar.gz to a path of the caller's."""
    part = target.with_name(target.name + ".part")
    try:
        with gzip.open(archive) as contents, part.open("wb") as file:
            with tarfile.open(fileobj=contents, mode="r|") as files:
                source = files.extractfile(_find(files, member, archive, target.parent))
                assert source is not None  # it is a plain file
                shutil.copyfileobj(source, file, PIECE)
            while contents.read(PIECE):  # the checksum of the archive is at its end
                pass
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        part.unlink(missing_ok=True)
        archive.unlink(missing_ok=True)
        message = f"{archive} is damaged ({error}) and was removed; fetch it again"
        raise DownloadError(message) from error
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError) and not isinstance(error, DownloadError):
            raise DownloadError(f"{target} cannot be written: {error}") from error
        raise
    return part.replace(target)


def _find(files: tarfile.TarFile, member: str, archive: Path, folder: Path) -> tarfile.TarInfo:
    for entry in files:
        if entry.name.removeprefix("./") == member:
            if not entry.isfile():
                raise DownloadError(f"{member} in {archive} is not a plain file")
            free = shutil.disk_usage(folder).free
            if entry.size > free:
                raise DownloadError(
                    f"{member} needs {entry.size:,} bytes, but {folder} has {free:,} left"
                )
            return entry
    raise DownloadError(f"{archive} has no file {member}")
