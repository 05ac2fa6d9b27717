"""`UnionFind` on a GPU: the face of a `DeviceForest`.

Arrays of the device are read where they are, others are copied there. Answers to questions with
arrays of the device stay on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar, Unpack

import numpy as np
import numpy.typing as npt

from skerry.cuda.devices import find_runtime
from skerry.errors import InputError, UnsupportedError
from skerry.graph.edges import unsigned_dtype
from skerry.graph.stored_labels import checked_labels
from skerry.graph.vertex_ids import CHANGED, as_ids, uneven, vertex_count, widen
from skerry.ids.id_space import IdSpace, Positions
from skerry.inputs.device import device_of_array
from skerry.keywords import TableKeywords
from skerry.threads import THREADS_FROM, resolve_threads
from skerry.union_find.added_tables import is_table
from skerry.union_find.answers import as_vertex
from skerry.union_find.device_forest import DeviceForest
from skerry.union_find.explained import checked_weight
from skerry.union_find.streamed_forest import CHUNK, StreamedForest
from skerry.union_find.union_find import UnionFind, checked_size

T = TypeVar("T")


class DeviceUnionFind(UnionFind):
    """`UnionFind` of vertex numbers on a GPU; its methods are described there."""

    __slots__ = ("_answered", "_device", "_pending")
    _sets: DeviceForest
    _public = UnionFind

    def __init__(
        self,
        num_vertices: int = 0,
        *,
        ids: Literal["vertices", "external"] = "vertices",
        threads: int | None = None,
        dtype: npt.DTypeLike | None = None,
        device: str = "cuda",
        forest: bool = False,
    ) -> None:
        if forest:
            raise UnsupportedError('forest=True is recorded on a CPU: device="cpu"')
        if ids != "vertices":
            raise UnsupportedError('a UnionFind on a GPU has vertex numbers: ids="vertices"')
        if threads is not None:
            raise UnsupportedError('threads= is for device="cpu"')
        self._device = device
        self._recording = False
        self._make_lock()
        self._answered: Any = None  # the labels, if nothing was joined since
        self._pending: tuple[Any, Any, int | None] | None = None  # edges of a call under way
        kind = None if dtype is None else unsigned_dtype(dtype)
        runtime = find_runtime(device)
        with runtime.active():
            self._sets = DeviceForest(runtime, vertex_count(num_vertices), kind)

    def _call(self, work: Callable[..., T], *arguments: Any) -> T:
        """One call at a time, on the device."""
        with self._sets.runtime.active():
            return super()._call(work, *arguments)

    def _change(self, work: Callable[..., T], *arguments: Any) -> T:
        with self._sets.runtime.active():
            return super()._change(work, *arguments)

    def _settle(self) -> None:
        self._answered = None
        pending = self._pending
        if pending is not None:
            self._join(*pending)
            self._sets.recount()
            self._pending = None

    def _start(self, ids: Any, labels: npt.NDArray[Any]) -> None:
        del ids
        with self._sets.runtime.active():
            own = np.arange(len(labels), dtype=labels.dtype)
            self._sets.grow(len(labels))
            self._sets.join(*map(self._sets.runtime.upload, (own, labels)))

    def _column(self, ids: Any, name: str) -> Any:
        """Ids on the device."""
        if device_of_array(ids) is not None:
            return ids
        return self._sets.runtime.upload(widen(as_ids(ids, name)))

    # What changes it

    def union(
        self, src: Any, dst: Any = None, *, weight: Any = None, **options: Unpack[TableKeywords]
    ) -> int:
        """See `UnionFind.union`."""
        if is_table(self.union, src, dst, options):
            return super().union(src, weight=weight, **options)
        checked_weight(weight, None, recording=False)
        u, v = as_vertex(src), as_vertex(dst)
        if u is not None and v is not None:
            src, dst = [u], [v]
        return self._change(self._union, src, dst)

    def _union(self, src: Any, dst: Any) -> int:
        if device_of_array(src) is not None or device_of_array(dst) is not None:
            return self._take_effect(self._column(src, "src"), self._column(dst, "dst"))
        src, dst = as_ids(src, "src"), as_ids(dst, "dst")
        if len(src) != len(dst):
            raise uneven(len(src), len(dst))
        threads = resolve_threads(None) if len(src) > THREADS_FROM else 1
        size = max(checked_size(src, "src", threads), checked_size(dst, "dst", threads))
        self._sets.check_size(size)
        return self._take_effect(src, dst, size)

    def _take_effect(self, src: Any, dst: Any, size: int | None = None) -> int:
        """Joins edges; from its first assignment on they are joined, by `_settle` if need be.

        Those of the host are checked, and have so many vertices.
        """
        self._pending = src, dst, size
        try:
            merges = self._join(src, dst, size)
        except InputError:  # in arrays of the device
            self._pending = None
            raise
        except BaseException:  # the caller may change the arrays from now on
            self._pending = src.copy(), dst.copy(), size
            raise
        self._answered = None
        self._pending = None
        return merges

    def _join(self, src: Any, dst: Any, size: int | None) -> int:
        self._answered = None
        if size is None:
            return self._sets.join(src, dst)
        self._sets.grow(size)
        count = len(src)
        if not count:
            return 0
        threads = resolve_threads(None) if count > THREADS_FROM else 1
        stream = StreamedForest(self._sets.runtime, forest=self._sets, chunk=min(count, CHUNK))
        stream.join_all(src, dst, threads)
        if not stream.end():
            raise InputError(CHANGED)
        self._sets.mark_if_due()
        return stream.merges

    def add(self, ids: Any) -> int:
        """See `UnionFind.add`."""
        vertex = as_vertex(ids)
        if device_of_array(ids) is not None:
            return self._change(self._add_on_device, ids)
        column = as_ids([vertex] if vertex is not None else ids, "ids")
        return self.grow(checked_size(widen(column), "ids", 1))

    def _add_on_device(self, ids: Any) -> int:
        before = self._sets.size
        self._union(ids, ids)
        return self._sets.size - before

    def _grow(self, num_vertices: int) -> int:
        before = self._sets.size
        none = np.empty(0, np.uint32)
        self._sets.check_size(num_vertices)
        self._take_effect(none, none, num_vertices)
        return self._sets.size - before

    def _merge(self, other: Any) -> int:
        if other._sets.runtime is self._sets.runtime:
            return self._take_effect(*other._sets.edges())
        labels = other._host_labels()  # on another GPU
        return self._union(np.arange(len(labels), dtype=labels.dtype), labels)

    # What asks it

    def find(self, v: Any) -> Any:
        """See `UnionFind.find`."""
        return self._call(self._find, v)

    def _find(self, v: Any) -> Any:
        vertex = as_vertex(v)
        if vertex is not None:
            return int(self._to_host(self._roots([vertex]))[0])
        roots = self._roots(v)
        return roots if device_of_array(v) is not None else self._to_host(roots)

    def _roots(self, ids: Any) -> Any:
        if device_of_array(ids) is not None:
            return self._sets.find(ids)
        column = np.asarray(ids)
        if column.size and column.dtype.kind not in "iu":
            raise InputError(f"vertices are integers, got {column.dtype} ({ids!r})")
        flat = column.reshape(-1).astype(np.int64, copy=False)
        return self._sets.find(self._sets.runtime.upload(flat)).reshape(column.shape)

    def connected(self, u: Any, v: Any) -> Any:
        """See `UnionFind.connected`."""
        return self._call(self._connected, u, v)

    def _connected(self, u: Any, v: Any) -> Any:
        first, second = (
            self._roots(np.asarray(e) if as_vertex(e) is not None else e) for e in (u, v)
        )
        try:
            same = first == second
        except ValueError:
            shapes = np.shape(first), np.shape(second)
            raise InputError(
                f"u has shape {shapes[0]} and v {shapes[1]}: they do not match"
            ) from None
        if device_of_array(u) is not None or device_of_array(v) is not None:
            return same
        answer = self._to_host(same)
        return bool(answer) if np.ndim(answer) == 0 else answer

    def _to_host(self, array: Any) -> npt.NDArray[Any]:
        return self._sets.runtime.read(array)

    @property
    def count(self) -> int:
        """See `UnionFind.count`."""
        return self._call(lambda: self._sets.count)

    @property
    def labels(self) -> Any:
        """See `UnionFind.labels`; an array of the device, which the caller must not change."""
        return self._call(self._labels)

    def _labels(self) -> Any:
        if self._answered is None:
            self._answered = self._sets.labels()
        return self._answered

    def sizes(self) -> Any:
        """See `UnionFind.sizes`; an array of the device."""
        return self._call(self._find_sizes)

    def _find_sizes(self) -> Any:
        xp = self._sets.runtime.xp
        counts = xp.bincount(self._labels().astype(np.int64))
        return counts[counts > 0].astype(np.int64, copy=False)

    def _snapshot(self) -> tuple[npt.NDArray[Any], IdSpace]:
        labels = self._host_labels()
        return labels, Positions(len(labels))

    def _host_labels(self) -> npt.NDArray[Any]:
        with self._sets.runtime.active():
            labels = self._to_host(self._labels())
        labels.setflags(write=False)
        return labels

    def _state(self) -> tuple[Any, npt.NDArray[Any]]:
        return None, self._host_labels()

    @property
    def _dtype(self) -> np.dtype[Any] | None:
        return self._sets.dtype

    @property
    def _threads(self) -> int | None:
        return None

    @property
    def nbytes(self) -> int:
        """See `UnionFind.nbytes`; bytes of the device."""
        return self._sets.nbytes

    def __len__(self) -> int:
        return self._call(lambda: self._sets.size)

    def __repr__(self) -> str:
        return f"UnionFind(vertices={len(self):,}, {self._sets.label_dtype}, {self._device})"

    def __getstate__(self) -> dict[str, Any]:
        labels = self._call(self._host_labels)
        return {"parent": labels, "dtype": self._sets.dtype, "device": self._device}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(dtype=state["dtype"], device=state["device"])  # type: ignore[misc]
        self._start(None, checked_labels(state["parent"], "invalid state of a UnionFind"))
