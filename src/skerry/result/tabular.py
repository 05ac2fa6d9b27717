"""Tables of an answer: vertices and their components, components and their sizes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from skerry.errors import UnsupportedError
from skerry.ids.id_space import Counted
from skerry.ids.lookup import take
from skerry.result import tables
from skerry.result.answer import Answer
from skerry.result.groups import checked_min_size
from skerry.result.names import METADATA_KEY, can_go_on, encoded

if TYPE_CHECKING:
    import pyarrow as pa


PIECE = 1 << 20


def named_components(answer: Answer, labels: npt.NDArray[Any]) -> dict[str, Any]:
    """What some components, by their labels, are called in `Tabular.table`; by column."""
    if answer._make_names is None:
        return tables.component_columns(answer._ids, labels, answer._kind == "dense")
    numbers = labels if answer._kind == "dense" else answer._to_host(answer._dense[0])[labels]
    return _component_columns(answer, numbers)


def _component_columns(answer: Answer, numbers: npt.NDArray[Any]) -> dict[str, Any]:
    """As `named_components`, by the labels, or by the numbers where components have names."""
    if answer._make_names is None:
        return tables.component_columns(answer._ids, numbers, answer._kind == "dense")
    return {"component": take(answer._names.column, numbers)}


class Tabular(Answer):
    """The part of `Components` that makes tables."""

    def table(self, *, size: bool = False, min_size: int = 1) -> pa.Table:
        """The answer as an Arrow table with the columns ``id`` and ``component``.

        A component is called by its smallest member, in the order of the ids, or with
        ``labels="dense"`` by its number. Ids of several columns keep the names of these; the
        component then has a column for each, called ``component_`` and that name.
        ``.to_pandas()`` makes a pandas frame of the table, ``polars.from_arrow()`` one of polars.

        Parameters
        ----------
        size
            Add a column ``size``: the number of vertices in the component of each.
        min_size
            Leave components of fewer vertices out.

        Returns
        -------
        pyarrow.Table
            A row for each vertex.

        Raises
        ------
        UnsupportedError
            If pyarrow is not installed, or the ids are objects that Arrow cannot hold.

        Examples
        --------
        >>> import skerry
        >>> skerry.connected_components(([0, 3], [1, 4])).table(min_size=2).to_pydict()
        {'id': [0, 1, 3, 4], 'component': [0, 0, 3, 3]}
        """
        columns = self.columns(size=size, min_size=min_size)
        table = tables.arrow_table(columns, "result.table()")
        return self._with_identities(table, "arrow", self._not_smaller(min_size))

    def sizes_table(self, *, min_size: int = 1) -> pa.Table:
        """The components as an Arrow table with the columns ``component`` and ``size``.

        The largest come first; of components of the same size, the one with the smaller label.
        Components are called as in `table`.

        Parameters
        ----------
        min_size
            Leave components of fewer vertices out.

        Returns
        -------
        pyarrow.Table
            A row for each component.

        Raises
        ------
        UnsupportedError
            As `table`.

        Examples
        --------
        >>> import skerry
        >>> skerry.connected_components([(0, 4), (1, 2), (2, 3)]).sizes_table().to_pydict()
        {'component': [1, 0], 'size': [3, 2]}
        """
        return tables.arrow_table(self._size_columns(min_size), "result.sizes_table()")

    def _size_columns(self, min_size: int = 1) -> dict[str, Any]:
        sizes = self._to_host(self.sizes())
        kept = int(np.count_nonzero(sizes >= checked_min_size(min_size)))
        chosen = tables.largest_first(sizes, kept)
        labels = chosen
        if not self._are_numbered:
            smallest = self._to_host(self._smallest)
            labels = np.flatnonzero(smallest == np.arange(len(smallest), dtype=smallest.dtype))
            labels = labels[chosen]
        labels = self._typed(labels.astype(self._smallest.dtype, copy=False))
        names = _component_columns(self, labels)
        return tables.joined(names, {"size": sizes[chosen]})

    def columns(self, *, size: bool = False, min_size: int = 1) -> dict[str, Any]:
        """The columns of `table`, which integer ids need no pyarrow for.

        Parameters
        ----------
        size, min_size
            As in `table`.

        Returns
        -------
        dict
            NumPy arrays for integers, otherwise Arrow arrays, by the name of the column.

        Raises
        ------
        UnsupportedError
            If the ids are objects that Arrow cannot hold, or need pyarrow and it is not installed.

        Examples
        --------
        >>> import skerry
        >>> columns = skerry.connected_components(([0, 2], [1, 3])).columns()
        >>> columns["id"].tolist(), columns["component"].tolist()
        ([0, 1, 2, 3], [0, 0, 2, 2])
        """
        labels, numbers = self._to_host(self.labels), None
        rows = np.arange(self.num_vertices, dtype=labels.dtype)
        if self._make_names is not None:
            labels = self._to_host(self._dense[0])
        sizes: dict[str, Any] = {}
        if checked_min_size(min_size) > 1 or size:
            counts, numbers = self._to_host(self.sizes()), self._to_host(self._dense[0])
            if min_size > 1:
                large = (counts >= min_size)[numbers]
                rows, labels, numbers = rows[large], labels[large], numbers[large]
            if size:
                sizes = {"size": counts[numbers]}
        components = _component_columns(self, labels)
        return tables.joined(tables.id_columns(self._ids, rows), components, sizes)

    def _not_smaller(self, min_size: int) -> npt.NDArray[Any] | None:
        """The components of at least so many vertices; None for all."""
        if min_size == 1:
            return None
        return np.flatnonzero(self._to_host(self.sizes()) >= min_size)

    def _with_identities(self, columns: Any, format: str, kept: npt.NDArray[Any] | None) -> Any:
        """Columns or a table with what `named_after` must know of names beside those in the rows.

        ``kept`` are the components that have rows; None: all. Formats without metadata, and a
        table that says it all, get the columns as they are.
        """
        says_all = self._make_names is None and kept is None
        if says_all or format not in ("parquet", "arrow") or not can_go_on(self._names):
            return columns
        table = tables.arrow_table(columns, "names") if isinstance(columns, dict) else columns
        written = np.arange(self.count) if kept is None else kept
        metadata = {METADATA_KEY: encoded(self._names, written, len(table))}
        return table.replace_schema_metadata({**(table.schema.metadata or {}), **metadata})

    def _file_columns(self, min_size: int = 1) -> dict[str, Any]:
        """The columns of `table` as files get them."""
        return self.columns(min_size=min_size)

    def _file_table(self, format: str, min_size: int = 1) -> Any:
        """`_file_columns`, with the identities where the format has a place for them."""
        columns = self._file_columns(min_size)
        return self._with_identities(columns, format, self._not_smaller(min_size))

    def _file_labels(self) -> Any:
        """The labels as files get them."""
        if self._make_names is None:
            return self._to_host(self.labels)
        names = self._names
        if not names.are_integers:
            raise UnsupportedError("an array holds names of components only if they are integers")
        return names.column[self._to_host(self._dense[0])]

    def _size_pieces(self) -> Iterator[npt.NDArray[np.int64]]:
        """`sizes` in pieces, for counts of them."""
        sizes = self._to_host(self.sizes())
        yield from (sizes[begin : begin + PIECE] for begin in range(0, len(sizes), PIECE))

    def write(
        self,
        path: str | os.PathLike[str],
        format: str | None = None,
        *,
        sizes: bool = False,
        min_size: int = 1,
    ) -> None:
        """Writes `table` to a file, which is complete or not there at all.

        Parameters
        ----------
        path
            The file, or an address for fsspec (``s3://...``); one that exists is replaced. Its
            suffix is the format: ``.parquet``, ``.arrow``, ``.csv``, ``.tsv``, ``.wcc`` for
            LDBC's lines "vertex component", or ``.npy`` for the array of labels. Text is compressed
            by a further ``.gz``, ``.zst``, ``.bz2`` or ``.xz``.
        format
            The name of a format; by default the suffix decides.
        sizes
            Write `sizes_table` instead: a row for each component, the largest first. ``.npy`` is
            then an array with a row (component, size) for each.
        min_size
            Leave components of fewer vertices out.

        Raises
        ------
        InputError
            If no file can be written there, or it is a file of the input.
        UnsupportedError
            If the format cannot hold these ids, or needs pyarrow and it is not installed.
        OutputError
            If the disk is full, for instance.

        Examples
        --------
        >>> import pathlib, skerry, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "sizes.csv")
        >>> skerry.connected_components([(0, 4), (1, 2), (2, 3)]).write(path, sizes=True)
        >>> print(path.read_text(), end="")
        component,size
        1,3
        0,2
        """
        from skerry.formats.writers import write  # it brings the table of formats

        chosen = write.check_output(path, "labels", format, self.plan.input.files)
        smallest = checked_min_size(min_size)
        if sizes:
            write.write_sizes(self._size_columns(smallest), path, format)
        elif chosen.name != "npy":
            write.write_labels(self._file_table(chosen.name, smallest), path, format)
        elif isinstance(self._ids, Counted) and smallest == 1:
            write.write_labels(self._file_labels(), path, format)
        else:
            raise UnsupportedError(
                f"{os.fspath(path)}: an array holds the labels of all vertices 0..n-1, and nothing "
                "else; write Parquet, Arrow or CSV"
            )
