"""Writers of every format of files, which share nothing with skerry's own."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import scipy.sparse as sp

from support.forms.edges import COUNT
from support.forms.objects import Given


def text(lines: Iterable[str], end: str = "\n") -> bytes:
    return "".join(line + end for line in lines).encode()


def listed(layout: str = "{} {}", head: str = "") -> Callable[[Given], bytes]:
    """An edge a line, below a head that may state how many there are."""

    def write(given: Given) -> bytes:
        pairs = given.pairs
        return text([*head.format(m=len(pairs), n=COUNT).splitlines()]) + text(
            layout.format(*pair) for pair in pairs
        )

    return write


def counted(layout: str, head: str) -> Callable[[Given], bytes]:
    """The same with vertices that count from 1, the larger end first where it says ``{2}``."""

    def write(given: Given) -> bytes:
        pairs = [(u + 1, v + 1, max(u, v) + 1, min(u, v) + 1) for u, v in given.pairs]
        head_lines = head.format(m=len(pairs), n=COUNT).splitlines()
        return text(head_lines) + text(layout.format(*pair) for pair in pairs)

    return write


def rows_of(given: Given, symmetric: bool = False) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(COUNT)]
    for u, v in given.pairs:
        rows[u].append(v)
        if symmetric:
            rows[v].append(u)
    return rows


def metis(fmt: str, before: str = "", after: str = "") -> Callable[[Given], bytes]:
    def write(given: Given) -> bytes:
        rows = rows_of(given, symmetric=True)
        lines = [before + " ".join(f"{v + 1}{after}" for v in row) for row in rows]
        return text(["% a comment", f"{COUNT} {len(given.pairs)}{fmt}", *lines])

    return write


def offsets_of(given: Given, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    rows = rows_of(given)
    starts = np.append(0, np.cumsum([len(row) for row in rows]))
    return starts.astype(dtype), np.array([v for row in rows for v in row])


def ligra(word: str, weight: bool) -> Callable[[Given], bytes]:
    def write(given: Given) -> bytes:
        starts, ends = offsets_of(given, "i8")
        numbers = [COUNT, len(ends), *starts[:-1], *ends, *([5] * len(ends) * weight)]
        return text([word, *map(str, numbers)])

    return write


def webgraph(given: Given) -> bytes:
    return text([str(COUNT), *(" ".join(map(str, sorted(row))) for row in rows_of(given))])


def ldbc(properties: bool, layout: str = "{} {}") -> Callable[[Given], dict[str, bytes]]:
    def write(given: Given) -> dict[str, bytes]:
        ids = given.kind.objects(range(COUNT))
        files = {".e": listed(layout)(given), ".v": text(map(str, ids))}
        keys = {"vertex-file": "edges.v", "edge-file": "edges.e"}
        keys |= {"meta.vertices": str(COUNT), "meta.edges": str(len(given.pairs))}
        stated = text(f"graph.g.{key} = {value}" for key, value in keys.items())
        return {".properties": stated, **files} if properties else files

    return write


def parquet(rows: int = 1 << 20, **options: Any) -> Callable[[Given], bytes]:
    def write(given: Given) -> bytes:
        sink = io.BytesIO()
        options.setdefault("write_page_checksum", True)
        pq.write_table(given.table, sink, row_group_size=rows, **options)
        return sink.getvalue()

    return write


def arrow(stream: bool = False, rows: int = 1 << 20, **options: Any) -> Callable[[Given], bytes]:
    def write(given: Given) -> bytes:
        sink, table = io.BytesIO(), given.table
        make = pa.ipc.new_stream if stream else pa.ipc.new_file
        with make(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
            writer.write_table(table, max_chunksize=rows)
        return sink.getvalue()

    return write


def feather(compression: str) -> Callable[[Given], bytes]:
    def write(given: Given) -> bytes:
        sink = io.BytesIO()
        pyarrow.feather.write_feather(given.table, sink, compression=compression)
        return sink.getvalue()

    return write


def declared(given: Given) -> bytes:
    sink = io.BytesIO()
    table = given.table.replace_schema_metadata({"n_vertices": str(COUNT)})
    pq.write_table(table, sink)
    return sink.getvalue()


def delimited(
    mark: str, header: bool = True, quote: bool = False, end: str = "\n", more: str = ""
) -> Callable[[Given], bytes]:
    """Text that quotes all cells, or those that must be."""

    def cell(value: Any) -> str:
        text = str(value)
        needed = quote or any(each in text for each in (mark, '"', "\n"))
        return '"{}"'.format(text.replace('"', '""')) if needed else text

    def write(given: Given) -> bytes:
        rows = [*([("src", "dst")] * header), *given.pairs]
        return text((mark.join(map(cell, row)) + more for row in rows), end)

    return write


def json_lines(as_object: bool, ascii: bool = True) -> Callable[[Given], bytes]:
    """Objects whose keys are in either order, or arrays."""

    def line(row: int, u: Any, v: Any) -> str:
        pairs = [("more", None), ("dst", v), ("src", u)][:: 1 if row % 2 else -1]
        return json.dumps(dict(pairs) if as_object else [u, v], ensure_ascii=ascii)

    return lambda given: text(line(row, *pair) for row, pair in enumerate(given.pairs))


def binary(*parts: Any) -> bytes:
    return b"".join(
        part if isinstance(part, bytes) else np.asarray(part).tobytes() for part in parts
    )


def egr(weights: bool) -> Callable[[Given], bytes]:
    def write(given: Given) -> bytes:
        starts, ends = (part.astype("<i4") for part in offsets_of(given, "<i4"))
        head = np.array([COUNT, len(ends)], "<i4")
        return binary(head, starts, ends, np.ones(len(ends) * weights, "<i4"))

    return write


def sg(directed: bool, weights: bool = False) -> Callable[[Given], bytes]:
    def write(given: Given) -> bytes:
        parts: list[Any] = [bytes([directed]), np.array([len(given.pairs), COUNT], "<i8")]
        backwards = Given(given.kind, [(v, u) for u, v in given.pairs])
        for edges in [given, backwards][: 1 + directed]:
            starts, ends = offsets_of(edges, "<i8")
            columns = [ends, np.full(len(ends), 9)] if weights else [ends]
            parts += [starts, np.column_stack(columns).astype("<i4")]
        return binary(*parts)

    return write


def galois(version: int, weight: int) -> Callable[[Given], bytes]:
    def write(given: Given) -> bytes:
        starts, ends = offsets_of(given, "<u8")
        head = np.array([version, weight, COUNT, len(ends)], "<u8")
        neighbors = ends.astype("<u4" if version == 1 else "<u8").tobytes()
        padding = bytes(-len(neighbors) % 8)
        return binary(head, starts[1:], neighbors, padding, bytes(weight * len(ends)))

    return write


def npy(dtype: str, order: str = "C", across: bool = False, version: int = 1) -> Any:
    def write(given: Given) -> bytes:
        table = np.array(given.pairs).T if across else np.array(given.pairs)
        sink = io.BytesIO()
        array = np.asarray(table, dtype, order=order)
        np.lib.format.write_array(sink, array, (version, 0), allow_pickle=False)
        return sink.getvalue()

    return write


def npz(dtypes: tuple[str, str], save: Callable[..., None]) -> Callable[[Given], bytes]:
    def write(given: Given) -> bytes:
        sink = io.BytesIO()
        ends = zip(("src", "dst"), given.ends, dtypes, strict=True)
        save(sink, **{name: np.array(end, dtype) for name, end, dtype in ends})
        return sink.getvalue()

    return write


def matrix(format: str, compressed: bool = True) -> Callable[[Given], bytes]:
    def write(given: Given) -> bytes:
        sink = io.BytesIO()
        matrix = sp.coo_array((np.ones(len(given.ends[0])), given.ends), shape=(COUNT, COUNT))
        sp.save_npz(sink, matrix.asformat(format), compressed=compressed)
        return sink.getvalue()

    return write


def raw(dtype: str) -> Callable[[Given], bytes]:
    return lambda given: np.array(given.pairs, dtype).tobytes()


def nodes_of(given: Given) -> dict[Any, int]:
    return {id: number for number, id in enumerate(given.kind.objects(range(COUNT)))}


def graphml(prefix: str = "", encoding: str = "UTF-8") -> Callable[[Given], bytes]:
    def write(given: Given) -> bytes:
        tag = f"{prefix}:" if prefix else ""
        space = f"xmlns{':' if prefix else ''}{prefix}"
        nodes = "".join(f"<{tag}node id={quoteattr(str(id))}/>\n" for id in nodes_of(given))
        edges = "".join(
            f"<{tag}edge target={quoteattr(str(v))} source={quoteattr(str(u))}/>\n"
            for u, v in given.pairs
        )
        return (
            f'<?xml version="1.0" encoding="{encoding}"?>\n<{tag}graphml '
            f'{space}="http://graphml.graphdrawing.org/xmlns"><{tag}graph edgedefault="undirected">'
            f"\n{edges}{nodes}</{tag}graph></{tag}graphml>\n"
        ).encode(encoding)

    return write


def escaped(id: Any) -> str:
    """An id as it stands in the quotes of GML, whose text is ASCII."""
    return "".join(c if c.isascii() and c not in '"&' else f"&#{ord(c)};" for c in str(id))


def gml(labels: bool) -> Callable[[Given], bytes]:
    def write(given: Given) -> bytes:
        nodes, label = nodes_of(given), ' label "{}"' * labels
        return text(
            [
                "graph [",
                "  multigraph 1",
                "  directed 1",
                *(f"  node [ id {i}{label.format(escaped(id))} ]" for id, i in nodes.items()),
                *(f"  edge [ source {nodes[u]} target {nodes[v]} ]" for u, v in given.pairs),
                "]",
            ]
        )

    return write


def gexf(given: Given) -> bytes:
    nodes = "".join(f"<node id={quoteattr(str(id))} label='same'/>\n" for id in nodes_of(given))
    edges = "".join(
        f"<edge id='{row}' source={quoteattr(str(u))} target={quoteattr(str(v))}/>\n"
        for row, (u, v) in enumerate(given.pairs)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://www.gexf.net/1.2draft" '
        'version="1.2"><graph defaultedgetype="directed">\n'
        f"<nodes>{nodes}</nodes>\n<edges>{edges}</edges></graph></gexf>\n"
    ).encode()


def pajek(section: str, as_list: bool = False, more: str = "") -> Callable[[Given], bytes]:
    def write(given: Given) -> bytes:
        nodes = nodes_of(given)
        lines = [f"*Vertices {COUNT}", *(f'{i + 1} "{id}"' for id, i in nodes.items())]
        pairs = [(nodes[u] + 1, nodes[v] + 1) for u, v in given.pairs]
        half = len(pairs) // 2 if more else len(pairs)
        for title, some in ((section, pairs[:half]), (more, pairs[half:])):
            rows: dict[int, list[int]] = {}
            for u, v in some:
                rows.setdefault(u, []).append(v)
            listed = [" ".join(map(str, (u, *row))) for u, row in rows.items()]
            lines += [title] * bool(title)
            lines += listed if as_list else [f"{u} {v}" for u, v in some]
        return text(lines)

    return write


def adjlist(given: Given) -> bytes:
    rows: dict[Any, list[Any]] = {}
    for u, v in given.pairs:
        rows.setdefault(u, []).append(v)
    return text(["# a comment", *(" ".join(map(str, (u, *row))) for u, row in rows.items())])
