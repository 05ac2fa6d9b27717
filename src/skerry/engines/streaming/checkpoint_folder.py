"""The folder of a checkpoint: one file, which is replaced as a whole, and a lock.

The file is laid out as that of a `UnionFind` (formats/saved_file.py): a head, a description in
JSON, sections, and a CRC-32 of all of them. It is written beside, synced and renamed, so a process
that is killed leaves the file before. The lock belongs to the process: the system releases it,
however the process ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy.typing as npt

from skerry.errors import ArgumentError, InputError, TargetError, UnsupportedError
from skerry.formats.saved_file import Saved, SavedFile, write_saved
from skerry.formats.source import is_remote

MAGIC = b"skerryCP"
FILE = "checkpoint.skerry"
LOCK = "checkpoint.lock"
SPILLED = "spilled-"
"""How names of files begin that a run larger than memory keeps for the next."""


class CheckpointFolder:
    """A folder, made where there is none."""

    def __init__(self, folder: str) -> None:
        if is_remote(folder):
            raise UnsupportedError(f"{folder}: checkpoint= needs a folder of this machine")
        self._folder = Path(folder)
        self.path = self._folder / FILE
        """The file of the checkpoint."""
        self.was_in_use = False
        """Whether a run before this one had the lock, and did not come to its end."""

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps other runs out of the folder.

        Raises
        ------
        InputError
            If there is another run, or the folder cannot be used.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self.was_in_use = (self._folder / LOCK).exists()
            number = self._lock()
        except OSError as error:
            is_file = isinstance(error, FileExistsError | NotADirectoryError)
            raise (ArgumentError if is_file else TargetError)(
                f"{self._folder}: cannot hold a checkpoint: {error.strerror or error}; name a "
                "folder that can be written to"
            ) from None
        try:
            for part in self._folder.glob(f".{FILE}.*.part"):  # of processes that were killed
                part.unlink(missing_ok=True)
            yield
        finally:
            os.close(number)

    def _lock(self) -> int:
        """The file descriptor that holds the lock."""
        path = self._folder / LOCK
        while True:
            number = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                if not _try_lock(number):
                    raise InputError(
                        f"{self._folder}: another run uses this checkpoint; wait for its end, or "
                        "name another folder"
                    )
                with suppress(FileNotFoundError):
                    if path.stat().st_ino == os.fstat(number).st_ino:
                        return number
            except BaseException:
                os.close(number)
                raise
            os.close(number)  # removed by another run since it was opened

    def load(self) -> Saved | None:
        """What the file holds; None if there is none.

        Raises
        ------
        InputError
            If it is damaged, or of another version.
        """
        if not self.path.exists():
            return None
        return SavedFile(self.path, MAGIC, "a checkpoint").read()

    def store(self, description: dict[str, Any], sections: dict[str, npt.NDArray[Any]]) -> None:
        """Replaces the file."""
        write_saved(self.path, description, sections, MAGIC)

    def remove(self) -> None:
        """Removes the files, and the folder if nothing else is in it."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
            for path in self._folder.glob(f"{SPILLED}*"):
                path.unlink(missing_ok=True)
            (self._folder / LOCK).unlink(missing_ok=True)
            self._folder.rmdir()


def checkpoint_files(folder: str) -> list[str]:
    """The paths of the files that a checkpoint in this folder has."""
    return [str(Path(folder, name)) for name in (FILE, LOCK)]


def what_is_kept(folder: str) -> str:
    """What an interrupted run has left, and how to go on."""
    path = Path(folder, FILE)
    if path.exists():
        return f"{path} has what was joined so far: the same command goes on from there"
    return f"{path} was not written yet: the same command starts from the beginning"


def remove_checkpoint(folder: str) -> None:
    """Removes a checkpoint that its run was to keep; not while another run uses it."""
    checkpoint = CheckpointFolder(folder)
    if checkpoint.path.parent.exists():
        with suppress(InputError), checkpoint.locked():
            checkpoint.remove()


def _try_lock(number: int) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        return True
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
