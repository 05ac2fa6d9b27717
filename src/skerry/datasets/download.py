"""Files from the internet: whole or not at all, and not fetched twice.

What arrives is written beside the target, with ``.part`` added to its name, and renamed when it is
complete. When a transfer breaks off, the part stays: the next call asks the server for the rest,
together with the mark by which the server knows the file (ETag or date), which is kept beside the
part. A server that has another file by now, or cannot send a rest, sends all of it again.
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

__all__ = ["Progress", "download", "extract_member"]

Progress = Callable[[int, int | None], None]
"""Is told how many bytes there are so far, and how many there will be where the server says so."""

PIECE = 1 << 20
ATTEMPTS = 4
"""How often a transfer that breaks off is begun or taken up before the caller is told."""
PAUSE = 1.0
"""Seconds before the second attempt; twice as many before each further one."""
PASSING = (429, 500, 502, 503, 504)
"""What servers say that may be otherwise in a moment."""
OF_THE_DISK = (ENOSPC, EACCES, EROFS, ENOENT, ENOTDIR, EISDIR, EFBIG, EDQUOT)


def download(
    address: str, target: Path, *, progress: Progress | None = None, timeout: float = 60.0
) -> Path:
    """Fetches a file; gives the target. Raises `DownloadError` where that fails.

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
            total = _fetch_rest(address, part, progress, timeout)
        except (HTTPException, OSError) as error:
            _raise_what_stays(error, address, part)
            failure = error
        else:
            if total is None or _size(part) == total:
                break
            failure = None
    else:
        raise DownloadError(_broke_off(address, part, failure)) from failure
    part.replace(target)
    _mark(part).unlink(missing_ok=True)
    return target


def _fetch_rest(address: str, part: Path, progress: Progress | None, timeout: float) -> int | None:
    """Adds to the part what it lacks; gives the size that the whole will have, where known."""
    have = _size(part)
    headers = {"User-Agent": "skerry", "Accept-Encoding": "identity"}
    if have and _mark(part).exists():
        headers |= {"Range": f"bytes={have}-", "If-Range": _mark(part).read_text()}
    try:
        answer = urlopen(Request(address, headers=headers), timeout=timeout)
    except HTTPError as error:
        error.close()  # it is an answer too
        if error.code != 416 or "Range" not in headers:
            raise
        _forget(part)  # there is no such rest: what we have cannot be the beginning of it
        raise ConnectionError("the server has another file now") from error
    with answer:
        goes_on = answer.status == 206 and _begins_at(answer.headers, have)
        if not goes_on:
            have = 0
            _remember(part, answer.headers)
        length = answer.headers.get("Content-Length", "")
        total = have + int(length) if length.isdigit() else None
        with part.open("ab" if goes_on else "wb") as file:
            while piece := answer.read(PIECE):
                file.write(piece)
                have += len(piece)
                if progress is not None:
                    progress(have, total)
    if total is not None and have > total:
        _forget(part)
        raise ConnectionError("more came than the server had said")
    return total


def _begins_at(headers: HTTPMessage, place: int) -> bool:
    return headers.get("Content-Range", "").startswith(f"bytes {place}-")


def _remember(part: Path, headers: HTTPMessage) -> None:
    mark = headers.get("ETag") or headers.get("Last-Modified") or ""
    if mark and not mark.startswith("W/"):  # a weak mark does not promise the same bytes
        _mark(part).write_text(mark)
    else:
        _mark(part).unlink(missing_ok=True)


def _mark(part: Path) -> Path:
    return part.with_name(part.name + ".mark")


def _forget(part: Path) -> None:
    part.unlink(missing_ok=True)
    _mark(part).unlink(missing_ok=True)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _raise_what_stays(error: Exception, address: str, part: Path) -> None:
    """Raises what no further attempt can mend; returns for what one may."""
    if isinstance(error, HTTPError):
        if error.code not in PASSING:
            raise DownloadError(_says(address, error)) from error
    elif isinstance(error, URLError):
        raise DownloadError(f"{address} cannot be reached: {error.reason}") from error
    elif isinstance(error, OSError) and error.errno in OF_THE_DISK:
        _forget(part)
        message = f"{part} cannot be written: {error.strerror}; nothing was left there"
        raise DownloadError(message) from error


def _says(address: str, error: HTTPError) -> str:
    return f"{address}: the server says {error.code} {error.reason}"


def _broke_off(address: str, part: Path, error: Exception | None) -> str:
    if isinstance(error, HTTPError):
        return _says(address, error)
    why = f" ({error})" if error is not None and str(error) else ""
    return (
        f"{address} broke off {ATTEMPTS} times{why}; {_size(part):,} bytes have come: "
        f"call again to go on from {part}"
    )


def extract_member(archive: Path, member: str, target: Path) -> Path:
    """Takes one file out of a .tar.gz; the path that it has there is not used."""
    part = target.with_name(target.name + ".part")
    try:
        with gzip.open(archive) as whole, part.open("wb") as file:
            with tarfile.open(fileobj=whole, mode="r|") as files:
                source = files.extractfile(_find(files, member, archive, target.parent))
                assert source is not None  # it is a plain file
                shutil.copyfileobj(source, file, PIECE)
            while whole.read(PIECE):  # the checksum of it all is at the end
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
    for one in files:
        if one.name.removeprefix("./") == member:
            if not one.isfile():
                raise DownloadError(f"{member} in {archive} is not a plain file")
            free = shutil.disk_usage(folder).free
            if one.size > free:
                raise DownloadError(
                    f"{member} needs {one.size:,} bytes, but {folder} has {free:,} left"
                )
            return one
    raise DownloadError(f"{archive} has no file {member}")
