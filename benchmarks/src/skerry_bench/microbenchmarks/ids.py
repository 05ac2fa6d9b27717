"""The suite ``ids``: from a table of external ids to components under these ids.

The timed call goes from pairs of ids in Arrow columns to a table (id, component). The peers
factorize the ids and call scipy; they give each id the number of its component, which is less than
skerry does: its component is the smallest id, and its table is sorted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

import skerry
from skerry import Edges
from skerry.errors import ArgumentError
from skerry_bench.cases import Case, CaseOptions
from skerry_bench.implementation import (
    Answer,
    ClockMode,
    Device,
    Implementation,
    ImplementationOptions,
    PeerAnswer,
    Scope,
)
from skerry_bench.workload import Workload, WrongAnswerError

if TYPE_CHECKING:
    import pyarrow as pa


Kind = Literal["int64", "string"]
KINDS: tuple[Kind, ...] = ("int64", "string")
DEFAULTS: dict[str, Any] = {"distinct": 5_000_000, "pairs": 20_000_000, "kinds": KINDS}
TEXT_SIZE = 20
Solver: TypeAlias = "Callable[[pa.Table, int], Answer]"


class TableWorkload(Workload):
    """Random edges whose vertices have external ids. Only ids that occur are vertices."""

    def __init__(self, kind: Kind, distinct: int, pairs: int, threads: int) -> None:
        super().__init__(kind, lambda: _random_edges(distinct, pairs), threads)
        self._kind = kind

    @cached_property
    def table(self) -> pa.Table:
        """The edges as two columns of ids."""
        import pyarrow as pa

        ids = random_ids(self._kind, self.num_vertices)
        ends = (self.edges.src, self.edges.dst)
        return pa.table([ids.take(pa.array(end)) for end in ends], names=["a", "b"])

    @cached_property
    def table_components(self) -> int:
        """Number of components of the ids that occur."""
        occurs = np.zeros(self.num_vertices, np.bool_)
        occurs[self.edges.src] = occurs[self.edges.dst] = True
        return self.components - int(np.count_nonzero(~occurs))

    def check(self, answer: Answer) -> str:
        """Compares the number of components."""
        count = answer if isinstance(answer, int) else getattr(answer, "count", None)
        if count != self.table_components:
            raise WrongAnswerError(f"counts {count} components, there are {self.table_components}")
        return "count"


def cases(options: CaseOptions) -> Iterator[Case]:
    """A table for each kind of id."""
    parameters = DEFAULTS | dict(options.parameters)
    distinct = max(1, round(parameters["distinct"] * options.scale))
    pairs = max(1, round(parameters["pairs"] * options.scale))
    for kind in parameters["kinds"]:
        if kind not in KINDS:
            raise ArgumentError(f"no kind of id {kind!r}; there are: {', '.join(KINDS)}")

        def workload(threads: int, kind: Kind = kind) -> TableWorkload:
            return TableWorkload(kind, distinct, pairs, threads)

        yield Case(kind, "random pairs", workload, 2.0 * pairs)


def _random_edges(distinct: int, pairs: int) -> Edges:
    random = np.random.default_rng(1)
    src, dst = (random.integers(0, distinct, pairs, np.int32) for _ in range(2))
    return Edges(src, dst, distinct)


def random_ids(kind: Kind, count: int) -> pa.Array:
    """Random 64-bit integers, or strings of 20 letters and digits."""
    import pyarrow as pa

    random = np.random.default_rng(2)
    if kind == "int64":
        return pa.array(random.integers(-(2**63), 2**63 - 1, count))
    alphabet = np.frombuffer(b"0123456789abcdefghijklmnopqrstuv", np.uint8)
    data = alphabet[random.integers(0, len(alphabet), count * TEXT_SIZE, np.uint8)]
    offsets = np.arange(count + 1, dtype=np.int32) * TEXT_SIZE
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), count, buffers)


@dataclass(frozen=True, slots=True)
class TableImplementation:
    """A function from a table of pairs to its components."""

    name: str
    solver: Solver
    threads: int | None
    package: str | None = None
    """The package of a peer."""
    device: Device = "cpu"
    scope: Scope = "end_to_end"
    clock: ClockMode = "wall"
    input: str = "table"
    own_process: bool = False

    @property
    def peer(self) -> bool:
        """Whether it is not skerry."""
        return self.package is not None

    @property
    def team(self) -> int | None:
        """Threads; None for libraries that choose themselves."""
        return self.threads

    def refusal(self, entries: float) -> str | None:
        """The package that is missing, or None."""
        del entries
        packages = () if self.package is None else (self.package, "scipy")
        missing = [name for name in packages if find_spec(name) is None]
        return f"{missing[0]} is not installed (pip install {missing[0]})" if missing else None

    def prepare(self, graph: TableWorkload) -> Callable[[], Answer]:
        """The call on the table."""
        table, threads = graph.table, self.threads or graph.threads
        return lambda: self.solver(table, threads)


def implementations(device: Device, options: ImplementationOptions) -> Iterator[Implementation]:
    """skerry, and the peers of the option ``peers``."""
    if device == "cpu":
        yield TableImplementation("auto", _skerry, options.threads)
        for name in options.parameters.get("peers", tuple(PEERS)):
            if name not in PEERS:
                raise ArgumentError(f"no peer {name!r} for tables; there are: {', '.join(PEERS)}")
            yield TableImplementation(f"{name}+scipy", PEERS[name], None, name)


def _skerry(pairs: pa.Table, threads: int) -> Answer:
    result = skerry.connected_components(pairs, source="a", target="b", threads=threads)
    assert result.table().num_columns == 2
    return result


def _components(src: npt.NDArray[Any], dst: npt.NDArray[Any], n: int) -> tuple[int, Any]:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    matrix = coo_array((np.ones(len(src), np.int8), (src, dst)), shape=(n, n))
    count, labels = connected_components(matrix, directed=False)
    return int(count), labels


def _pandas(pairs: pa.Table, threads: int) -> Answer:
    del threads  # pandas uses one
    import pandas as pd

    frame = pairs.to_pandas()
    codes, ids = pd.factorize(pd.concat([frame["a"], frame["b"]], ignore_index=True))
    m = len(frame)
    count, labels = _components(codes[:m], codes[m:], len(ids))
    assert len(pd.DataFrame({"id": ids, "component": labels}))
    return PeerAnswer(count=count)


def _polars(pairs: pa.Table, threads: int) -> Answer:
    del threads  # polars uses all cores
    import polars as pl

    frame: Any = pl.from_arrow(pairs)
    ids = pl.concat([frame["a"], frame["b"]]).unique().alias("id")
    numbers = pl.DataFrame({"id": ids}).with_row_index("number")
    src, dst = (
        frame.select(column)
        .join(numbers, left_on=column, right_on="id", how="left", maintain_order="left")["number"]
        .to_numpy()
        for column in ("a", "b")
    )
    count, labels = _components(src, dst, len(numbers))
    assert len(numbers.with_columns(component=pl.Series(labels)))
    return PeerAnswer(count=count)


PEERS: dict[str, Solver] = {"pandas": _pandas, "polars": _polars}
