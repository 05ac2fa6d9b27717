"""Invalid input that kernels have detected, as the error that the user sees."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy.typing as npt

from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.state import InputFault, Word
from skerry.errors import InputError
from skerry.graph.device import DeviceGraph


def raise_input_error(job: Job) -> None:
    """Waits for the device, and raises `InputError` if its kernels found the input invalid."""
    fault, position = (int(word) for word in job.runtime.read(job.state[: Word.CHANGED]))
    if fault != InputFault.NO_FAULT:
        _raise(InputFault(fault), position, job, job.graph)
    if not job.vertices:
        _check_without_vertices(job, job.graph)


def _check_without_vertices(job: Job, graph: DeviceGraph) -> None:
    """Without vertices no kernel was launched, and any edge is invalid."""
    if graph.form == "edges":
        if graph.num_entries:
            _raise(InputFault.SOURCE_OUT_OF_RANGE, 0, job, graph)
        return
    (first,) = _signed(job.runtime.read(graph.offsets))
    if first:
        _raise_first_offset(first)


def _raise(fault: InputFault, position: int, job: Job, graph: DeviceGraph) -> NoReturn:
    n = graph.num_vertices
    if graph.form == "edges":
        name, column = (
            ("src", graph.src) if fault == InputFault.SOURCE_OUT_OF_RANGE else ("dst", graph.dst)
        )
        _raise_id(job, f"{name}[{position}]", column[position : position + 1], n)
    if fault == InputFault.NEIGHBOR_OUT_OF_RANGE:
        _raise_id(job, f"indices[{position}]", graph.neighbors[position : position + 1], n)
    begin, end = _signed(job.runtime.read(graph.offsets[position : position + 2]))
    if fault == InputFault.FIRST_OFFSET_NOT_ZERO:
        _raise_first_offset(begin)
    for index, value in ((position, begin), (position + 1, end)):
        if value < 0:
            raise InputError(f"indptr[{index}] is {value}; it must not be negative")
    if fault == InputFault.OFFSETS_FALL:
        raise InputError(
            f"indptr falls from {begin} to {end} at row {position}: each row must end at or after "
            "its start"
        )
    raise InputError(
        f"indptr[{position + 1}] is {end:,}, but indices has only {graph.num_entries:,}"
    )


def _raise_first_offset(offset: int) -> NoReturn:
    raise InputError(f"indptr[0] is {offset}; it must be 0")


def _raise_id(job: Job, name: str, element: object, n: int) -> NoReturn:
    (value,) = _signed(job.runtime.read(element))
    raise InputError(f"{name} is {value}, but the graph has {n:,} vertices (ids 0..{n - 1})")


def _signed(values: npt.NDArray[Any]) -> list[int]:
    """Values as the caller wrote them: a huge unsigned value was most likely negative."""
    return [int(value) for value in values.view(f"i{values.itemsize}")]
