"""Connected components on a Ray cluster: ``pip install 'skerry[ray]'``.

``skerry.ray.connected_components(dataset)`` takes a Ray Dataset or paths, and returns a Ray
Dataset of ids and their components. Ray itself is imported with the first call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from skerry.cluster.choice import ClusterOptions, MethodChoice, RunKeywords
from skerry.cluster.ray_input import RayEngine, ray_input
from skerry.cluster.result import DistributedComponents
from skerry.cluster.solve import distribute
from skerry.keywords import FileKeywords, check_keywords
from skerry.option_checks import byte_count
from skerry.request import InputOptions, input_options

__all__ = ["DistributedComponents", "connected_components", "distributed_components"]


class RayKeywords(FileKeywords, RunKeywords, total=False):
    """Of `connected_components`."""

    address: str | None
    num_gpus: float


def connected_components(dataset: Any, **options: Unpack[RayKeywords]) -> Any:
    """Finds the connected components of edges on a Ray cluster.

    Parameters
    ----------
    dataset
        As in `distributed_components`.
    **options
        As in `distributed_components`.

    Returns
    -------
    ray.data.Dataset
        The columns ``id`` and ``component``, the smallest id of the component; in any order.

    Raises
    ------
    InputError
        If the input or an option is not valid.
    StateError
        If state of the run is missing, damaged, or of other data.

    Examples
    --------
    >>> import ray, skerry.ray  # doctest: +SKIP
    >>> pairs = ray.data.from_items([{"src": 1, "dst": 2}, {"src": 5, "dst": 2}])  # doctest: +SKIP
    >>> skerry.ray.connected_components(pairs).take_all()  # doctest: +SKIP
    [{'id': 1, 'component': 1}, {'id': 2, 'component': 1}, {'id': 5, 'component': 1}]
    """
    return distributed_components(dataset, **options).dataset


def distributed_components(
    dataset: Any,
    *,
    method: MethodChoice = "auto",
    num_vertices: int | None = None,
    memory: int | str | None = None,
    tasks: int | None = None,
    state: str | None = None,
    address: str | None = None,
    num_gpus: float = 0,
    verify: bool = False,
    progress: Callable[[str], None] | None = None,
    **edges: Unpack[FileKeywords],
) -> DistributedComponents:
    """Finds the connected components of edges on a Ray cluster, and keeps what is known of the run.

    Parameters
    ----------
    dataset
        A Ray Dataset with a row for each edge; or files, by a path, a list of paths, a pattern or
        a folder, that all machines of the cluster can read.
    method
        ``"auto"``: by memory. ``"stream"``: one process reads all edges, and no engine is started.
        ``"forest"``: tasks join their edges, and one task merges their forests: all ids must fit
        its memory. ``"contraction"``: rounds, for ids that fit no worker.
    num_vertices
        About how many ids there are, if that is known: ``"auto"`` otherwise assumes up to two for
        each edge.
    memory
        Bytes that a task, or this process, may use for ids, or a size such as ``"4G"``; by default
        the share of one CPU in the memory of the cluster.
    tasks
        How many tasks read the input, and how many parts vertices are divided into. By default as
        many as there are CPUs, or more where memory demands it.
    state
        A folder that all machines see: each round, and the labels, are written there. A run that
        was killed goes on from it when it is called again with the same edges, vertices and
        options; other edges are refused. By default a temporary folder, if the cluster is one
        machine.
    address
        Of the cluster, for ``ray.init``, unless Ray is already initialized.
    num_gpus
        GPUs that each task is lent, 1 for instance: it joins its edges there. One task runs for
        each GPU, on one machine or many.
    verify
        Check the answer before it is returned.
    progress
        Called with a sentence before every round.
    **edges
        As in `skerry.connected_components`: ``source`` and ``target``, one column each,
        ``vertices`` (an array), ``weight``, ``threshold``, ``keep``, ``ids`` and ``on_null``; of
        files, as in `skerry.io.read_edges`, ``format``, ``delimiter``, ``header`` and
        ``ids_as_text``. Ids are integers of any width, or all of one other type that one machine
        takes; those are numbered first.

    Returns
    -------
    DistributedComponents
        Its ``count``, ``plan``, ``dataset``, ``verify()`` and ``write(path)``.

    Raises
    ------
    InputError
        If the input or an option is not valid.
    UnsupportedError
        If Ray is not installed, or ``state`` is missing on several machines.
    StateError
        If state of the run is missing, damaged, or of other data, or the labels fail their check.

    Examples
    --------
    >>> import skerry.ray  # doctest: +SKIP
    >>> result = skerry.ray.distributed_components("pairs/", state="/shared/run")  # doctest: +SKIP
    >>> result.write("/shared/labels")  # doctest: +SKIP
    """
    room = byte_count("memory", memory)
    options = ClusterOptions(method, room, tasks, num_vertices)
    check_keywords(distributed_components, edges, FileKeywords)
    read = input_options(InputOptions(**edges))
    engine = RayEngine(dataset, read, address, num_gpus, room)
    result = distribute(engine, ray_input(engine), options, state, progress)
    return result.checked() if verify else result
