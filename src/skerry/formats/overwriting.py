"""No output is an input, and no two outputs are one file: for results and for every command.

Files are compared by device and inode, so links of both kinds count, and so does a file that
standard input or output was redirected to. What does not exist yet is compared by its path.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Hashable, Iterable
from contextlib import suppress
from pathlib import Path

from skerry.errors import ArgumentError
from skerry.formats.find import HIDDEN
from skerry.formats.source import is_remote, remote_filesystem
from skerry.formats.writers.atomic_file import local_path

STANDARD_OUTPUT = "-"


def refuse_overwriting(outputs: Iterable[tuple[str, str]], inputs: Iterable[str]) -> None:
    """Raises before anything is written if an output is an input, or two outputs are one file.

    Parameters
    ----------
    outputs
        What names an output, for the message, and its path or address; - is standard output.
    inputs
        Paths and addresses of all files that are read, those of patterns and folders one by one.

    Raises
    ------
    ArgumentError
        If a file would be lost.
    """
    read = {_identity(each): each for each in inputs}
    written: dict[Hashable, str] = {}
    for option, path in outputs:
        identity = _identity(path)
        if identity is None:
            continue
        file = read.get(identity)
        shown = "standard output" if path == STANDARD_OUTPUT else path
        if file is not None:
            own = (path, os.path.abspath(path))  # noqa: PTH100, a link has its own name
            same = "" if file in own else f" ({file})"
            raise ArgumentError(f"{shown}: is an input{same}, which {option} would overwrite")
        if identity in written:
            raise ArgumentError(f"{shown}: {written[identity]} and {option} name the same file")
        written[identity] = option


def refuse_mixing(option: str, folder: str, inputs: Iterable[str]) -> None:
    """Raises if a folder for many files holds an input, or would be read as part of one.

    Parameters
    ----------
    option
        The option that names the folder.
    folder
        Its path; an address is not looked at.
    inputs
        The files, folders and patterns to read, as they were typed.
    """
    if is_remote(folder):
        return
    own = Path(os.path.realpath(local_path(folder)))
    for name in inputs:
        path = Path(os.path.realpath(local_path(name)))
        inside = own.is_relative_to(path)
        below = own.relative_to(path).parts if inside else ()
        read = inside and not any(part.startswith(HIDDEN) for part in below)
        if not is_remote(name) and (path.is_relative_to(own) or read):
            raise ArgumentError(
                f"{folder}: holds inputs ({name}): {option} needs a folder of its own"
            )


def _identity(path: str) -> Hashable:
    """What is the same for all names of one file; None for what cannot be an input again."""
    if path == STANDARD_OUTPUT:
        with suppress(AttributeError, OSError, ValueError):  # closed, or an object of a test
            return _of_status(os.fstat(sys.stdout.fileno()))
        return None
    if is_remote(path):
        system, inner = remote_filesystem(path)
        if type(system).__name__ != "LocalFileSystem":
            return type(system).__name__, inner
        path = inner
    name = local_path(path)
    try:
        status = os.stat(name)  # noqa: PTH116, names that no file can have are refused later
    except (OSError, ValueError):
        return os.path.realpath(name) if "\0" not in name else name
    return _of_status(status) if status.st_ino else os.path.realpath(name)


def _of_status(status: os.stat_result) -> Hashable:
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
