"""Answers about labels that lie on a device: counts, dense numbers, copies."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.algorithms.gpu.input_errors import raise_input_error
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.state import Word
from skerry.cuda.runtime import BLOCK, LANES

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
