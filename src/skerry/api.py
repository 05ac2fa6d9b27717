"""The one call: `connected_components`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.algorithms.catalogue import Algorithm
from skerry.algorithms.catalogue import algorithm as named
from skerry.algorithms.cpu import backend
from skerry.algorithms.planner import choose
from skerry.algorithms.prepare import prepare
from skerry.components import Components, LabelKind
from skerry.cuda.devices import device_number
from skerry.errors import InputError, UnsupportedError
from skerry.graph.csr import Csr
from skerry.graph.edges import vertex_dtype
from skerry.inputs.adapt import adapt
from skerry.inputs.device import device_of
from skerry.inputs.ids import NUMBER_FIRST
from skerry.plan import Plan
from skerry.threads import resolve_threads

__all__ = ["connected_components"]


def connected_components(
    graph: Any,
    *,
    num_vertices: int | None = None,
    algorithm: str | Algorithm = "auto",
    device: str = "auto",
    threads: int | None = None,
    labels: LabelKind = "min",
    symmetric: bool | None = None,
    statistics: bool = False,
    dtype: npt.DTypeLike | None = None,
) -> Components:
    """Finds the connected components of an undirected graph.

    Parameters
    ----------
    graph
        A pair ``(src, dst)`` of integer arrays; an ``(m, 2)`` array with an edge in each row or a
        ``(2, m)`` array of sources above targets; a list of pairs; a scipy sparse matrix or array
        (every stored entry is an edge, whatever its value, but zeros of BSR and DIA are filling);
        `skerry.Edges`; `skerry.Csr`. Or any of these in the memory of an NVIDIA GPU: CuPy arrays,
        whatever has ``__cuda_array_interface__`` or DLPack (torch, JAX, Numba), a cupyx sparse
        matrix.
        One direction of each edge is enough. Loops, repeats and both directions are harmless.
    num_vertices
        Number of vertices; without it, the largest id + 1. (For an edge list on a GPU, finding that
        out is the one thing that waits for the device: give it where that matters.)
    algorithm
        ``"auto"``, a name of the catalogue (`skerry.catalogue`), with other choices in brackets
        (``"ecl[jump=single]"``), or a row of it. What is asked for is what runs, or an error.
    device
        ``"auto"``: where the data is. ``"cpu"``, ``"cuda"`` or ``"cuda:1"``. Labels come back where
        the data was: a graph in host memory may be sent to a GPU, and its labels return.
    threads
        How many threads to use; by default as many as pay, up to the available cores.
    labels
        ``"min"`` labels a component by its smallest member; ``"dense"`` by 0..k-1 in order of
        first appearance. Either is the same for every algorithm and number of threads.
    symmetric
        Whether every entry of a sparse matrix has its reverse stored too. ``True`` is a promise
        that saves half the work and is not checked; a false promise gives a wrong answer.
        ``None``, the default, is right for any matrix.
    statistics
        Count rounds, hooks and path lengths; see ``result.plan.statistics``.
    dtype
        Type of the labels, ``uint32`` or ``uint64``; by default 32 bits while they suffice.

    Examples
    --------
    >>> import numpy as np, skerry
    >>> result = skerry.connected_components(([0, 2, 5], [1, 3, 3]), num_vertices=7)
    >>> result.labels
    array([0, 0, 2, 2, 4, 2, 6], dtype=uint32)
    >>> count, labels = result
    >>> count
    4
    """
    if labels not in ("min", "dense"):
        raise InputError(f'labels must be "min" or "dense", got {labels!r}')
    if not isinstance(symmetric, bool | None):
        raise InputError(f"symmetric must be True, False or None, got {symmetric!r}")
    if not isinstance(algorithm, str | Algorithm):
        raise InputError(f"algorithm must be a name or a row of the catalogue, got {algorithm!r}")
    place = device_of(graph)
    if place is not None or _on_gpu(device):
        from skerry.gpu import Wish, components_of_device_graph, components_of_host_graph

        wish = Wish(algorithm, labels, statistics, None if dtype is None else _checked_type(dtype))
        if place is None:
            most = resolve_threads(threads)
            return components_of_host_graph(graph, num_vertices, symmetric, most, device, wish)
        name = _name_of(place, device)
        return components_of_device_graph(graph, num_vertices, symmetric, name, wish)
    most = resolve_threads(threads)
    input_graph, notes = adapt(graph, num_vertices, symmetric, most)
    label_type = _label_type(dtype, input_graph.num_vertices)
    if algorithm == "auto":
        row, most, reason = choose(input_graph, most)
    else:
        row = named(algorithm) if isinstance(algorithm, str) else algorithm
        row.check_device("cpu")
        most, reason = (1 if row.serial else most), "asked for by name"
    try:
        ready, conversions, more_notes = prepare(row, input_graph, label_type, most)
        outcome = backend.run(row, ready, label_type, most, statistics)
    except MemoryError as error:
        raise MemoryError(
            f"{error}. The graph has {input_graph.num_vertices:,} vertices, the largest id + 1 "
            f"unless given; if most ids are not in use, {NUMBER_FIRST}"
        ) from None
    is_csr = isinstance(input_graph, Csr)
    plan = Plan(
        algorithm=str(row),
        device="cpu",
        threads=most,
        reason=reason,
        form="csr" if is_csr else "edges",
        vertices=input_graph.num_vertices,
        edges=input_graph.num_entries if isinstance(input_graph, Csr) else input_graph.num_edges,
        passes=(*conversions, *outcome.passes),
        notes=notes + more_notes,
        statistics=outcome.statistics,
    )
    return Components(outcome.labels, labels, lambda: plan, input_graph, most)


def _on_gpu(device: str) -> bool:
    if not isinstance(device, str):
        raise InputError(f'device must be "auto", "cpu", "cuda" or "cuda:1", got {device!r}')
    if device in ("auto", "cpu"):
        return False
    device_number(device)
    return True


def _name_of(place: int, device: str) -> str:
    """The device that holds the graph, if the caller wants no other."""
    if device == "cpu":
        raise UnsupportedError(
            f'the graph is on cuda:{place} and device="cpu" was asked for: copy it to the host '
            "first, for instance with cupy.asnumpy"
        )
    if device != "auto" and device_number(device) not in (None, place):
        raise UnsupportedError(f'the graph is on cuda:{place}, but device="{device}" was asked for')
    return f"cuda:{place}"


def _label_type(dtype: npt.DTypeLike | None, num_vertices: int) -> np.dtype[Any]:
    smallest = vertex_dtype(num_vertices)
    if dtype is None:
        return smallest
    wanted = _checked_type(dtype)
    if wanted.itemsize < smallest.itemsize:
        raise InputError(f"{num_vertices:,} vertices do not fit into {wanted} labels")
    return wanted


def _checked_type(dtype: npt.DTypeLike) -> np.dtype[Any]:
    try:
        wanted = np.dtype(dtype)
    except TypeError:
        raise InputError(f"dtype must be uint32 or uint64, got {dtype!r}") from None
    if wanted not in (np.dtype(np.uint32), np.dtype(np.uint64)):
        raise InputError(f"dtype must be uint32 or uint64, got {wanted}")
    return wanted
