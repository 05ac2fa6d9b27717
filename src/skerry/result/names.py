"""What clusters are called, and what later runs must know of that.

A name goes on from run to run (`identities.py` has the rule). So that no name
is given twice, a result also remembers on which day each name came up, the next number that was
never used, and names of text that ended. Files keep this in the metadata of their schema.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.graph.arrow import text_offsets
from skerry.ids.id_space import IdSpace
from skerry.ids.lookup import take
from skerry.optional import arrow_if_installed, require_arrow

METADATA_KEY = b"skerry.clusters"
VERSION = 1
FIRST_SUFFIX = 2
"""The number behind the first name that is taken: ``kim-2``."""


class Names(NamedTuple):
    """The names of clusters 0..k-1, which are numbered in the order of their first members."""

    column: Any
    """Integers as a NumPy array, or text as an Arrow array; any other ids cannot go on."""
    first_days: npt.NDArray[np.int32]
    """The run in which each name came up; 0 where that is not known."""
    day: int = 0
    """The number of this run."""
    next_number: int = 0
    """All numbers from this one on are new. Of names of text: of their suffixes."""
    retired: Any = None
    """Names of text that are not used any more; None: there are none."""

    @property
    def are_integers(self) -> bool:
        """Whether a name is a number."""
        return isinstance(self.column, np.ndarray)

    @property
    def first_unused(self) -> int:
        """The first number that was never a name, or its suffix."""
        if not self.are_integers:
            return max(self.next_number, FIRST_SUFFIX)
        used = int(self.column.max()) + 1 if len(self.column) else 0
        return max(self.next_number, used, 0)

    def ranks(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The order of some clusters by name."""
        names = take(self.column, numbers)
        if self.are_integers:
            return np.argsort(np.argsort(names, kind="stable"))
        compute = require_arrow("names of clusters", "pyarrow.compute")
        if compute.all(compute.greater(names[1:], names[:-1])).as_py() is not False:
            return np.arange(len(numbers))  # as smallest members do
        order = np.asarray(compute.sort_indices(names)).astype(np.int64)
        ranks = np.empty_like(order)
        ranks[order] = np.arange(len(order))
        return ranks


def default_names(ids: IdSpace, smallest: npt.NDArray[Any], count: int, dense: bool) -> Names:
    """Names of a result that does not go on from another: numbers, or smallest members."""
    if dense:
        column: Any = np.arange(count)
    else:
        column = ids.column(np.flatnonzero(smallest == np.arange(len(smallest))))
    return Names(column, np.zeros(count, np.int32))


def can_go_on(names: Names) -> bool:
    """Whether later clusters can be named after these: integers and text."""
    return names.are_integers or (
        arrow_if_installed() is not None
        and not isinstance(names.column, tuple | list)
        and _is_text(names.column.type)
    )


def check_names(names: Names) -> None:
    """Raises if later clusters cannot be named after these."""
    if not can_go_on(names):
        several = isinstance(names.column, tuple | list)
        kind = "of several columns" if several else f"of type {names.column.type}"
        raise UnsupportedError(
            f"previous: clusters keep names that are integers or text, and these are {kind}: make "
            'the first result with labels="dense", which numbers them'
        )


def _is_text(kind: Any) -> bool:
    types = require_arrow("names of clusters", "pyarrow.types")
    return bool(types.is_string(kind) or types.is_large_string(kind))


def names_after(
    old: Names, matched: npt.NDArray[np.int64], ids: IdSpace, smallest: npt.NDArray[Any]
) -> Names:
    """The names of new clusters: those of the old ones that they go on as, or unused ones.

    ``smallest`` has the first member of each new cluster, as a position in ``ids``.
    """
    day, goes_on = old.day + 1, matched >= 0
    fresh = np.flatnonzero(~goes_on)
    first_days = np.full(len(matched), day, np.int32)
    first_days[goes_on] = old.first_days[matched[goes_on]]
    if old.are_integers:
        first = old.first_unused
        dtype = old.column.dtype
        if first + len(fresh) - 1 > np.iinfo(dtype).max:
            raise InputError(
                f"there are no unused names left: the largest is {first - 1:,}, and the type of "
                f"the names is {dtype}"
            )
        column = np.empty(len(matched), dtype)
        column[goes_on] = old.column[matched[goes_on]]
        column[fresh] = np.arange(first, first + len(fresh)).astype(dtype)
        return Names(column, first_days, day, first + len(fresh))
    return _texts_after(old, matched, fresh, ids.column(smallest[fresh]), first_days)


def _texts_after(
    old: Names,
    matched: npt.NDArray[np.int64],
    fresh: npt.NDArray[np.int64],
    members: Any,
    first_days: npt.NDArray[np.int32],
) -> Names:
    pa = require_arrow("names of clusters")
    if isinstance(members, tuple):
        raise UnsupportedError(
            "clusters of ids of several columns keep names that are numbers, and these are text: "
            'make the first result with labels="dense"'
        )
    kind = old.column.type
    wanted = (pa.array(members) if isinstance(members, np.ndarray) else members).cast(kind)
    used = [old.column] if old.retired is None else [old.column, old.retired.cast(kind)]
    new, number = _unused(wanted, pa.concat_arrays(used), old.first_unused)
    sources = matched.copy()
    sources[fresh] = len(old.column) + np.arange(len(fresh))
    column = take(pa.concat_arrays([old.column, new]), sources)
    ended = np.ones(len(old.column), np.bool_)
    ended[matched[matched >= 0]] = False
    retired = take(old.column, np.flatnonzero(ended))
    if old.retired is not None:
        retired = pa.concat_arrays([old.retired.cast(kind), retired])
    return Names(column, first_days, old.day + 1, number, retired if len(retired) else None)


def _unused(wanted: Any, used: Any, number: int) -> tuple[Any, int]:
    """Names that are not used, with suffixes where they must be, and the next number of one."""
    pa = require_arrow("names of clusters")
    compute = require_arrow("names of clusters", "pyarrow.compute")
    taken = np.asarray(compute.is_in(wanted, value_set=used)).astype(np.bool_)
    positions = np.flatnonzero(taken)
    if not len(positions):
        return wanted, number
    known = set(used.to_pylist()) | set(wanted.filter(pa.array(~taken)).to_pylist())
    values = wanted.to_pylist()
    for position in positions.tolist():
        name = f"{values[position]}-{number}"
        while name in known:
            number += 1
            name = f"{values[position]}-{number}"
        known.add(name)
        values[position] = name
        number += 1
    return pa.array(values, wanted.type), number


def encoded(names: Names, written: npt.NDArray[Any], rows: int) -> bytes:
    """The metadata of a file whose clusters are ``written``, in the order of their first rows."""
    state: dict[str, Any] = {
        "version": VERSION,
        "day": names.day,
        "next": names.first_unused,
        "rows": rows,
        "checksum": _checksum(take(names.column, written)),
        "first_days": _packed(names.first_days[written].astype("<i4").tobytes()),
    }
    if names.retired is not None:
        state["retired"] = _packed(json.dumps(names.retired.to_pylist()).encode())
    return json.dumps(state).encode()


def decoded(metadata: bytes, column: Any, rows: int, origin: str) -> Names:
    """The names of a table with this metadata, in the order of their first rows."""
    version = VERSION
    try:
        state = json.loads(metadata)
        version = state["version"]
        first_days = np.frombuffer(_unpacked(state["first_days"]), "<i4").astype(np.int32)
        fits = state["rows"] == rows and len(first_days) == len(column)
        day, number, checksum = int(state["day"]), int(state["next"]), state["checksum"]
        retired = json.loads(_unpacked(state["retired"])) if "retired" in state else None
    except (ValueError, KeyError, TypeError, zlib.error):
        fits = False
    if version > VERSION:
        raise InputError(
            f"{origin}: its identities are of version {version}, and this reads {VERSION}: update "
            "skerry"
        )
    if not fits or checksum != _checksum(column):
        raise InputError(
            f"{origin}: its rows are not those that skerry wrote: some were changed, added or left "
            f"out since. Take the metadata {METADATA_KEY.decode()!r} away, and it is read as a "
            "plain table of ids and components"
        )
    if retired is not None:
        retired = require_arrow("names of clusters").array(retired, column.type)
    return Names(column, first_days, day, number, retired)


def _packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 6)).decode()


def _unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


def _checksum(column: Any) -> int:
    """The same for the same names in the same order."""
    if isinstance(column, np.ndarray):
        return zlib.crc32(np.ascontiguousarray(column.astype("<i8")).tobytes())
    plain = column.cast("large_string")
    data = plain.buffers()[2]
    if not len(plain) or data is None:
        return 0
    bounds = text_offsets(plain)
    texts = memoryview(data)[bounds[0] : bounds[-1]]
    return zlib.crc32(texts, zlib.crc32((bounds - bounds[0]).tobytes()))
