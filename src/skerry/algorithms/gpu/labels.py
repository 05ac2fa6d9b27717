"""Answers about labels that lie on a device: counts, dense numbers, copies."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.state import InputFault, Word
from skerry.cuda.runtime import BLOCK, LANES
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


STRETCH = 1024  # kStretch of labels.cu


class JobLabels:
    """The labels of a finished job; see `skerry.result.device_components.DeviceLabels`."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self.parent = job.parent

    @property
    def xp(self) -> Any:
        """The array module of the device."""
        return self._job.runtime.xp

    def check(self) -> None:
        """Raises if the kernels found the input to be invalid; waits for the device."""
        raise_input_error(self._follow_run())

    def copy(self) -> Any:
        """A copy of the labels; the host does not wait.

        The current stream may be another than that of the run, whose end it waits for: the caller
        may change the labels in it after this.
        """
        runtime = self._job.runtime
        with runtime.active():
            return runtime.copy_after(self._job.events[-1][1], self.parent)

    def _follow_run(self) -> Job:
        """Makes the current stream, which may be another than the run's, wait for its end."""
        job = self._job
        if job.events:
            job.runtime.wait_for(job.events[-1][1])
        return job

    def count(self, labels: Any) -> int:
        """Number of components; waits for the device."""
        job = self._follow_run()
        threads = min(job.vertices, job.resident)
        job.launch("labels", "count_roots", threads, labels, job.vertices, job.state)
        raise_input_error(job)
        return job.read(Word.ROOTS)

    def dense(self, labels: Any) -> Any:
        """Numbers 0..count-1 in order of first appearance."""
        job, n = self._follow_run(), self._job.vertices
        threads = -(-n // STRETCH) * LANES
        sums = job.runtime.empty(-(-n // STRETCH), np.uint64)
        numbers, dense = job.empty(n), job.empty(n)
        job.launch("labels", "count_roots_in_stretches", threads, labels, n, sums)
        job.launch("labels", "add_up_stretches", BLOCK, n, sums)
        job.launch("labels", "number_roots", threads, labels, n, sums, numbers)
        job.launch("labels", "number_labels", n, labels, n, numbers, dense)
        return dense

    def sizes(self, dense: Any, count: int) -> Any:
        """How many vertices have each of the dense labels."""
        job = self._follow_run()
        sizes = job.runtime.zeros(count, np.int64)
        job.launch("labels", "count_members", job.vertices, dense, job.vertices, sizes)
        return sizes

    def read(self, array: Any) -> npt.NDArray[Any]:
        """An array of the device on the host; waits for the device."""
        return self._job.runtime.read(array)
