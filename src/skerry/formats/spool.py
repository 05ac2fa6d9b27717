"""A file that can be read at any place, as formats with their contents at the end need it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from skerry.config import temporary_folder
from skerry.formats.source import SourceFile

__all__ = ["seekable"]


@contextmanager
def seekable(file: SourceFile) -> Iterator[Any]:
    """The path of a local file, or an open file; a compressed one is unpacked onto the disk first.

    Such formats (Parquet, Arrow, NPZ) compress their contents themselves, so that case is rare.
    """
    if file.mappable is not None and file.size is not None:
        yield str(file.mappable)
    elif file.compression is None and file.path is None:
        with file.open_raw() as raw:
            yield raw
    else:
        with tempfile.TemporaryFile(prefix="skerry-", dir=temporary_folder()) as unpacked:
            with file.open() as stream:
                shutil.copyfileobj(stream, unpacked, 1 << 20)
            unpacked.seek(0)
            yield unpacked
