"""The sets of a `UnionFind` as a file: labels, and the sections of external ids, if any."""

from __future__ import annotations

import os
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.formats.saved_file import SavedFile, write_saved
from skerry.graph.arrow import text_offsets
from skerry.graph.stored_labels import checked_labels
from skerry.optional import arrow_if_installed, require_arrow


class SavedForest(NamedTuple):
    """The edges that joined sets, by the positions of their ends."""

    source: npt.NDArray[Any]
    target: npt.NDArray[Any]
    row: npt.NDArray[np.int64]
    weight: npt.NDArray[Any] | None
    """Integers or floats of 64 bits."""
    rows: int
    """How many edges were added in all."""


class SavedSets(NamedTuple):
    """Sets as they are saved."""

    labels: npt.NDArray[Any]
    """Canonical labels: of vertices, or of the ids in ascending order."""
    ids: Any
    """Columns, or a list of Python objects; None for vertex numbers."""
    dtype: np.dtype[Any] | None
    """The type of the parent array, if the caller has chosen it."""
    forest: SavedForest | None = None
    """Where it is recorded."""


def save_sets(path: str | os.PathLike[str], sets: SavedSets) -> None:
    """Writes sets to a file, which replaces one that is there."""
    description: dict[str, Any] = {
        "ids": None,
        "vertices": len(sets.labels),
        "dtype": None if sets.dtype is None else sets.dtype.name,
    }
    sections = {"labels": sets.labels}
    if sets.ids is not None:
        description["ids"], arrays = sections_of_ids(sets.ids)
        sections |= arrays
    if sets.forest is not None:
        description["forest"], arrays = _sections_of_forest(sets.forest)
        sections |= arrays
    write_saved(path, description, sections)


def _sections_of_forest(forest: SavedForest) -> tuple[dict[str, Any], Sections]:
    arrays = {"source": forest.source, "target": forest.target, "row": forest.row}
    kind = None
    if forest.weight is not None:
        kind = "float64" if forest.weight.dtype.kind == "f" else "int64"
        arrays["weight"] = np.ascontiguousarray(forest.weight, kind).view(np.int64)
    sections = {f"forest.{name}": array for name, array in arrays.items()}
    return {"rows": forest.rows, "weight": kind}, sections


def _forest_of(
    described: Any, sections: Sections, vertices: int, origin: str
) -> SavedForest | None:
    """The forest of a file, if it has one; its edges are between vertices."""
    if described is None:
        return None
    try:
        source, target, row = (sections[f"forest.{name}"] for name in ("source", "target", "row"))
        kind, rows = described["weight"], described["rows"]
        weight = None if kind is None else sections["forest.weight"].view(np.dtype(kind))
        fits = type(rows) is int and kind in (None, "int64", "float64")
        fits &= weight is None or len(weight) == len(row)
        for column, end in ((source, vertices), (target, vertices), (row, rows)):
            fits &= len(column) == len(row)
            fits &= not len(column) or bool(column.min() >= 0 and column.max() < end)
    except (KeyError, TypeError, ValueError):
        fits = False
    if not fits:
        raise InputError(f"{origin}: its forest is damaged")
    return SavedForest(source, target, row, weight, rows)


def load_sets(path: str | os.PathLike[str]) -> SavedSets:
    """Reads and checks a file; the labels of vertex numbers are mapped, and copied on write."""
    description, sections = SavedFile(path).read()
    name = description.get("dtype")
    if "labels" not in sections or name not in (None, "uint32", "uint64"):
        raise InputError(f"{path}: its description is damaged")
    labels = checked_labels(sections["labels"], os.fspath(path))
    if description.get("vertices") != len(labels):
        raise InputError(f"{path}: its description and its labels differ")
    ids = description.get("ids")
    if ids is not None:
        ids = ids_from_sections(ids, sections, os.fspath(path))
    forest = _forest_of(description.get("forest"), sections, len(labels), os.fspath(path))
    return SavedSets(labels, ids, None if name is None else np.dtype(name), forest)


Sections = dict[str, npt.NDArray[Any]]


def sections_of_ids(ids: Any) -> tuple[list[dict[str, Any]], Sections]:
    """How the columns are written, and the arrays; ids are columns, or a list of objects."""
    if isinstance(ids, list) and ids and isinstance(ids[0], tuple):
        ids = tuple(map(list, zip(*ids, strict=True)))
    kinds: list[dict[str, Any]] = []
    sections: Sections = {}
    for i, column in enumerate(ids if isinstance(ids, tuple) else (ids,)):
        kind, arrays = _sections_of_column(column)
        kinds.append({"kind": kind})
        sections |= {f"ids{i}.{name}": array for name, array in arrays.items()}
    return kinds, sections


def _sections_of_column(column: Any) -> tuple[str, Sections]:
    if isinstance(column, list):
        if all(type(value) is int for value in column):
            high = max(column, default=0) >= 2**63
            return "integers", {"values": np.array(column, np.uint64 if high else np.int64)}
        texts = [value.encode() for value in column]
        return "text", _texts(texts)
    if isinstance(column, np.ndarray):
        return "integers", {"values": column}
    pa = require_arrow("saving ids that are not integers or text")
    if column.type in (pa.string(), pa.large_string()):
        offsets, data = _arrow_texts(column, pa)
        return "text", {"offsets": offsets, "data": data}
    sink = pa.BufferOutputStream()
    batch = pa.record_batch([column], names=["id"])
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return "arrow", {"stream": np.frombuffer(sink.getvalue(), np.uint8)}


def _texts(texts: list[bytes]) -> Sections:
    offsets = np.zeros(len(texts) + 1, np.uint64)
    np.cumsum([len(text) for text in texts], out=offsets[1:])
    return {"offsets": offsets, "data": np.frombuffer(b"".join(texts), np.uint8)}


def _arrow_texts(column: Any, pa: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    large = column.cast(pa.large_string())
    data = large.buffers()[2]
    if not len(large):
        return np.zeros(1, np.uint64), np.empty(0, np.uint8)
    offsets = text_offsets(large)
    values = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
    first = int(offsets[0])
    return (offsets - first).astype(np.uint64), values[first : int(offsets[-1])]


def ids_from_sections(kinds: Any, sections: Sections, origin: str) -> Any:
    """The columns, or a list of Python objects where there is no pyarrow for text."""
    if not isinstance(kinds, list) or not kinds:
        raise InputError(f"{origin}: its ids are not described")
    columns = []
    for i, kind in enumerate(kinds):
        arrays = {
            name.partition(".")[2]: array
            for name, array in sections.items()
            if name.startswith(f"ids{i}.")
        }
        columns.append(_column(kind.get("kind") if isinstance(kind, dict) else "", arrays, origin))
    if len(columns) == 1:
        return columns[0]
    if any(isinstance(column, list) for column in columns):
        rows = [c if isinstance(c, list) else c.tolist() for c in columns]
        return list(zip(*rows, strict=True))
    return tuple(columns)


def _column(kind: Any, arrays: Sections, origin: str) -> Any:
    try:
        if kind == "integers":
            return arrays["values"]
        if kind == "text":
            return _text_column(arrays["offsets"], arrays["data"], origin)
        if kind == "arrow":
            pa = require_arrow(f"{origin}: ids that are not integers or text")
            try:
                with pa.ipc.open_stream(pa.py_buffer(arrays["stream"])) as reader:
                    column = reader.read_all().column(0).combine_chunks()
                column.validate(full=True)
                return column
            except (pa.ArrowException, OSError, IndexError) as error:
                raise InputError(f"{origin}: its ids are damaged: {error}") from None
    except KeyError as error:
        raise InputError(f"{origin}: the section {error} of its ids is missing") from None
    raise InputError(f"{origin}: its ids are of the kind {kind!r}, which is not known here")


def _text_column(offsets: npt.NDArray[Any], data: npt.NDArray[Any], origin: str) -> Any:
    if (
        offsets.dtype != np.uint64
        or data.dtype != np.uint8
        or not len(offsets)
        or offsets[0] != 0
        or offsets[-1] != len(data)
        or (offsets[1:] < offsets[:-1]).any()
    ):
        raise InputError(f"{origin}: the offsets of its ids are damaged")
    pa = arrow_if_installed()
    if pa is None:
        bounds = offsets.tolist()
        raw = data.tobytes()
        try:
            return [raw[a:b].decode() for a, b in pairwise(bounds)]
        except UnicodeDecodeError as error:
            raise InputError(f"{origin}: an id is not valid text: {error}") from None
    buffers = [None, pa.py_buffer(offsets.view(np.int64)), pa.py_buffer(data)]
    column = pa.Array.from_buffers(pa.large_string(), len(offsets) - 1, buffers)
    try:
        column.validate(full=True)
    except pa.ArrowException as error:
        raise InputError(f"{origin}: its ids are damaged: {error}") from None
    return column.cast(pa.string()) if len(data) < 2**31 else column
