"""The public functions: connected_components, verify, estimate."""

from __future__ import annotations

from typing import Any, Literal, Never, Unpack

import numpy as np
import numpy.typing as npt

from skerry.algorithms.algorithm import Algorithm
from skerry.engines.dispatch import dispatch, engine_named, verify_source
from skerry.engines.engine import GraphSize
from skerry.errors import InputError, UnsupportedError
from skerry.graph.edges import vertex_dtype
from skerry.graph.threshold import Keep
from skerry.graph.vertex_ids import MAX_VERTICES
from skerry.inputs.recognize import recognize
from skerry.keywords import GraphKeywords, check_keywords
from skerry.request import (
    IdChoice,
    InputOptions,
    NullChoice,
    SolveOptions,
    StreamOptions,
    input_options,
    solve_options,
)
from skerry.result.components import Components, LabelKind
from skerry.result.estimate import Estimate
from skerry.result.verify import Verification


def connected_components(
    graph: Any,
    *,
    source: Any = None,
    target: Any = None,
    vertices: Any = None,
    weight: Any = None,
    threshold: float | None = None,
    keep: Keep | None = None,
    num_vertices: int | None = None,
    ids: IdChoice = "auto",
    labels: LabelKind = "min",
    algorithm: str | Algorithm = "auto",
    device: str = "auto",
    threads: int | None = None,
    symmetric: bool | None = None,
    statistics: bool = False,
    dtype: npt.DTypeLike | None = None,
    on_null: NullChoice = "error",
    groups: Any = None,
    stream: StreamOptions | None = None,
    forest: bool = False,
    previous: Any = None,
    **others: Never,
) -> Components:
    """Finds the connected components of an undirected graph.

    Parameters
    ----------
    graph
        One direction of each edge is enough; loops, repeats and both directions are harmless.

        *Vertex numbers*: a pair ``(src, dst)`` of integer arrays; an ``(m, 2)`` array with an
        edge in each row or a ``(2, m)`` array of sources above targets; a list of pairs. A scipy
        sparse matrix or array (every stored entry is an edge, whatever its value, but zeros of BSR
        and DIA are filling); an igraph graph; `skerry.Edges`; `skerry.Csr`. Arrays may be NumPy's,
        torch's, JAX's or of any other kind that NumPy can read. Or any of these in the memory of an
        NVIDIA GPU: CuPy arrays, whatever has ``__cuda_array_interface__`` or DLPack, a cupyx
        sparse matrix. Or `skerry.Grid`, an image whose neighboring pixels are joined.

        *External ids*: a table with a row for each edge (pyarrow, polars with its LazyFrame,
        pandas, relations and results of DuckDB, whatever supports Arrow or the dataframe protocol,
        a structured array of NumPy). A networkx graph; a dict of neighbors; arrays of text, bytes
        or dates. The vertices are the ids that occur. ``result.ids`` has them in ascending order,
        ``result.labels`` are positions in it, ``result.table()`` has the answer under the ids.

        *Either*: files, by a path, a list of paths, a pattern or a folder, whose format decides;
        what `skerry.io.read_edges` returns, which has the options of delimited text. Or an
        iterable of pairs of ids, or of batches, which are pairs of arrays or tables.
    source, target
        Columns of a table or file, by name or number, that hold the ends of the edges; several as
        a tuple, for ids made of several columns. By default those with usual names (``src`` and
        ``dst``, ``source`` and ``target``, ``from`` and ``to``, ...), or the two columns there are
        beside an index without a name and the weights.
    vertices
        Ids that are vertices whether or not they have an edge: an array, a column, or a table of
        as many columns as an id has, or with a column ``id``.
    weight, threshold, keep
        Use only edges whose weight is ``threshold`` or more; with ``keep="below"``, for distances,
        ``threshold`` or less. ``weight`` is a column of the table or file, an attribute of the
        edges of a networkx or igraph graph, or an array beside arrays. By default ``"weight"``, or
        the stored values of a sparse matrix. An external id without such an edge is left out,
        unless it is among ``vertices``.
    num_vertices
        Number of vertices, for vertex numbers. Without it, what the graph itself says, or else the
        largest id + 1 of the edges that are used: with a ``threshold``, pass it to have the same
        vertices at every one. (For an edge list on a GPU, finding that out is the only thing that
        waits for the device.) Arrays whose largest id is at least 2^24 and 32 times the number of
        edges are refused without it.
    ids
        What ids mean. ``"vertices"``: vertex numbers, 0..n-1. ``"external"``: any ids, of which
        those that occur are the vertices. ``"auto"``: by the kind of input, as said above, never by
        values.
    labels
        ``"min"`` labels a component by its smallest member; ``"dense"`` by 0..k-1 in order of
        first appearance. Either is the same for every algorithm and number of threads.
    algorithm
        ``"auto"``, a name of the catalog (`skerry.catalog`), with other choices in brackets
        (``"ecl[jump=single]"``), or an entry of it. What is asked for is what runs, or an error.
        Edges of tables and files are joined as they are read; for any other algorithm than
        ``"auto"``, and on a GPU, they are gathered in memory first.
    device
        ``"auto"``: where the data is. ``"cpu"``, ``"cuda"`` or ``"cuda:1"``. Labels come back where
        the data was: a graph in host memory may be sent to a GPU, and its labels return. A host
        graph may be solved in parts: ``"cuda:0,1"`` on GPUs, ``"cpu:0,1"`` in processes on NUMA
        nodes, ``"cpu+cuda"`` on both by measured rates. A repeated number gives a device more
        parts.
    threads
        How many threads to use; by default as many as pay, up to ``SKERRY_THREADS`` or the
        available cores. Not for graphs on a GPU.
    symmetric
        Whether every entry of a sparse matrix has its reverse stored too. ``True`` is a promise
        that saves half the work and is not checked; a false promise gives a wrong answer.
        ``None``, the default, is right for any matrix.
    statistics
        Count rounds, hooks and path lengths; see ``result.plan.statistics``. Edges of tables and
        files are gathered in memory for it.
    dtype
        Type of the labels: ``"uint32"``, ``"uint64"``, ``"int32"`` or ``"int64"``; an error where
        they do not fit. By default ``uint32`` while it suffices, else ``uint64``. Unsigned integers
        wrap: ``labels - 1`` of label 0 is 4294967295.
    on_null
        What to do with an edge of a table or file with a null end (or an empty text), or, with
        ``threshold``, whose weight is null or NaN. ``"error"``, or ``"drop"`` to leave it out. Null
        ids in ``vertices`` likewise. The plan's notes say how many were left out.
    groups
        The rows are not edges: all ids with one key are joined. ``groups`` is the column of the
        keys, or a tuple of several; the ids are in ``source``, or in the only other column, or in
        one called ``id``. ``True``: every list in a column of lists is a group; of arrays, a pair
        ``(ids, keys)``, or a list of lists, tuples or sets. Keys may be of any type that ids may
        be of, and have nothing to do with ids of the same value. Takes one edge for each row.
    stream
        For tables, files and batches, a `StreamOptions`: a limit of memory, a folder to spill to, a
        folder for a checkpoint, a function that is called after each batch.
    forest
        Record a spanning forest of the edges: what ``result.why``, ``result.spanning_forest`` and
        ``result.bridges`` answer from. It takes 16 bytes a vertex (24 from 2^32 vertices on), 8
        more with weights, which may then be named without a ``threshold``. On CPUs, with
        ``algorithm="auto"``.
    previous
        An earlier answer: what it joined is joined here too, under its names (see
        `Components.named_after`). A `Components`, a `UnionFind`, or a table or file of ids and
        components; for vertex numbers also an array of labels, equal within the components.
        External ids are found by their values, and are vertices even where no edge has them. It
        may have fewer vertices than the graph. On a CPU it takes a pass over its vertices. With
        ``forest``, what it joined comes before the edges, as links whose row is -1. Not for graphs
        on a GPU, networkx graphs and dicts of neighbors.
    **others
        None: the error says where an option of another name belongs.

    Returns
    -------
    Components
        ``count``, ``labels`` and more; on a GPU where the graph is on one.

    Raises
    ------
    InputError
        If the graph, or an option, is not valid.
    UnsupportedError
        If an option means nothing for this kind of input, or cannot be honored for it.
    DeviceMemoryError
        If a graph, or what the algorithm needs, does not fit into the memory of the GPU.
    MemoryError
        If memory, or the limit of ``stream``, does not suffice.
    OutputError
        If the disk that ``stream`` names is full, for instance.

    Notes
    -----
    May be called from any number of threads at once. Arrays are read in place: one that another
    thread changes during the call leads to wrong labels or an error; with a published algorithm
    asked for by name, maybe to a crash of the process.

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
    >>> rows = pyarrow.table({"id": ["kim", "bo", "lee"], "bucket": [7, 9, 7]})
    >>> skerry.connected_components(rows, groups="bucket").table().to_pydict()
    {'id': ['bo', 'kim', 'lee'], 'component': ['bo', 'kim', 'kim']}
    """
    if others:
        check_keywords(connected_components, others)
    read = (
        *(source, target, vertices, weight, threshold, keep, num_vertices, ids, symmetric),
        *(on_null, groups),
    )
    options = solve_options(
        (algorithm, device, threads, labels, dtype, statistics, forest, previous), stream
    )
    return dispatch(graph, input_options(read, keeps_weights=options.forest), options)


def verify(
    graph: Any, labels: Any, *, threads: int | None = None, **options: Unpack[GraphKeywords]
) -> Verification:
    """Checks by independent means that labels are the connected components of a graph.

    Parameters
    ----------
    graph
        As in `connected_components`.
    labels
        A label for every vertex: an array, for vertex numbers in their order, for external ids in
        ascending order of the ids, as ``result.labels`` has them. Or a `Components`, a mapping from
        ids to labels, or a table of ids and their components, as ``result.table()`` gives it. Any
        values are labels, as long as they are equal exactly within components.
    threads
        How many threads to use; by default all that are available.
    **options
        Those of `connected_components` that say how to read the graph, but ``symmetric=``.

    Returns
    -------
    Verification
        True when the labels are right. Otherwise its message says what is wrong. Its forest holds
        the positions of edges that show that components are connected: see there.

    Raises
    ------
    InputError
        If there are not as many labels as vertices, or ``threads`` is not a number of threads.

    Notes
    -----
    A check takes up to twice as long as solving for tables and files, and one to four times for
    arrays. For a sparse matrix with long rows, most of which solving skips, it takes up to ten
    times as long. It takes as much memory as solving, and 8 bytes for every edge of the forest. It
    shares with solving only what reads the input.

    Examples
    --------
    >>> import numpy as np, skerry
    >>> graph = skerry.Edges(np.array([0, 2]), np.array([1, 3]), 4)
    >>> skerry.verify(graph, np.array([0, 0, 2, 2]))
    Verification(ok: 2 components: all 2 edges join equal labels, forest of 2 edges)
    >>> skerry.verify(graph, np.array([0, 0, 2, 0]))
    Verification(WRONG: edge 1 joins vertices 2 and 3, but their labels are 2 and 0)
    """
    check_keywords(verify, options, GraphKeywords)
    read = input_options(InputOptions(**options))
    return verify_source(recognize(graph, read), labels, threads)


def estimate(
    num_vertices: int,
    num_edges: int,
    *,
    form: Literal["edges", "csr", "batches", "grid"] = "edges",
    algorithm: str | Algorithm = "auto",
    device: str = "cpu",
    id_bits: int | None = None,
    dtype: npt.DTypeLike | None = None,
    forest: bool = False,
) -> Estimate:
    """How many bytes `connected_components` takes for a graph of that size.

    Parameters
    ----------
    num_vertices, num_edges
        The size of the graph; of a CSR, ``num_edges`` are its stored entries, and it is assumed to
        be symmetric.
    form
        How the graph is given: ``"edges"``, ``"csr"``, ``"grid"``, or ``"batches"`` for files,
        tables and batches, whose edges are not kept.
    algorithm
        As in `connected_components`.
    device
        ``"cpu"``, ``"cuda"``, or parts, whose bytes are added up. On a GPU all entries of the
        catalog are known, since the same code counts that allocates; no GPU is needed to ask. On a
        CPU those made of passes are.
    id_bits
        Width of the ids, 32 or 64; by default what the number of vertices needs. Of a grid, width
        of its pixels; by default 8.
    dtype
        As in `connected_components`.
    forest
        As in `connected_components`; of edges without weights.

    Returns
    -------
    Estimate
        Bytes of the graph, of the run, and of converting the graph for it.

    Raises
    ------
    InputError
        If an argument is out of its range.
    UnsupportedError
        If the memory of this algorithm is not known.

    Examples
    --------
    >>> import skerry
    >>> skerry.estimate(1_000_000, 8_000_000, form="csr", algorithm="ecl", device="cuda").run
    8000000
    """
    for name, count in (("num_vertices", num_vertices), ("num_edges", num_edges)):
        if isinstance(count, bool) or not isinstance(count, int | np.integer):
            raise InputError(f"{name} must be an integer, got {count!r}")
        if not 0 <= count <= MAX_VERTICES:
            raise InputError(f"{name} must be in 0..2**59, got {count}")
    if form not in ("edges", "csr", "batches", "grid"):
        raise InputError(f'form must be "edges", "csr", "grid" or "batches", got {form!r}')
    own = 8 if form == "grid" else 8 * vertex_dtype(num_vertices).itemsize
    bits, widths = own if id_bits is None else id_bits, (8, 16, 32, 64)
    if bits not in widths[0 if form == "grid" else 2 :]:
        raise InputError(f"id_bits must be 32 or 64, of a grid 8 to 64, got {id_bits!r}")
    options = solve_options(SolveOptions(algorithm, device, dtype=dtype, forest=forest))
    size = GraphSize(int(num_vertices), int(num_edges), form, np.dtype(f"u{bits // 8}"))
    if options.forest:
        reason = engine_named("memory").refusal(None, options)
        if reason is not None:
            raise UnsupportedError(reason)
    if form == "batches":
        streams = algorithm == "auto"
        return engine_named("streaming" if streams else "gathering").estimate(size, options)
    if form == "grid":
        return engine_named("grid").estimate(size, options)
    if options.in_parts:
        return engine_named("parts").estimate(size, options)
    return engine_named("upload" if options.on_gpu else "memory").estimate(size, options)
