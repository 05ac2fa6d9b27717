"""The edges between vertex numbers in every kind of array and matrix. One row each."""

from __future__ import annotations

import array
import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

import skerry
from support.forms.edges import COUNT


class Numbered(NamedTuple):
    """A kind of object that holds edges between vertex numbers."""

    name: str
    make: Callable[[Any, Any], Any]
    """Of sources and targets, arrays of int64."""
    keeps: str = "rows"
    package: str = ""
    repeatable: bool = True


def _typed(dtype: str) -> Numbered:
    return Numbered(dtype, lambda src, dst: (src.astype(dtype), dst.astype(dtype)))


def _apart(values: Any, step: int) -> Any:
    """The values in memory that holds others between them; backwards for a negative step."""
    wide = np.full(abs(step) * len(values) + 1, 77, values.dtype)
    view = wide[:: abs(step)][: len(values)] if step > 0 else wide[::step][: len(values)]
    view[:] = values
    return view


def _unaligned(values: Any) -> Any:
    memory = np.zeros(values.nbytes + 1, np.uint8)
    view = memory[1:].view(values.dtype)
    view[:] = values
    return view


def _read_only(values: Any) -> Any:
    values = values.copy()
    values.flags.writeable = False
    return values


def _both(change: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda src, dst: (change(src), change(dst))


class _Tensor(NamedTuple):
    """What torch and JAX offer: DLPack, and nothing of NumPy's."""

    values: Any

    @property
    def ndim(self) -> int:
        return int(self.values.ndim)

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()


class _Interface:
    """An array of a library that NumPy reads by its interface."""

    def __init__(self, values: Any) -> None:
        self.values = values
        self.__array_interface__ = values.__array_interface__
        self.ndim = values.ndim


def _matrix(format: str, kind: str, index: Any = np.int32, value: int = 1) -> Any:
    def make(src: Any, dst: Any) -> Any:
        data = np.full(len(src), value, np.int8)
        make = getattr(sp, f"coo_{kind}")
        coo = make((data, (src.astype(index), dst.astype(index))), shape=(COUNT, COUNT))
        if format == "csr unsorted":
            return _unsorted(src, dst, getattr(sp, f"csr_{kind}"))
        if format == "bsr":
            return coo.tobsr(blocksize=(2, 2))
        return coo.asformat(format)

    return make


def _unsorted(src: Any, dst: Any, make: Any) -> Any:
    order = np.argsort(src, kind="stable")[::-1]
    order = order[np.argsort(src[order], kind="stable")]
    indptr = np.append(0, np.cumsum(np.bincount(src, minlength=COUNT)))
    return make((np.zeros(len(src)), dst[order], indptr), shape=(COUNT, COUNT))


def _csr(src: Any, dst: Any) -> Any:
    matrix = _unsorted(src, dst, sp.csr_array)
    return skerry.Csr(matrix.indptr.astype(np.uint64), matrix.indices.astype(np.uint32))


def _igraph(src: Any, dst: Any) -> Any:
    pairs = zip(src.tolist(), dst.tolist(), strict=True)
    return importlib.import_module("igraph").Graph(COUNT, list(pairs))


def _torch(src: Any, dst: Any) -> Any:
    return importlib.import_module("torch").tensor(np.stack([src, dst]))


SPARSE = ("coo", "csr", "csc", "bsr", "lil", "dok", "dia", "csr unsorted")
MATRICES = ("array", "matrix")
DTYPES = [
    f"{order}{kind}{size}"
    for kind in "iu"
    for size in (1, 2, 4, 8)
    for order in "<>"
    if size > 1 or order == "<"
]

ARRAYS = (
    *map(_typed, DTYPES),
    *(Numbered(f"{f} {k}", _matrix(f, k), keeps="ends") for f in SPARSE for k in MATRICES),
    Numbered("csr of int64", _matrix("csr", "array", np.int64), keeps="ends"),
    Numbered("coo of zeros", _matrix("coo", "array", value=0)),
    Numbered("two widths", lambda s, d: (s.astype("u1"), d.astype(">i8"))),
    Numbered("every third", _both(lambda v: _apart(v, 3))),
    Numbered("every third of bytes", _both(lambda v: _apart(v.astype("i1"), 3))),
    Numbered("backwards", _both(lambda v: _apart(v, -1))),
    Numbered("backwards, every second", _both(lambda v: _apart(v.astype("u4"), -2))),
    Numbered("unaligned", _both(_unaligned)),
    Numbered("unaligned, big-endian", _both(lambda v: _unaligned(v.astype(">u4")))),
    Numbered("read-only", _both(_read_only)),
    Numbered("masked, without a mask", _both(np.ma.masked_array)),
    Numbered("rows", lambda s, d: np.stack([s, d], 1)),
    Numbered("rows of Fortran", lambda s, d: np.asfortranarray(np.stack([s, d], 1))),
    Numbered("columns", lambda s, d: np.stack([s, d])),
    Numbered("columns of Fortran", lambda s, d: np.asfortranarray(np.stack([s, d]), "u2")),
    Numbered("some columns", lambda s, d: np.stack([d, s, d], 1)[:, 1:]),
    Numbered("columns backwards", lambda s, d: np.stack([d, s], 1)[:, ::-1]),
    Numbered("lists", lambda s, d: (s.tolist(), d.tolist())),
    Numbered("list of pairs", lambda s, d: list(zip(s.tolist(), d.tolist(), strict=True))),
    Numbered("list of lists", lambda s, d: np.stack([s, d], 1).tolist()),
    Numbered("list of arrays", lambda s, d: list(np.stack([s, d], 1))),
    Numbered("list beside an array", lambda s, d: (s.tolist(), d)),
    Numbered("NumPy integers", lambda s, d: list(zip(s, d, strict=True))),
    Numbered("array.array", _both(lambda v: array.array("q", v.tolist()))),
    Numbered("memoryview", _both(lambda v: memoryview(v.astype("i4")))),
    Numbered("DLPack", _both(_Tensor)),
    Numbered("DLPack columns", lambda s, d: _Tensor(np.stack([s, d]))),
    Numbered("array interface", _both(_Interface)),
    Numbered("Arrow arrays", _both(pa.array)),
    Numbered("Arrow slices", _both(lambda v: pa.array(np.append(5, v).astype("u1"))[1:])),
    Numbered("generator", lambda s, d: iter(list(zip(s, d, strict=True))), repeatable=False),
    Numbered("batches", lambda s, d: [(s[:4], d[:4]), np.stack([s, d])[:, 4:]]),
    Numbered(
        "batches of types", lambda s, d: [(s[:9].astype("u1"), d[:9]), (s[9:], d[9:].tolist())]
    ),
    Numbered("Edges", lambda s, d: skerry.Edges(s.astype("u4"), d.astype("u4"), COUNT)),
    Numbered("Csr", _csr, keeps="ends"),
    Numbered("igraph", _igraph, package="igraph"),
    Numbered("torch", _torch, package="torch"),
)
"""Of edges between vertex numbers; labels are the same for all."""
