"""The edges in every format of files and its dialects. One row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from skerry.formats.registry import format_named
from support.forms import writers as w
from support.forms.edges import COUNT, Vertices
from support.forms.kinds import KINDS, Kind
from support.forms.objects import Given

TEXT = frozenset(
    {
        *("snap", "el", "mtx", "dimacs", "metis", "ligra", "webgraph", "ldbc", "csv", "tsv"),
        *("jsonl", "graphml", "gml", "gexf", "pajek", "adjlist"),
    }
)
"""Formats of text, which editors change: ends of lines, marks of the byte order."""
INTEGERS = ("numbers", "negative", "int64", "uint64")
WORDS = ("text", "hard text", "long text", "date")
ANY = tuple(kind.name for kind in KINDS)


class FileForm(NamedTuple):
    """A way to write the edges into a file."""

    format: str
    name: str
    write: Callable[[Given], bytes | dict[str, bytes]]
    """The contents; of a graph in several files, by their suffixes, the one to name first."""
    kinds: tuple[str, ...] = ("numbers",)
    keeps: str = "rows"
    spell: Callable[[Any], Any] = lambda id: id
    """What the file calls an id."""
    suffix: str = ""
    arguments: Mapping[str, Any] = MappingProxyType({})

    @property
    def id(self) -> str:
        """What tests call it."""
        return f"{self.format}, {self.name}"

    def files(self, given: Given) -> dict[str, bytes]:
        """The contents by suffix."""
        data = self.write(given)
        suffix = self.suffix or format_named(self.format).suffixes[0]
        return {suffix: data} if isinstance(data, bytes) else data

    def options(self, given: Given) -> dict[str, Any]:
        """The arguments that reading takes."""
        return given.named if isinstance(given.kind.type, tuple) else dict(self.arguments)

    def vertices(self, kind: Kind) -> Vertices:
        """The ids of a result."""
        return Vertices(map(self.spell, kind.objects(range(COUNT))))


def _form(format: str, name: str, write: Any, **options: Any) -> FileForm:
    return FileForm(format, name, write, **options)


def _next(id: int) -> int:
    return id + 1


MM = "%%MatrixMarket matrix coordinate {} {}\n% a comment\n\n{{n}} {{n}} {{m}}"
COUNTED: dict[str, Any] = {"spell": _next}
SYMMETRIC: dict[str, Any] = {"spell": _next, "keeps": "", "suffix": ".mm"}
DELTA = {"src": "DELTA_BINARY_PACKED", "dst": "PLAIN"}
ROWS: dict[str, Any] = {"keeps": "ends"}
TABLE: dict[str, Any] = {"kinds": ANY}
NAMES: dict[str, Any] = {"kinds": WORDS, "spell": str}
NODES: dict[str, Any] = {"kinds": ("numbers", "text"), "spell": str, "keeps": "ends"}

FILES = (
    _form("snap", "blanks", w.listed(head="# a comment\n\n% another"), kinds=INTEGERS),
    _form("snap", "tabs", w.listed("\t{}\t\t{}"), suffix=".edges"),
    _form("snap", "commas", w.listed("{}, {}, 0.5"), suffix=".edgelist"),
    _form("snap", "semicolons", w.listed("{};{} ; more words"), suffix=".snap"),
    _form("el", "plain", w.listed(), kinds=INTEGERS),
    _form("el", "weighted", w.listed("{} {} 7"), suffix=".wel"),
    *(
        _form("mtx", f"{field} {symmetry}", w.counted(layout, MM.format(field, symmetry)), **more)
        for field, symmetry, layout, more in (
            ("pattern", "general", "{0} {1}", COUNTED),
            ("integer", "general", "{0} {1} 0", COUNTED),
            ("real", "symmetric", "{2} {3} -1.5e-3", SYMMETRIC),
            ("complex", "hermitian", "{2} {3} 1.5 -2", SYMMETRIC),
            ("INTEGER", "Skew-Symmetric", " {2}   {3}  7", SYMMETRIC),
        )
    ),
    _form(
        "mtx",
        "other suffix",
        w.counted("{0} {1}", MM.format("pattern", "general")),
        suffix=".mm",
        **COUNTED,
    ),
    _form(
        "dimacs", "sp", w.counted("a {0} {1} 5", "c text\np sp {n} {m}"), suffix=".gr", **COUNTED
    ),
    _form("dimacs", "edge", w.counted("e {0} {1}", "c text\np edge {n} {m}\nn 1 2"), **COUNTED),
    _form("dimacs", "col", w.counted("e {0} {1}", "p col {n} {m}"), suffix=".dimacs", **COUNTED),
    _form("dimacs", "tw", w.counted("{0} {1}", "c text\np tw {n} {m}"), suffix=".gr", **COUNTED),
    *(
        _form("metis", name, w.metis(*parts), spell=_next, keeps="", suffix=suffix)
        for name, parts, suffix in (
            ("plain", ("",), ".metis"),
            ("weights of edges", (" 001", "", " 5"), ".graph"),
            ("weights of vertices", (" 10", "6 "), ""),
            ("all weights", (" 111 2", "9 6 6 ", " 5"), ""),
        )
    ),
    _form("ligra", "plain", w.ligra("AdjacencyGraph", False), **ROWS),
    _form("ligra", "weighted", w.ligra("WeightedAdjacencyGraph", True), **ROWS),
    _form("webgraph", "plain", w.webgraph, **ROWS),
    _form("ldbc", "edges", w.ldbc(False), kinds=INTEGERS, keeps="ends"),
    _form("ldbc", "properties", w.ldbc(True, "{} {} 0.5"), keeps="ends"),
    _form("parquet", "plain", w.parquet(), **TABLE),
    _form("parquet", "row groups", w.parquet(7, compression="zstd"), suffix=".pq", **TABLE),
    *(
        _form("parquet", name, w.parquet(**options), kinds=("numbers", "text"))
        for name, options in (
            ("gzip", {"compression": "gzip", "data_page_version": "2.0"}),
            ("brotli", {"compression": "brotli", "use_dictionary": False}),
            ("lz4", {"compression": "lz4", "data_page_size": 16}),
            ("uncompressed", {"compression": "none", "write_statistics": False}),
            ("old version", {"version": "1.0", "store_schema": False}),
        )
    ),
    _form("parquet", "delta", w.parquet(use_dictionary=False, column_encoding=DELTA)),
    _form("parquet", "vertex numbers", w.declared),
    _form("arrow", "file", w.arrow(), **TABLE),
    _form("arrow", "stream", w.arrow(True, 5), suffix=".arrows", **TABLE),
    _form("arrow", "file of batches", w.arrow(rows=3, compression="zstd"), suffix=".ipc", **TABLE),
    _form("arrow", "feather", w.feather("lz4"), kinds=("numbers", "text"), suffix=".feather"),
    _form("csv", "header", w.delimited(","), kinds=INTEGERS),
    _form("csv", "header, text", w.delimited(","), arguments={"header": True}, **NAMES),
    _form("csv", "numbers as text", w.delimited(","), spell=str, arguments={"ids_as_text": True}),
    _form(
        "csv",
        "quotes",
        w.delimited(",", quote=True),
        arguments={"header": True},
        kinds=("numbers", *WORDS[:3]),
    ),
    _form("csv", "no header", w.delimited(",", header=False)),
    _form("csv", "semicolons", w.delimited(";", header=False), kinds=INTEGERS),
    _form("csv", "bars", w.delimited("|")),
    _form("csv", "blanks", w.delimited(" ")),
    _form("csv", "section signs", w.delimited("\x1f"), arguments={"delimiter": "\x1f"}),
    _form(
        "csv",
        "more columns",
        w.delimited(",", more=",x y,"),
        arguments={"source": 0, "target": 1, "header": True},
    ),
    _form("tsv", "header", w.delimited("\t"), kinds=INTEGERS),
    _form("tsv", "header, text", w.delimited("\t"), arguments={"header": True}, **NAMES),
    _form("tsv", "no header", w.delimited("\t", header=False), suffix=".tab"),
    _form("jsonl", "objects", w.json_lines(True), kinds=(*INTEGERS, *WORDS[:3])),
    _form("jsonl", "arrays", w.json_lines(False, False), kinds=("numbers", *WORDS[:3])),
    _form("egr", "plain", w.egr(False), **ROWS),
    _form("egr", "weighted", w.egr(True), **ROWS),
    _form("sg", "undirected", w.sg(False), **ROWS),
    _form("sg", "directed", w.sg(True), **ROWS),
    _form("sg", "weighted", w.sg(True, True), suffix=".wsg", **ROWS),
    _form("galois", "version 1", w.galois(1, 0), suffix=".gr", **ROWS),
    _form("galois", "version 1 with data", w.galois(1, 4), **ROWS),
    _form("galois", "version 2", w.galois(2, 8), **ROWS),
    *(
        _form("npy", f"{dtype} {options}", w.npy(dtype, **options))
        for dtype, options in (
            ("<i8", {}),
            (">u2", {"across": True}),
            ("u1", {"order": "F"}),
            (">i4", {"order": "F", "across": True, "version": 2}),
            ("<u8", {"version": 3}),
        )
    ),
    _form("npz", "plain", w.npz(("i8", "i8"), np.savez)),
    _form("npz", "compressed", w.npz(("u1", ">i4"), np.savez_compressed)),
    *(
        _form("npz", f"{format}, {word}", w.matrix(format, word == "compressed"), keeps="ends")
        for format in ("coo", "csr", "csc", "bsr", "dia")
        for word in ("compressed", "stored")
    ),
    _form("raw32", "plain", w.raw("<u4"), kinds=("numbers", "uint32")),
    _form("raw64", "plain", w.raw("<u8"), kinds=("numbers", "uint64")),
    _form("graphml", "plain", w.graphml(), **NODES | {"kinds": ("numbers", *WORDS)}),
    _form("graphml", "prefix", w.graphml("g"), **NODES),
    _form("graphml", "UTF-16", w.graphml(encoding="UTF-16"), **NODES | {"kinds": ("hard text",)}),
    _form("gml", "labels", w.gml(True), **NODES | {"kinds": ("numbers", *WORDS)}),
    _form("gml", "ids", w.gml(False), keeps="ends"),
    _form("gexf", "plain", w.gexf, **NODES | {"kinds": ("numbers", *WORDS)}),
    _form("pajek", "edges", w.pajek("*Edges"), **NODES | {"keeps": ""}),
    _form("pajek", "arcs", w.pajek("*Arcs"), suffix=".paj", **NODES),
    _form("pajek", "lists of edges", w.pajek("*Edgeslist", as_list=True), **NODES | {"keeps": ""}),
    _form("pajek", "lists of arcs", w.pajek("*Arcslist", as_list=True), **NODES),
    _form("pajek", "arcs and edges", w.pajek("*Arcs", more="*Edges"), **NODES),
    _form("pajek", "named relations", w.pajek('*Arcs :1 "x"', more='*Edges :2 "y"'), **NODES),
    _form("adjlist", "plain", w.adjlist, **NODES | {"keeps": ""}),
)
"""Of every format; one that is read and has no row here fails a test."""
