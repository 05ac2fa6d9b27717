"""What works where pyarrow is not installed, as a program: prints a JSON object, case -> answer.

A case gives the number of components, or what it read back. An error gives its type and text.
tests/project/test_packaging.py runs this in a fresh environment, where nothing of the tests is.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import warnings
from pathlib import Path

import numpy as np

import skerry
from skerry import connected_components

TEXTS = {
    "graph.txt": "# a comment\n0 1\n1 2\n5 6\n",
    "graph.el": "0 1\n1 2\n5 6\n",
    "graph.wel": "0 1 0.5\n1 2 0.5\n5 6 0.5\n",
    "graph.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n7 7 3\n2 1\n3 2\n7 6\n",
    "graph.metis": "7 3\n2\n1 3\n2\n\n\n7\n6\n",
    "graph.gr": "p sp 7 3\na 1 2 1\na 2 3 1\na 6 7 1\n",
}
NAMED = "src,dst\nkim,lee\nlee,ann\n"


def cases(folder: Path) -> dict[str, object]:
    """Case -> a function without arguments that gives its answer."""
    source, target = np.array([0, 1, 5]), np.array([1, 2, 6])
    offsets, neighbors = np.array([0, 1, 2, 2, 2, 2, 3, 3]), np.array([1, 2, 6])
    external = np.array([10**12, 7, -3]), np.array([7, 9, 4])
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    (folder / "named.csv").write_text(NAMED)
    (folder / "graph.parquet").write_bytes(b"PAR1")
    np.save(folder / "graph.npy", np.stack([source, target], axis=1))
    np.savez(folder / "graph.npz", src=source, dst=target)
    result = connected_components((source, target))

    def labels(suffix: str) -> object:
        from skerry.io import write_labels

        path = folder / f"labels{suffix}"
        write_labels(result, path)
        return np.load(path).tolist() if suffix == ".npy" else path.read_text().splitlines()

    def networkx_graph(*edges: object) -> object:
        import networkx

        result = connected_components(networkx.Graph(edges))
        return [sorted(map(str, group)) for group in result.groups()]

    return {
        "arrays": lambda: connected_components((source, target)).count,
        "pairs": lambda: connected_components([(0, 1), (1, 2), (5, 6)]).count,
        "external": lambda: connected_components(external, ids="external").count,
        "text ids": lambda: connected_components([("kim", "lee")]).count,
        "csr": lambda: connected_components(skerry.Csr(offsets, neighbors)).count,
        "union_find": lambda: skerry.UnionFind(4).count,
        "verify": lambda: bool(result.verify()),
        "networkx of integers": lambda: networkx_graph((7, 8), (9, 9)),
        "networkx of text": lambda: networkx_graph(("lee", "kim"), ("ann", "ann")),
        "networkx of both": lambda: networkx_graph(("kim", "lee"), (1, 2)),
        **{
            name: (lambda path=folder / name: connected_components(path).count)
            for name in (*TEXTS, "graph.npy", "graph.npz", "named.csv", "graph.parquet")
        },
        **{f"labels{end}": (lambda end=end: labels(end)) for end in (".csv", ".tsv", ".npy")},
        "table": lambda: result.table(),
    }


def main() -> None:
    """Runs every case."""
    folder = Path(sys.argv[1])
    warnings.simplefilter("ignore")
    answers: dict[str, object] = {"pyarrow": importlib.util.find_spec("pyarrow") is not None}
    answers["package"] = os.fspath(skerry.__file__)
    answers["version"] = skerry.__version__
    for name, run in cases(folder).items():
        try:
            answers[name] = run()  # type: ignore[operator]
        except Exception as error:
            answers[name] = f"{type(error).__name__}: {error}"
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
