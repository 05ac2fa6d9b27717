"""The one call: `connected_components`."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.algorithms.catalog import Algorithm
from skerry.cuda.devices import device_number
from skerry.engines.memory import Ask, Call, IdKind, Progress, solve_whole
from skerry.errors import InputError, UnsupportedError
from skerry.graph.edges import label_dtype
from skerry.inputs.adapt import is_whole
from skerry.inputs.device import device_of
from skerry.inputs.names import NotVerticesError
from skerry.result.components import Components, LabelKind
from skerry.threads import resolve_threads

__all__ = ["connected_components"]

# Made once: a call on a few edges takes no longer than some dozens of such tests would.
WHOLE = (int, np.integer)
TRUTH = (bool, np.bool_)
ALGORITHM = (str, Algorithm)


def connected_components(
    graph: Any,
    *,
    source: Any = None,
    target: Any = None,
    vertices: Any = None,
    weight: Any = None,
    threshold: float | None = None,
    num_vertices: int | None = None,
    ids: IdKind = "auto",
    labels: LabelKind = "min",
    drop_singletons: bool = False,
    min_size: int = 1,
    algorithm: str | Algorithm = "auto",
    device: str = "auto",
    threads: int | None = None,
    symmetric: bool | None = None,
    statistics: bool = False,
    dtype: npt.DTypeLike | None = None,
    format: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    ids_as_text: bool = False,
    limit: int | None = None,
    progress: Progress | None = None,
) -> Components:
    """Finds the connected components of an undirected graph.

    Parameters
    ----------
    graph
        One direction of each edge is enough; loops, repeats and both directions are harmless.

        *Numbers of vertices*: a pair ``(src, dst)`` of integer arrays; an ``(m, 2)`` array with an
        edge in each row or a ``(2, m)`` array of sources above targets; a list of pairs; a scipy
        sparse matrix or array (every stored entry is an edge, whatever its value, but zeros of BSR
        and DIA are filling); an igraph graph; `skerry.Edges`; `skerry.Csr`. Arrays may be NumPy's,
        torch's, JAX's or of any other kind that NumPy can read. Or any of these in the memory of an
        NVIDIA GPU: CuPy arrays, whatever has ``__cuda_array_interface__`` or DLPack, a cupyx
        sparse matrix.

        *Names*: a table with a row for each edge (pyarrow, polars, pandas, DuckDB, whatever speaks
        Arrow or the dataframe protocol); a networkx graph; arrays of negative integers, text,
        bytes or dates. Only ids that occur are vertices. ``result.ids`` has them ascending,
        ``result.labels`` are over their ranks, ``result.table()`` has the answer under the ids.

        *Either*: files, by a path, a list of paths, a pattern or a folder; an iterable of batches,
        which are pairs of arrays or tables.
    source, target
        Columns of a table or file, by name or number, that hold the ends of the edges; several as
        a tuple, for ids made of several columns. By default the two columns there are, or those
        with usual names (``src`` and ``dst``, ``source`` and ``target``, ``from`` and ``to``, ...).
    vertices
        Ids that are vertices whether or not they have an edge: an array, a column or a table of
        them.
    weight, threshold
        Use only edges whose weight is ``threshold`` or more. ``weight`` is a column of the table or
        file, an attribute of a network's edges, or an array beside arrays; by default ``"weight"``,
        or the stored values of a sparse matrix. An id without such an edge is left out, if it is a
        name and not among ``vertices``.
    num_vertices
        Number of vertices that are numbers; without it, what the graph itself says, or else the
        largest id + 1. (For an edge list on a GPU, finding that out is the one thing that waits for
        the device: give it where that matters.)
    ids
        ``"vertices"``: ids are numbers of vertices, 0..n-1. ``"external"``: they are names.
        ``"auto"``: as said above, but arrays with ids so sparse that most vertices could have no
        edge (beyond 2^24 and 32 times the edges) hold names; the plan says so.
    labels
        ``"min"`` labels a component by its smallest member; ``"dense"`` by 0..k-1 in order of
        first appearance. Either is the same for every algorithm and number of threads.
    drop_singletons, min_size
        Leave components of one vertex, or smaller than ``min_size``, out of ``result.table()`` and
        ``result.groups()``. All else (``labels``, ``count``, ``sizes()``) is of the whole graph.
    algorithm
        ``"auto"``, a name of the catalog (`skerry.catalog`), with other choices in brackets
        (``"ecl[jump=single]"``), or a row of it. What is asked for is what runs, or an error.
        Tables and files are folded as they are read; for any other algorithm than ``"auto"``, and
        on a GPU, their edges are gathered first.
    device
        ``"auto"``: where the data is. ``"cpu"``, ``"cuda"`` or ``"cuda:1"``. Labels come back where
        the data was: a graph in host memory may be sent to a GPU, and its labels return.
    threads
        How many threads to use; by default as many as pay, up to the available cores.
    symmetric
        Whether every entry of a sparse matrix has its reverse stored too. ``True`` is a promise
        that saves half the work and is not checked; a false promise gives a wrong answer.
        ``None``, the default, is right for any matrix.
    statistics
        Count rounds, hooks and path lengths; see ``result.plan.statistics``.
    dtype
        Type of the labels, ``uint32`` or ``uint64``; by default 32 bits while they suffice.
    format
        Format of files, where their suffix does not tell.
    delimiter, header, ids_as_text
        Of delimited text: the character between columns, whether the first line names them, and
        whether ids are text even where all look like integers. By default what the file's
        beginning shows.
    limit
        Bytes that labels and ids of a stream may take; `MemoryError` before they would take more.
    progress
        Is called as ``progress(edges, bytes)`` after each batch that was read of a stream.

    Examples
    --------
    >>> import pyarrow, skerry
    >>> result = skerry.connected_components(([0, 2, 5], [1, 3, 3]), num_vertices=7)
    >>> result.labels
    array([0, 0, 2, 2, 4, 2, 6], dtype=uint32)
    >>> count, labels = result
    >>> count
    4
    >>> pairs = pyarrow.table({"id_l": ["kim", "bo"], "id_r": ["lee", "al"], "score": [0.9, 0.7]})
    >>> skerry.connected_components(pairs, weight="score", threshold=0.8).table().to_pydict()
    {'id': ['kim', 'lee'], 'component': ['kim', 'kim']}
    """
    place = device_of(graph)
    # A GPU needs none, and to ask how many there are takes a while.
    cores = 1 if threads is None and place is not None else resolve_threads(threads)
    call = _checked_call(algorithm, device, cores, labels, symmetric, statistics, dtype)
    least = _least_size(min_size, drop_singletons)
    ask = Ask(
        source,
        target,
        vertices,
        weight,
        threshold,
        num_vertices,
        ids,
        format,
        limit,
        progress,
        delimiter,
        header,
        ids_as_text,
    ).checked()
    if place is not None:
        result = _solve_on_device(graph, ask, place, call)
    elif ask.nothing_beside and is_whole(graph):
        result = _solve_arrays(graph, ask, call)
    else:
        from skerry.engines.solve_any import solve_any

        result = solve_any(graph, ask, call)
    result._min_size = least
    return result


def _solve_arrays(graph: Any, ask: Ask, call: Call) -> Components:
    """Plain arrays, as most calls have them: nothing is imported for what they do not need."""
    try:
        return solve_whole(graph, ask.num_vertices, call, dense=ask.ids == "vertices")
    except NotVerticesError as found:
        if ask.ids == "vertices":
            raise
        from skerry.engines.solve_any import solve_names

        return solve_names(found, ask, call)


def _solve_on_device(graph: Any, ask: Ask, place: int, call: Call) -> Components:
    if not ask.nothing_beside:
        raise UnsupportedError(
            "source=, target=, vertices=, threshold=, ids= and what is said of files are not for "
            "arrays on a GPU: copy them to the host first"
        )
    gpu = _gpu()
    wish = gpu.Wish(call.algorithm, call.labels, call.statistics, call.dtype)
    name = _name_of(place, call.device)
    found: Components = gpu.components_of_device_graph(
        graph, ask.num_vertices, call.symmetric, name, wish
    )
    return found


@cache
def _gpu() -> Any:
    """The module, imported on first use, and then without asking for it again."""
    from skerry.engines import device as gpu

    return gpu


def _least_size(min_size: int, drop_singletons: bool) -> int:
    if isinstance(min_size, bool) or not isinstance(min_size, WHOLE) or min_size < 1:
        raise InputError(f"min_size must be a whole number, 1 or more, got {min_size!r}")
    if not isinstance(drop_singletons, TRUTH):
        raise InputError(f"drop_singletons must be True or False, got {drop_singletons!r}")
    return max(int(min_size), 2 if drop_singletons else 1)


def _checked_call(
    algorithm: Any,
    device: Any,
    threads: int,
    labels: Any,
    symmetric: Any,
    statistics: bool,
    dtype: Any,
) -> Call:
    if labels not in ("min", "dense"):
        raise InputError(f'labels must be "min" or "dense", got {labels!r}')
    if symmetric is not None and not isinstance(symmetric, bool):
        raise InputError(f"symmetric must be True, False or None, got {symmetric!r}")
    if not isinstance(algorithm, ALGORITHM):
        raise InputError(f"algorithm must be a name or a row of the catalog, got {algorithm!r}")
    if not isinstance(device, str):
        raise InputError(f'device must be "auto", "cpu", "cuda" or "cuda:1", got {device!r}')
    if device not in ("auto", "cpu"):
        device_number(device)
    kind = None if dtype is None else label_dtype(dtype)
    return Call(algorithm, device, threads, labels, symmetric, statistics, kind)


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
