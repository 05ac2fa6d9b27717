"""A graph that lies in memory whole, to its components: by the way asked for, or the best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.algorithms.catalog import Algorithm
from skerry.algorithms.catalog import algorithm as named
from skerry.algorithms.cpu import backend
from skerry.algorithms.planner import choose
from skerry.algorithms.prepare import prepare
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.edges import vertex_dtype
from skerry.inputs.adapt import adapt
from skerry.inputs.ids import NUMBER_FIRST
from skerry.result.components import Components, LabelKind
from skerry.result.plan import PassTime, Plan

__all__ = ["Ask", "Call", "IdKind", "Progress", "label_type", "noted", "solve_whole"]


IdKind = Literal["auto", "vertices", "external"]

Progress = Callable[[int, int], None]
"""Is told, after every batch, how many edges and how many bytes of the source have been read."""


class Ask(NamedTuple):
    """What the caller says about a graph beside the graph itself."""

    source: Any
    target: Any
    vertices: Any
    weight: Any
    threshold: float | None
    num_vertices: int | None
    ids: IdKind
    format: str | None
    limit: int | None
    progress: Progress | None
    delimiter: str | None = None
    header: bool | None = None
    ids_as_text: bool = False

    def checked(self) -> Ask:
        """Itself, if what is said makes sense."""
        if self.ids not in ("auto", "vertices", "external"):
            raise InputError(f'ids must be "auto", "vertices" or "external", got {self.ids!r}')
        if self.threshold is None:
            if self.weight is not None:
                raise InputError("weight= is given without threshold=: which edges are to be used?")
            return self
        number = isinstance(self.threshold, int | float | np.number)
        if not (number and self.threshold == self.threshold):
            raise InputError(f"threshold must be a number, got {self.threshold!r}")
        return self

    @property
    def nothing_beside(self) -> bool:
        """Whether the graph is all there is, so that plain arrays need no more than a solver."""
        no_columns = self.source is None and self.target is None
        all_of_it = self.vertices is None and self.threshold is None
        return no_columns and all_of_it and self.ids != "external" and not self.of_files

    @property
    def of_files(self) -> bool:
        """Whether anything is said that only a file can mean."""
        nothing = self.format is None and self.delimiter is None and self.header is None
        return self.ids_as_text or not nothing


class Call(NamedTuple):
    """How the caller wants a graph to be solved."""

    algorithm: str | Algorithm
    device: str
    threads: int
    labels: LabelKind
    symmetric: bool | None
    statistics: bool
    dtype: np.dtype[Any] | None

    @property
    def on_gpu(self) -> bool:
        """Whether a GPU was asked for."""
        return self.device not in ("auto", "cpu")


def solve_whole(
    graph: Any, num_vertices: int | None, call: Call, dense: bool = False
) -> Components:
    """The components of a graph that lies in the host's memory whole."""
    if call.on_gpu:
        from skerry.engines.device import Wish, components_of_host_graph

        wish = Wish(call.algorithm, call.labels, call.statistics, call.dtype)
        return components_of_host_graph(
            graph, num_vertices, call.symmetric, call.threads, call.device, wish
        )
    most = call.threads
    input_graph, notes = adapt(graph, num_vertices, call.symmetric, most, dense)
    dtype = label_type(call.dtype, input_graph.num_vertices)
    if call.algorithm == "auto":
        row, most, reason = choose(input_graph, most)
    else:
        row = named(call.algorithm) if isinstance(call.algorithm, str) else call.algorithm
        row.check_device("cpu")
        most, reason = (1 if row.serial else most), "asked for by name"
    try:
        ready, conversions, more_notes = prepare(row, input_graph, dtype, most)
        outcome = backend.run(row, ready, dtype, most, call.statistics)
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
    return Components(outcome.labels, call.labels, lambda: plan, input_graph, most)


def noted(
    result: Components, notes: tuple[str, ...], times: tuple[PassTime, ...] = ()
) -> Components:
    """An answer whose plan says more of what came before it."""
    make = result._make_plan

    def plan() -> Plan:
        told = make()
        return replace(told, notes=notes + told.notes, passes=times + told.passes)

    result._make_plan = plan
    return result


def label_type(dtype: npt.DTypeLike | None, num_vertices: int) -> np.dtype[Any]:
    """The caller's type of labels, if it suffices, or the smallest that does."""
    smallest = vertex_dtype(num_vertices)
    if dtype is None:
        return smallest
    wanted = np.dtype(dtype)
    if wanted.itemsize < smallest.itemsize:
        raise InputError(f"{num_vertices:,} vertices do not fit into {wanted} labels")
    return wanted
