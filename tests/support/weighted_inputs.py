"""The same weighted edges in every kind of input that has weights."""

from __future__ import annotations

import networkx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.sparse as sp

import skerry
import skerry.io


class WeightedInputs:
    """Each entry of `kinds` makes a graph in a folder: the graph, its weights and its options."""

    def __init__(self, src, dst, weight):
        self.src, self.dst, self.weight = map(np.array, (src, dst, weight))
        self.n = int(max(self.src.max(), self.dst.max())) + 1
        ends = self.src, self.dst
        text = tuple(end.astype(str) for end in ends)
        times = tuple(7 * end for end in ends)
        self.kinds = {
            "arrays": lambda _: (ends, self.weight, {}),
            "arrays with num_vertices": lambda _: (ends, self.weight, {"num_vertices": self.n + 2}),
            "arrays with vertices": lambda _: (ends, self.weight, {"vertices": [self.n - 2]}),
            "lists": lambda _: (tuple(map(list, ends)), self.weight.tolist(), {}),
            "an (m, 2) array": lambda _: (np.column_stack(ends), self.weight, {}),
            "arrays of text": lambda _: (text, self.weight, {}),
            "arrays of external ids": lambda _: (times, self.weight, {"ids": "external"}),
            "skerry.Edges": lambda _: (skerry.Edges(*ends, self.n), self.weight, {}),
            "networkx": lambda _: (self.network(), None, {}),
            "tables": lambda _: (self.table(), "weight", {}),
            "tables with vertices": lambda _: (self.table(), "weight", {"vertices": [3, 99]}),
            "tables of vertex numbers": lambda _: (self.table(), "weight", {"ids": "vertices"}),
            "batches": lambda _: ([self.table()[:2], self.table()[2:]], "weight", {}),
            "Parquet": lambda folder: (self.parquet(folder), "weight", {}),
            "CSV of text": lambda folder: (self.csv(folder), "weight", {}),
            "Matrix Market": lambda folder: (self.mtx(folder), "weight", {}),
            "an EdgeSource": lambda folder: (
                skerry.io.read_edges(self.parquet(folder), weight="weight"),
                None,
                {},
            ),
            **{
                f"sparse {form}": lambda _, form=form: (self.matrix(form), None, {})
                for form in ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")
            },
        }

    def rows(self):
        columns = self.src.tolist(), self.dst.tolist(), self.weight.tolist()
        return list(zip(*columns, strict=True))

    def table(self):
        return pa.table({"src": self.src, "dst": self.dst, "weight": self.weight})

    def network(self):
        graph = networkx.Graph()
        graph.add_weighted_edges_from(self.rows())
        return graph

    def matrix(self, form="csr"):
        matrix = sp.coo_array((self.weight, (self.src, self.dst)), shape=(self.n, self.n))
        return matrix.asformat(form)

    def parquet(self, folder):
        pq.write_table(self.table(), folder / "edges.parquet")
        return folder / "edges.parquet"

    def csv(self, folder):
        lines = [f"v{u},v{v},{w}\n" for u, v, w in self.rows()]
        (folder / "edges.csv").write_text("".join(["src,dst,weight\n", *lines]))
        return folder / "edges.csv"

    def mtx(self, folder):
        head = "%%MatrixMarket matrix coordinate real general\n"
        lines = [f"{u + 1} {v + 1} {w}\n" for u, v, w in self.rows()]
        size = f"{self.n} {self.n} {len(lines)}\n"
        (folder / "w.mtx").write_text("".join([head, size, *lines]))
        return folder / "w.mtx"
