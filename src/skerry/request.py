"""What a caller asks for, as two records that are validated once and passed whole.

`InputOptions` says how to read the graph, `SolveOptions` how to solve it. Their fields are the
table of options: name, type and default, and in an `Option` the check and the kinds of input. Each
engine lists the solve options that it honors. What is neither accepted nor honored is refused,
never dropped: ``stated`` names the options that differ from their defaults.

`skerry.connected_components` spells its options out, `skerry.io.read_edges` those of text. Other
functions take keywords of `skerry.keywords`. A test compares all of them with the table, and the
options of the shell.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress
from operator import is_not
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_type_hints

import numpy as np

from skerry.algorithms.algorithm import Algorithm
from skerry.cuda.devices import device_number, part_devices
from skerry.errors import ArgumentError
from skerry.graph.edges import label_dtype
from skerry.graph.threshold import Keep, Threshold
from skerry.option_checks import (
    boolean,
    boolean_or_none,
    byte_count,
    columns,
    folder,
    group_columns,
    number,
    one_of,
    text,
    unchecked,
    vertex_count,
)
from skerry.result.components import LabelKind
from skerry.result.earlier import read_previous
from skerry.result.previous import Previous
from skerry.threads import check_threads

IdChoice = Literal["auto", "vertices", "external"]
NullChoice = Literal["error", "drop"]

Progress = Callable[[int, int], None]
"""Called after every batch with the number of edges and of bytes of the source read so far."""


class Option(NamedTuple):
    """What the table says of an option, beside its name, its type and its default."""

    check: Callable[[str, Any], Any]
    """Takes the name and a value, and returns the value, or raises."""
    kinds: frozenset[str] = frozenset()
    """The kinds of input that an input option is for; others refuse it."""


def _checkpoint(name: str, value: Any) -> Checkpoint:
    if isinstance(value, Checkpoint) and value.folder:
        return value
    return Checkpoint(folder(name, getattr(value, "folder", value)))


def _spill(name: str, value: Any) -> Spill:
    return value if isinstance(value, Spill) else Spill(folder(name, value))


def _progress(name: str, value: Any) -> Any:
    if not callable(value):
        raise ArgumentError(f"{name} must be a function of (edges, bytes), got {value!r}")
    return value


def _algorithm(name: str, value: Any) -> Any:
    if not isinstance(value, str | Algorithm):
        raise ArgumentError(f"{name} must be a name or an entry of the catalog, got {value!r}")
    return value


def _device(name: str, value: Any) -> str:
    if type(value) is not str:
        raise ArgumentError(f'{name} must be "auto", "cpu", "cuda" or "cuda:1", got {value!r}')
    if value not in ("auto", "cpu") and not part_devices(value):
        if "," in value or "+" in value:
            raise ArgumentError(
                f"{name} {value!r} does not name parts of a graph, which are written as in "
                '"cuda:0,1", "cpu:0,1" or "cpu+cuda"'
            )
        device_number(value)
    return value


def _threads(_: str, value: Any) -> int | None:
    return check_threads(value)


def _dtype(_: str, value: Any) -> np.dtype[Any]:
    return label_dtype(value)


def _previous(_: str, value: Any) -> Previous:
    return read_previous(value)


COLUMNS = frozenset({"tables", "batches", "files"})
EDGE_SOURCE = "an EdgeSource, whose file options belong to read_edges"
WEIGHTS = COLUMNS | {"arrays", "skerry.Edges", "networkx graphs", "igraph graphs"}
THRESHOLDS = WEIGHTS | {"sparse matrices", EDGE_SOURCE}
ROWS = frozenset({"skerry.Csr", "sparse matrices", "sparse matrices on a GPU"})
TEXT = frozenset({"files"})
EVERY = THRESHOLDS | ROWS | {"mappings of neighbors", "edge lists on a GPU", "skerry.Grid"}


class _InputFields(NamedTuple):
    source: Annotated[Any, Option(columns, COLUMNS)] = None
    target: Annotated[Any, Option(columns, COLUMNS)] = None
    vertices: Annotated[Any, Option(unchecked, COLUMNS | {"arrays", EDGE_SOURCE})] = None
    weight: Annotated[Any, Option(unchecked, WEIGHTS)] = None
    threshold: Annotated[float | None, Option(number, THRESHOLDS)] = None
    keep: Annotated[Keep | None, Option(one_of("above", "below"), THRESHOLDS)] = None
    num_vertices: Annotated[int | None, Option(vertex_count, EVERY)] = None
    ids: Annotated[IdChoice, Option(one_of("auto", "vertices", "external"), EVERY)] = "auto"
    symmetric: Annotated[bool | None, Option(boolean_or_none, ROWS)] = None
    on_null: Annotated[NullChoice, Option(one_of("error", "drop"), COLUMNS)] = "error"
    groups: Annotated[Any, Option(group_columns, COLUMNS | {"arrays"})] = None
    format: Annotated[str | None, Option(text, TEXT)] = None
    delimiter: Annotated[str | None, Option(text, TEXT)] = None
    header: Annotated[bool | None, Option(boolean_or_none, TEXT)] = None
    ids_as_text: Annotated[bool, Option(boolean, TEXT)] = False


class InputOptions(_InputFields):
    """How to read a graph; see `skerry.connected_components` for what each option means."""

    @cached_property
    def stated(self) -> frozenset[str]:
        """Names of the options that differ from their defaults."""
        return _stated(self, _INPUT_DEFAULTS)

    @property
    def selection(self) -> Threshold | None:
        """Which edges to use by their weights; None: all."""
        if self.threshold is None:
            return None
        return Threshold(self.threshold, self.keep or "above")


class Checkpoint(NamedTuple):
    """Where a run keeps what it has joined so far."""

    folder: str
    keep: bool = False
    """Whether the caller removes the checkpoint, once it has done what the answer is for."""


class Spill(NamedTuple):
    """Where a run keeps what does not fit below its limit of memory."""

    folder: str
    report: Callable[[str, int, int], None] | None = None
    """Called with the name of a pass, how much of it is done, and how much it has in all."""


@dataclass(frozen=True)
class StreamOptions:
    """How to run on edges that are read in batches: of tables, files and iterables.

    Immutable, so threads may share it.

    Parameters
    ----------
    limit
        Bytes of memory that this process may have, or a size such as ``"4G"``; `MemoryError` before
        it would have more. It counts all that the process holds, Python and earlier results
        included, unpacked data, long lines and the sorting of ids at the end.
    progress
        Called as ``progress(edges, bytes)`` after each batch.
    checkpoint
        For long runs on files: a folder in which this run keeps what it has joined so far. After
        the process was killed, the same call continues from there, and gives the same labels. A
        call where what was read before has changed, or with an option that joins other edges, is
        refused. When the call is done, the checkpoint is removed. Written so rarely that it takes
        2% of the time at most.
    spill
        Where vertices or ids may not fit below ``limit``: a folder for temporary files, which have
        no name and are gone with the result, however the process ends. ``labels`` and ``ids`` of
        the result are then arrays on disk. With ``checkpoint``, what was read is kept there, and a
        run that was killed goes on. See docs/out-of-core.md for memory, disk and time.

    Examples
    --------
    >>> import skerry
    >>> batches = [([0, 2], [1, 3]), ([3], [0])]
    >>> options = skerry.StreamOptions(limit="4G", progress=lambda edges, _: print(edges))
    >>> skerry.connected_components(batches, stream=options).count
    2
    3
    1
    """

    limit: int | str | None = None
    progress: Progress | None = None
    checkpoint: str | os.PathLike[str] | Checkpoint | None = None
    spill: str | os.PathLike[str] | Spill | None = None


class _SolveFields(NamedTuple):
    algorithm: Annotated[str | Algorithm, Option(_algorithm)] = "auto"
    device: Annotated[str, Option(_device)] = "auto"
    threads: Annotated[int | None, Option(_threads)] = None
    labels: Annotated[LabelKind, Option(one_of("min", "dense"))] = "min"
    dtype: Annotated[Any, Option(_dtype)] = None
    statistics: Annotated[bool, Option(boolean)] = False
    forest: Annotated[bool, Option(boolean)] = False
    previous: Annotated[Previous | None, Option(_previous)] = None
    limit: Annotated[int | None, Option(byte_count)] = None
    progress: Annotated[Progress | None, Option(_progress)] = None
    checkpoint: Annotated[Checkpoint | None, Option(_checkpoint)] = None
    spill: Annotated[Spill | None, Option(_spill)] = None


class SolveOptions(_SolveFields):
    """How to solve a graph; see `skerry.connected_components` for what each option means."""

    @cached_property
    def stated(self) -> frozenset[str]:
        """Names of the options that differ from their defaults.

        With ``"parts"`` where ``device`` names several: only some engines support that.
        """
        stated = _stated(self, _SOLVE_DEFAULTS)
        return stated | {"parts"} if self.in_parts else stated

    @property
    def in_parts(self) -> bool:
        """Whether ``device`` names parts of the graph."""
        return self.device not in ("auto", "cpu") and bool(part_devices(self.device))

    @property
    def on_gpu(self) -> bool:
        """Whether a GPU was asked for."""
        return self.device not in ("auto", "cpu")


def _table(fields: type) -> dict[str, Option]:
    hints = get_type_hints(fields, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items()}


INPUT_TABLE = _table(_InputFields)
SOLVE_TABLE = _table(_SolveFields)
_INPUT_DEFAULTS = InputOptions()
_SOLVE_DEFAULTS = SolveOptions()
_THREADS = SolveOptions._fields.index("threads")


@cache
def accepted_by(kind: str) -> frozenset[str]:
    """Names of the input options that mean something for a kind of input."""
    return frozenset(name for name, option in INPUT_TABLE.items() if kind in option.kinds)


def _stated(options: Any, defaults: Any) -> frozenset[str]:
    # By identity, since options may be arrays. Only what has a default of its own type is compared.
    names = []
    for name in compress(options._fields, map(is_not, options, defaults)):
        default = getattr(defaults, name)
        if default is not None:
            value = getattr(options, name)
            if type(value) is type(default) and value == default:
                continue
        names.append(name)
    return frozenset(names)


Options = TypeVar("Options", InputOptions, SolveOptions)


def _checked(options: Options, names: tuple[str, ...], table: dict[str, Option]) -> Options:
    changed = {}
    for name in names:
        value = getattr(options, name)
        checked = table[name].check(name, value)
        if checked is not value:
            changed[name] = checked
    return options._replace(**changed) if changed else options


def input_options(options: tuple[Any, ...], *, keeps_weights: bool = False) -> InputOptions:
    """Validates input options.

    Parameters
    ----------
    options
        As the caller passed them, in the order of the table; the last ones may be left out.
    keeps_weights
        Whether weights are of use without a threshold.

    Returns
    -------
    InputOptions
        The same, with lists of columns as tuples.

    Raises
    ------
    InputError
        If an option is not of its type, or contradicts another.
    """
    if not any(map(is_not, options, _INPUT_DEFAULTS)):  # as in most calls: a record is made once
        return _INPUT_DEFAULTS
    names = tuple(compress(INPUT_TABLE, map(is_not, options, _INPUT_DEFAULTS)))
    record = InputOptions(*options)
    checked = _checked(record, names, INPUT_TABLE)
    if record.groups is not None:
        for name in ("target", "weight", "threshold", "keep"):
            if name in names:
                raise ArgumentError(
                    f"{name}= is given with groups=: all ids with one key are joined, whatever "
                    "else is in their rows"
                )
    if record.threshold is None:
        if record.weight is not None and not keeps_weights:
            raise ArgumentError(
                "weight= is given without threshold=, the bound for the weights of edges to use, "
                "and without forest=True, which keeps the weights of the forest's edges"
            )
        if record.keep is not None:
            raise ArgumentError(
                "keep= is given without threshold=, the bound that it keeps edges above or below"
            )
    return checked


def solve_options(options: tuple[Any, ...], stream: Any = None) -> SolveOptions:
    """Validates solve options, as `input_options`, and adds those of a `StreamOptions`.

    Raises
    ------
    InputError
        If an option is not of its type or out of its range.
    """
    if stream is not None:
        if not isinstance(stream, StreamOptions):
            raise ArgumentError(f"stream must be a StreamOptions, got {stream!r}")
        options = SolveOptions(*options)._replace(**vars(stream))
    names = tuple(compress(SOLVE_TABLE, map(is_not, options, _SOLVE_DEFAULTS)))
    if not names:
        return _SOLVE_DEFAULTS
    if names == ("threads",):  # as in many small calls: a record for each number
        return _with_threads(check_threads(options[_THREADS]))
    record = SolveOptions(*options)
    if record.spill is not None and record.limit is None:
        raise ArgumentError(
            "spill= is given without limit=, the bytes of memory above which to go to disk"
        )
    return _checked(record, names, SOLVE_TABLE)


@cache
def _with_threads(threads: int | None) -> SolveOptions:
    return _SOLVE_DEFAULTS._replace(threads=threads)
