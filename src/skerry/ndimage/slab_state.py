"""The file of an unfinished `label_slabs`, replaced whole each time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.formats.writers.atomic_file import atomic_file
from skerry.ndimage.slab_merge import Merged


class SlabState:
    """What has been found out, and how many slabs are written."""

    def __init__(self, path: str | os.PathLike[str] | None, call: str) -> None:
        self._path = None if path is None else Path(path)
        self._call = call
        self.merged: Merged | None = None
        self.depth: int | None = None
        """Planes of a slab, of a call that is continued."""
        self.written = 0

    def load(self, depth: int | None) -> None:
        """Reads the file, if there is one; ``depth`` is that of the call, if it says so."""
        if self._path is None or not self._path.exists():
            return
        try:
            with np.load(self._path, allow_pickle=False) as file:
                call, self.written = str(file["call"]), int(file["written"])
                self.depth = int(file["depth"])
                self.merged = Merged(*(file[name] for name in Merged._fields))
        except (OSError, ValueError, KeyError):
            raise InputError(f"state: {self._path} is no file of this function") from None
        if call != self._call or depth not in (None, self.depth):
            raise InputError(
                f"state: {self._path} belongs to a call with another source or other arguments; "
                "remove it to begin again"
            )

    def save(self, merged: Merged, depth: int, written: int) -> None:
        """Writes the file."""
        if self._path is not None:
            with atomic_file(self._path) as file:
                parts: dict[str, Any] = {"call": self._call, "depth": depth, "written": written}
                np.savez(file, **parts, **merged._asdict())

    def remove(self) -> None:
        """Removes the file of a call that is complete."""
        if self._path is not None:
            self._path.unlink()
