"""The Delaunay triangulation of points, by scipy, so that Ctrl-C does not wait for it.

scipy takes minutes for some millions of points. While it copies triangles and neighbors it holds
the interpreter's lock, for seconds: no thread of the process sees Ctrl-C then. Many points are
therefore triangulated by a process of their own, which can be ended at any time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import UnsupportedError
from skerry.formats.prefetch import prefetch

OWN_PROCESS_FROM = 100_000
"""Points from which a process of its own is started: scipy holds the lock for 0.1 s at 1e5 points,
1.8 s at 6e5 (scipy 1.17); a process takes 0.5 s to start."""

PROGRAM = """
import json, os, sys
out = os.fdopen(os.dup(1), "wb")  # what others print is not part of the answer
os.dup2(2, 1)
sys.path[:] = json.loads(sys.argv[1])
import numpy as np
from scipy.spatial import Delaunay
points = np.frombuffer(sys.stdin.buffer.read()).reshape(-1, 2)
for array in Delaunay(points).vertex_neighbor_vertices:
    out.write(np.ascontiguousarray(array, np.int32))
out.close()
"""

Neighbors = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]


def neighbors_of_points(points: npt.NDArray[np.float64]) -> Neighbors:
    """Where the neighbors of each point begin, and the neighbors of all points."""
    try:
        from scipy.spatial import Delaunay
    except ImportError as error:
        raise UnsupportedError("delaunay needs scipy: pip install 'skerry[scipy]'") from error
    if len(points) >= OWN_PROCESS_FROM and sys.executable:
        return _by_process(points)

    def triangulated() -> Iterator[Any]:
        yield Delaunay(points).vertex_neighbor_vertices

    # In a thread of its own: Ctrl-C reaches only a thread that waits.
    (result,) = prefetch(triangulated)
    return result[0], result[1]


def _by_process(points: npt.NDArray[np.float64]) -> Neighbors:
    command = [sys.executable, "-c", PROGRAM, json.dumps([path for path in sys.path if path])]
    pipe = subprocess.PIPE
    with tempfile.TemporaryFile() as errors:
        # In a group of its own: Ctrl-C in a terminal is for us, and we end it. Pipes are read here:
        # communicate() gives a process a quarter of a second after Ctrl-C.
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=errors, process_group=0)
        assert process.stdin is not None and process.stdout is not None
        try:
            with suppress(BrokenPipeError), process.stdin as stdin:
                stdin.write(points.data.cast("B"))
            answer = process.stdout.read()
            process.wait()
        except BaseException:
            process.kill()
            # It has gigabytes to free before it ends: do not wait for that.
            threading.Thread(target=process.wait, name="skerry-reap", daemon=True).start()
            raise
        finally:
            process.stdout.close()
        errors.seek(0)
        messages = errors.read().decode(errors="replace").strip()
    if process.returncode:
        last = messages.rpartition("\n")[2]
        reason = last or f"its process ended with {process.returncode}"
        if process.returncode < 0 or last.startswith("MemoryError"):
            raise MemoryError(f"triangulating {len(points):,} points: {reason}")
        raise UnsupportedError(f"scipy cannot triangulate {len(points):,} points: {reason}")
    numbers = np.frombuffer(answer, np.int32)
    return numbers[: len(points) + 1], numbers[len(points) + 1 :]
