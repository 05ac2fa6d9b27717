# The native module: see kernels/cpu/bind*.cpp. Internal: arguments are checked by the callers.
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Counts: TypeAlias = tuple[int, int, int, int, int]
Told: TypeAlias = tuple[Counts | None, list[tuple[str, float]]] | None

INIT: dict[str, int]
JUMP: dict[str, int]
FINISH: dict[str, int]

def avoid_openmp() -> None: ...
def uses_openmp() -> bool: ...

# passes.h
def init_own(parent: Array, threads: int) -> None: ...
def init_from_rows(
    offsets: Array, neighbours: Array, parent: Array, init: int, threads: int
) -> None: ...
def hook_rows(
    offsets: Array,
    neighbours: Array,
    parent: Array,
    jump: int,
    one_direction: bool,
    first: int,
    skip: bool,
    skipped: int,
    threads: int,
    counting: bool,
) -> Told: ...
def hook_nth(
    offsets: Array, neighbours: Array, parent: Array, nth: int, threads: int, counting: bool
) -> Told: ...
def hook_edges(
    src: Array, dst: Array, parent: Array, jump: int, threads: int, counting: bool
) -> Told: ...
def finish(parent: Array, kind: int, threads: int, counting: bool) -> Told: ...
def guess_largest(parent: Array) -> tuple[int, float]: ...
def make_canonical(labels: Array, threads: int) -> None: ...
def count_components(labels: Array, threads: int) -> int: ...
def make_dense(labels: Array, dense: Array, threads: int) -> int: ...
def group_members(dense: Array, next: Array, members: Array) -> None: ...

# registry.h, stream.h, features.h
def csr_kernels() -> list[str]: ...
def edge_kernels() -> list[str]: ...
def run_csr(
    name: str,
    offsets: Array,
    neighbours: Array,
    labels: Array,
    options: Sequence[tuple[str, float]],
    threads: int,
    counting: bool,
) -> Told: ...
def run_edges(
    name: str,
    src: Array,
    dst: Array,
    labels: Array,
    options: Sequence[tuple[str, float]],
    threads: int,
    counting: bool,
) -> Told: ...
def stream_edges(src: Array, dst: Array, parent: Array, threads: int, counting: bool) -> Told: ...
def csr_features(offsets: Array, neighbours: Array, expansion: bool) -> tuple[float, int, int]: ...

# forest.h
def find_roots(ids: Array, parent: Array, roots: Array, threads: int) -> None: ...
def mark_joined(parent: Array, flags: Array, threads: int) -> None: ...
def count_flags(flags: Array, threads: int) -> int: ...
def keep_flagged(parent: Array, flags: Array, kept: Array, labels: Array, threads: int) -> None: ...

# inputs.h, check.h
def bounds(values: Array, threads: int) -> tuple[int, int]: ...
def first_falling_offset(offsets: Array, threads: int) -> int | None: ...
def certify_edges(
    src: Array, dst: Array, labels: Array
) -> tuple[int | None, npt.NDArray[np.uint64]]: ...
def certify_rows(
    offsets: Array, neighbours: Array, labels: Array
) -> tuple[int | None, npt.NDArray[np.uint64]]: ...

class Forest:
    """The checker's own union-find: `take` edges, and it counts those that joined two trees."""

    def __init__(self, vertices: int) -> None: ...
    def take(self, src: Array, dst: Array, labels: Array) -> tuple[int | None, int]: ...

# generate.h
# generate.h, geometric.h
def family_size(name: str, parameters: Sequence[int]) -> tuple[int, int]: ...
def fill_family(
    name: str, parameters: Sequence[int], first: int, src: Array, dst: Array, threads: int
) -> None: ...
def fill_planted(
    starts: Array, chords: int, seed: int, first: int, src: Array, dst: Array, threads: int
) -> None: ...
def count_streets(
    width: int, bends: int, keep: int, seed: int, kept_before: Array, threads: int
) -> tuple[int, int]: ...
def fill_road(
    width: int,
    bends: int,
    keep: int,
    seed: int,
    kept_before: Array,
    first: int,
    last: int,
    src: Array,
    dst: Array,
    threads: int,
) -> None: ...
def geometric_cells(points: int, radius: int) -> int: ...
def draw_geometric(
    radius: int, seed: int, places: Array, starts: Array, edges_before: Array, threads: int
) -> int: ...
def fill_geometric(
    radius: int,
    seed: int,
    places: Array,
    starts: Array,
    edges_before: Array,
    first: int,
    last: int,
    src: Array,
    dst: Array,
    threads: int,
) -> None: ...
def shuffle_ids(ids: Array, vertices: int, seed: int, threads: int) -> None: ...
def fill_draws(values: Array, seed: int, stream: int, threads: int) -> None: ...

# build.h, read_rows.h
def symmetric_rows_of_edges(
    src: Array,
    dst: Array,
    vertices: int,
    offsets: Array,
    neighbours: Array,
    threads: int,
    stage: int = ...,
) -> tuple[int, int | None]: ...
def symmetric_rows_of_rows(
    offsets: Array, neighbours: Array, new_offsets: Array, new_neighbours: Array, threads: int
) -> tuple[int, int | None]: ...
def transposed_rows(
    offsets: Array, neighbours: Array, new_offsets: Array, new_neighbours: Array, threads: int
) -> tuple[int, int | None]: ...
def sort_rows(offsets: Array, neighbours: Array, threads: int) -> None: ...
def rows_ascend(offsets: Array, neighbours: Array, threads: int) -> bool: ...
def count_upper(offsets: Array, neighbours: Array, threads: int) -> int: ...
def fill_upper(offsets: Array, neighbours: Array, src: Array, dst: Array, threads: int) -> None: ...
def fill_sources(offsets: Array, neighbours: Array, src: Array, threads: int) -> None: ...
def first_one_way(offsets: Array, neighbours: Array, threads: int) -> int | None: ...

# bind_launch.cpp
class Launcher:
    def __init__(self, entries: list[int]) -> None: ...
    def launch(self, stream: int, words: list[int]) -> int: ...

# ids/
class KeyTable:
    def __init__(self, seed: int = ..., hash_bits: int = ..., limit: int = ...) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def number(self, values: Array, numbers: Array, threads: int) -> int: ...
    def keys_by_number(self, keys: Array, threads: int) -> None: ...
    def any_high(self, threads: int) -> bool: ...

def sort_keys(keys: Array, flip: int, sorted: Array, order: Array, threads: int) -> None: ...

# text/*.h
TEXT_FAULTS: dict[str, int]
TEXT_PADDING: int
TextReport: TypeAlias = tuple[int, int, int, bool, bool, tuple[int, int, int, int] | None]

def edges_of_text(
    buffer: Array,
    size: int,
    src: Array,
    dst: Array,
    weights: Array | None,
    comments: str,
    delimiter: str,
    letters: bool,
    columns: tuple[int, int, int],
    bounds: tuple[int, int] | None,
    strict: bool = False,
) -> TextReport: ...
def rows_of_text(
    buffer: Array,
    size: int,
    src: Array,
    dst: Array,
    weights: Array | None,
    comment: str,
    skip: int,
    weighted: bool,
    bounds: tuple[int, int] | None,
) -> TextReport: ...
def numbers_of_text(buffer: Array, size: int, numbers: Array) -> TextReport: ...

class TextTable:
    def __init__(self, seed: int = ..., hash_bits: int = ..., limit: int = ...) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def number(
        self, data: Array, offsets: Array | None, width: int, numbers: Array, threads: int
    ) -> int: ...
    def find_order(self, consume: bool, order: Array, threads: int) -> int: ...
    def fill(self, order: Array, offsets: Array, data: Array, threads: int) -> None: ...
