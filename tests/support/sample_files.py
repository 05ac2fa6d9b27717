"""A small file of every format that can be read: two edges, weighted where the format can be."""

from __future__ import annotations

import numpy as np

from skerry.formats.registry import FORMATS

TEXTS = {
    "snap": "0 1 2.5\n1 2 0.5\n",
    "el": "0 1 2.5\n1 2 0.5\n",
    "ldbc": "0 1 2.5\n1 2 0.5\n",
    "mtx": "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 2.5\n2 3 0.5\n",
    "dimacs": "p sp 3 2\na 1 2 7\na 2 3 8\n",
    "metis": "3 2 1\n2 7\n1 7 3 8\n2 8\n",
    "ligra": "AdjacencyGraph\n3\n2\n0\n1\n2\n1\n2\n",
    "webgraph": "3\n1\n2\n\n",
    "csv": "src,dst,score\n0,1,2.5\n1,2,0.5\n",
    "tsv": "src\tdst\tscore\n0\t1\t2.5\n1\t2\t0.5\n",
    "jsonl": '{"src": 0, "dst": 1, "score": 2.5}\n{"src": 1, "dst": 2, "score": 0.5}\n',
    "graphml": (
        '<graphml><key id="d0" for="edge" attr.name="score"/><graph edgedefault="undirected">'
        '<node id="a"/><node id="b"/><node id="c"/>'
        '<edge source="a" target="b"><data key="d0">2.5</data></edge>'
        '<edge source="b" target="c"><data key="d0">0.5</data></edge></graph></graphml>'
    ),
    "gml": (
        'graph [ node [ id 0 label "a" ] node [ id 1 label "b" ] node [ id 2 label "c" ] '
        "edge [ source 0 target 1 score 2.5 ] edge [ source 1 target 2 score 0.5 ] ]"
    ),
    "gexf": (
        '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph>'
        '<nodes><node id="a"/><node id="b"/><node id="c"/></nodes>'
        '<edges><edge id="0" source="a" target="b" weight="2.5"/>'
        '<edge id="1" source="b" target="c" weight="0.5"/></edges></graph></gexf>'
    ),
    "pajek": '*Vertices 3\n1 "a"\n2 "b"\n3 "c"\n*Edges\n1 2 2.5\n2 3 0.5\n',
    "adjlist": "a b\nb c\nc\n",
}

OFFSETS, NEIGHBORS, WEIGHTS = [0, 1, 2, 2], [1, 2], [7, 8]


def sample_file(folder, name):
    """Writes the sample of a format; gives its path."""
    path = folder / f"sample{next(f for f in FORMATS if f.name == name).suffixes[0]}"
    if name in TEXTS:
        path.write_text(TEXTS[name])
        if name == "ldbc":
            path.with_suffix(".v").write_text("0\n1\n2\n")
    elif name in ("parquet", "arrow"):
        _write_table(path, name)
    elif name == "npy":
        np.save(path, np.array([[0, 1], [1, 2], [2, 2]]))
    elif name == "npz":
        np.savez(path, src=[0, 1], dst=[1, 2])
    else:
        path.write_bytes(_binary(name))
    return path


def _write_table(path, name):
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    table = pa.table({"id1": ["a", "b"], "id2": ["b", "c"], "score": [2.5, 0.5]})
    write = {"parquet": pyarrow.parquet.write_table, "arrow": pyarrow.feather.write_feather}[name]
    write(table, path)


def _binary(name):
    def numbers(values, dtype):
        return np.array(values, dtype).tobytes()

    if name == "egr":
        return numbers([3, 2, *OFFSETS, *NEIGHBORS, *WEIGHTS], "<i4")
    if name == "sg":
        return b"\0" + numbers([2, 3, *OFFSETS], "<i8") + numbers(NEIGHBORS, "<i4")
    if name == "galois":
        return numbers([1, 0, 3, 2, *OFFSETS[1:]], "<u8") + numbers(NEIGHBORS, "<u4")
    return numbers([0, 1, 1, 2], {"raw32": "<u4", "raw64": "<u8"}[name])
