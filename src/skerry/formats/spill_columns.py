"""Columns of ids of any type in temporary files, as `spill_file` has numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.formats.spill_file import SpillFile, SpillFolder, StoredColumn
from skerry.graph.arrow import arrow_bytes, text_offsets
from skerry.optional import require_arrow

PURPOSE = "ids that are not integers"
PIECE = 1 << 18
"""Offsets that are made narrower at a time."""
SHORT_BYTES = 2**31 - 1
"""Bytes of text that offsets of 32 bits can address."""


class ColumnFile:
    """An Arrow column without nulls; it grows at its end. For one thread."""

    def __init__(self, folder: SpillFolder, kind: Any) -> None:
        pa = require_arrow(PURPOSE)
        self.type = kind
        self._folder = folder
        self._storage = kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind
        self._bytes = folder.file(np.uint8)
        self._offsets: SpillFile | None = None
        self._width = 0
        if _is_fixed(self._storage):
            self._width = self._storage.bit_width // 8
        else:
            self._offsets = folder.file(np.int64)
            self._offsets.append(np.zeros(1, np.int64))

    @property
    def size(self) -> int:
        """Ids in it."""
        if self._offsets is None:
            return self._bytes.size // self._width
        return self._offsets.size - 1

    @property
    def nbytes(self) -> int:
        """Bytes on disk."""
        return self._bytes.size + (0 if self._offsets is None else 8 * self._offsets.size)

    def append(self, array: Any) -> None:
        """Writes ids behind all others."""
        pa = require_arrow(PURPOSE)
        if isinstance(array.type, pa.BaseExtensionType):
            array = array.storage
        if self._offsets is None:
            begin, width = array.offset * self._width, len(array) * self._width
            self._bytes.append(arrow_bytes(array.buffers()[1])[begin : begin + width])
            return
        if len(array):
            array = array.cast(_large(self._storage))
            offsets = text_offsets(array)
            first, end = int(offsets[0]), self._bytes.size
            self._bytes.append(arrow_bytes(array.buffers()[2])[first : int(offsets[-1])])
            self._offsets.append(offsets[1:] - first + end)

    def part(self, begin: int, end: int) -> Any:
        """Some of the ids, as an Arrow array."""
        pa = require_arrow(PURPOSE)
        if self._offsets is None:
            data = self._bytes.part(begin * self._width, end * self._width)
            return self._typed([None, pa.py_buffer(data)], end - begin, self._storage)
        offsets = self._offsets.part(begin, end + 1)
        data = self._bytes.part(int(offsets[0]), int(offsets[-1]))
        buffers = [None, pa.py_buffer(offsets - offsets[0]), pa.py_buffer(data)]
        return self._typed(buffers, end - begin, _large(self._storage)).cast(self.type)

    def mapped(self) -> Any:
        """All ids; the system holds in memory what is in use."""
        pa = require_arrow(PURPOSE)
        data = pa.py_buffer(self._bytes.mapped())
        if self._offsets is None:
            return self._typed([None, data], self.size, self._storage)
        offsets, kind = self._offsets, _large(self._storage)
        if self._storage != kind and self._bytes.size <= SHORT_BYTES:
            offsets, kind = self._folder.file(np.int32), self._storage
            for _, part in self._offsets.pieces(PIECE):
                offsets.append(part.astype(np.int32))
        return self._typed([None, pa.py_buffer(offsets.mapped()), data], self.size, kind)

    def _typed(self, buffers: list[Any], size: int, kind: Any) -> Any:
        pa = require_arrow(PURPOSE)
        array = pa.Array.from_buffers(kind, size, buffers)
        if isinstance(self.type, pa.BaseExtensionType):
            return pa.ExtensionArray.from_storage(self.type, array)
        return array

    def column(self) -> StoredColumn:
        """The ids, for writers."""
        return StoredColumn(self.type, self.size, self.part)


class StoredIds:
    """External ids, ascending: one column or several."""

    def __init__(self, columns: tuple[ColumnFile, ...], composite: bool) -> None:
        self.columns = columns
        self.composite = composite

    @property
    def size(self) -> int:
        """The number of ids."""
        return self.columns[0].size

    @property
    def width(self) -> int:
        """Bytes of an id, on average."""
        return -(-sum(column.nbytes for column in self.columns) // max(1, self.size)) + 8

    def mapped(self) -> Any:
        """All ids, as `External` has them."""
        columns = tuple(column.mapped() for column in self.columns)
        return columns if self.composite else columns[0]


def _is_fixed(kind: Any) -> bool:
    pa = require_arrow(PURPOSE)
    return not any(
        is_kind(kind)
        for is_kind in (
            pa.types.is_string,
            pa.types.is_large_string,
            pa.types.is_binary,
            pa.types.is_large_binary,
        )
    )


def _large(kind: Any) -> Any:
    """The type with offsets of 64 bits."""
    pa = require_arrow(PURPOSE)
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    return pa.large_string() if is_text else pa.large_binary()
