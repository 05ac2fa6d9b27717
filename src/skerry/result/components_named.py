"""Components of a graph whose vertices have ids: the same answers, in the user's own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from skerry.errors import InputError
from skerry.graph.arrow import arrow_view
from skerry.ids.sorted_ids import SortedIds
from skerry.result.components import Component, Components, Groups

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["NamedComponents"]


class NamedComponents(Components):
    """As `Components`; vertices are ranks of ``ids``, and questions are asked by id."""

    def __init__(self, ids: SortedIds, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._ids = ids

    @property
    def ids(self) -> Any:
        """The ids, ascending: an Arrow array, or a tuple of them for ids of several columns."""
        return self._ids.columns

    def table(self) -> pa.Table:
        """The answer as an Arrow table with the columns ``id`` and ``component``.

        A component is called by its smallest id, or with ``labels="dense"`` by its number. Ids made
        of several columns keep the names of these; the component then has one for each, called
        ``component_`` and that name.
        """
        import pyarrow as pa

        rows, labels = self._table_rows()
        whole = len(rows) == self.num_vertices
        taken = self._ids if whole else SortedIds(self._ids.take(rows))
        columns = dict(zip(self._ids.names, taken.parts, strict=True))
        if self._kind == "dense":
            columns["component"] = arrow_view(labels)
            return pa.table(columns)
        several = len(self._ids.names) > 1
        for name, part in zip(self._ids.names, self._ids.parts, strict=True):
            title = f"component_{name}" if several else "component"
            columns[title] = part.take(arrow_view(labels))
        return pa.table(columns)

    def _component(self, number: int, size: int) -> Component:
        found = super()._component(number, size)
        label = number if self._kind == "dense" else self._ids[int(found.members[0])]
        return Component(label, size, self._ids.take(found.members))

    def groups(self) -> Groups:
        """The ids of every component, as a sequence of Arrow arrays."""
        groups = super().groups()
        taken = self._ids.take(groups._members)
        groups._members = _Columns(taken) if isinstance(taken, tuple) else taken
        return groups

    def _vertex(self, v: Any) -> Any:
        """An id, or an array or list of them, as ranks."""
        several = isinstance(self._ids.columns, tuple)
        scalar = isinstance(v, str | bytes) or (np.ndim(v) == 0 and not hasattr(v, "type"))
        if scalar or (several and isinstance(v, tuple)):
            return np.asarray(self._ids.rank(v.item() if isinstance(v, np.generic) else v))
        import pyarrow as pa

        values = list(v)
        try:
            asked = tuple(
                pa.array([row[i] for row in values] if several else v, part.type)
                for i, part in enumerate(self._ids.parts)
            )
        except (pa.ArrowException, TypeError, IndexError, OverflowError) as error:
            kinds = ", ".join(str(part.type) for part in self._ids.parts)
            raise InputError(f"ids of this graph are {kinds}: {error}") from None
        ranks = self._ids.ranks(asked if several else asked[0])
        if len(ranks) and ranks.min() < 0:
            raise InputError(f"{values[int(np.argmin(ranks))]!r} is not an id of this graph")
        return ranks


class _Columns:
    """Several columns that are cut as one."""

    def __init__(self, parts: tuple[Any, ...]) -> None:
        self._parts = parts

    def __getitem__(self, place: slice) -> tuple[Any, ...]:
        return tuple(part[place] for part in self._parts)
