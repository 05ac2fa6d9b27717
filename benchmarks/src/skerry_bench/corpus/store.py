"""A folder that keeps generated graphs as ``.npy`` files, so that each is made once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from skerry import Csr, SkerryError
from skerry.graph.build import _built
from skerry_bench.corpus.catalog import CorpusGraph, make_graph

CANNOT_MAKE = (ImportError, SkerryError)
"""Errors of a graph that this machine cannot make: a package is missing, or a file is damaged."""


class Store:
    """Graphs by name; those of other versions of the generators are not taken."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = None if folder is None else folder / _version()

    def load(self, graph: CorpusGraph, threads: int | None = None) -> Csr:
        """The graph, from its files if there are any."""
        if self.folder is None:
            return make_graph(graph, threads)
        offsets, neighbors = (np.load(path) for path in self.files(graph, threads))
        return _built(offsets, neighbors, symmetric=True)

    def files(self, graph: CorpusGraph, threads: int | None = None) -> tuple[Path, Path]:
        """The files of its offsets and neighbors, made if they are missing."""
        if not self.has(graph):
            self._save(graph, threads)
        return self._paths(graph)

    def drop(self, graph: CorpusGraph) -> None:
        """Removes its files."""
        for path in self._paths(graph):
            path.unlink(missing_ok=True)

    def has(self, graph: CorpusGraph) -> bool:
        """Whether its files are there."""
        return self.folder is not None and self._paths(graph)[1].exists()

    def fill(self, graphs: Sequence[CorpusGraph], workers: int) -> dict[str, str]:
        """Makes the missing ones, the largest first, in as many processes.

        Returns why some could not be made, by name: some generators need scipy.
        """
        missing = sorted((g for g in graphs if not self.has(g)), key=lambda g: -g.log)
        if self.folder is None or not missing:
            return {}
        with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
            reasons = pool.map(self._try_save, missing)
            return {g.name: text for g, text in zip(missing, reasons, strict=True) if text}

    def _try_save(self, graph: CorpusGraph) -> str:
        try:
            self._save(graph, 1)
        except CANNOT_MAKE as error:
            return str(error)
        return ""

    def _save(self, graph: CorpusGraph, threads: int | None) -> None:
        rows = make_graph(graph, threads)
        for path, array in zip(self._paths(graph), (rows.offsets, rows.neighbors), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_suffix(f".{os.getpid()}")
            with unfinished.open("wb") as file:
                np.save(file, array[: rows.num_entries] if array is rows.neighbors else array)
            unfinished.replace(path)

    def _paths(self, graph: CorpusGraph) -> tuple[Path, Path]:
        assert self.folder is not None
        base = graph.name.replace(":", "_")
        return self.folder / f"{base}.offsets.npy", self.folder / f"{base}.neighbors.npy"


def _version() -> str:
    """A hash of the generators' sources."""
    here = Path(__file__).parent
    sources = [*sorted((here / "shapes").glob("*.py")), here / "orders.py", here / "mixtures.py"]
    digest = sha256(b"".join(path.read_bytes() for path in [*sources, here / "catalog.py"]))
    return digest.hexdigest()[:12]
