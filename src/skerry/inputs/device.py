"""Graphs whose arrays are in the memory of a GPU: recognized by what they are made of, not moved.

What a check would have to wait for the device for is left to the kernels, which check every id they
read. Only where the number of vertices is not given must the largest id be looked up here.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from skerry.cuda.runtime import Runtime
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.device import DeviceCsr, DeviceEdges
from skerry.graph.edge_source import InputFacts
from skerry.graph.edges import Edges, vertex_dtype
from skerry.graph.grid import CUDA
from skerry.graph.vertex_ids import MAX_VERTICES, NUMBER_FIRST, uneven, vertex_count
from skerry.inputs.arrays import (
    SPARSE_FROM,
    SPARSE_TIMES,
    agree,
    sparse_message,
    warn_of_two_by_two,
)
from skerry.inputs.sources import DeviceSource, InputKind
from skerry.request import InputOptions

DEVICE_FACTS = InputFacts("device arrays")
ON_HOST = (np.ndarray, list, tuple, int)
OWN_FORMS = (Csr, Edges, DeviceCsr, DeviceEdges)


def device_of(graph: Any) -> int | None:
    """The number of the GPU that holds a graph's arrays, or None where a host does."""
    arrays = _arrays(graph)
    if len(arrays) == 2 and type(arrays[0]) is type(arrays[1]) is np.ndarray:
        return None  # as for most graphs
    first, *others = arrays
    device = device_of_array(first)
    for other in others:
        other_device = device_of_array(other)
        if other_device != device:
            devices = (
                "the host" if number is None else f"cuda:{number}"
                for number in (device, other_device)
            )
            raise InputError(
                f"the arrays of the graph are on different devices: {', '.join(sorted(devices))}"
            )
    return device


def has_rows(graph: Any) -> bool:
    """Whether a graph on a device is a CSR or a sparse matrix, rather than an edge list."""
    if type(graph) is tuple:
        return False
    return isinstance(graph, (Csr, DeviceCsr)) or _is_cupy_sparse(graph)


def _open(located: tuple[Any, int], options: InputOptions) -> DeviceSource:
    graph, device = located
    return DeviceSource(graph, options, DEVICE_FACTS, device)


DEVICE_ARRAYS = InputKind("edge lists on a GPU", _open, ("vertices",))
DEVICE_CSR = InputKind(
    "sparse matrices on a GPU",
    _open,
    ("vertices",),
)


def _arrays(graph: Any) -> tuple[Any, ...]:
    if isinstance(graph, tuple) and len(graph) == 2:
        return graph
    if isinstance(graph, OWN_FORMS):
        return graph.arrays()
    if _is_cupy_sparse(graph):
        return (graph.data,)
    return (graph,)


def device_of_array(array: Any) -> int | None:
    """The number of the GPU that holds an array, or None where a host does."""
    if type(array).__module__ == "cupy":  # its arrays, which know it without asking for an object
        return int(array.data.device_id)
    if isinstance(array, ON_HOST) or type(array).__module__.startswith("pyarrow."):
        return None  # pyarrow raises where DLPack has no such type
    if hasattr(array, "__dlpack_device__"):
        kind, number = array.__dlpack_device__()
        return int(number) if int(kind) == CUDA else None
    if hasattr(array, "__cuda_array_interface__"):
        return int(getattr(getattr(array, "device", None), "id", 0) or 0)
    return None


def _is_cupy_sparse(graph: Any) -> bool:
    return _is_cupy_sparse_type(type(graph))  # type: ignore[arg-type]  # classes are hashable


@cache
def _is_cupy_sparse_type(kind: type) -> bool:
    return any(base.__module__.startswith("cupyx.scipy.sparse") for base in kind.__mro__)


def load_on_device(source: DeviceSource, runtime: Runtime) -> DeviceEdges | DeviceCsr:
    """A graph of device arrays in one of the two forms, without a copy where none is needed."""
    graph, options = source.graph, source.options
    num_vertices = options.num_vertices
    gaps = options.ids == "vertices"
    if type(graph) is tuple:
        return _edges(runtime, graph[0], graph[1], num_vertices, allow_gaps=gaps)
    if isinstance(graph, Csr):
        known = graph.symmetric if options.symmetric is None else options.symmetric
        return _csr(runtime, graph.offsets, graph.neighbors, num_vertices, known)
    if isinstance(graph, Edges):
        n = agree(num_vertices, graph.num_vertices)
        return _edges(runtime, graph.src, graph.dst, n)
    if isinstance(graph, (DeviceEdges, DeviceCsr)):
        return graph
    if _is_cupy_sparse(graph):
        if graph.shape[0] != graph.shape[1]:
            raise InputError(f"an adjacency matrix is square, got shape {graph.shape}")
        n = agree(num_vertices, int(graph.shape[0]))
        if graph.format in ("csr", "csc"):
            return _csr(runtime, graph.indptr, graph.indices, n, options.symmetric)
        entries = graph.tocoo()
        return _edges(runtime, entries.row, entries.col, n, ("row", "col"))
    return _table(runtime, _as_array(runtime, graph), num_vertices, gaps)


def _as_array(runtime: Runtime, values: Any) -> Any:
    xp = runtime.xp
    if isinstance(values, xp.ndarray):
        return values
    if hasattr(values, "__cuda_array_interface__"):
        return xp.asarray(values)
    return xp.from_dlpack(values)


def _table(runtime: Runtime, table: Any, num_vertices: int | None, allow_gaps: bool) -> DeviceEdges:
    if table.ndim != 2 or 2 not in table.shape:
        raise InputError(f"an array of edges has shape (m, 2) or (2, m), got {table.shape}")
    if table.shape == (2, 2):
        warn_of_two_by_two()
    if table.shape[1] == 2:
        return _edges(runtime, table[:, 0], table[:, 1], num_vertices, allow_gaps=allow_gaps)
    return _edges(runtime, table[0], table[1], num_vertices, allow_gaps=allow_gaps)


def _integers(runtime: Runtime, values: Any, name: str) -> Any:
    """One-dimensional integers of 32 or 64 bits, in a step that kernels can take."""
    array = _as_array(runtime, values)
    if array.ndim != 1:
        raise InputError(f"{name} must be one-dimensional, got shape {array.shape}")
    if array.dtype.kind not in "iu":
        raise InputError(f"{name} must hold integers, got {array.dtype}")
    if array.itemsize < 4:
        return array.astype(np.int32)
    if array.size and array.strides[0] < 0:
        array = runtime.xp.ascontiguousarray(array)
    return array


def _in_one_piece(runtime: Runtime, array: Any) -> Any:
    """Without a step between its values; the array itself where it is, without asking for it."""
    return array if array.strides[0] == array.itemsize else runtime.xp.ascontiguousarray(array)


def _unsigned(array: Any, wide: bool) -> Any:
    """Ids as kernels read them: negative ones become huge. ``wide`` makes 64 bits of 32."""
    if wide and array.itemsize == 4:
        array = array.astype(f"{array.dtype.kind}8")  # a negative one keeps its sign
    return array if array.dtype.kind == "u" else array.view(f"u{array.itemsize}")


def _hides_negative(array: Any, limit: int) -> bool:
    """Whether a negative number, taken for one without a sign, may be below a limit."""
    return bool(array.dtype.kind == "i") and limit > 1 << (8 * array.itemsize - 1)


def _edges(
    runtime: Runtime,
    src: Any,
    dst: Any,
    num_vertices: int | None,
    names: tuple[str, str] = ("src", "dst"),
    allow_gaps: bool = False,
) -> DeviceEdges:
    sources, targets = _integers(runtime, src, names[0]), _integers(runtime, dst, names[1])
    if len(sources) != len(targets):
        raise uneven(len(sources), len(targets), names)
    if num_vertices is None:
        high = max(_highest(sources, names[0]), _highest(targets, names[1]))
        if not allow_gaps and high >= max(SPARSE_FROM, SPARSE_TIMES * len(sources)):
            raise InputError(sparse_message(high, len(sources)))
        n = high + 1
    else:
        n = vertex_count(num_vertices)
    # Both columns have one width, in which no negative id looks like a vertex.
    wide = sources.itemsize != targets.itemsize
    wide = wide or _hides_negative(sources, n) or _hides_negative(targets, n)
    return DeviceEdges(_unsigned(sources, wide), _unsigned(targets, wide), n)


def _highest(column: Any, name: str) -> int:
    """The largest id of a column, or -1 if it is empty; waits for the device."""
    if not len(column):
        return -1
    ids = _unsigned(column, wide=False)
    high = int(ids.max())
    if column.dtype.kind == "i" and high >= 1 << (8 * ids.itemsize - 1):
        where = int((column < 0).argmax())
        raise InputError(
            f"{name}[{where}] is {int(column[where])}: vertex ids must be 0 or more, signed"
        )
    if high >= MAX_VERTICES:
        where = int((ids == high).argmax())
        raise InputError(f"{name}[{where}] is {high}: ids must be below 2**59; {NUMBER_FIRST}")
    return high


def _csr(
    runtime: Runtime,
    offsets: Any,
    neighbors: Any,
    num_vertices: int | None,
    symmetric: bool | None,
) -> DeviceCsr:
    starts = _in_one_piece(runtime, _integers(runtime, offsets, "indptr"))
    entries = _in_one_piece(runtime, _integers(runtime, neighbors, "indices"))
    if not len(starts):
        raise InputError("indptr is empty; it has one place more than there are vertices")
    n = agree(num_vertices, len(starts) - 1)
    return DeviceCsr(
        _unsigned(starts, _hides_negative(starts, len(entries) + 1)),
        _unsigned(entries, _hides_negative(entries, n)),
        symmetric,
    )


def edges_on_device(runtime: Runtime, src: Any, dst: Any, num_vertices: int | None) -> DeviceEdges:
    """Edges of two arrays on a device; ``None`` finds the largest id, which waits for it."""
    return _edges(runtime, src, dst, num_vertices, allow_gaps=True)


def integers_on_device(runtime: Runtime, values: Any, name: str) -> Any:
    """One-dimensional unsigned integers of 32 or 64 bits; negative ones become huge."""
    return _unsigned(_integers(runtime, values, name), wide=False)


def upload(graph: Edges | Csr, runtime: Runtime) -> DeviceEdges | DeviceCsr:
    """A validated host graph on the device: every array is moved once, as narrow as it can be."""
    narrow = _narrow_type(graph)
    if graph.form == "csr":
        return DeviceCsr(
            runtime.upload(graph.offsets, narrow),
            runtime.upload(graph.neighbors),
            graph.symmetric,
        )
    src, dst = (runtime.upload(column, narrow) for column in (graph.src, graph.dst))
    return DeviceEdges(src, dst, graph.num_vertices)


def bytes_to_upload(graph: Edges | Csr) -> int:
    """Bytes that `upload` moves, which are those that the graph takes on the device."""
    narrow = _narrow_type(graph).itemsize
    if graph.form == "csr":
        return len(graph.offsets) * narrow + graph.neighbors.nbytes
    return 2 * graph.num_entries * narrow


def _narrow_type(graph: Edges | Csr) -> np.dtype[Any]:
    """Of the offsets of rows, or of the ids of edges."""
    if graph.form == "csr":
        return np.dtype(np.uint32 if graph.num_entries < 2**31 else np.uint64)
    return vertex_dtype(graph.num_vertices)
