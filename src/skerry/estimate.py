"""How much memory a call will take, known before it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from skerry.algorithms.algorithm import Algorithm
from skerry.algorithms.catalog import algorithm as named
from skerry.algorithms.passes import Finish, Hook, HookNth, Init, Stream
from skerry.algorithms.planner import choose_for_gpu
from skerry.errors import InputError, UnsupportedError
from skerry.graph.edges import vertex_dtype
from skerry.inputs.ids import MAX_VERTICES

__all__ = ["Estimate", "estimate"]

CPU_TABLES = 1 << 20  # bytes of the bitmap that `stream` keeps beside the labels


@dataclass(frozen=True, slots=True)
class Estimate:
    """Bytes that a call takes."""

    algorithm: str
    device: str
    graph: int
    """The graph itself, in the form and width given."""
    run: int
    """What the run allocates beside it: labels, and whatever the algorithm needs."""
    conversion: int
    """What bringing the graph into the form that the algorithm reads takes, at its peak."""

    @property
    def total(self) -> int:
        """All of it."""
        return self.graph + self.run + self.conversion


def estimate(
    num_vertices: int,
    num_edges: int,
    *,
    form: Literal["edges", "csr"] = "edges",
    algorithm: str | Algorithm = "auto",
    device: str = "cpu",
    id_bits: int | None = None,
    dtype: npt.DTypeLike | None = None,
) -> Estimate:
    """How many bytes `connected_components` takes for a graph of that size.

    Parameters
    ----------
    num_vertices, num_edges
        The size of the graph; of a CSR, ``num_edges`` are its stored entries, and it is taken to
        be symmetric.
    form
        ``"edges"`` or ``"csr"``: how the graph is given.
    algorithm, dtype
        As in `connected_components`.
    device
        ``"cpu"`` or ``"cuda"``. On a GPU all rows of the catalog are known, since the same code
        counts that allocates; no GPU is needed to ask. On a CPU those made of passes are.
    id_bits
        Width of the ids, 32 or 64; by default what the number of vertices needs.

    Examples
    --------
    >>> import skerry
    >>> skerry.estimate(1_000_000, 8_000_000, form="csr", algorithm="ecl", device="cuda").run
    8000000
    """
    for name, count in (("num_vertices", num_vertices), ("num_edges", num_edges)):
        if count < 0:
            raise InputError(f"{name} must not be negative, got {count}")
        if count > MAX_VERTICES:
            raise InputError(f"{name} must be in 0..2**59, got {count}")
    if form not in ("edges", "csr"):
        raise InputError(f'form must be "edges" or "csr", got {form!r}')
    labels = vertex_dtype(num_vertices) if dtype is None else np.dtype(dtype)
    bits = id_bits or 8 * vertex_dtype(num_vertices).itemsize
    if bits not in (32, 64):
        raise InputError(f"id_bits must be 32 or 64, got {id_bits!r}")
    if device == "cpu":
        return _on_cpu(num_vertices, num_edges, form, algorithm, labels, bits)
    if device.partition(":")[0] == "cuda":
        return _on_gpu(num_vertices, num_edges, form, algorithm, labels, bits)
    raise InputError(f'device must be "cpu" or "cuda", got {device!r}')


def _on_gpu(
    n: int, m: int, form: str, algorithm: str | Algorithm, labels: np.dtype[np.generic], bits: int
) -> Estimate:
    from skerry.algorithms.gpu.dry_runtime import dry_csr, dry_edges
    from skerry.algorithms.gpu.memory_estimate import bytes_of_run
    from skerry.algorithms.gpu.prepare import bytes_of_prepare

    if algorithm == "auto":
        algorithm = choose_for_gpu("csr" if form == "csr" else "edges")
    row = named(algorithm) if isinstance(algorithm, str) else algorithm
    row.check_device("cuda")
    offsets = 32 if m < 2**31 else 64
    given = dry_csr(n, m, bits, offsets) if form == "csr" else dry_edges(n, m, bits)
    if form == "edges" and row.reads_rows("cuda"):
        ready = dry_csr(n, 2 * m, bits, 32 if 2 * m < 2**31 else 64)
        run = bytes_of_run(row, ready, labels)
    elif form == "csr" and row.form == "edges":
        run = bytes_of_run(row, dry_edges(n, m // 2, bits), labels)
    else:
        run = bytes_of_run(row, given, labels)
    graph = (n + 1) * offsets // 8 + m * bits // 8 if form == "csr" else 2 * m * bits // 8
    return Estimate(str(row), "cuda", graph, run, bytes_of_prepare(row, given))


def _on_cpu(
    n: int, m: int, form: str, algorithm: str | Algorithm, labels: np.dtype[np.generic], bits: int
) -> Estimate:
    if algorithm == "auto":
        algorithm = "stream" if form == "edges" else "ecl"  # ours for rows take what ecl takes
    row = named(algorithm) if isinstance(algorithm, str) else algorithm
    row.check_device("cpu")
    if not all(isinstance(step, Init | Hook | HookNth | Finish | Stream) for step in row.passes):
        raise UnsupportedError(
            f"what {row.name} takes on a CPU is not known; it is of rows made of passes, such as "
            "stream, ecl and afforest"
        )
    conversion = 0
    if form == "edges" and row.reads_rows("cpu"):
        conversion = 8 * (n + 1) + 2 * m * labels.itemsize
    elif form == "csr" and row.form == "edges":
        conversion = m * labels.itemsize
    graph = 8 * (n + 1) + m * bits // 8 if form == "csr" else 2 * m * bits // 8
    tables = CPU_TABLES if any(isinstance(step, Stream) for step in row.passes) else 0
    return Estimate(str(row), "cpu", graph, n * labels.itemsize + tables, conversion)
