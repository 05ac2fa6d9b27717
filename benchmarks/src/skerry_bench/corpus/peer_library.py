"""Other programs as shared libraries, called on the same arrays.

A library for a CPU has three functions::

    void* skerry_peer_prepare(int64_t n, int64_t entries, const int32_t* offsets,
                              const int32_t* neighbors);   /* not timed; the arrays stay */
    const int32_t* skerry_peer_solve(void* state);         /* timed; labels until the next call */
    void skerry_peer_free(void* state);

A library for a GPU has one, which queues its kernels in a stream and waits for nothing; all arrays
are on the device, and the last has room for n numbers. It returns 0, or the number of an error::

    int skerry_peer_queue(void* stream, int32_t n, int32_t entries, const int32_t* offsets,
                          const int32_t* neighbors, int32_t* labels, int32_t* scratch);

One that has a form of its own, or waits for the device, has three instead::

    void* skerry_peer_prepare(int64_t n, int64_t entries, const int32_t* offsets,
                              const int32_t* neighbors);               /* not timed */
    int skerry_peer_run(void* state, void* stream, int32_t* labels);   /* timed */
    void skerry_peer_free(void* state);
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from skerry import InputError

FOR_CPU = ("skerry_peer_solve",)
FOR_GPU = ("skerry_peer_queue", "skerry_peer_run")

DevicePeer = Callable[[int, int, int, int], Callable[[int, int, int], int]]
"""Takes the numbers of vertices and entries and the addresses of offsets and neighbors, and returns
a function of a stream and the addresses of labels and scratch memory, which returns 0 or an error.
"""


def libraries(folder: Path) -> dict[str, Path]:
    """The shared libraries of a folder, by their names without a suffix."""
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    return {path.stem: path.resolve() for path in sorted(folder.glob("*.so"))}


def _open(path: Path, symbols: tuple[str, ...]) -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise InputError(f"{path}: cannot be loaded: {error}") from None
    if not any(hasattr(library, symbol) for symbol in symbols):
        raise InputError(f"{path}: has no function {' or '.join(symbols)}")
    return library


def load_cpu(path: Path) -> ctypes.CDLL:
    """The library, its functions ready to be called."""
    library = _open(path, FOR_CPU)
    _declare_state(library)
    pointer = ctypes.c_void_p
    library.skerry_peer_solve.argtypes = [pointer]
    library.skerry_peer_solve.restype = pointer
    return library


def _declare_state(library: ctypes.CDLL) -> None:
    pointer, count = ctypes.c_void_p, ctypes.c_int64
    library.skerry_peer_prepare.argtypes = [count, count, pointer, pointer]
    library.skerry_peer_prepare.restype = pointer
    library.skerry_peer_free.argtypes = [pointer]
    library.skerry_peer_free.restype = None


def load_gpu(path: Path) -> DevicePeer:
    """The library as a function of a graph: it makes the peer's own form, where it has one."""
    library = _open(path, FOR_GPU)
    return _queued(library) if hasattr(library, FOR_GPU[0]) else _prepared(library)


def _queued(library: ctypes.CDLL) -> DevicePeer:
    queue = library.skerry_peer_queue
    pointer, count = ctypes.c_void_p, ctypes.c_int32
    queue.argtypes = [pointer, count, count, pointer, pointer, pointer, pointer]
    queue.restype = ctypes.c_int

    def bind(n: int, entries: int, *rows: int) -> Callable[[int, int, int], int]:
        return lambda stream, labels, scratch: queue(stream, n, entries, *rows, labels, scratch)

    return bind


def _prepared(library: ctypes.CDLL) -> DevicePeer:
    _declare_state(library)
    run = library.skerry_peer_run
    run.argtypes = [ctypes.c_void_p] * 3
    run.restype = ctypes.c_int

    def bind(n: int, entries: int, *rows: int) -> Callable[[int, int, int], int]:
        state = library.skerry_peer_prepare(n, entries, *rows)

        def call(stream: int, labels: int, scratch: int) -> int:
            del scratch
            status: int = run(state, stream, labels)
            return status

        weakref.finalize(call, library.skerry_peer_free, state)
        return call

    return bind


class PeerGraph:
    """A graph in the form of a library for a CPU."""

    def __init__(
        self,
        library: ctypes.CDLL,
        offsets: npt.NDArray[np.int32],
        neighbors: npt.NDArray[np.int32],
    ) -> None:
        self._library = library
        self._arrays = offsets, neighbors
        self.num_vertices = len(offsets) - 1
        addresses = (array.ctypes.data for array in self._arrays)
        self._state = library.skerry_peer_prepare(self.num_vertices, len(neighbors), *addresses)
        self._labels = 0

    def solve(self) -> None:
        """One call."""
        self._labels = self._library.skerry_peer_solve(self._state)

    def labels(self) -> npt.NDArray[np.int32]:
        """A copy of the labels of the last call."""
        numbers = (ctypes.c_int32 * self.num_vertices).from_address(self._labels)
        return np.ctypeslib.as_array(numbers).copy()

    def close(self) -> None:
        """Frees the peer's own form."""
        self._library.skerry_peer_free(self._state)
