"""The answer on disk, for graphs whose labels and ids do not fit in memory.

Labels and ids are temporary files that the caller sees as arrays. What is made of them here, for
tables and summaries, is made in passes over the files, with a block of numbers in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.formats.memory import give_back_memory
from skerry.formats.spill_columns import ColumnFile, StoredIds
from skerry.formats.spill_file import SpillFile, SpillFolder, StoredColumn
from skerry.ids.id_space import Counted
from skerry.ids.lookup import take
from skerry.optional import require_arrow
from skerry.result import tables
from skerry.result.components import Components, on_host
from skerry.result.groups import Component

PIECE = 1 << 18
"""Numbers of a file that are read at a time."""


class StoredLabels(NamedTuple):
    """Labels and ids on disk."""

    labels: SpillFile
    ids: SpillFile | StoredIds | None
    """External ids, ascending; None for vertex numbers."""
    components: int
    """Number of components."""
    folder: SpillFolder
    block: Callable[[int], int]
    """How many numbers of so many bytes fit in memory now."""

    def blocks(self, width: int) -> Iterator[tuple[int, int]]:
        """All vertices, cut into blocks of about the same size, of which one fits."""
        give_back_memory()  # what earlier passes have left to the allocators
        n = self.labels.size
        blocks = max(1, -(-n // max(1, self.block(width))))
        size = max(1, -(-n // blocks))
        yield from ((low, min(n, low + size)) for low in range(0, n, size))

    def id_columns(self) -> list[StoredColumn]:
        """The ids of all vertices."""
        assert self.ids is not None
        files = self.ids.columns if isinstance(self.ids, StoredIds) else (self.ids,)
        return [file.column() for file in files]

    def component_ids(self) -> list[StoredColumn]:
        """The id of the smallest member of the component of every vertex."""
        if isinstance(self.ids, StoredIds):
            return [self._component_column(file, self.ids.width) for file in self.ids.columns]
        assert self.ids is not None
        components = self.folder.file(self.ids.dtype)
        for low, high in self.blocks(self.ids.dtype.itemsize):
            own = self.ids.part(low, high)
            for position, part in self.labels.pieces(PIECE, low):  # a label is not above its vertex
                inside = (part >= low) & (part < high)
                end = position + len(part)
                ids = components.part(position, end) if low else np.empty(len(part), own.dtype)
                ids[inside] = own[part[inside] - part.dtype.type(low)]
                components.write(position, ids)
            del own  # before the next block is read
        return [components.column()]

    def _component_column(self, ids: ColumnFile, width: int) -> StoredColumn:
        """As `component_ids`, of a column whose values may differ in length.

        While one block has all ids, they are looked up as they are written. Otherwise labels are
        sorted by their block, each block's ids looked up, and those put back in the old order: a
        few passes, however many blocks there are.
        """
        bounds = list(self.blocks(2 * width))
        if len(bounds) <= 1:
            own = ids.part(0, ids.size)
            return StoredColumn(
                ids.type, ids.size, lambda begin, end: take(own, self.labels.part(begin, end))
            )
        ends, labels = self._by_block(bounds)
        names, position = ColumnFile(self.folder, ids.type), 0
        for (low, high), end in zip(bounds, ends.tolist(), strict=True):
            block = ids.part(low, high)
            for _, part in labels.pieces(PIECE, position, end):
                names.append(take(block, part - part.dtype.type(low)))
            position = end
            del block  # before the next is read
        labels.close()
        next_of = np.concatenate([[0], ends[:-1]])
        components, pa = ColumnFile(self.folder, ids.type), require_arrow("ids in files")
        for _, order, counts in self._pieces_by_block(bounds):
            begins, next_of = next_of, next_of + counts
            runs = [
                names.part(*run) for run in zip(begins, next_of, strict=True) if run[0] < run[1]
            ]
            old = np.empty(len(order), np.int64)
            old[order] = np.arange(len(order))
            components.append(take(pa.concat_arrays(runs), old))
        return components.column()

    def _by_block(self, bounds: list[tuple[int, int]]) -> tuple[npt.NDArray[np.int64], SpillFile]:
        """All labels, those of the first block first; and where those of each block end."""
        counts = sum((each for _, _, each in self._pieces_by_block(bounds)), np.int64(0))
        ends = np.cumsum(counts, dtype=np.int64)
        labels, next_of = self.folder.file(self.labels.dtype), ends - counts
        for part, order, each in self._pieces_by_block(bounds):
            runs = np.split(part[order], np.cumsum(each)[:-1])
            for begin, run in zip(next_of.tolist(), runs, strict=True):
                if len(run):
                    labels.write(begin, run)
            next_of = next_of + each
        return ends, labels

    def _pieces_by_block(
        self, bounds: list[tuple[int, int]]
    ) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[np.intp], npt.NDArray[np.int64]]]:
        """Pieces of the labels, an order by their block, and how many each block has."""
        size = bounds[0][1]
        for _, part in self.labels.pieces(PIECE):
            block = (part // part.dtype.type(size)).astype(np.intp)
            yield part, np.argsort(block, kind="stable"), np.bincount(block, minlength=len(bounds))

    def sizes(self) -> tuple[SpillFile, SpillFile]:
        """The smallest member of every component, ascending, and its size."""
        roots, sizes = self.folder.file(self.labels.dtype), self.folder.file(np.int64)
        for low, high in self.blocks(self.labels.dtype.itemsize):
            counts = np.zeros(high - low, self.labels.dtype)
            for _, part in self.labels.pieces(PIECE, low):
                _native.count_block(part, low, counts)
            for begin in range(0, len(counts), PIECE):
                part = counts[begin : begin + PIECE]
                members = np.flatnonzero(part)
                roots.append((members + (low + begin)).astype(roots.dtype))
                sizes.append(part[members].astype(np.int64))
            del counts, part
        return roots, sizes

    def members(self, root: int, ids: Any) -> Any:
        """The ids of the members of a component."""
        if isinstance(self.ids, StoredIds):
            return self._stored_members(root, self.ids)
        first = ids.column(np.zeros(0, self.labels.dtype))
        file = self.folder.file(first.dtype)
        for position, part in self.labels.pieces(PIECE, root):
            chosen = np.flatnonzero(part == root)
            if not len(chosen):
                continue
            if self.ids is None:
                file.append(ids.column((chosen + position).astype(part.dtype)))
            else:
                file.append(self.ids.part(position, position + len(part))[chosen])
        return file.mapped()

    def _stored_members(self, root: int, ids: StoredIds) -> Any:
        files = tuple(ColumnFile(self.folder, column.type) for column in ids.columns)
        for position, part in self.labels.pieces(PIECE, root):
            chosen = np.flatnonzero(part == root)
            if len(chosen):
                for file, column in zip(files, ids.columns, strict=True):
                    file.append(take(column.part(position, position + len(part)), chosen))
        return StoredIds(files, ids.composite).mapped()


class SpilledComponents(Components):
    """As `Components`, with labels and ids that are read from temporary files.

    ``labels`` and ``ids`` are arrays of which the system holds in memory what is in use; it may
    drop it at any time. `write`, `sizes` and `largest` work in passes with little memory. All else
    takes as much as on any result.
    """

    def __init__(self, stored: StoredLabels, **parts: Any) -> None:
        self._stored = stored
        super().__init__(smallest=stored.labels.mapped(), **parts)

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of components; an isolated vertex is one."""
        return self._stored.components

    @cached_property
    def _size_files(self) -> tuple[SpillFile, SpillFile]:
        return self._stored.sizes()

    def sizes(self) -> npt.NDArray[np.int64]:
        """Size of every component, in order of their smallest member."""
        return self._size_files[1].mapped()

    def _size_pieces(self) -> Iterator[npt.NDArray[np.int64]]:
        for _, part in self._size_files[1].pieces(PIECE):
            yield part

    def _find_largest(self, k: int) -> list[Component]:
        roots = self._size_files[0]
        result = []
        for number, size in _first_by_size(self._size_pieces(), k):
            root = int(roots.part(number, number + 1)[0])
            members = self._stored.members(root, self._ids)
            result.append(Component(self._ids[root], size, members))
        return result

    def _file_columns(self, min_size: int = 1) -> dict[str, Any]:
        """The columns of `table`, not in memory unless components have names or are left out."""
        if min_size > 1 or self._make_names is not None:
            return super()._file_columns(min_size)
        stored, ids = self._stored, self._ids
        if stored.ids is not None:
            own, components = stored.id_columns(), stored.component_ids()
            return tables.named_columns(ids, tuple(own), tuple(components))
        assert isinstance(ids, Counted)
        labels = stored.labels

        def of_rows(begin: int, end: int) -> npt.NDArray[Any]:
            return ids.column(self._typed(np.arange(begin, end, dtype=labels.dtype)))

        def of_labels(begin: int, end: int) -> npt.NDArray[Any]:
            return ids.column(self._typed(labels.part(begin, end)))

        dtype = of_rows(0, 0).dtype
        return {
            "id": StoredColumn(dtype, labels.size, of_rows),
            "component": StoredColumn(dtype, labels.size, of_labels),
        }

    def _file_labels(self) -> Any:
        if self._make_names is not None:
            return super()._file_labels()
        labels = self._stored.labels
        return StoredColumn(
            self._typed(np.empty(0, labels.dtype)).dtype,
            labels.size,
            lambda begin, end: self._typed(labels.part(begin, end)),
        )

    def __reduce__(self) -> Any:
        """A pickle holds the labels and ids themselves."""
        return on_host, (self.__getstate__(),)


def _first_by_size(pieces: Iterator[npt.NDArray[np.int64]], k: int) -> list[tuple[int, int]]:
    """The numbers and sizes of the largest components, largest first; of ties, the first."""
    numbers, sizes = np.empty(0, np.int64), np.empty(0, np.int64)
    begin = 0
    for piece in pieces:
        numbers = np.concatenate([numbers, np.arange(begin, begin + len(piece))])
        sizes = np.concatenate([sizes, piece])
        chosen = np.argsort(-sizes, kind="stable")[:k]
        numbers, sizes = numbers[chosen], sizes[chosen]
        begin += len(piece)
    return list(zip(numbers.tolist(), sizes.tolist(), strict=True))
