"""Files that are made to harm: they are refused soon, in little memory, and touch nothing else."""

from __future__ import annotations

import bz2
import lzma
import os
import sys
import time
import tracemalloc

import numpy as np
import pyarrow as pa
import pytest

import skerry
import skerry.io
from skerry.errors import InputError, SkerryError
from support.edge_files import write

HUGE = (2**31 - 1, 2**31, 2**32, 2**60, 2**63 - 1, 2**63, 2**64, 10**30, -1, -(2**60))
TEXT = {
    "a.metis": b"%d 0\n",
    "b.metis": b"3 %d\n2\n1\n\n",
    "a.graph-txt": b"%d\n",
    "a.adj": b"AdjacencyGraph\n%d\n0\n",
    "b.adj": b"AdjacencyGraph\n2\n%d\n0\n1\n",
    "a.col": b"p edge 5 %d\n",
    "b.col": b"p edge %d 1\ne 1 2\n",
    "a.net": b"*Vertices %d\n",
    "a.mtx": b"%%%%MatrixMarket matrix coordinate pattern general\n%d 5 1\n1 2\n",
    "b.mtx": b"%%%%MatrixMarket matrix coordinate pattern general\n5 5 %d\n1 2\n",
}
BINARY = {
    "a.egr": lambda n: np.array([n, 0], "<i4").tobytes(),
    "b.egr": lambda n: np.array([2, n, 0, 0, 0], "<i4").tobytes(),
    "a.sg": lambda n: b"\0" + np.array([0, n], "<i8").tobytes(),
    "b.sg": lambda n: b"\0" + np.array([n, 2, 0, 0, 0], "<i8").tobytes(),
    "a.vgr": lambda n: np.array([1, 0, n, 0], "<i8").tobytes(),
    "b.vgr": lambda n: np.array([1, 0, 2, n, 0, 0], "<i8").tobytes(),
    "c.vgr": lambda n: np.array([1, n, 2, 2, 1, 2], "<i8").tobytes() + b"\0" * 8,
}
FEW = 50_000_000
SECONDS = 20

pytestmark = pytest.mark.filterwarnings("ignore")


def refused(path, **options):
    """Whether it is an error of ours or of memory, soon and in little memory."""
    begin = time.process_time()
    tracemalloc.start()
    try:
        skerry.connected_components(path, threads=1, **options)
    except (SkerryError, MemoryError):
        return tracemalloc.get_traced_memory()[1] < FEW and time.process_time() - begin < SECONDS
    finally:
        tracemalloc.stop()
    return False


@pytest.mark.parametrize("count", HUGE)
@pytest.mark.parametrize("name", TEXT)
def test_counts_of_text_that_cannot_be(name, count, tmp_path):
    if name in ("b.col", "a.mtx", "a.net") and 0 < count < 2**33:
        pytest.skip("it may have so many vertices without an edge")
    assert refused(write(tmp_path, name, TEXT[name] % count))


@pytest.mark.parametrize("count", [2**31 - 1, 2**60, 2**63 - 1, -1, -(2**60)])
@pytest.mark.parametrize("name", BINARY)
def test_counts_of_binary_headers_that_cannot_be(name, count, tmp_path):
    if name.endswith("egr") and not -(2**31) <= count < 2**31:
        pytest.skip("32 bits")
    assert refused(write(tmp_path, name, BINARY[name](count)))


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [
        (".bz2", lambda data: bz2.compress(data, 9)),
        (".xz", lambda data: lzma.compress(data, preset=1)),
        (".zst", lambda data: pa.compress(data, "zstd", asbytes=True)),
    ],
)
def test_compressed_data_that_unpacks_to_far_more(suffix, compress, tmp_path):
    """1,032 times is the most of gzip, which graphs may reach; others unpack to more."""
    path = tmp_path / f"bomb.txt{suffix}"
    path.write_bytes(compress(b"7 7\n" * (1 << 18)) * 80)
    with pytest.raises(InputError, match="2,000 times its size"):
        skerry.connected_components(path)


@pytest.mark.parametrize("suffix", [".graphml", ".gexf"])
def test_entities_are_not_expanded(suffix, tmp_path):
    """A billion laughs, and the contents of another file."""
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    laughs = "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(9))
    root = {".graphml": "graphml", ".gexf": "gexf"}[suffix]
    for entities, use in (
        (f'<!ENTITY l0 "ha">{laughs}', "&l9;"),
        (f'<!ENTITY l9 SYSTEM "{secret.as_uri()}">', "&l9;"),
        (f'<!ENTITY % l9 SYSTEM "{secret.as_uri()}"> %l9;', ""),
    ):
        path = tmp_path / f"a{suffix}"
        path.write_text(
            f'<?xml version="1.0"?><!DOCTYPE {root} [{entities}]><{root}><graph>'
            f'<node id="a"/><node id="b"/>{use}<edge source="a" target="b"/></graph></{root}>'
        )
        with pytest.raises(InputError) as error:
            skerry.connected_components(path)
        assert "secret" not in str(error.value).replace(str(secret), "")


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_links_that_go_round(tmp_path):
    (tmp_path / "a.txt").symlink_to(tmp_path / "b.txt")
    (tmp_path / "b.txt").symlink_to(tmp_path / "a.txt")
    with pytest.raises(InputError, match=r"a\.txt"):
        skerry.connected_components(tmp_path / "a.txt")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "edges.txt").write_text("1 2\n")
    (folder / "again").symlink_to(folder)
    assert skerry.connected_components(folder).num_vertices == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_a_folder_with_a_pipe_does_not_wait_for_it(tmp_path):
    (tmp_path / "edges.txt").write_text("1 2\n")
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(InputError, match=r"pipe\.txt"):
        skerry.connected_components(tmp_path)


@pytest.mark.parametrize("weight", ["nan", "inf", "-inf", "1e999", "0x1p3", "1_0", "1 0"])
def test_weights_that_are_no_finite_numbers(weight, tmp_path):
    path = write(tmp_path, "a.csv", f"src,dst,w\n1,2,0.5\n3,4,{weight}\n")
    try:
        result = skerry.connected_components(path, weight="w", threshold=0.1)
    except InputError:
        return
    assert weight in ("inf", "-inf", "1e999")
    assert result.num_vertices == (2 if weight == "-inf" else 4)


def test_a_description_of_a_graph_names_no_file_of_another_folder(tmp_path):
    (tmp_path / "secret").write_text("root:x:0:0\n")
    folder = tmp_path / "graph"
    folder.mkdir()
    path = folder / "g.properties"
    for name in ("../secret", str(tmp_path / "secret")):
        path.write_text(f"graph.g.vertex-file = {name}\ngraph.g.edge-file = {name}\n")
        with pytest.raises(InputError) as error:
            skerry.connected_components(path)
        assert "root:x" not in str(error.value)
