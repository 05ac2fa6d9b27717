"""Real graphs of a folder: files ``NAME.edges.parquet`` with their counts in the metadata."""

from __future__ import annotations

import os
from math import log2
from pathlib import Path

from skerry import InputError
from skerry_bench.corpus.catalog import CorpusGraph

FOLDER = "SKERRY_CORPUS_GRAPHS"
"""The environment variable that names the folder."""

SUFFIX = ".edges.parquet"


def real_folder(folder: Path | None = None) -> Path | None:
    """The folder, else that of the environment variable, if there is one."""
    named = os.environ.get(FOLDER)
    return folder if folder is not None else Path(named) if named else None


def real_graphs(folder: Path) -> list[CorpusGraph]:
    """The graphs of a folder, by their size."""
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    files = sorted(folder.glob(f"*{SUFFIX}"))
    graphs = [
        CorpusGraph(file.name.removesuffix(SUFFIX), (), _log_of(file), file=file) for file in files
    ]
    return sorted(graphs, key=lambda graph: (graph.log, graph.name))


def _log_of(file: Path) -> int:
    from pyarrow import parquet

    edges = int((parquet.read_schema(file).metadata or {}).get(b"n_edges", 0))
    return round(log2(max(2 * edges, 1)))
