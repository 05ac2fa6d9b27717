"""Connected components of a Spark DataFrame: ``pip install 'skerry[spark]'``.

``skerry.spark.connected_components(df)`` returns a DataFrame of ids and their
components. PySpark itself is imported with the first call; Spark needs Java 17 or newer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Never, Unpack

from skerry.cluster.choice import ClusterOptions, MethodChoice, RunKeywords
from skerry.cluster.result import DistributedComponents
from skerry.cluster.solve import distribute
from skerry.cluster.spark_input import SparkEngine
from skerry.graph.threshold import Keep
from skerry.keywords import check_keywords
from skerry.option_checks import byte_count
from skerry.request import InputOptions, NullChoice, input_options

__all__ = ["DistributedComponents", "connected_components", "distributed_components"]


class SparkKeywords(RunKeywords, total=False):
    """Of `connected_components`."""

    source: str | None
    target: str | None
    vertices: Any
    weight: str | None
    threshold: float | None
    keep: Keep | None
    on_null: NullChoice


def connected_components(df: Any, **options: Unpack[SparkKeywords]) -> Any:
    """Finds the connected components of edges in a Spark DataFrame.

    Parameters
    ----------
    df
        A DataFrame with a row for each edge.
    **options
        As in `distributed_components`.

    Returns
    -------
    pyspark.sql.DataFrame
        The columns ``id`` and ``component``, the smallest id of the component; in any order.

    Raises
    ------
    InputError
        If the input or an option is not valid.
    StateError
        If state of the run is missing, damaged, or of other data.

    Examples
    --------
    >>> import skerry.spark  # doctest: +SKIP
    >>> pairs = spark.createDataFrame([(1, 2), (5, 2)], ["src", "dst"])  # doctest: +SKIP
    >>> skerry.spark.connected_components(pairs).collect()  # doctest: +SKIP
    [Row(id=1, component=1), Row(id=2, component=1), Row(id=5, component=1)]
    """
    return distributed_components(df, **options).dataset


def distributed_components(
    df: Any,
    *,
    source: str | None = None,
    target: str | None = None,
    vertices: Any = None,
    weight: str | None = None,
    threshold: float | None = None,
    keep: Keep | None = None,
    on_null: NullChoice = "error",
    method: MethodChoice = "auto",
    num_vertices: int | None = None,
    memory: int | str | None = None,
    tasks: int | None = None,
    state: str | None = None,
    verify: bool = False,
    progress: Callable[[str], None] | None = None,
    **others: Never,
) -> DistributedComponents:
    """Finds the connected components of edges with Spark, and keeps what is known of the run.

    Parameters
    ----------
    df
        A DataFrame with a row for each edge. It is computed once: unless it is cached already,
        the columns that are needed are persisted for the time of the run.
    source, target
        Its columns with the ends of edges, by default found by their names as on one machine. All
        are of one type: integers, of any width, are fastest. Any other type that one machine takes
        is numbered by exact joins first.
    vertices
        A DataFrame with a column ``id``, or with one column: ids that are vertices whether or not
        they have an edge.
    weight, threshold, keep
        Use only edges whose weight is ``threshold`` or more; with ``keep="below"``, or less.
    on_null
        What to do with an edge one end of which, or the weight of which, is null.
    method
        ``"auto"``: by memory. ``"stream"``: the driver reads all edges, and no stage is started.
        ``"forest"``: tasks join their edges, and one task merges their forests: all ids must fit
        its memory. ``"contraction"``: rounds, for ids that fit no worker.
    num_vertices
        About how many ids there are, if that is known: ``"auto"`` otherwise assumes up to two for
        each edge.
    memory
        Bytes that the Python process of a task, or this process, may use for ids, or a size such as
        ``"4G"``; by default 1 GiB for a task.
    tasks
        How many parts vertices are divided into, and at most how many tasks read edges. By default
        as many as run at a time, or more where memory demands it.
    state
        A folder or address that the driver and all executors see: each round, and the labels, are
        written there. A run that was killed goes on from it when it is called again with the same
        edges, vertices and options; other edges are refused. By default a temporary folder, if the
        master is local.
    verify
        Check the answer before it is returned.
    progress
        Called with a sentence before every round.
    **others
        None: the error says where an option of another name belongs.

    Returns
    -------
    DistributedComponents
        Its ``count``, ``plan``, ``dataset``, ``verify()`` and ``write(path)``.

    Raises
    ------
    InputError
        If the input or an option is not valid.
    UnsupportedError
        If PySpark or Java is missing, or ``state`` on several machines.
    StateError
        If state of the run is missing, damaged, or of other data, or the labels fail their check.

    Examples
    --------
    >>> import skerry.spark  # doctest: +SKIP
    >>> result = skerry.spark.distributed_components(pairs)  # doctest: +SKIP
    >>> result.write("/shared/labels")  # doctest: +SKIP
    """
    check_keywords(distributed_components, others)
    room = byte_count("memory", memory)
    options = ClusterOptions(method, room, tasks, num_vertices)
    chosen = InputOptions(source, target, None, weight, threshold, keep, on_null=on_null)
    with SparkEngine(df, vertices, input_options(chosen)) as engine:
        result = distribute(engine, engine.graph(), options, state, progress)
        return result.checked() if verify else result
