"""The route by memory: one process, one worker for all vertices, or rounds of contraction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypedDict

from skerry.cluster.driver import BYTES_PER_MESSAGE, BYTES_PER_VERTEX, BYTES_TO_READ
from skerry.errors import ArgumentError

STREAM_BYTES = 64
"""What one process takes for each vertex that it joins as edges come: the table of ids (25), ids,
parents, and the sorting of ids at the end."""

LEAST_MEMORY = 48_000_000
"""Below, reading leaves no memory for ids."""

COPIES_IN_HEAP = 8
"""An 8th of a driver's heap may be pairs on their way here."""

BY_NAME = "asked for by name"

MethodChoice = Literal["auto", "stream", "forest", "contraction"]


class RunKeywords(TypedDict, total=False):
    """How to run on a cluster: see `skerry.ray.distributed_components`."""

    method: MethodChoice
    num_vertices: int | None
    memory: int | str | None
    tasks: int | None
    state: str | None
    verify: bool
    progress: Callable[[str], None] | None


@dataclass(frozen=True)
class ClusterOptions:
    """What a caller asks of an engine."""

    method: MethodChoice = "auto"
    memory: int | None = None
    """Bytes that a task may use."""
    tasks: int | None = None
    num_vertices: int | None = None
    """About how many ids there are; None: up to two for each edge."""

    def __post_init__(self) -> None:
        if self.method not in ("auto", "stream", "forest", "contraction"):
            raise ArgumentError(
                f'method must be "auto", "stream", "forest" or "contraction", got {self.method!r}'
            )
        for name in ("memory", "tasks", "num_vertices"):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < 1):
                raise ArgumentError(f"{name} must be an integer, 1 or more, got {value!r}")


class Route(NamedTuple):
    """What runs, and why."""

    method: Literal["stream", "forest", "contraction"]
    tasks: int
    memory: int
    reason: str

    @property
    def room(self) -> int:
        """Ids that a task joins at a time."""
        return max(1, self.memory - BYTES_TO_READ) // BYTES_PER_VERTEX + 1


def stream_route(options: ClusterOptions, num_edges: int | None, here: int) -> Route | None:
    """The route of one process that may use ``here`` bytes; None: that of an engine.

    Asks nothing of the engine, which need not even be installed.
    """
    if options.method == "stream":
        return Route("stream", 1, here, BY_NAME)
    here = min(here, options.memory or here)
    bound = _vertex_bound(options, num_edges)
    if options.method != "auto" or bound is None or bound * STREAM_BYTES > here:
        return None
    detail = _giga(bound * STREAM_BYTES, here)
    return Route("stream", 1, here, f"up to {bound:,} ids fit one process ({detail})")


def driver_refusal(num_bytes: int, heap: int, result_limit: int) -> str:
    """Why a driver of the JVM cannot hand over so many bytes of pairs; empty if it can.

    It holds the results of all tasks, and copies of them, before the first comes here.
    """
    if num_bytes * COPIES_IN_HEAP > heap:
        return (
            f"{num_bytes / 1e6:,.0f} MB of pairs are over 1/{COPIES_IN_HEAP} of the driver's heap "
            f"of {heap / 1e6:,.0f} MB (spark.driver.memory)"
        )
    if result_limit and num_bytes * 2 > result_limit:
        return (
            f"{num_bytes / 1e6:,.0f} MB of pairs are over a half of the {result_limit / 1e6:,.0f} "
            "MB that the driver accepts (spark.driver.maxResultSize)"
        )
    return ""


def engine_route(
    options: ClusterOptions, num_edges: int | None, workers: int, worker_memory: int
) -> Route:
    """The route for so many edges, None if unknown, on workers with so many bytes each."""
    memory = options.memory or worker_memory
    bound = _vertex_bound(options, num_edges)
    tasks = options.tasks or _tasks(num_edges, bound, workers, memory)
    route = _chosen(options, bound, tasks, memory)
    if route.method == "contraction" and options.memory is not None:
        _refuse_what_cannot_hold(options.memory, options.tasks, num_edges)
    return route


def _chosen(options: ClusterOptions, bound: int | None, tasks: int, memory: int) -> Route:
    if options.method in ("forest", "contraction"):
        return Route(options.method, tasks, memory, BY_NAME)
    if bound is None:
        reason = "the number of edges is not known beforehand"
        return Route("contraction", tasks, memory, reason)
    detail = f"up to {bound:,} ids take {_giga(bound * BYTES_PER_VERTEX, memory)} of a worker"
    fits = bound * BYTES_PER_VERTEX <= memory
    return Route("forest" if fits else "contraction", tasks, memory, detail)


def _refuse_what_cannot_hold(memory: int, tasks: int | None, num_edges: int | None) -> None:
    """Raises where tasks of contraction would take more than the caller allows.

    Raises
    ------
    ArgumentError
        With the least that would do.
    """
    if memory < LEAST_MEMORY:
        raise ArgumentError(
            f"memory={memory:,}: a task of contraction takes {LEAST_MEMORY:,} bytes at least"
        )
    if num_edges is None and tasks is None:
        raise ArgumentError(
            f"memory={memory:,} cannot be kept, because the number of edges is not known "
            f"beforehand: say tasks=, {2 * BYTES_PER_MESSAGE} bytes for each edge divided by "
            f"{memory - BYTES_TO_READ:,}"
        )
    if num_edges is None or tasks is None:
        return
    minimum = _parts_for(num_edges, memory)
    if tasks < minimum:
        enough = -(-2 * num_edges * BYTES_PER_MESSAGE // tasks) + BYTES_TO_READ
        raise ArgumentError(
            f"{tasks:,} tasks may take {enough:,} bytes each, and memory={memory:,}: say "
            f"tasks={minimum} or more, or memory={enough} or more"
        )


def _parts_for(num_edges: int, memory: int) -> int:
    """Parts whose messages fit, if all ends of edges are different."""
    return -(-2 * num_edges * BYTES_PER_MESSAGE // max(1, memory - BYTES_TO_READ))


def _giga(needed: int, available: int) -> str:
    return f"{needed / 1e9:,.2f} GB of {available / 1e9:,.2f}"


def _vertex_bound(options: ClusterOptions, num_edges: int | None) -> int | None:
    if num_edges is None:
        return options.num_vertices
    return min(2 * num_edges, options.num_vertices or 2 * num_edges)


def _tasks(num_edges: int | None, bound: int | None, workers: int, memory: int) -> int:
    """As many as run at a time, more where what a task joins would not fit its memory.

    Few: the forests of large tasks are smaller together than those of many small ones.
    """
    if num_edges is None or bound is None:
        return 4 * workers
    if bound * BYTES_PER_VERTEX <= memory:
        return workers
    return workers * max(1, -(-_parts_for(num_edges, memory) // workers))
