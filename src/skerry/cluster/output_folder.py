"""A folder that is written as a whole: empty before, complete after, or empty again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import PurePosixPath

from skerry.cluster.state import StateFolder
from skerry.errors import TargetError
from skerry.formats.source import is_remote, remote_filesystem

OWN_NAMES = ("part-", ".part-", "_summary", "._summary", "_temporary", "_SUCCESS", "._SUCCESS")
"""How the names begin of what skerry and Spark write to it."""


@contextmanager
def filled_or_empty(folder: StateFolder) -> Iterator[None]:
    """Around what fills a folder: if that fails or is interrupted, its files are removed.

    Raises
    ------
    TargetError
        If there are files in it before.
    """
    if _names(folder):
        raise TargetError(f"{folder.path}: exists and is not empty; name another folder")
    try:
        yield
    except BaseException:
        with suppress(Exception):  # the first error is the one to show
            _remove_own(folder)
        raise


def _names(folder: StateFolder) -> list[str]:
    if is_remote(folder.path):
        system, inner = remote_filesystem(folder.path)
        listed = system.ls(inner, detail=False) if system.exists(inner) else []
        return [PurePosixPath(each).name for each in listed]
    path = folder.local
    if path.is_file():
        return [path.name]
    return [each.name for each in path.iterdir()] if path.is_dir() else []


def _remove_own(folder: StateFolder) -> None:
    names = [name for name in _names(folder) if name.startswith(OWN_NAMES)]
    if is_remote(folder.path):
        system, inner = remote_filesystem(folder.path)
        for name in names:
            system.rm(f"{inner}/{name}", recursive=True)
        return
    for name in names:
        path = folder.local / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    with suppress(OSError):  # something of another's is in it
        folder.local.rmdir()
