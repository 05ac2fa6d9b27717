"""Clusters in a table or file: those that skerry writes, and those of other tools.

The columns are found by their names, in any case of letters. Two columns are ids and components in
this order, whatever they are called.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.formats.file_columns import (
    PLAIN_LABELS,
    begins_quoted,
    column_names,
    format_of_path,
    read_array,
    read_columns,
    read_dictionary,
    read_pairs,
    schema_metadata,
)
from skerry.formats.saved_file import MAGIC
from skerry.formats.saved_sets import load_sets
from skerry.graph.arrow import as_arrow, numpy_view, plain_array
from skerry.graph.edges import vertex_dtype
from skerry.ids.external import External
from skerry.ids.lookup import as_column, take
from skerry.ids.numbering import Numbering
from skerry.optional import require_arrow
from skerry.result.names import METADATA_KEY, Names, decoded
from skerry.result.previous import Previous, of_labels

COMPONENTS = (
    "component",
    "cluster_id",
    "cluster id",
    "__cluster_id__",
    "z_cluster",
    "canon_id",
    "canonical_id",
    "cluster",
)
"""Columns of clusters: skerry's, Splink's, dedupe's, GoldenMatch's, Zingg's, and usual ones."""
IDS = ("id", "unique_id", "__row_id__", "record_id", "vertex", "node", "doc_id")
"""Columns of ids: skerry's, Splink's, GoldenMatch's, and usual ones."""
PURPOSE = "clusters in a table"


def of_file(path: str | os.PathLike[str], as_text: bool) -> Previous:
    """The clusters in a file of any format that skerry writes, a saved `UnionFind` included.

    With ``as_text``, ids of delimited text are text even where all look like integers.
    """
    path = os.fspath(path)
    if _is_saved(path):
        saved = load_sets(path)
        ids = saved.ids
        if isinstance(ids, list):  # text without pyarrow
            ids = require_arrow(PURPOSE).array(ids)
        return Previous(saved.labels, None if ids is None else External(ids))
    name = format_of_path(path)
    if name == "npy":
        return of_labels(read_array(path), path)
    if name in PLAIN_LABELS:
        vertices, clusters = read_pairs(path)
        return _of_columns((vertices,), clusters, path, ("id",))
    names = column_names(path)
    if not names:
        raise InputError(f"{path}: holds no table of ids and components; it is {name}")
    ids, component = cluster_columns(names, path)
    header = True if name in ("csv", "tsv") else None
    columns = read_columns(path, ids, header, as_text)
    clusters = read_dictionary(path, component)
    if clusters is None:
        (clusters,) = read_columns(path, (component,), header, as_text and begins_quoted(path))
    metadata = schema_metadata(path)
    return _of_columns(columns, clusters, path, tuple(names[i] for i in ids), metadata)


def of_table(table: Any, as_text: bool) -> Previous:
    """The clusters in a table of any library that speaks Arrow, or in columns by name."""
    del as_text  # its types say it
    pa = require_arrow(PURPOSE)
    origin = type(table).__name__
    if isinstance(table, Mapping):
        table = pa.table({name: as_arrow(column) for name, column in table.items()})
    elif hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"):
        table = pa.table(table)
    else:
        table = require_arrow(PURPOSE, "pyarrow.interchange").from_dataframe(table)
    names = table.column_names
    ids, component = cluster_columns(names, origin)
    columns = [_plain(table.column(i), names[i], origin) for i in (*ids, component)]
    metadata = table.schema.metadata or {}
    chosen = tuple(names[i] for i in ids)
    return _of_columns(tuple(columns[:-1]), columns[-1], origin, chosen, metadata)


def cluster_columns(names: list[str], origin: str) -> tuple[tuple[int, ...], int]:
    """The numbers of the columns of ids, and of that of the components."""
    lower = [name.lower() for name in names]
    matches = [lower.index(name) for name in COMPONENTS if lower.count(name) == 1]
    if not matches and len(names) == 2:
        matches = [1]
    if not matches:
        parts = [name for name in lower if name.startswith("component_")]
        if parts:
            raise InputError(
                f"{origin}: its components are called by {len(parts)} columns, which cannot go on: "
                'make the first result with labels="dense", which numbers them'
            )
        raise InputError(
            f"{origin}: which column has the components is not clear; call it component; there "
            f"are: {', '.join(names) or 'none'}"
        )
    component = matches[0]
    ids = [lower.index(name) for name in IDS if lower.count(name) == 1]
    others = [number for number in range(len(names)) if number != component]
    sizes = [number for number in others if lower[number] not in ("size",)]
    if ids:
        return (ids[0],), component
    if len(sizes) == 1 or (len(sizes) > 1 and names[component] == "component"):
        return tuple(sizes), component  # ids of several columns, as skerry writes them
    raise InputError(
        f"{origin}: which column has the ids is not clear; call it id; there are: "
        f"{', '.join(names)}"
    )


def _is_saved(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False  # an address, a pattern, a folder, or not there: its reader says so


def _plain(column: Any, name: str, origin: str) -> Any:
    """A column of a table as ids are kept."""
    if column.null_count:
        raise InputError(f"{origin}: column {name} has {column.null_count:,} null value(s)")
    return as_column(plain_array(column.combine_chunks()))


def _of_columns(
    ids: tuple[Any, ...],
    components: Any,
    origin: str,
    names: tuple[str, ...],
    metadata: Mapping[bytes, bytes] | None = None,
) -> Previous:
    codes, column = _codes(components)
    count, clusters = len(codes), len(column)
    stored = (metadata or {}).get(METADATA_KEY)
    if stored is None:
        kept = Names(column, np.zeros(clusters, np.int32))
    else:
        kept = decoded(stored, column, count, origin)
    columns: Any = ids[0] if len(ids) == 1 else ids
    if len(ids) > 1 or not _ascends(columns):
        columns, rows = _in_order(columns, count, origin)
        codes = codes[rows]
    first = np.empty(clusters, vertex_dtype(count))
    first[codes[::-1]] = np.arange(count - 1, -1, -1, dtype=first.dtype)
    by_member = np.argsort(first, kind="stable")
    if not _ascends(by_member):
        kept = kept._replace(
            column=take(kept.column, by_member), first_days=kept.first_days[by_member]
        )
    space = External(columns, names if len(ids) > 1 else ("id",))
    return Previous(first[codes], space, names=lambda: kept, of_table=True)


def _codes(components: Any) -> tuple[npt.NDArray[Any], Any]:
    """The number of the component of each row, by first appearance, and what they are called."""
    pa = require_arrow(PURPOSE)
    column = components
    if isinstance(components, np.ndarray):
        column = pa.array(np.ascontiguousarray(components))
    if not pa.types.is_dictionary(column.type):
        encoded = column.dictionary_encode()
        return numpy_view(encoded.indices), as_column(encoded.dictionary)
    # As a file has it: in any order, and perhaps with values that are there twice or not at all.
    codes, count = numpy_view(column.indices), len(column)
    distinct = column.dictionary.dictionary_encode()
    if len(distinct.dictionary) < len(distinct):
        codes = numpy_view(distinct.indices)[codes]
    first = np.full(len(distinct.dictionary), count)
    first[codes[::-1]] = np.arange(count - 1, -1, -1)
    order = np.argsort(first, kind="stable")[: np.count_nonzero(first < count)]
    ranks = np.empty(len(first), codes.dtype)
    ranks[order] = np.arange(len(order))
    return ranks[codes], as_column(take(distinct.dictionary, order))


def _in_order(columns: Any, count: int, origin: str) -> tuple[Any, npt.NDArray[np.int64]]:
    """Ids in ascending order, and the row of each; raises if an id is there twice."""
    numbering = Numbering()
    numbers = numbering.number(columns, 1).astype(np.int64)
    if numbering.size < count:
        row = int(np.argmax(np.bincount(numbers)[numbers] > 1))
        raise InputError(
            f"{origin}: the id {External(columns)[row]!r} is in more than one row; clusters have "
            "a row for each id"
        )
    ids, order = numbering.take_in_order(1)
    rows = np.empty(count, np.int64)
    rows[numbers] = np.arange(count)
    return ids, rows[order]


def _ascends(column: Any) -> bool:
    """Whether each id is greater than the one before, as in files of skerry."""
    if isinstance(column, np.ndarray):
        return bool((column[1:] > column[:-1]).all())
    compute = require_arrow(PURPOSE, "pyarrow.compute")
    try:
        return compute.all(compute.greater(column[1:], column[:-1])).as_py() is not False
    except NotImplementedError:  # types that Arrow does not order
        return False
