"""The engine for images on a GPU: the labels stay there, and nothing waits for the device."""

from __future__ import annotations

from typing import Any, ClassVar

from skerry.algorithms.gpu.images import arrays_of, label_by_pixels
from skerry.algorithms.gpu.labels import JobLabels
from skerry.engines.device import DEVICE, DeviceEngine
from skerry.engines.grid import ALGORITHM, GRID, certify_grid
from skerry.engines.memory import label_type
from skerry.ids.id_space import Positions
from skerry.inputs.arrays import agree
from skerry.inputs.sources import DeviceGridSource, GridSource
from skerry.request import SolveOptions
from skerry.result.device_components import DeviceComponents
from skerry.result.plan import PassTime, Plan
from skerry.result.verify import Verification


class DeviceGridEngine(DeviceEngine):
    """Solves `Grid` where the image is."""

    name: ClassVar[str] = "device grid"
    source: ClassVar[type] = DeviceGridSource
    honors: ClassVar[frozenset[str]] = DEVICE.honors - {"algorithm", "statistics"}

    def solve(self, source: DeviceGridSource, options: SolveOptions) -> DeviceComponents:  # type: ignore[override]
        """Launches the kernels; the result waits when it is asked."""
        grid = source.graph
        n = agree(source.options.num_vertices, grid.num_vertices)
        with arrays_of(grid.image, source.device) as (runtime, image, _):
            job = label_by_pixels(runtime, image, grid.rule, label_type(options.dtype, n))

        def plan() -> Plan:
            with runtime.active():
                seconds = runtime.seconds(job.events[0][1], job.events[-1][1])
            return Plan(
                algorithm=ALGORITHM,
                device=runtime.name,
                threads=0,
                reason="neighbors in an image need no stored edges",
                form=grid.form,
                vertices=n,
                edges=grid.num_entries,
                passes=(PassTime("all kernels", seconds),),
                bytes=job.bytes,
                least_bytes=grid.nbytes + n * job.dtype.itemsize,
                engine=self.name,
                input=source.facts,
            )

        return DeviceComponents(
            JobLabels(job),
            Positions(n),
            options.labels,
            plan,
            lambda labels: certify_grid(grid.on_host(), labels, 1),
            options.dtype,
        )

    def verify(self, source: DeviceGridSource, labels: Any, threads: int) -> Verification:  # type: ignore[override]
        """Copies the image to the host, and checks the labels there."""
        host = GridSource(source.graph.on_host(), source.options, source.facts)
        return GRID.verify(host, labels, threads)


DEVICE_GRID = DeviceGridEngine()
