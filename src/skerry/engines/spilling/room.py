"""How much of a graph is in memory at a time, so that the process stays below its limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from skerry.formats.memory import SPILLING, resident
from skerry.graph.edge_source import EdgeSource
from skerry.result.plan import PhaseTimer

MARGIN = 24 << 20
"""Bytes that are left free: what the interpreter, the allocator and small arrays take."""
START = 96 << 20
"""Bytes that reading takes, about, beside the ids and the vertices."""
BYTES_IN_MEMORY = 80
"""Of an id where nothing is spilled: the table, while it grows, or sorting."""
UNPACKED = 3
"""Times the bytes of the input that texts take in memory, where they are packed in the input."""
BYTES_OF_VERTEX = 6
"""The same of a vertex number."""
BYTES_OF_EDGE = 40
"""In a chunk: two ids before and after they are sorted by their bucket, and two routes."""
BYTES_OF_ID = 28
"""In the table of a bucket, as large as it can be; sorting takes less."""
BYTES_OF_SORTED = 48
"""Of an id in a range: before and after sorting, its rank, and what sorting takes."""
BYTES_OF_MERGED = 96
"""Of an id of a range, beside the id itself twice: in a table, sorted, and its rank."""
PART = 1 << 14
"""Ids that are read at a time from a run."""
BYTES_OF_JOINED = 40
"""Of an edge in a piece that is joined: as it is read, gathered, left, and sorted by its block."""
PIECES_OF_ANSWER = 40 << 20
"""Bytes that pieces of labels and ids take beside a block of ids, while the answer is written."""
SHARE_OF_TABLE = 0.75
"""Of what is free, for the table of a bucket; pieces of files take the rest."""
MIN_BITS, MAX_BITS = 4, 8
MAX_BLOCKS = 256
MIN_CHUNK, MAX_CHUNK = 1 << 12, 1 << 22
UNKNOWN_EDGES = 1 << 34
"""For sources that do not say how many edges they have."""


class Room:
    """The sizes of the passes, from what is left under a limit when each begins."""

    def __init__(self, limit: int) -> None:
        self.limit = limit

    def free(self) -> int:
        """Bytes that the process may still take."""
        return self.limit - resident() - MARGIN

    def holds(self, edges: EdgeSource, num_vertices: int | None) -> bool:
        """Whether a graph is sure to fit in memory as a whole."""
        if edges.id_kind == "vertices":
            size = None if num_vertices is None else num_vertices * BYTES_OF_VERTEX
        else:
            size = None if edges.num_edges is None else 2 * edges.num_edges * BYTES_IN_MEMORY
            if size is not None:
                size += UNPACKED * (edges.num_bytes or 0)
        return size is not None and size + START <= self.free()

    def check(self, edges: EdgeSource) -> None:
        """Raises `MemoryError` if a graph may not fit; names the limit that suffices."""
        now, needed = resident(), SPILLING
        if edges.id_kind == "external" and edges.num_edges:  # every end may be an id of its own
            ids = 2 * edges.num_edges
            needed += int(ids * BYTES_OF_ID / (1 << MAX_BITS) / SHARE_OF_TABLE)
        if self.limit < now + needed:
            raise MemoryError(
                f"limit={self.limit:,} is too little for spilling: the process has {now:,} bytes "
                f"in memory, and this graph takes at least limit={now + needed:,}"
            )

    def chunk(self) -> int:
        """Edges whose ids are sorted by their bucket at a time."""
        return min(MAX_CHUNK, max(MIN_CHUNK, self.free() // 8 // BYTES_OF_EDGE))

    def bits(self, edges: int | None) -> int:
        """The binary logarithm of the number of buckets, of which one must fit."""
        size = 2 * (UNKNOWN_EDGES if edges is None else edges) * BYTES_OF_ID
        buckets = max(1, int(size / max(1, self.free() * SHARE_OF_TABLE)))
        return min(MAX_BITS, max(MIN_BITS, buckets.bit_length()))

    def fits_table(self, size: int, ids: int) -> bool:
        """Whether a table of so many bytes may take more ids, and grow by a half for them."""
        return size // 2 + ids * BYTES_OF_ID <= self.free()

    def piece(self) -> int:
        """Numbers of a file that are read at a time."""
        return min(1 << 20, max(1 << 10, self.free() // 128))

    def sorted_ids(self) -> int:
        """Ids that are sorted at a time."""
        return min(1 << 23, max(1 << 12, self.free() // 2 // BYTES_OF_SORTED))

    def block(self, width: int, n: int, held: int = 0) -> int:
        """Of n vertices, with so many bytes each, those in memory at a time beside ``held`` bytes.

        Not many blocks, whatever the memory: some passes read the graph once for each block.
        """
        return max(-(-n // MAX_BLOCKS), (self.free() - held) // width)

    def new_ids(self) -> int:
        """Bytes that the next edges may take in a table."""
        return min(1 << 26, max(1 << 16, self.free() // 16))

    def fits_sets(self, table: int, new: int) -> bool:
        """Whether a table of so many bytes may grow by new ids, and can be sorted then."""
        return table + table // 2 + 2 * new <= self.free()

    def merged_ids(self, width: int, runs: int) -> int:
        """Ids of so many bytes that are merged at a time, of some runs."""
        size = width + BYTES_OF_MERGED
        return min(1 << 23, max(1 << 12, (self.free() - runs * PART * size) // size // 2))


ReportPass = Callable[[str, int, int], None]
"""Called with the name of the pass, how much of it is done, and how much it has in all."""


class PassReport:
    """Times the passes and tells how far they are."""

    def __init__(self, timer: PhaseTimer, report: ReportPass | None) -> None:
        self.timer = timer
        self._report = report
        self._name = ""

    @contextmanager
    def begin(self, name: str) -> Iterator[None]:
        """A pass."""
        self._name = name
        self.advance(0, 0)
        with self.timer.phase(name):
            yield

    def advance(self, done: int, total: int) -> None:
        """Tells how far the pass is."""
        if self._report is not None:
            self._report(self._name, done, total)
