"""The answer on a GPU: labels stay on the device, and nothing waits until a question asks."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from skerry.ids.id_space import IdSpace
from skerry.result.components import Components, LabelKind, on_host
from skerry.result.groups import Groups
from skerry.result.plan import Plan
from skerry.result.verify import Verification


class DeviceLabels(Protocol):
    """What is asked of labels on a device; all but ``parent`` and ``copy`` wait for it."""

    @property
    def xp(self) -> Any:
        """The array module of the device."""
        ...

    @property
    def parent(self) -> Any:
        """The smallest member of the component of each vertex."""
        ...

    def check(self) -> None:
        """Raises if the kernels found the input to be invalid."""
        ...

    def copy(self) -> Any:
        """A copy of ``parent`` as it is now, in the order of the stream."""
        ...

    def count(self, labels: Any) -> int:
        """Number of components."""
        ...

    def dense(self, labels: Any) -> Any:
        """Numbers 0..count-1 in order of first appearance."""
        ...

    def sizes(self, dense: Any, count: int) -> Any:
        """How many vertices have each of the dense labels."""
        ...

    def read(self, array: Any) -> npt.NDArray[Any]:
        """An array of the device on the host."""
        ...


class DeviceComponents(Components):
    """As `Components`, with arrays of the GPU's array module.

    ``labels`` waits for nothing. All else asks the device, and raises if the kernels found the
    input to be invalid; labels of invalid input are set to the maximum value. The labels belong
    to the caller, who may change them: other answers come from a copy that is made when they are
    first handed out.
    """

    def __init__(
        self,
        device: DeviceLabels,
        ids: IdSpace,
        kind: LabelKind,
        plan: Callable[[], Plan],
        verify: Callable[[Any], Verification],
        dtype: np.dtype[Any] | None = None,
    ) -> None:
        super().__init__(device.parent, ids, kind, plan, verify, 0, dtype)
        self._device = device
        self._caller_owns: Any = None

    def _protect(self) -> None:
        """Nothing to do: arrays of a device cannot be made read-only."""

    @cached_property
    def plan(self) -> Plan:
        """What ran, where, why, and how long it took; waits for the device."""
        self._device.check()
        return self._make_plan()

    @cached_property
    def count(self) -> int:  # type: ignore[override]
        """Number of components; waits for the device."""
        return self._device.count(self._smallest)

    @property
    def labels(self) -> Any:
        """The label of every vertex: an array on the device that belongs to the caller."""
        if self._caller_owns is None:
            if self._kind == "dense":
                self._caller_owns = self._typed(self._dense[0].copy())
            else:
                self._caller_owns = self._typed(self._smallest)
                self._smallest = self._device.copy()
        return self._caller_owns

    @cached_property
    def _dense(self) -> tuple[Any, int]:
        count = self.count
        return self._device.dense(self._smallest), count

    def sizes(self) -> Any:
        """Size of every component, in order of their smallest member, on the device."""
        dense, count = self._dense
        return self._device.sizes(dense, count)

    def connected(self, u: Any, v: Any) -> Any:
        """Whether ``u`` and ``v`` are in one component: a bool, or an array on the device."""
        xp = self._device.xp
        first, second = (xp.asarray(self._ids.lookup(self._to_host(ids))) for ids in (u, v))
        self._device.check()
        same = self._smallest[first] == self._smallest[second]
        return bool(same) if same.ndim == 0 else same

    def component_of(self, ids: Any) -> Any:
        """The label of the component of an id, or an array on the device of those of many."""
        self._device.check()
        positions = self._ids.lookup(self._to_host(ids))
        dense = self._kind == "dense"
        labels = (self._dense[0] if dense else self._smallest)[self._device.xp.asarray(positions)]
        return int(labels) if positions.ndim == 0 else self._typed(labels)

    def _members_of(self, chosen: npt.NDArray[Any], starts: npt.NDArray[Any]) -> Any:
        del starts
        xp = self._device.xp
        dense, count = self._dense
        if len(chosen) == 1:
            return xp.flatnonzero(dense == int(chosen[0])).astype(dense.dtype)
        rank = np.full(count, len(chosen), np.int64)
        rank[chosen] = np.arange(len(chosen))
        ranks = xp.asarray(rank)[dense.astype(np.int64)]
        vertices = xp.flatnonzero(ranks < len(chosen)).astype(dense.dtype)
        return vertices[xp.argsort(ranks[vertices.astype(np.int64)], kind="stable")]

    def groups(self, *, min_size: int = 1) -> Groups:
        """The members of every component, as a sequence of arrays on the device."""
        order = self._device.xp.argsort(self._dense[0], kind="stable")
        members = self._typed(order.astype(self._smallest.dtype))
        starts = np.append(0, np.cumsum(self._to_host(self.sizes()))).astype(np.int64)
        return Groups(members, starts, min_size)

    def _to_host(self, array: Any) -> Any:
        return self._device.read(array) if isinstance(array, self._device.xp.ndarray) else array

    def columns(self, *, size: bool = False, min_size: int = 1) -> dict[str, Any]:
        """The columns of `table`, on the host."""
        self._device.check()
        return super().columns(size=size, min_size=min_size)

    def verify(self) -> Verification:
        """Checks this answer on the host by independent means; graph and labels are copied."""
        self._device.check()
        return super().verify()

    def __reduce__(self) -> Any:
        """A pickle holds labels of the host: the device may not be there when it is read."""
        return on_host, (self.__getstate__(),)
