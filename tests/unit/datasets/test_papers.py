"""The table of the papers' graphs, their stand-ins, and downloads from a server on this machine."""

from __future__ import annotations

import csv
import errno
import io
import socket
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from skerry.datasets import fetch, papers
from skerry.datasets.papers import Source, download, paper_graph, papers_graphs, stand_in
from skerry.errors import DownloadError, InputError, TargetError, UnsupportedError
from skerry.generators.builder import plan
from skerry.generators.table import parse
from support.paths import SHARED
from support.server import serve

PUBLISHED = SHARED / "published"
CONTENT = np.random.default_rng(3).bytes(3_000_000)


# The table.


def test_the_table_has_all_graphs_of_the_papers():
    graphs = papers_graphs()
    assert len({graph.name for graph in graphs}) == len(graphs)
    count = {
        paper: sum(graph.paper == paper for graph in graphs) for paper in {g.paper for g in graphs}
    }
    assert count == {"ECL-CC": 18, "Cong & Muzio": 5, "Gerasimou": 5}
    for graph in graphs:
        assert graph.family
        assert graph.sources or graph.paper == "Cong & Muzio"
        for source in graph.sources:
            assert source.address.startswith(("https://", "http://"))
            assert source.format in ("snap", "mtx", "dimacs", "egr")
            assert source.address.endswith(".tar.gz") == bool(source.member)
            assert "/" not in source.file_name


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the papers' tables are not here")
def test_figures_are_those_published():
    for row in csv.DictReader((PUBLISHED / "eclcc_graphs.csv").read_text().splitlines()):
        graph = paper_graph(row["graph"])
        assert (graph.exact, graph.directed) == (True, True)
        assert graph.vertices == int(row["vertices"])
        assert graph.edges == int(row["directed_edges"])
        assert graph.components == int(row["components"])
    for row in csv.DictReader((PUBLISHED / "gerasimou_t4.csv").read_text().splitlines()):
        graph = paper_graph(row["graph"])
        assert (graph.vertices, graph.edges) == (int(row["vertices"]), int(row["edges"]))
        assert not graph.exact


@pytest.mark.parametrize("name", [graph.name for graph in papers_graphs()])
def test_stand_ins_are_about_as_large(name):
    graph = paper_graph(name)
    assert stand_in(name) == parse(graph.stand_in)
    scale = 1 / 256
    small = plan(stand_in(name, scale))
    assert abs(small.num_vertices / (graph.vertices * scale) - 1) < 0.2
    if graph.edges is not None:
        assert abs(small.num_edges / (graph.undirected_edges * scale) - 1) < 0.33


def test_stand_ins_by_seed_and_scale():
    assert stand_in("internet", seed=1) != stand_in("internet", seed=2)
    assert stand_in("rmat22.sym", 1 / 8).parameters[0] == 19
    assert stand_in("torus-100M", 1 / 4).parameters == (5000, 5000)
    assert plan(stand_in("delaunay_n24", 1e-9)).num_vertices == 4
    with pytest.raises(InputError, match="scale must be positive"):
        stand_in("internet", 0)
    with pytest.raises(InputError, match=r"did you mean 'rmat22\.sym'"):
        stand_in("rmat22")


# Downloads.


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(fetch, "PAUSE", 0)


@pytest.fixture
def server():
    with serve(**{"graph.egr": CONTENT}) as server:
        yield server


@pytest.fixture
def served(monkeypatch, server):
    """A graph of a paper that this machine serves: 10 vertices, 12 edges, 2 components."""

    def add(*sources, **fields):
        addressed = [
            replace(source, address=f"{server.address}/{source.address}") for source in sources
        ]
        graph = replace(paper_graph("internet"), sources=tuple(addressed), name="mine")
        figures = {"vertices": 10, "edges": 24, "components": 2}
        graph = replace(graph, **(figures | fields))
        monkeypatch.setattr(papers, "_table", lambda: {"mine": graph})
        return graph

    return add


def archive(**members):
    """A .tar.gz; a member that is a string is a link to it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            if isinstance(content, str):
                entry.type, entry.linkname = tarfile.SYMTYPE, content
                tar.addfile(entry)
            else:
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def file_names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_downloaded(server, served, tmp_path):
    served(Source("graph.egr", "egr"))
    calls = []
    folder = tmp_path / "new" / "folder"
    path = download("mine", folder, progress=lambda *at: calls.append(at))
    assert path == folder / "graph.egr"
    assert path.read_bytes() == CONTENT
    assert file_names(folder) == ["graph.egr"]
    assert calls[-1] == (len(CONTENT), len(CONTENT))
    assert [done for done, _ in calls] == sorted({done for done, _ in calls})
    assert download("mine", folder) == path  # it is there
    assert len(server.requests) == 1


@pytest.mark.parametrize("cuts", [[1_000_000], [0, 5], [1, 1, 1]])
def test_a_broken_transfer_is_resumed(server, served, tmp_path, cuts):
    served(Source("graph.egr", "egr"))
    server.cuts = list(cuts)
    assert download("mine", tmp_path).read_bytes() == CONTENT
    assert file_names(tmp_path) == ["graph.egr"]
    assert len(server.requests) == len(cuts) + 1
    assert server.requests[-1][1] == (f"bytes={sum(cuts)}-" if sum(cuts) else None)


def test_a_transfer_that_breaks_too_often_is_resumed_by_the_next_call(server, served, tmp_path):
    served(Source("graph.egr", "egr"))
    server.cuts = [100_000] * 4
    with pytest.raises(DownloadError, match=r"interrupted 4 times.*400,000 bytes.*call again"):
        download("mine", tmp_path)
    assert file_names(tmp_path) == ["graph.egr.part", "graph.egr.part.mark"]
    assert download("mine", tmp_path).read_bytes() == CONTENT
    assert server.requests[-1][1] == "bytes=400000-"
    assert file_names(tmp_path) == ["graph.egr"]


@pytest.mark.parametrize("way", ["no ranges", "no tag", "weak tag", "changed", "shrunk"])
def test_a_transfer_that_cannot_be_resumed_starts_again(server, served, tmp_path, way):
    served(Source("graph.egr", "egr"))
    server.ranges = way != "no ranges"
    server.tag = {"no tag": None, "weak tag": 'W/"1"'}.get(way, '"1"')
    server.cuts = [100_000] * 4
    with pytest.raises(DownloadError, match="interrupted"):
        download("mine", tmp_path)
    expected = CONTENT
    if way == "changed":
        server.tag, expected = '"2"', CONTENT[::-1]
    if way == "shrunk":
        expected = CONTENT[:50]
    server.files["/graph.egr"] = expected
    assert download("mine", tmp_path).read_bytes() == expected
    assert file_names(tmp_path) == ["graph.egr"]


def test_a_busy_server_is_tried_again(server, served, tmp_path):
    served(Source("graph.egr", "egr"))
    server.codes = [503, 429]
    assert download("mine", tmp_path).read_bytes() == CONTENT
    server.codes = [503] * 4
    (tmp_path / "graph.egr").unlink()
    with pytest.raises(DownloadError, match="the server answered 503"):
        download("mine", tmp_path)
    assert file_names(tmp_path) == []


@pytest.mark.parametrize("code", [403, 404, 410])
def test_a_missing_file(server, served, tmp_path, code):
    served(Source("graph.egr", "egr"))
    server.codes = [code]
    with pytest.raises(DownloadError, match=rf"graph\.egr: the server answered {code}"):
        download("mine", tmp_path)
    assert file_names(tmp_path) == []
    assert len(server.requests) == 1


def test_no_internet(served, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        graph = served(Source("graph.egr", "egr"))
        source = replace(graph.sources[0], address=f"http://127.0.0.1:{port}/graph.egr")
        with pytest.raises(DownloadError, match=r"cannot be reached: .*refused"):
            papers._fetched(source, tmp_path, None, 5)
        source = replace(source, address="http://no-such-host.invalid/graph.egr")
        with pytest.raises(DownloadError, match="cannot be reached"):
            papers._fetched(source, tmp_path, None, 5)
    assert file_names(tmp_path) == []


def test_a_full_disk(served, tmp_path, monkeypatch):
    served(Source("graph.egr", "egr"))

    class Full(io.FileIO):
        def write(self, _):
            raise OSError(errno.ENOSPC, "No space left on device")

    usual = Path.open

    def opened(path, mode="r", *more, **options):
        return Full(path, "w") if "b" in mode else usual(path, mode, *more, **options)

    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(DownloadError, match=r"cannot be written: No space.*nothing was left"):
        download("mine", tmp_path)
    assert file_names(tmp_path) == []


def test_a_folder_that_is_a_file(served, tmp_path):
    served(Source("graph.egr", "egr"))
    (tmp_path / "taken").touch()
    with pytest.raises(TargetError, match="cannot be created"):
        download("mine", tmp_path / "taken")


# Archives.


@pytest.fixture
def packed(server, served):
    served(Source("mine.tar.gz", "mtx", "mine/mine.mtx"))

    def put(content):
        server.files["/mine.tar.gz"] = content

    return put


def test_a_member_of_an_archive(packed, tmp_path):
    packed(archive(**{"mine/other.mtx": b"no", "mine/mine.mtx": CONTENT}))
    path = download("mine", tmp_path)
    assert path == tmp_path / "mine.mtx"
    assert path.read_bytes() == CONTENT
    assert file_names(tmp_path) == ["mine.mtx"]


@pytest.mark.parametrize("target", ["/etc/passwd", "../../elsewhere", "other"])
def test_links_in_archives_are_not_followed(packed, tmp_path, target):
    packed(archive(**{"mine/mine.mtx": target}))
    with pytest.raises(DownloadError, match="not a plain file"):
        download("mine", tmp_path)
    assert file_names(tmp_path) == ["mine.tar.gz"]


def test_members_outside_of_the_folder_are_not_unpacked(packed, tmp_path):
    packed(archive(**{"../evil": b"1", "/tmp/evil": b"2", "./mine/mine.mtx": b"good"}))
    assert download("mine", tmp_path / "in").read_bytes() == b"good"
    assert file_names(tmp_path) == ["in"]


def test_an_archive_without_the_file(packed, tmp_path):
    packed(archive(**{"mine/readme": b"hello"}))
    with pytest.raises(DownloadError, match=r"has no file mine/mine\.mtx"):
        download("mine", tmp_path)


@pytest.mark.parametrize("damage", ["not an archive", "cut", "changed"])
def test_a_damaged_archive_is_removed(packed, tmp_path, damage):
    good = archive(**{"mine/mine.mtx": CONTENT})
    half = len(good) // 2
    packed(
        {
            "not an archive": b"<html>sorry</html>",
            "cut": good[:half],
            "changed": good[:half] + bytes(1000) + good[half + 1000 :],
        }[damage]
    )
    with pytest.raises(DownloadError, match=r"is damaged .* was removed; fetch it again"):
        download("mine", tmp_path)
    assert file_names(tmp_path) == []
    packed(good)
    assert download("mine", tmp_path).read_bytes() == CONTENT


def test_an_archive_larger_than_the_disk(packed, tmp_path, monkeypatch):
    packed(archive(**{"mine/mine.mtx": CONTENT}))
    left = type("Left", (), {"free": 1000})
    monkeypatch.setattr(fetch.shutil, "disk_usage", lambda _: left)
    with pytest.raises(DownloadError, match=r"needs 3,000,000 bytes, but .* has 1,000 left"):
        download("mine", tmp_path)
    assert file_names(tmp_path) == ["mine.tar.gz"]


# The check against the paper.


def test_a_graph_as_published_passes(served, tmp_path):
    served(Source("graph.egr", "egr"))
    seen = []
    download("mine", tmp_path, count=lambda path: seen.append(path) or (10, 12, 2))
    assert seen == [tmp_path / "graph.egr"]
    download("mine", tmp_path, count=lambda _: (10, None, None))  # what was not counted


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((11, 12, 2), "11 vertices instead of 10"),
        ((10, 13, 2), "13 edges instead of 12"),
        ((10, 12, 1), "1 components instead of 2"),
        ((9, 11, 2), "9 vertices instead of 10, 11 edges instead of 12"),
    ],
)
def test_another_graph_is_rejected(served, tmp_path, counts, message):
    served(Source("graph.egr", "egr"))
    with pytest.raises(DownloadError, match=f"not the graph of the paper: {message}"):
        download("mine", tmp_path, count=lambda _: counts)
    assert file_names(tmp_path) == ["graph.egr.rejected"]


def test_rounded_figures_are_right_to_a_percent(served, tmp_path):
    served(Source("graph.egr", "egr"), vertices=10_000, edges=24_000, exact=False, components=None)
    download("mine", tmp_path, count=lambda _: (10_050, 11_900, 7))
    with pytest.raises(DownloadError, match="10,200 vertices"):
        download("mine", tmp_path, count=lambda _: (10_200, 12_000, 7))


def test_graphs_without_an_address(served, server, tmp_path):
    with pytest.raises(UnsupportedError, match=r"cannot be downloaded .* stand-in"):
        download("torus-100M", tmp_path)
    served(Source("gone.egr", "egr"), Source("graph.egr", "egr"))
    with pytest.raises(InputError, match=r"sources 0\.\.1, got 2"):
        download("mine", tmp_path, source=2)
    assert download("mine", tmp_path, source=1).read_bytes() == CONTENT
    assert server.requests == [("/graph.egr", None)]
