"""What kernels have found wrong with an input, as the error the user sees."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy.typing as npt

from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.state import Fault, Word
from skerry.errors import InputError
from skerry.graph.device import DeviceCsr, DeviceEdges

__all__ = ["raise_fault"]


def raise_fault(job: Job) -> None:
    """Waits for the device, and raises if it has reported that the input is bad."""
    fault, place = (int(word) for word in job.runtime.read(job.state[: Word.CHANGED]))
    if fault != Fault.NO_FAULT:
        _raise(Fault(fault), place, job, job.graph)
    if not job.vertices:
        _check_without_vertices(job, job.graph)


def _check_without_vertices(job: Job, graph: DeviceEdges | DeviceCsr) -> None:
    """Where there is no vertex, no kernel has looked at anything; no edge can be right."""
    if isinstance(graph, DeviceEdges):
        if graph.num_edges:
            _raise(Fault.SOURCE_OUT_OF_RANGE, 0, job, graph)
        return
    (first,) = _signed(job.runtime.read(graph.offsets))
    if first:
        _raise_first(first)


def _raise(fault: Fault, place: int, job: Job, graph: DeviceEdges | DeviceCsr) -> NoReturn:
    n = graph.num_vertices
    if isinstance(graph, DeviceEdges):
        name, column = (
            ("src", graph.src) if fault == Fault.SOURCE_OUT_OF_RANGE else ("dst", graph.dst)
        )
        _raise_id(job, f"{name}[{place}]", column[place : place + 1], n)
    if fault == Fault.NEIGHBOR_OUT_OF_RANGE:
        _raise_id(job, f"indices[{place}]", graph.neighbors[place : place + 1], n)
    begin, end = _signed(job.runtime.read(graph.offsets[place : place + 2]))
    if fault == Fault.FIRST_OFFSET_NOT_ZERO:
        _raise_first(begin)
    for where, value in ((place, begin), (place + 1, end)):
        if value < 0:
            raise InputError(f"indptr[{where}] is {value}; it must not be negative")
    if fault == Fault.OFFSETS_FALL:
        raise InputError(
            f"indptr falls from {begin} to {end} at row {place}: each row must end at or after "
            "its start"
        )
    raise InputError(f"indptr[{place + 1}] is {end:,}, but indices has only {graph.num_entries:,}")


def _raise_first(offset: int) -> NoReturn:
    raise InputError(f"indptr[0] is {offset}; it must be 0")


def _raise_id(job: Job, where: str, cell: object, n: int) -> NoReturn:
    (value,) = _signed(job.runtime.read(cell))
    raise InputError(f"{where} is {value}, but the graph has {n:,} vertices (ids 0..{n - 1})")


def _signed(found: npt.NDArray[Any]) -> list[int]:
    """Numbers as the caller wrote them: what is huge without a sign was most likely negative."""
    return [int(one) for one in found.view(f"i{found.itemsize}")]
