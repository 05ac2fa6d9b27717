"""The table of formats. A new format is one entry here and one module.

An entry names its functions as ``"module:function"``. They are imported when they are first needed,
so a format that is not used costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from skerry.errors import UnsupportedError
from skerry.graph.edge_source import IdKind


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files."""

    name: str
    suffixes: tuple[str, ...]
    """In lower case, without the suffix of a compression."""
    summary: str
    id_kind: IdKind
    """What the ids in such files mean. The metadata ``n_vertices`` of Parquet and Arrow files makes
    integers vertex numbers."""
    read: str | None = None
    """``read(file: SourceFile, options: ReadOptions) -> EdgeSource``."""
    schema: str | None = None
    """``schema(file: SourceFile, options: ReadOptions) -> Any``: what files of one graph must
    have in common."""
    write_graph: str | None = None
    write_labels: str | None = None
    descriptions: tuple[str, ...] = ()
    """Suffixes of files that describe a graph and name its files. In a folder they are skipped,
    since the files that they name are there too."""
    may_be_empty: bool = False
    """Whether a file without a byte is a graph without an edge; else it is an error."""
    reads_empty: bool = False
    """Whether a file without a byte goes to the reader, since the graph has other files."""
    text: bool = False
    """Whether it is text in UTF-8, in lines. XML is not: it says its encoding."""
    seeks: bool = False
    """Whether it is read at several places: a pipe is copied into a temporary file first."""

    def function(self, role: str) -> Callable[..., Any]:
        """The function of ``read``, ``schema``, ``write_graph`` or ``write_labels``."""
        target = getattr(self, role)
        if target is None:
            able = [format.name for format in FORMATS if getattr(format, role) is not None]
            verb = {"read": "read", "write_graph": "write graphs as"}.get(role, "write labels as")
            raise UnsupportedError(f"cannot {verb} {self.name}; there are: {', '.join(able)}")
        module, _, function = target.partition(":")
        return getattr(import_module(module), function)  # type: ignore[no-any-return]


_TEXT = "skerry.formats.readers.text"
_TABLES = "skerry.formats.writers.tables"
_NUMBERS = "skerry.formats.writers.numbers"
_LABELS = "skerry.formats.writers.labels"

FORMATS: tuple[Format, ...] = (
    Format(
        "snap",
        (".txt", ".edges", ".edgelist", ".snap"),
        "SNAP edge list: two ids a line, comments, any blanks or commas, further columns ignored",
        "external",
        read=f"{_TEXT}.edge_list:read",
        write_graph=f"{_TABLES}:edge_list",
        may_be_empty=True,
        text=True,
    ),
    Format(
        "el",
        (".el", ".wel"),
        "GAPBS edge list: two ids a line, and a weight in .wel",
        "external",
        read=f"{_TEXT}.edge_list:read",
        write_graph=f"{_TABLES}:edge_list",
        may_be_empty=True,
        text=True,
    ),
    Format(
        "mtx",
        (".mtx", ".mm"),
        "Matrix Market, coordinate",
        "vertices",
        read=f"{_TEXT}.matrix_market:read",
        write_graph=f"{_NUMBERS}:matrix_market",
        text=True,
    ),
    Format(
        "dimacs",
        (".col", ".dimacs"),
        "DIMACS: p sp, p edge, p col, and p tw of PACE",
        "vertices",
        read=f"{_TEXT}.dimacs:read",
        text=True,
    ),
    Format(
        "metis",
        (".metis",),
        "METIS adjacency, all kinds of weights",
        "vertices",
        read=f"{_TEXT}.metis:read",
        text=True,
    ),
    Format(
        "ligra",
        (".adj",),
        "Ligra AdjacencyGraph and WeightedAdjacencyGraph",
        "vertices",
        read=f"{_TEXT}.ligra:read",
        text=True,
    ),
    Format(
        "webgraph",
        (".graph-txt",),
        "WebGraph ASCII graph",
        "vertices",
        read=f"{_TEXT}.webgraph:read",
        text=True,
    ),
    Format(
        "ldbc",
        (".e",),
        "LDBC Graphalytics: edges in .e, all vertices in .v beside it, .properties names both",
        "external",
        read=f"{_TEXT}.ldbc:read",
        descriptions=(".properties",),
        reads_empty=True,
        text=True,
    ),
    Format(
        "wcc",
        (".wcc",),
        "LDBC Graphalytics output of components: a vertex and its component a line",
        "external",
        write_labels=f"{_LABELS}:wcc",
    ),
    Format(
        "parquet",
        (".parquet", ".pq"),
        "Apache Parquet",
        "external",
        read="skerry.formats.readers.parquet:read",
        schema="skerry.formats.readers.parquet:schema",
        write_graph=f"{_TABLES}:parquet",
        write_labels=f"{_LABELS}:parquet",
        seeks=True,
    ),
    Format(
        "arrow",
        (".arrow", ".feather", ".ipc", ".arrows"),
        "Arrow IPC file or stream, Feather",
        "external",
        read="skerry.formats.readers.arrow:read",
        schema="skerry.formats.readers.arrow:schema",
        write_graph=f"{_TABLES}:arrow",
        write_labels=f"{_LABELS}:arrow",
        seeks=True,
    ),
    Format(
        "csv",
        (".csv",),
        "Delimited text with or without a header, any ids",
        "external",
        read="skerry.formats.readers.delimited:read",
        schema="skerry.formats.readers.delimited:schema",
        write_graph=f"{_TABLES}:csv",
        write_labels=f"{_LABELS}:csv",
        may_be_empty=True,
        text=True,
    ),
    Format(
        "tsv",
        (".tsv", ".tab"),
        "The same with tabs",
        "external",
        read="skerry.formats.readers.delimited:read_tsv",
        schema="skerry.formats.readers.delimited:schema_tsv",
        write_graph=f"{_TABLES}:tsv",
        write_labels=f"{_LABELS}:tsv",
        may_be_empty=True,
        text=True,
    ),
    Format(
        "jsonl",
        (".jsonl", ".ndjson"),
        "JSON Lines: an object or an array of two ids a line",
        "external",
        read="skerry.formats.readers.jsonl:read",
        schema="skerry.formats.readers.jsonl:schema",
        may_be_empty=True,
        text=True,
    ),
    Format(
        "egr",
        (".egr",),
        "ECL graph: binary CSR",
        "vertices",
        read="skerry.formats.readers.egr:read",
        write_graph=f"{_NUMBERS}:egr",
        seeks=True,
    ),
    Format(
        "sg",
        (".sg", ".wsg"),
        "GAPBS serialized graph: binary CSR",
        "vertices",
        read="skerry.formats.readers.gapbs:read",
        write_graph=f"{_NUMBERS}:sg",
        seeks=True,
    ),
    Format(
        "galois",
        (".vgr",),
        "Galois binary CSR, versions 1 and 2",
        "vertices",
        read="skerry.formats.readers.galois:read",
        seeks=True,
    ),
    Format(
        "npy",
        (".npy",),
        "NumPy array of shape (m, 2) or (2, m)",
        "vertices",
        read="skerry.formats.readers.numpy_files:read",
        write_graph=f"{_NUMBERS}:npy",
        write_labels=f"{_LABELS}:npy",
        seeks=True,
    ),
    Format(
        "npz",
        (".npz",),
        "src and dst by NumPy, or a matrix by scipy.sparse.save_npz",
        "vertices",
        read="skerry.formats.readers.npz:read",
        seeks=True,
    ),
    Format(
        "raw32",
        (".u32", ".raw32"),
        "Pairs of little-endian 32-bit ids, nothing else",
        "external",
        read="skerry.formats.readers.raw:read",
        write_graph=f"{_NUMBERS}:raw32",
        may_be_empty=True,
    ),
    Format(
        "raw64",
        (".u64", ".raw64"),
        "Pairs of little-endian 64-bit ids, nothing else",
        "external",
        read="skerry.formats.readers.raw:read_wide",
        write_graph=f"{_NUMBERS}:raw64",
        may_be_empty=True,
    ),
    Format(
        "graphml",
        (".graphml",),
        "GraphML",
        "external",
        read="skerry.formats.readers.graphml:read",
    ),
    Format(
        "gml",
        (".gml",),
        "GML",
        "external",
        read="skerry.formats.readers.gml:read",
        text=True,
    ),
    Format(
        "gexf",
        (".gexf",),
        "GEXF",
        "external",
        read="skerry.formats.readers.gexf:read",
    ),
    Format(
        "pajek",
        (".net", ".paj"),
        "Pajek: arcs, edges, lists of neighbors or a matrix",
        "external",
        read="skerry.formats.readers.pajek:read",
        text=True,
    ),
    Format(
        "adjlist",
        (".adjlist",),
        "Adjacency list: a vertex and its neighbors a line",
        "external",
        read="skerry.formats.readers.adjlist:read",
        text=True,
    ),
)

AMBIGUOUS = ("", ".txt", ".gr", ".graph", ".bin", ".dat")
"""Suffixes that several formats share: the first bytes decide (see sniff.py)."""


def format_named(name: str) -> Format:
    """The format with this name."""
    for format in FORMATS:
        if format.name == name:
            return format
    names = ", ".join(format.name for format in FORMATS)
    raise UnsupportedError(f"there is no format {name!r}; there are: {names}")
