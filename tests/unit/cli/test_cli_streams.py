"""Standard input and output, and pipes: any format, any compression, data and nothing else."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import skerry
from skerry.errors import UnsupportedError
from skerry.formats.registry import FORMATS
from skerry.formats.source import SourceFile, standard_input
from support.cli import invoke, ok, run
from support.small_files import SMALL_FILES

COMPRESSORS: dict[str, Callable[[bytes], Any]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda data: pa.compress(data, "zstd", asbytes=True),
}
SHOWN = {"mtx", "dimacs", "ligra", "parquet", "arrow", "csv", "snap", "npy", "npz", "tsv"} | {
    *("graphml", "gexf", "gml", "pajek")
}
"""Formats that the contents show."""


class Piped:
    """Standard input of a test: bytes that cannot be read twice."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)

    def fileno(self) -> int:
        raise io.UnsupportedOperation


@pytest.fixture
def piped() -> Callable[..., dict[str, Any]]:
    """Runs a command on bytes in standard input; returns its JSON."""

    def run_piped(data: bytes, command: str = "components", *options: str) -> dict[str, Any]:
        result = invoke(command, "-", "--json", *options, piped=data)
        assert result.exit_code == 0, (options, result.output, result.exception)
        answer: dict[str, Any] = json.loads(result.output.splitlines()[-1])
        return answer

    return run_piped


@pytest.mark.parametrize("compression", COMPRESSORS)
@pytest.mark.parametrize("name", SMALL_FILES)
def test_every_format_and_compression_comes_from_standard_input(
    name: str, compression: str, piped: Any, tmp_path: Path
) -> None:
    data = SMALL_FILES[name]
    options = [] if name in SHOWN else ["--format", name]
    answer = piped(COMPRESSORS[compression](data), "components", *options)
    path = tmp_path / f"file{next(f for f in FORMATS if f.name == name).suffixes[0]}"
    path.write_bytes(data)
    from_file = json.loads(ok("components", path, "--json", "--format", name).splitlines()[-1])
    assert answer["format"] == name
    for fact in ("vertices", "edges", "components"):
        assert answer[fact] == from_file[fact], fact


def test_words_on_stdin_are_delimited_text(piped: Any) -> None:
    assert piped(b"id_l,id_r\nkim,lee\nlee,bo\n")["format"] == "csv"
    assert piped(b"id_l\tid_r\nkim\tlee\n")["format"] == "tsv"
    assert piped(b"# comment\n1 2\n3 4\n")["format"] == "snap"
    assert piped(b"\xef\xbb\xbf1 2\n3 4\n")["vertices"] == 4


@pytest.mark.parametrize("lines", ["kim lee\nlee bo\n", "kim|lee\nlee|bo\n", "1|2\n2|5\n"])
def test_the_same_text_is_the_same_graph_in_a_file(lines: str, piped: Any, tmp_path: Path) -> None:
    header = [] if lines[0] == "1" else ["--no-header"]
    answer = piped(lines.encode(), "components", *header)
    for name in ("a", "a.txt", "a.dat"):
        (tmp_path / name).write_text(lines)
        own = json.loads(ok("components", tmp_path / name, "--json", *header))
        same = ("format", "input", "vertices", "edges", "components", "largest")
        assert {key: own[key] for key in same} == {key: answer[key] for key in same}


def test_lines_of_different_lengths_on_stdin_are_not_taken_for_edges() -> None:
    metis = "4 3\n2 3\n1\n1 4\n3\n"
    done = run("components", "-", input=metis)
    assert done.returncode == 2
    assert "--format metis" in done.stderr
    assert (
        run("components", "-", "--format", "metis", "-q", input="4 3\n2 3\n1\n1 4\n3\n").stderr
        == ""
    )


def test_info_verify_and_convert_read_standard_input(piped: Any, tmp_path: Path) -> None:
    sink = io.BytesIO()
    pq.write_table(pa.table({"src": ["a", "b"], "dst": ["b", "c"]}), sink)
    described = piped(sink.getvalue(), "info")
    assert described["format"] == "parquet"
    assert described["counted"]["vertices"] == 3
    assert piped(gzip.compress(b"a,b\nb,c\n"), "info", "--no-header")["compression"] == "gzip"
    labels = tmp_path / "labels.csv"
    text = "src,dst\na,b\nc,d\n"
    assert run("components", "-", "-q", "-o", labels, "--verify", input=text).returncode == 0
    assert run("verify", "-", labels, input=text).returncode == 0
    matrix = tmp_path / "x.mtx"
    assert run("convert", "-", matrix, "--external-ids", "ranks", input=text).stderr == ""
    assert run("verify", matrix, "-", input=labels.read_text()).returncode != 0


def test_standard_input_is_named_once() -> None:
    assert "only once" in run("components", "-", "-", input="1 2\n").stderr
    done = run("verify", "-", "-", input="1 2\n")
    assert "only once" in done.stderr
    assert done.returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_pipes_of_a_shell_need_no_format(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("src,dst\na,b\nb,c\n")
    skerry_command = f"{sys.executable} -m skerry"
    script = (
        f"{skerry_command} components <(gzip -c a.csv) --json; "
        f"cat a.csv | {skerry_command} components /dev/stdin --json; "
        f"{skerry_command} components - --json < a.csv"
    )
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["components"] for answer in answers] == [1, 1, 1]
    assert {answer["format"] for answer in answers} == {"csv"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_named_pipe_is_read_by_python(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    sink = io.BytesIO()
    np.savez(sink, src=np.array([0, 1]), dst=np.array([1, 2]))
    for data in (sink.getvalue(), gzip.compress(b"src,dst\n5,6\n")):
        writer = threading.Thread(target=pipe.write_bytes, args=(data,))
        writer.start()
        result = skerry.connected_components(pipe)
        writer.join()
        assert result.count == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_copied_pipe_is_gone_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    done = run(
        "components",
        "-",
        "--verify",
        input="1 2\n",
        env={**os.environ, "SKERRY_TMPDIR": str(tmp_path / "t")},
    )
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "t").iterdir()) == []


def test_a_pipe_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Piped(b"1 2\n3 4\n"))
    file: SourceFile = standard_input()
    assert file.head(3) == file.head(3) == b"1 2"
    with file.open() as stream:
        assert stream.read_fully(100) == b"1 2\n3 4\n"
    with pytest.raises(UnsupportedError, match="standard input: can be read only once"):
        file.open()


WRITTEN = [format.name for format in FORMATS if format.write_graph is not None]


@pytest.mark.parametrize("name", WRITTEN)
def test_graphs_are_written_to_standard_output(name: str, tmp_path: Path) -> None:
    (tmp_path / "e.txt").write_text("0 1\n1 2\n3 4\n")
    command = [
        sys.executable,
        "-m",
        "skerry",
        "convert",
        str(tmp_path / "e.txt"),
        "-",
        "--to",
        name,
    ]
    done = subprocess.run(
        [*command, "--external-ids", "ranks"], capture_output=True, timeout=100, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    (tmp_path / "out").write_bytes(done.stdout)
    result = skerry.connected_components(skerry.io.read_edges(tmp_path / "out", format=name))
    assert (result.num_vertices, result.count) == (5, 2)


def test_generate_writes_to_standard_output() -> None:
    done = run("generate", "grid", "--rows", 2, "--columns", 2, "-o", "-", "--format", "csv")
    assert done.stdout.splitlines()[0] == "src,dst"
    assert len(done.stdout.splitlines()) == 5
    assert done.stderr == ""


def test_standard_output_needs_a_format(tmp_path: Path) -> None:
    (tmp_path / "e.txt").write_text("0 1\n")
    done = run("convert", tmp_path / "e.txt", "-")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--to" in done.stderr
    assert "--format" in run("generate", "path", "--n", 5, "-o", "-").stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device without room")
def test_a_full_standard_output_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "e.txt").write_text("0 1\n")
    for arguments in (
        ("convert", str(tmp_path / "e.txt"), "-", "--to", "csv"),
        ("components", str(tmp_path / "e.txt"), "-o", "-"),
        ("algorithms",),
    ):
        with Path("/dev/full").open("w") as full:
            done = run(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == 4, (arguments, done.stderr)
        assert done.stderr.startswith("skerry: standard output: ")
