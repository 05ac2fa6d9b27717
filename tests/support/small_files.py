"""A small valid file of every format that is read, by the name of the format."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

SRC, DST = [0, 1, 3], [1, 2, 4]
TABLE = pa.table({"src": ["a", "b", "d"], "dst": ["b", "c", "e"], "weight": [0.5, 0.9, 0.1]})


def _parquet() -> bytes:
    sink = io.BytesIO()
    pq.write_table(TABLE, sink)
    return sink.getvalue()


def _arrow() -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, TABLE.schema) as writer:
        writer.write_table(TABLE)
    return sink.getvalue()


def _npy() -> bytes:
    sink = io.BytesIO()
    np.save(sink, np.array([SRC, DST]).T)
    return sink.getvalue()


def _npz() -> bytes:
    sink = io.BytesIO()
    np.savez_compressed(sink, src=np.array(SRC), dst=np.array(DST))
    return sink.getvalue()


def _rows(head: bytes, offset_type: str) -> bytes:
    offsets = np.array([0, 1, 2, 2, 3, 3], offset_type)
    return head + offsets.tobytes() + np.array([1, 2, 4], "<i4").tobytes()


def _galois() -> bytes:
    head = np.array([1, 0, 5, 3, 1, 2, 2, 3, 3], "<u8").tobytes()
    return head + np.array([1, 2, 4, 0], "<u4").tobytes()


GRAPHML = b"""<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">
<node id="a"/><node id="b"/><node id="c"/><edge source="a" target="b"/></graph></graphml>
"""
GEXF = b"""<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph defaultedgetype="undirected">
<nodes><node id="a" label="a"/><node id="b" label="b"/><node id="c" label="c"/></nodes>
<edges><edge id="0" source="a" target="b"/></edges></graph></gexf>
"""

SMALL_FILES: dict[str, bytes] = {
    "snap": b"# three edges\n0 1\n1\t2\n3 4\n",
    "el": b"0 1\n1 2\n3 4\n",
    "mtx": b"%%MatrixMarket matrix coordinate pattern general\n% c\n5 5 3\n1 2\n2 3\n4 5\n",
    "dimacs": b"c text\np edge 5 3\ne 1 2\ne 2 3\ne 4 5\n",
    "metis": b"% text\n5 3\n2\n1 3\n2\n5\n4\n",
    "ligra": b"AdjacencyGraph\n5\n3\n0\n1\n2\n2\n3\n1\n2\n4\n",
    "webgraph": b"5\n1\n0 2\n1\n4\n3\n",
    "parquet": _parquet(),
    "arrow": _arrow(),
    "csv": b'src,dst,weight\na,b,0.5\n"b",c,0.9\nd,e,0.1\n',
    "tsv": b"src\tdst\na\tb\nb\tc\nd\te\n",
    "jsonl": b'{"src": "a", "dst": "b", "w": 0.5}\n{"dst": "c", "src": "b"}\n',
    "egr": _rows(np.array([5, 3], "<i4").tobytes(), "<i4"),
    "sg": _rows(b"\0" + np.array([3, 5], "<i8").tobytes(), "<i8"),
    "galois": _galois(),
    "npy": _npy(),
    "npz": _npz(),
    "raw32": np.array([SRC, DST], "<u4").T.tobytes(),
    "raw64": np.array([SRC, DST], "<u8").T.tobytes(),
    "graphml": GRAPHML,
    "gml": b'graph [ node [ id 0 label "a" ]\n node [ id 1 ]\n edge [ source 0 target 1 ] ]\n',
    "gexf": GEXF,
    "pajek": b"*Vertices 3\n1 a\n2 b\n3 c\n*Edges\n1 2\n2 3\n",
    "adjlist": b"0 1\n1 2\n3 4\n",
}
