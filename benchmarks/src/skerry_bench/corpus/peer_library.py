"""Other programs as shared libraries, called on the same arrays.

A library for a CPU has three functions::

    void* skerry_peer_prepare(int64_t n, int64_t entries, const int32_t* offsets,
                              const int32_t* neighbors);   /* not timed; the arrays stay */
    const int32_t* skerry_peer_solve(void* state);         /* timed; labels until the next call */
    void skerry_peer_free(void* state);

A library for a GPU has one, which queues its kernels in a stream and waits for nothing; all arrays
are on the device, and the last has room for n numbers::

    int skerry_peer_queue(void* stream, int32_t n, int32_t entries, const int32_t* offsets,
                          const int32_t* neighbors, int32_t* labels, int32_t* scratch);
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError

__all__ = ["PeerGraph", "libraries", "load_cpu", "load_gpu"]

FOR_CPU = "skerry_peer_solve"
FOR_GPU = "skerry_peer_queue"


def libraries(folder: Path) -> dict[str, Path]:
    """The shared libraries of a folder, by their names without a suffix."""
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    return {path.stem: path.resolve() for path in sorted(folder.glob("*.so"))}


def _open(path: Path, symbol: str) -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise InputError(f"{path}: cannot be loaded: {error}") from None
    if not hasattr(library, symbol):
        raise InputError(f"{path}: has no function {symbol}")
    return library


def load_cpu(path: Path) -> ctypes.CDLL:
    """The library, its functions ready to be called."""
    library = _open(path, FOR_CPU)
    pointer, count = ctypes.c_void_p, ctypes.c_int64
    library.skerry_peer_prepare.argtypes = [count, count, pointer, pointer]
    library.skerry_peer_prepare.restype = pointer
    library.skerry_peer_solve.argtypes = [pointer]
    library.skerry_peer_solve.restype = pointer
    library.skerry_peer_free.argtypes = [pointer]
    library.skerry_peer_free.restype = None
    return library


def load_gpu(path: Path) -> Callable[..., int]:
    """The function that queues the kernels."""
    queue = _open(path, FOR_GPU).skerry_peer_queue
    pointer, count = ctypes.c_void_p, ctypes.c_int32
    queue.argtypes = [pointer, count, count, pointer, pointer, pointer, pointer]
    queue.restype = ctypes.c_int
    function: Callable[..., int] = queue
    return function


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
