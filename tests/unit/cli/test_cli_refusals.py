"""``skerry components`` where it cannot go on: one line, an exit code, and nothing left behind."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skerry
from skerry.formats.writers import labels as write_labels
from skerry.result.verify import Verification
from support.cli import invoke, ok, refused, run

EDGES = np.array([[0, 1], [1, 2], [5, 6], [6, 6]])


@pytest.fixture
def edges(tmp_path: Path) -> Path:
    np.save(tmp_path / "edges.npy", EDGES)
    return tmp_path / "edges.npy"


def write_bad(folder: Path) -> dict[str, str]:
    np.save(folder / "float.npy", np.ones((3, 2)))
    np.save(folder / "cube.npy", np.ones((3, 2, 2), int))
    np.savez(folder / "other.npz", x=np.arange(3))
    (folder / "cut.npy").write_bytes((folder / "float.npy").read_bytes()[:100])
    (folder / "cut.npz").write_bytes((folder / "other.npz").read_bytes()[:100])
    (folder / "short.txt").write_text("0 1\n2\n")
    (folder / "word.txt").write_text("0 one\n")
    (folder / "empty.parquet").write_bytes(b"")
    (folder / "what.xyz").write_text("1 2\n")
    (folder / "cut.txt.gz").write_bytes(gzip.compress(b"1 2\n" * 1000)[:20])
    (folder / "matrix.mtx").write_text("%%MatrixMarket matrix coordinate\n3 3 1\n1 2\n")
    return {
        "float.npy": "integers",
        "cube.npy": "shape",
        "other.npz": "holds the arrays x",
        "cut.npy": "",
        "cut.npz": "",
        "short.txt": "line 2",
        "word.txt": "--format csv",
        "empty.parquet": "empty",
        "what.xyz": "no format has the suffix .xyz",
        "cut.txt.gz": "truncated",
        "matrix.mtx": "line 1",
        "missing.npy": "no such file",
        "none-*.txt": "no file matches",
    }


def test_bad_files_are_refused_in_one_line(tmp_path: Path) -> None:
    output = tmp_path / "labels.npy"
    for name, reason in write_bad(tmp_path).items():
        line = refused("components", tmp_path / name, "--ids", "vertices", "-o", output)
        assert name in line and reason in line, line
        assert not output.exists()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--algorithm", "magic"], "no algorithm named 'magic'"),
        (["--algorithm", "ecl[jump=far]"], "jump='far'"),
        (["--num-vertices", "3"], "vertex 5"),
        (["--output", "labels.txt"], ".parquet"),
        (["--output", "nowhere/labels.npy"], "no folder"),
        (["--output", "."], "is a folder"),
        (["--output", "edges.npy"], "is an input"),
        (["--output", "l.npy", "--largest", "2"], "all vertices"),
        (["--output", "-", "--json"], "choose one"),
        (["--source", "a"], "without the other end"),
        (["--weight", "w"], "needs --threshold"),
        (["--format", "magic"], "no format 'magic'"),
        (["--device", "tpu"], "device must be"),
        (["--vertices", "none.csv"], "none.csv"),
    ],
)
def test_bad_options_are_refused(
    edges: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], reason: str
) -> None:
    monkeypatch.chdir(edges.parent)
    assert reason in refused("components", edges.name, *options)
    assert list(edges.parent.iterdir()) == [edges]


def test_an_output_that_cannot_be_is_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "edges.txt").write_text("0 1\n")
    monkeypatch.setattr("skerry.cli.components.connected_components", None)  # must not be called
    line = refused("components", tmp_path / "edges.txt", "-o", tmp_path / "labels.npy")
    assert "--ids vertices" in line
    line = refused("components", tmp_path / "edges.txt", "-o", tmp_path / "no" / "labels.csv")
    assert "no folder" in line


@pytest.mark.parametrize(
    ("error", "code"), [(OSError(28, "No space left"), 4), (KeyboardInterrupt(), 130)]
)
def test_output_is_whole_or_as_before(
    edges: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    output = edges.with_name("labels.npy")
    output.write_bytes(b"as before")

    def save_some(_: Any, file: Any, __: str, ___: Any) -> None:
        file.write(b"half")
        raise error

    monkeypatch.setattr(write_labels, "npy", save_some)
    result = invoke("components", edges, "-o", output)
    assert result.exit_code == code
    assert output.read_bytes() == b"as before"
    assert sorted(edges.parent.iterdir()) == [edges, output]


def test_a_wrong_answer_is_not_written(edges: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Verification(False, "made up", np.empty(0, np.uint64))
    monkeypatch.setattr(skerry.Components, "verify", lambda _: wrong)
    output = edges.with_name("labels.npy")
    assert "made up" in refused("components", edges, "-o", output, "--verify", code=1)
    assert not output.exists()


def test_a_warning_is_a_line(tmp_path: Path) -> None:
    np.save(tmp_path / "square.npy", np.array([[0, 1], [0, 2]]))
    done = run("components", tmp_path / "square.npy", "--json")
    assert json.loads(done.stdout)["components"] == 1
    assert done.stderr.startswith("skerry: warning: ")
    assert done.stderr.count("\n") == 1


# `skerry components --engine`: what cannot be honored is refused before an engine starts.

FREE = {
    "--sizes": ["--sizes", "x.csv"],
    "--labels": ["--labels", "dense"],
    "--largest": ["--largest", "1"],
    "--min-size": ["--drop-singletons"],
    "--algorithm": ["--algorithm", "ecl"],
    "--threads": ["--threads", "2"],
    "--groups": ["--groups", "dst"],
    "--output -": ["-o", "-"],
}


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst\n1,2\n")
    return str(path)


@pytest.mark.parametrize("option", FREE)
def test_options_that_a_cluster_does_not_honor(pairs, option):
    message = refused("components", pairs, "--engine", "ray", *FREE[option], code=2)
    assert option in message
    assert "--engine" in message


def test_options_of_a_cluster_need_an_engine(pairs):
    for option in ("--master", "--state"):
        assert "--engine" in refused("components", pairs, option, "x", code=2)


def test_a_small_input_needs_no_engine(pairs, tmp_path):
    """What fits one process is streamed, and written as a data set all the same."""
    output = ok("components", pairs, "--engine", "ray", "-o", tmp_path / "out", "--verify")
    assert "fit one process" in output
    assert (tmp_path / "out" / "_SUCCESS").exists()
    report = json.loads(ok("components", pairs, "--engine", "ray", "--json"))
    assert (report["vertices"], report["components"]) == (2, 1)
