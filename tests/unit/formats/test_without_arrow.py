"""Files without pyarrow: integers can be read and written, the rest says what to install."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from skerry.formats.open import open_edges
from skerry.formats.registry import FORMATS
from skerry.formats.writers.write import write_graph
from support.no_arrow import run_without_arrow
from support.sample_files import sample_file
from support.streams import edges_in, read

NEEDS_ARROW = ("parquet", "arrow", "graphml")
NEEDS_ARROW_FOR_TEXT = ("gml", "gexf", "pajek", "adjlist")

READ = """
import sys
from skerry.errors import UnsupportedError
from skerry.formats.open import open_edges
for path in sys.argv[1:]:
    try:
        batches = list(open_edges(path).open(2))
        src = [int(id) for batch in batches for id in batch.src]
        dst = [int(id) for batch in batches for id in batch.dst]
        print(list(zip(src, dst)))
    except UnsupportedError as error:
        print(error)
"""


def test_reading(tmp_path):
    paths = {}
    for format in FORMATS:
        if format.read is None:
            continue
        paths[format.name] = sample_file(tmp_path, format.name)
    # With a weight that is not requested, delimited text is a table of more than two columns.
    for name, delimiter in (("csv", ","), ("tsv", "\t")):
        paths[name].write_text(f"src{delimiter}dst\n0{delimiter}1\n1{delimiter}2\n")
    lines = run_without_arrow(READ, *paths.values()).splitlines()
    for (name, path), line in zip(paths.items(), lines, strict=True):
        if name in (*NEEDS_ARROW, *NEEDS_ARROW_FOR_TEXT):
            assert line.startswith(f"{path}: reading "), line
            assert line.endswith("needs pyarrow: pip install 'skerry[arrow]'"), line
        else:
            assert line == str(edges_in(read(path))), name


def test_reading_other_files(tmp_path):
    words, more = tmp_path / "words.csv", tmp_path / "more.csv"
    words.write_text("src,dst\na,b\n")
    more.write_text("src,dst,score\n0,1,0.5\n")
    packed, zst = tmp_path / "edges.txt.gz", tmp_path / "edges.txt.zst"
    packed.write_bytes(gzip.compress(b"0 1\n") + gzip.compress(b"1 2\n"))
    zst.write_bytes(b"\x28\xb5\x2f\xfd")
    lines = run_without_arrow(READ, words, more, packed, zst).splitlines()
    need = "needs pyarrow: pip install 'skerry[arrow]'"
    text = "reading delimited text with anything but two integer columns and a weight"
    assert lines == [
        f"{words}: {text} {need}",
        f"{more}: {text} {need}",
        "[(0, 1), (1, 2)]",
        f"{zst}: reading .zst files {need}",
    ]


WRITE = """
import sys
from skerry.errors import UnsupportedError
from skerry.formats.open import open_edges
from skerry.formats.writers.write import write_graph
for path in sys.argv[2:]:
    try:
        write_graph(open_edges(sys.argv[1]), path, external_ids="ranks")
        print("written")
    except UnsupportedError as error:
        print(error)
"""


@pytest.mark.parametrize("source", ["0 7\n7 3\n", "%%MatrixMarket vertices"])
def test_writing_graphs(source, tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text(source)
    if "Market" in source:
        path = sample_file(tmp_path, "mtx")
    outputs = {
        f.name: tmp_path / f"out{f.suffixes[0]}" for f in FORMATS if f.write_graph is not None
    }
    outputs["gz"] = tmp_path / "out.csv.gz"
    lines = run_without_arrow(WRITE, path, *outputs.values()).splitlines()
    for (name, output), line in zip(outputs.items(), lines, strict=True):
        if name in NEEDS_ARROW:
            assert line.endswith("needs pyarrow: pip install 'skerry[arrow]'"), line
            continue
        assert line == "written", name
        beside = tmp_path / f"with-arrow-{output.name}"
        write_graph(open_edges(path), beside, external_ids="ranks")
        unpack = gzip.decompress if name == "gz" else bytes
        assert unpack(output.read_bytes()) == unpack(beside.read_bytes()), name


def test_writing_labels(tmp_path):
    code = """
import sys
import numpy as np
from pathlib import Path
from skerry.errors import UnsupportedError
from skerry.formats.writers.write import write_labels
folder = Path(sys.argv[1])
labels = np.array([0, 0, 2], np.uint32)
ids = np.array([-5, 2**40, 7])
write_labels(labels, folder / "array.csv")
write_labels({"id": ids, "component": ids[labels]}, folder / "ids.tsv")
write_labels(labels, folder / "array.npy")
try:
    write_labels(labels, folder / "array.parquet")
except UnsupportedError as error:
    print(error)
"""
    printed = run_without_arrow(code, tmp_path)
    assert (tmp_path / "array.csv").read_text() == "vertex,component\n0,0\n1,0\n2,2\n"
    assert (tmp_path / "ids.tsv").read_text() == "id\tcomponent\n-5\t-5\n1099511627776\t-5\n7\t7\n"
    np.testing.assert_array_equal(np.load(tmp_path / "array.npy"), [0, 0, 2])
    assert "writing Parquet files needs pyarrow: pip install 'skerry[arrow]'" in printed
    assert not (tmp_path / "array.parquet").exists()
