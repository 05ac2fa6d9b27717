"""The components at several thresholds: what a person looks at to choose one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.result import tables
from skerry.result.components import Components

if TYPE_CHECKING:
    import pyarrow as pa


SHOWN = 20
"""Thresholds that an error or ``repr`` lists."""


class Row(NamedTuple):
    """What there is at a threshold."""

    edges: int
    vertices: int
    components: int
    largest: int


class ThresholdSweep:
    """The components of a graph at several thresholds for the weights of its edges.

    ``sweep[t]`` is what ``connected_components(..., threshold=t)`` returns, for every ``t`` of
    ``thresholds``. It is made when it is asked for, of the spanning forest that the sweep holds, in
    time proportional to the number of vertices. Objects are immutable, and threads may share them.

    Made by `skerry.threshold_sweep`, not by hand.

    Examples
    --------
    >>> import numpy as np, skerry
    >>> src, dst, similarity = np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([0.9, 0.4, 0.7])
    >>> sweep = skerry.threshold_sweep((src, dst), similarity, [0.3, 0.6, 0.8], num_vertices=5)
    >>> sweep.counts
    array([2, 3, 4])
    >>> sweep[0.6].labels
    array([0, 0, 2, 2, 4], dtype=uint32)
    """

    def __init__(
        self,
        thresholds: tuple[float, ...],
        rows: list[Row],
        solve: Callable[[float], Components],
    ) -> None:
        self._thresholds = thresholds
        self._rows = rows
        self._solve = solve
        self._known = set(thresholds)

    @property
    def thresholds(self) -> tuple[float, ...]:
        """The thresholds as they were given, in their order."""
        return self._thresholds

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """Number of components at each threshold."""
        return self.columns()["components"]

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """The columns of `table`, which need no pyarrow.

        Returns
        -------
        dict
            NumPy arrays with an element for each threshold, by the name of the column.
        """
        columns = {"threshold": np.array(self.thresholds)}
        for number, name in enumerate(Row._fields):
            columns[name] = np.array([row[number] for row in self._rows], np.int64)
        return columns

    def table(self) -> pa.Table:
        """What there is at each threshold, a row for each, in the order of ``thresholds``.

        Returns
        -------
        pyarrow.Table
            With the columns ``threshold``, ``edges`` (those that are used), ``vertices``,
            ``components`` and ``largest``, the number of vertices of the largest component.

        Raises
        ------
        UnsupportedError
            If pyarrow is not installed.

        Examples
        --------
        >>> import pyarrow, skerry
        >>> pairs = pyarrow.table({"a": ["kim", "bo"], "b": ["lee", "al"], "score": [0.9, 0.7]})
        >>> skerry.threshold_sweep(pairs, "score", [0.6, 0.8]).table().to_pylist()[0]
        {'threshold': 0.6, 'edges': 2, 'vertices': 4, 'components': 2, 'largest': 2}
        """
        return tables.arrow_table(self.columns(), "a table of thresholds")

    def __getitem__(self, threshold: float) -> Components:
        if threshold not in self._known:
            shown = ", ".join(map(str, self.thresholds[:SHOWN]))
            more = ", ..." if len(self.thresholds) > SHOWN else ""
            raise InputError(f"{threshold!r} is not a threshold of this sweep: {shown}{more}")
        return self._solve(threshold)

    def __copy__(self) -> ThresholdSweep:
        return self  # it is immutable

    def __deepcopy__(self, memo: dict[int, Any]) -> ThresholdSweep:
        return self

    def __len__(self) -> int:
        return len(self.thresholds)

    def __iter__(self) -> Iterator[float]:
        return iter(self.thresholds)

    def __repr__(self) -> str:
        lines: list[tuple[str, ...]] = [("threshold", *Row._fields)]
        lines += [
            (f"{threshold:g}", *(f"{value:,}" for value in row))
            for threshold, row in zip(self.thresholds[:SHOWN], self._rows, strict=False)
        ]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = [
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
            for line in lines
        ]
        more = len(self.thresholds) - SHOWN
        return "\n".join([*text, f"... {more:,} more"] if more > 0 else text)
