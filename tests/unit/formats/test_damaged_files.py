"""Damaged files and hostile arguments: our errors, MemoryError, or an answer; nothing else."""

from __future__ import annotations

import gzip
import io
import traceback
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skerry
import skerry.io
from skerry.errors import InputError, SkerryError
from support.cli import invoke
from support.damage import COMPRESSORS, damaged, foreign_error, suffix_of
from support.small_files import SMALL_FILES

DAMAGES = 40
"""Of each file; `make fuzz` makes as many as there is time for."""


def shown(error: BaseException, data: bytes) -> str:
    return f"{''.join(traceback.format_exception(error)[-3:])}\n{data[:2000]!r}"


@pytest.mark.parametrize("name", SMALL_FILES)
def test_a_damaged_file_raises_no_foreign_error(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"file{suffix_of(name)}"
    for data in damaged(SMALL_FILES[name], DAMAGES, seed=1):
        path.write_bytes(data)
        error = foreign_error(path, format=name, threads=1)
        assert error is None, shown(error, data)


@pytest.mark.parametrize("compression", [suffix for suffix in COMPRESSORS if suffix])
@pytest.mark.parametrize("name", ["snap", "csv", "parquet", "mtx", "npz", "sg"])
def test_damaged_compression_raises_no_foreign_error(
    name: str, compression: str, tmp_path: Path
) -> None:
    path = tmp_path / f"file{suffix_of(name)}{compression}"
    packed = COMPRESSORS[compression](SMALL_FILES[name])
    for data in damaged(packed, DAMAGES // 4, seed=2):
        path.write_bytes(data)
        error = foreign_error(path, format=name, threads=1)
        assert error is None, shown(error, data)
    for contents in damaged(SMALL_FILES[name], DAMAGES // 8, seed=3):
        path.write_bytes(COMPRESSORS[compression](contents))
        error = foreign_error(path, format=name, threads=1)
        assert error is None, shown(error, contents)


@pytest.mark.parametrize("name", SMALL_FILES)
def test_a_file_of_another_format_raises_no_foreign_error(name: str, tmp_path: Path) -> None:
    for other, data in SMALL_FILES.items():
        path = tmp_path / f"{other}{suffix_of(name)}"
        path.write_bytes(data)
        error = foreign_error(path, format=name, threads=1)
        assert error is None, shown(error, data)
        bare = tmp_path / "bare"
        bare.write_bytes(data)
        assert foreign_error(bare) is None


def test_an_unknown_encoding_of_graphml_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "x.graphml"
    path.write_bytes(SMALL_FILES["graphml"].replace(b"UTF-8", b"utf99"))
    with pytest.raises(InputError, match="utf99"):
        skerry.connected_components(path)


def test_a_damaged_header_in_an_npz_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    sink = io.BytesIO()
    np.save(sink, np.array([1, 2]))
    for header in (b"{'descr': '<i8', (", b"'''", b"\\\n", b"{'descr': '<i8'"):
        array = sink.getvalue()
        array = array[:10] + header.ljust(len(array) - 26, b" ") + array[-16:]
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("src.npy", array)
            archive.writestr("dst.npy", sink.getvalue())
        with pytest.raises(InputError):
            skerry.connected_components(path)


def test_an_encrypted_npz_is_an_input_error(tmp_path: Path) -> None:
    data = bytearray(SMALL_FILES["npz"])
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + flags] |= 1
            at = data.find(mark, at + 1)
    path = tmp_path / "x.npz"
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match="encrypted"):
        skerry.connected_components(path)


def test_a_file_truncated_while_it_is_read_is_not_a_smaller_graph(tmp_path: Path) -> None:
    path = tmp_path / "edges.txt"
    path.write_text("".join(f"{i} {i + 1}\n" for i in range(100_000)))
    for rewrite in ("1 2\n", path.read_text() + "3 4\n"):
        edges = skerry.io.read_edges(path)
        path.write_text(rewrite)
        with pytest.raises(InputError, match="changed while it was read: it had"):
            skerry.connected_components(edges)


HOSTILE: tuple[Any, ...] = (
    *(None, "", "\0", "x" * 5000, b"bytes", 1.5, float("nan"), -1, 2**70, True, object()),
    *(
        (),
        [],
        {},
        [[]],
        [None],
        (1, 2, 3),
        {"a": 1},
        np.array(3),
        np.zeros((0, 2)),
        np.ones((2, 2, 2)),
    ),
    *(np.array(["a"]), np.array([object()]), range(3), lambda: 1, type, iter(()), 1j, slice(3)),
)
OPTIONS = (
    *("num_vertices", "vertices", "weight", "threshold", "source", "target", "ids"),
    *("algorithm", "device", "threads", "labels", "dtype"),
    *("statistics", "stream", "symmetric", "keep"),
)


def call(function: Any, *arguments: Any, **options: Any) -> None:
    """Calls it; only our errors may leave it, and TypeError for arguments that it does not have."""
    try:
        function(*arguments, **options)
    except (SkerryError, MemoryError):
        pass
    except TypeError as error:
        if "unexpected keyword" not in str(error):
            raise


@pytest.mark.filterwarnings("ignore")
def test_hostile_graphs_raise_our_errors() -> None:
    for value in HOSTILE:
        for graph in (value, (value, value), ([0, 1], value)):
            call(skerry.connected_components, graph)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", OPTIONS)
def test_hostile_options_raise_our_errors(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("src,dst,weight\n1,2,0.5\n")
    for value in HOSTILE:
        call(skerry.connected_components, np.array([[0, 1], [1, 2], [4, 5]]), **{name: value})
        call(skerry.connected_components, path, **{name: value})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["format", "delimiter", "header", "ids_as_text", "weight"])
def test_hostile_options_of_files_raise_our_errors(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("src,dst,weight\n1,2,0.5\n")
    for value in HOSTILE:
        call(skerry.io.read_edges, path, **{name: value})


@pytest.mark.filterwarnings("ignore")
def test_hostile_arguments_of_files_raise_our_errors(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("src,dst\n1,2\n")
    for value in HOSTILE:
        if (isinstance(value, str) and value in ("", "x" * 5000)) or value is None:
            continue
        call(skerry.io.read_edges, value)
        if not isinstance(value, str | bytes):
            call(skerry.io.write_labels, value, tmp_path / "out.csv")


@pytest.mark.parametrize(
    "arguments",
    [
        ("components", "\0"),
        ("components", "x" * 5000),
        ("components", "x.csv", "--source", ""),
        ("components", "x.csv", "--source", "9" * 5000, "--target", "0"),
        ("components", "x.csv", "--delimiter", "\ud800"),
        ("components", "x.csv", "--threshold", "nan"),
        ("components", "x.csv", "--limit-memory", "9" * 400 + "T"),
        ("components", "x.csv", "--algorithm", "stages-cc[q=nan]"),
        ("components", "x.csv", "--device", "cuda:" + "9" * 50),
        ("components", "x.csv", "-o", "\0.csv"),
        ("components", "x.csv", "-o", "x" * 5000 + ".csv"),
        ("components", "x.csv", "--vertices", "\0"),
        ("convert", "x.csv", "\0.csv"),
        ("info", "["),
        ("info", "**"),
        ("verify", "x.csv", "x.csv"),
        ("generate", "path", "--n", "9" * 400, "-o", "y.csv"),
        ("generate", "path", "--n", "nan", "-o", "y.csv"),
        ("generate", "planted", "--sizes", "1x" * 50, "-o", "y.csv"),
        ("graphs", "make", "internet", "--scale", "1/0", "-o", "y.csv"),
        ("graphs", "get", "none"),
    ],
)
def test_hostile_command_lines_are_no_bugs(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text("src,dst\n1,2\n3,4\n")
    result = invoke(*arguments)
    assert result.exit_code in (0, 1, 2, 3, 4, 5), (result.output, result.exception)


class OwnError(Exception):
    """An error of the caller's."""


def test_errors_of_the_caller_pass_through_unchanged(tmp_path: Path) -> None:
    def broken(*_: Any) -> None:
        raise OwnError

    def batches() -> Iterator[Any]:
        yield np.array([0]), np.array([1])
        raise OwnError

    path = tmp_path / "x.txt"
    path.write_text("1 2\n")
    with pytest.raises(OwnError):
        skerry.connected_components(path, stream=skerry.StreamOptions(progress=broken))
    with pytest.raises(OwnError):
        skerry.connected_components(batches())


def test_errors_of_the_callers_file_system_pass_through_unchanged() -> None:
    fsspec = pytest.importorskip("fsspec")
    from fsspec.implementations.memory import MemoryFileSystem

    class Broken(MemoryFileSystem):  # type: ignore[misc]
        protocol = "broken"

        def size(self, path: str) -> int:
            del path
            raise OwnError

    fsspec.register_implementation("broken", Broken, clobber=True)
    with pytest.raises(OwnError):
        skerry.connected_components("broken://x.txt")


def test_gzip_of_several_members_is_read_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "bare"
    path.write_bytes(gzip.compress(b"1 2\n") + gzip.compress(b"3 4\n"))
    assert skerry.connected_components(path).num_vertices == 4
