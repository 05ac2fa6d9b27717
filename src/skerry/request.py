"""What a caller asks for, as two records that are validated once and passed whole.

`InputOptions` says how to read the graph, `SolveOptions` how to solve it. Each kind of input lists
the input options that it accepts, each engine the solve options that it honors. What is neither
accepted nor honored is refused, never dropped: ``stated`` names the options that differ from their
defaults.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress
from operator import index, is_not
from typing import Any, Literal, NamedTuple

import numpy as np

from skerry.algorithms.algorithm import Algorithm
from skerry.cuda.devices import device_number
from skerry.errors import ArgumentError
from skerry.graph.edges import label_dtype
from skerry.graph.threshold import Keep, Threshold
from skerry.graph.vertex_ids import MAX_VERTICES
from skerry.result.components import LabelKind
from skerry.result.previous import Previous, read_previous
from skerry.threads import check_threads

IdChoice = Literal["auto", "vertices", "external"]

Progress = Callable[[int, int], None]
"""Called after every batch with the number of edges and of bytes of the source read so far."""

DEFAULT_AUTO: IdChoice = "auto"
DEFAULT_LABELS: LabelKind = "min"
DEFAULT_ON_NULL = "error"
INTEGER = (int, np.integer)
NUMBER = (int, float, np.number)
BOOLEAN = (bool, np.bool_)
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


class _InputFields(NamedTuple):
    source: Any = None
    target: Any = None
    vertices: Any = None
    weight: Any = None
    threshold: float | None = None
    keep: Keep | None = None
    num_vertices: int | None = None
    ids: IdChoice = "auto"
    symmetric: bool | None = None
    format: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    ids_as_text: bool = False
    on_null: Literal["error", "drop"] = "error"
    groups: Any = None


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
        the process was killed, the same call goes on from there, and gives the same labels; a call
        where what was read before has changed, or with an option that joins other edges, is
        refused. When the call is done, the checkpoint is removed. Written so rarely that it takes
        2% of the time at most.
    spill
        Where vertices or integer ids may not fit below ``limit``: a folder for temporary files,
        which have no name and are gone with the result, however the process ends. ``labels`` and
        ``ids`` of the result are then arrays on disk. See docs/out-of-core.md for what it takes of
        memory, disk and time.

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
    algorithm: str | Algorithm = "auto"
    device: str = "auto"
    threads: int | None = None
    labels: LabelKind = "min"
    dtype: np.dtype[Any] | None = None
    statistics: bool = False
    limit: int | None = None
    progress: Progress | None = None
    forest: bool = False
    previous: Previous | None = None
    checkpoint: Checkpoint | None = None
    spill: Spill | None = None


class SolveOptions(_SolveFields):
    """How to solve a graph; see `skerry.connected_components` for what each option means."""

    @cached_property
    def stated(self) -> frozenset[str]:
        """Names of the options that differ from their defaults."""
        return _stated(self, _SOLVE_DEFAULTS)

    @property
    def on_gpu(self) -> bool:
        """Whether a GPU was asked for."""
        return self.device not in ("auto", "cpu")


_INPUT_DEFAULTS = InputOptions()
_SOLVE_DEFAULTS = SolveOptions()


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


def input_options(
    source: Any = None,
    target: Any = None,
    vertices: Any = None,
    weight: Any = None,
    threshold: Any = None,
    keep: Any = None,
    num_vertices: Any = None,
    ids: Any = DEFAULT_AUTO,
    symmetric: Any = None,
    format: Any = None,
    delimiter: Any = None,
    header: Any = None,
    ids_as_text: Any = False,
    on_null: Any = DEFAULT_ON_NULL,
    groups: Any = None,
    *,
    keeps_weights: bool = False,
) -> InputOptions:
    """Validates input options.

    Parameters
    ----------
    source, target, vertices, weight, threshold, keep, num_vertices, ids, symmetric, format
        As the caller gave them.
    delimiter, header, ids_as_text, on_null, groups
        As the caller gave them.
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
    if (  # as in most calls
        source is None
        and target is None
        and vertices is None
        and weight is None
        and threshold is None
        and keep is None
        and num_vertices is None
        and ids is DEFAULT_AUTO
        and symmetric is None
        and format is None
        and delimiter is None
        and header is None
        and ids_as_text is False
        and on_null is DEFAULT_ON_NULL
        and groups is None
    ):
        return _INPUT_DEFAULTS
    options = InputOptions(
        *(source, target, vertices, weight, threshold, keep, num_vertices, ids, symmetric),
        *(format, delimiter, header, ids_as_text, on_null, groups),
    )
    if not _is_one_of(options.ids, "auto", "vertices", "external"):
        raise ArgumentError(f'ids must be "auto", "vertices" or "external", got {options.ids!r}')
    if not _is_one_of(options.on_null, "error", "drop"):
        raise ArgumentError(f'on_null must be "error" or "drop", got {options.on_null!r}')
    if options.symmetric is not None:
        _check_bool("symmetric", options.symmetric, ", False or None")
    if options.header is not None:
        _check_bool("header", options.header, ", False or None")
    if options.ids_as_text is not False:
        _check_bool("ids_as_text", options.ids_as_text)
    if options.format is not None:
        _check_text("format", options.format)
    if options.delimiter is not None:
        _check_text("delimiter", options.delimiter)
    if options.num_vertices is not None:
        _check_integer("num_vertices", options.num_vertices)
        if not 0 <= index(options.num_vertices) <= MAX_VERTICES:
            raise ArgumentError(f"num_vertices must be in 0..2**59, got {options.num_vertices}")
    if options.threshold is None:
        if options.weight is not None and not keeps_weights:
            raise ArgumentError(
                "weight= is given without threshold=, the bound for the weights of edges to use, "
                "and without forest=True, which keeps the weights of the forest's edges"
            )
        if options.keep is not None:
            raise ArgumentError(
                "keep= is given without threshold=, the bound that it keeps edges above or below"
            )
    else:
        check_number("threshold", options.threshold)
        if options.keep is not None and not _is_one_of(options.keep, "above", "below"):
            raise ArgumentError(f'keep must be "above" or "below", got {options.keep!r}')
    if options.groups is not None:
        options = _with_groups(options)
    if isinstance(options.source, list) or isinstance(options.target, list):
        options = options._replace(
            source=_as_columns(options.source), target=_as_columns(options.target)
        )
    return options


def _with_groups(options: InputOptions) -> InputOptions:
    """Options with the columns of keys as a tuple where they are several; groups have no edges."""
    for name in ("target", "weight", "threshold", "keep"):
        if getattr(options, name) is not None:
            raise ArgumentError(
                f"{name}= is given with groups=: all ids with one key are joined, whatever else is "
                "in their rows"
            )
    groups = _as_columns(options.groups)
    if groups is False or not isinstance(groups, str | int | tuple):
        raise ArgumentError(
            f"groups must be a column of keys, several as a tuple, or True, got {groups!r}"
        )
    return options._replace(groups=groups)


def solve_options(
    algorithm: Any,
    device: Any,
    threads: Any,
    labels: Any,
    dtype: Any,
    statistics: Any,
    stream: Any = None,
    forest: Any = False,
    previous: Any = None,
) -> SolveOptions:
    """Validates solve options.

    Raises
    ------
    InputError
        If an option is not of its type or out of its range.
    """
    if (  # as in most calls
        algorithm is DEFAULT_AUTO
        and device is DEFAULT_AUTO
        and labels is DEFAULT_LABELS
        and dtype is None
        and statistics is False
        and stream is None
        and forest is False
        and previous is None
    ):
        return _with_threads(check_threads(threads))
    if labels is not DEFAULT_LABELS and not _is_one_of(labels, "min", "dense"):
        raise ArgumentError(f'labels must be "min" or "dense", got {labels!r}')
    if type(algorithm) is not str and not isinstance(algorithm, str | Algorithm):
        raise ArgumentError(
            f"algorithm must be a name or an entry of the catalog, got {algorithm!r}"
        )
    if type(device) is not str:
        raise ArgumentError(f'device must be "auto", "cpu", "cuda" or "cuda:1", got {device!r}')
    if device not in ("auto", "cpu"):
        device_number(device)
    threads = check_threads(threads)
    if statistics is not False:
        _check_bool("statistics", statistics)
        statistics = bool(statistics)
    if forest is not False:
        _check_bool("forest", forest)
        forest = bool(forest)
    kind = None if dtype is None else label_dtype(dtype)
    earlier = None if previous is None else read_previous(previous)
    options = SolveOptions(
        *(algorithm, device, threads, labels, kind, statistics),
        forest=forest,
        previous=earlier,
    )
    return options if stream is None else _with_stream(options, stream)


def _with_stream(options: SolveOptions, stream: Any) -> SolveOptions:
    if not isinstance(stream, StreamOptions):
        raise ArgumentError(f"stream must be a StreamOptions, got {stream!r}")
    limit, progress = byte_count("limit", stream.limit), stream.progress
    if progress is not None and not callable(progress):
        raise ArgumentError(f"progress must be a function of (edges, bytes), got {progress!r}")
    return options._replace(
        limit=limit,
        progress=progress,
        checkpoint=None if stream.checkpoint is None else _checkpoint(stream.checkpoint),
        spill=None if stream.spill is None else _spill(stream.spill, limit),
    )


@cache
def _with_threads(threads: int | None) -> SolveOptions:
    """Options of which only the number of threads may be stated."""
    return SolveOptions(threads=threads)


def _spill(folder: Any, limit: Any) -> Spill:
    if limit is None:
        raise ArgumentError(
            "spill= is given without limit=, the bytes of memory above which to go to disk"
        )
    if isinstance(folder, Spill):
        return folder
    path = folder if isinstance(folder, str) else getattr(folder, "__fspath__", lambda: None)()
    if not isinstance(path, str) or not path:
        raise ArgumentError(f"spill must be the path of a folder, got {folder!r}")
    return Spill(path)


def _checkpoint(folder: Any) -> Checkpoint:
    if isinstance(folder, Checkpoint) and folder.folder:
        return folder
    folder = getattr(folder, "folder", folder)
    path = folder if isinstance(folder, str) else getattr(folder, "__fspath__", lambda: None)()
    if not isinstance(path, str) or not path:
        raise ArgumentError(f"checkpoint must be the path of a folder, got {folder!r}")
    return Checkpoint(path)


def _is_one_of(value: Any, *choices: str) -> bool:
    return isinstance(value, str) and value in choices


def _check_bool(name: str, value: Any, others: str = " or False") -> None:
    if not isinstance(value, BOOLEAN):
        raise ArgumentError(f"{name} must be True{others}, got {value!r}")


def _check_text(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise ArgumentError(f"{name} must be text, got {value!r}")


def _check_integer(name: str, value: Any) -> None:
    try:
        if isinstance(value, bool):
            raise TypeError
        index(value)
    except TypeError:
        raise ArgumentError(f"{name} must be an integer, got {value!r}") from None


def byte_count(name: str, value: Any) -> int | None:
    """A number of bytes, written as in the shell: 4G, 500M, 1.5GiB, 1000000; None: not stated.

    Raises
    ------
    ArgumentError
        If it is neither, or below 1.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        _check_integer(name, value)
        if index(value) >= 1:
            return index(value)
    else:
        match = re.fullmatch(r"(\d+(?:\.\d*)?)\s*([KMGT]?)(?:i?B)?", value.strip(), re.IGNORECASE)
        size = float(match[1]) * UNITS[match[2].upper()] if match else 0.0
        if 1 <= size < 2**63:
            return int(size)
    raise ArgumentError(
        f"{name} must be a number of bytes, 1 or more, or a size such as 4G or 500M, got {value!r}"
    )


def check_number(name: str, value: Any) -> None:
    """Raises if a value is not a number, or NaN."""
    if isinstance(value, bool) or not isinstance(value, NUMBER) or value != value:
        raise ArgumentError(f"{name} must be a number, got {value!r}")


def _as_columns(columns: Any) -> Any:
    return tuple(columns) if isinstance(columns, list) else columns
