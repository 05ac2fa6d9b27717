"""The command line: what it says, what it writes, and how it fails."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from typer.testing import CliRunner

import skerry
from skerry.algorithms.check import Verification
from skerry.cli import files
from skerry.cli.app import app
from skerry.cli.names import braced, islands
from skerry.data import NamedGraph, debian

EDGES = np.array([[0, 1], [1, 2], [5, 6], [6, 6]])
LABELS = [0, 0, 0, 3, 4, 5, 5]


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def run(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "skerry", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, **options
    )


def said(output: str, word: str) -> str:
    """What the summary says beside ``word``."""
    lines = [line.strip() for line in output.splitlines()]
    return next(line.removeprefix(word).strip() for line in lines if line.startswith(f"{word} "))


@pytest.fixture
def edges(tmp_path: Path) -> Path:
    np.save(tmp_path / "edges.npy", EDGES)
    return tmp_path / "edges.npy"


# The embedded graph and the demo


@pytest.fixture(scope="module")
def packages() -> NamedGraph:
    return debian()


@pytest.fixture(scope="module")
def truth(packages: NamedGraph) -> np.ndarray:
    """The size of each component of the packages, by scipy."""
    graph = packages.edges
    n = graph.num_vertices
    matrix = sparse.coo_array((np.ones(graph.num_edges, bool), (graph.src, graph.dst)), (n, n))
    return np.bincount(sparse.csgraph.connected_components(matrix, directed=False)[1])


def test_embedded_graph_is_what_it_says(packages: NamedGraph) -> None:
    names, graph, meta = packages
    assert len(names) == graph.num_vertices == int(meta["Vertices"]) == 71_995
    assert graph.num_edges == int(meta["Edges"]) == 337_097
    assert names == sorted(set(names), key=str.encode)
    assert (graph.src < graph.dst).all()
    assert graph.dst.max() < len(names)
    hub = np.bincount(np.concatenate([graph.src, graph.dst])).argmax()
    assert names[hub] == "libc6"


def test_demo_tells_what_scipy_finds(truth: np.ndarray) -> None:
    result = invoke("demo")
    assert result.exit_code == 0, result.output
    assert said(result.output, "found") == f"{len(truth):,} components" == "2,136 components"
    assert said(result.output, "largest").startswith(f"{truth.max():,} packages, 96.6%")
    assert said(result.output, "alone").startswith(f"{(truth == 1).sum():,} packages")
    assert said(result.output, "between").startswith(f"{(truth > 1).sum() - 1:,} more")
    assert said(result.output, "verified").startswith("2,136 components: all 337,097 edges")
    assert "edges a second (median of" in said(result.output, "took")
    # The picture: every size class with its components.
    assert [f"{(truth == 2).sum():,}", f"{2 * (truth == 2).sum():,}"] in [
        line.split()[-2:] for line in result.output.splitlines() if line.split()[:1] == ["2"]
    ]


def test_demo_runs_what_is_asked_for() -> None:
    result = invoke("demo", "--algorithm", "ecl[jump=single]", "--threads", 1)
    assert result.exit_code == 0, result.output
    assert said(result.output, "ran").startswith("ecl[jump=single] on cpu, 1 thread")
    assert said(result.output, "because") == "asked for by name"


def test_demo_in_a_terminal_without_unicode() -> None:
    done = run("demo", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert "#####" in done.stdout


def test_islands_are_components_of_different_families(packages: NamedGraph) -> None:
    result = skerry.connected_components(packages.edges)
    shown = islands(result, packages.names)
    number = {name: vertex for vertex, name in enumerate(packages.names)}
    for members in shown:
        vertices = [number[name] for name in members]
        label = result.labels[vertices[0]]
        assert vertices == np.flatnonzero(result.labels == label).tolist()
        assert 5 <= len(members) <= 60
    assert [len(members) for members in shown] == sorted(map(len, shown), reverse=True)
    # More than one kind: the hundreds of Rust packages are one family.
    assert len(shown) > 3
    assert sum(members[0].startswith("librust") for members in shown) <= 1


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (["a"], "a"),
        (["a", "b"], "a, b"),
        (["fonts-kai", "fonts-yen"], "fonts-{kai, yen}"),
        (["lib-a-dev", "lib-b-dev"], "lib-{a, b}-dev"),
        (["lib-dev", "lib-a-dev"], "lib-{dev, a-dev}"),
        (["x-y", "x-y-z"], "x-{y, y-z}"),
    ],
)
def test_names_in_one_line(names: list[str], line: str) -> None:
    assert braced(names, 80) == line


def test_names_beyond_the_width_are_counted() -> None:
    names = [f"pack-{i:03}" for i in range(100)]
    line = braced(names, 40)
    assert len(line) <= 40
    assert line.startswith("pack-{000, 001, ") and line.endswith(" more}")
    assert line.count(",") + int(line.split()[-2]) == 100


# The catalogue


def test_algorithms_lists_the_catalogue() -> None:
    result = invoke("algorithms")
    assert result.exit_code == 0
    listed = {line.split()[0] for line in result.output.splitlines() if line.strip()}
    assert {row.name for row in skerry.catalogue()} <= listed
    assert "halving" in result.output


def test_algorithms_tells_where_a_row_runs() -> None:
    head, *lines = invoke("algorithms").output.splitlines()
    column = head.index("reads, runs on")
    said = {}
    for line in lines[: lines.index(next(line for line in lines if not line.strip()))]:
        if line[1] != " ":
            said[line.split()[0]] = where = []
        where.append(line[column:].strip())
    assert said.keys() == {row.name for row in skerry.catalogue()}
    assert said["dfs"][:3] == ["symmetric csr", "cpu", "one cpu thread"]
    assert said["bfs"][:3] == ["symmetric csr", "cpu, gpu", "one cpu thread"]
    assert said["ecl"][:3] == ["csr", "cpu, gpu", ""]
    for row in skerry.catalogue():
        places = ["gpu" if device == "cuda" else device for device in row.devices]
        assert said[row.name][:2] == [row.form, ", ".join(places)]


def test_algorithms_of_a_paper() -> None:
    result = invoke("algorithms", "--paper", "CONG & muzio")
    listed = {line.split()[0] for line in result.output.splitlines() if line.strip()}
    assert "stages-cc" in listed and "ecl" not in listed
    result = invoke("algorithms", "--paper", "nobody")
    assert result.exit_code == 2
    assert "Jaiganesh" in result.output


# Files


def write_all(folder: Path) -> list[Path]:
    src, dst = EDGES.T
    np.save(folder / "rows.npy", EDGES)
    np.save(folder / "columns.npy", np.asfortranarray(EDGES.T))
    np.save(folder / "big_endian.npy", EDGES.astype(">i4"))
    np.savez(folder / "pair.npz", src=src, dst=dst)
    matrix = sparse.coo_array((np.zeros(len(src)), (src, dst)), (7, 7))
    sparse.save_npz(folder / "coo.npz", matrix)
    sparse.save_npz(folder / "csr.npz", matrix.tocsr())
    text = "# from to\n0 1\n\n1\t2 0.25\n 5  6 # last but one\n6 6"
    (folder / "weighted.txt").write_text(text)
    return sorted(folder.iterdir())


def test_every_format_gives_the_same(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for file in write_all(tmp_path / "in"):
        output = tmp_path / f"{file.stem}.out.npy"
        result = invoke("components", file, "--output", output, "--verify")
        assert result.exit_code == 0, (file, result.output)
        assert "4 components" in said(result.output, "found"), file
        assert "verified" in result.output
        assert np.load(output).tolist() == LABELS, file


def test_two_lines_of_text_are_two_edges(tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text("0 1\n0 2\n")
    done = run("components", tmp_path / "two.txt", "--json")
    assert json.loads(done.stdout)["components"] == 1
    assert done.stderr == ""


def test_a_warning_is_a_line(tmp_path: Path) -> None:
    np.save(tmp_path / "square.npy", np.array([[0, 1], [0, 2]]))
    done = run("components", tmp_path / "square.npy", "--json")
    assert json.loads(done.stdout)["components"] == 1
    assert done.stderr.startswith("skerry: warning: a 2 x 2 array")
    assert done.stderr.count("\n") == 1


def test_json(edges: Path, tmp_path: Path) -> None:
    output = tmp_path / "labels.npy"
    options = ["--num-vertices", 9, "--algorithm", "rem", "--threads", 2, "--labels", "dense"]
    done = run("components", edges, "--json", "--verify", "-o", output, *options)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["vertices"], told["edges"], told["components"], told["alone"]) == (9, 4, 6, 4)
    assert told["largest"] == {"size": 3, "label": 0}
    assert [(each["from"], each["to"], each["components"]) for each in told["sizes"]] == [
        (1, 1, 4),
        (2, 2, 1),
        (3, 3, 1),
    ]
    assert sum(each["vertices"] for each in told["sizes"]) == 9
    assert told["plan"]["algorithm"] == "rem" and told["plan"]["threads"] == 2
    assert told["verified"] is True
    assert told["output"] == str(output)
    assert np.load(output).tolist() == [0, 0, 0, 1, 2, 3, 3, 4, 5]


@pytest.mark.parametrize("vertices", [0, 1, 3])
def test_no_edges(tmp_path: Path, vertices: int) -> None:
    (tmp_path / "empty.txt").write_text("# nothing\n")
    done = run("components", tmp_path / "empty.txt", "--num-vertices", vertices, "--verify")
    assert (done.returncode, done.stderr) == (0, "")
    assert said(done.stdout, "found").startswith(f"{vertices} component")


# Failures


def write_bad(folder: Path) -> dict[str, str]:
    np.save(folder / "float.npy", np.ones((3, 2)))
    np.save(folder / "cube.npy", np.ones((3, 2, 2), int))
    np.savez(folder / "other.npz", x=np.arange(3))
    (folder / "cut.npy").write_bytes((folder / "float.npy").read_bytes()[:100])
    (folder / "cut.npz").write_bytes((folder / "other.npz").read_bytes()[:100])
    (folder / "renamed.npz").write_bytes((folder / "float.npy").read_bytes())
    np.savez(folder / "no_indices.npz", format=b"csr", shape=(3, 3))
    (folder / "short.txt").write_text("0 1\n2\n")
    (folder / "word.txt").write_text("0 one\n")
    (folder / "huge.txt").write_text("0 99999999999999999999\n")
    (folder / "negative.txt").write_text("0 1\n3 -1\n")
    (folder / "matrix.mtx").write_text("%%MatrixMarket\n3 3 1\n1 2\n")
    return {
        "float.npy": "must hold integers",
        "cube.npy": "shape",
        "other.npz": "holds the arrays x",
        "cut.npy": "not a .npy file",
        "cut.npz": "not a .npz file",
        "renamed.npz": "not a .npz file",
        "no_indices.npz": "not a .npz file",
        "short.txt": "column",
        "word.txt": "'one'",
        "huge.txt": "99999999999999999999",
        "negative.txt": "dst[1] is -1",
        "matrix.mtx": "cannot read .mtx files",
        "missing.npy": "No such file",
        "missing.txt": "No such file",
    }


def test_bad_files_are_refused_in_one_line(tmp_path: Path) -> None:
    output = tmp_path / "labels.npy"
    for name, reason in write_bad(tmp_path).items():
        result = invoke("components", tmp_path / name, "-o", output)
        assert result.exit_code == 2, name
        assert result.output.startswith("skerry: ") and reason in result.output, result.output
        assert result.output.count("\n") == 1, result.output
        assert not output.exists()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--algorithm", "magic"], "no algorithm named 'magic'"),
        (["--algorithm", "ecl[jump=far]"], "jump='far'"),
        (["--num-vertices", "3"], "src[2] is 5"),
        (["--output", "labels.txt"], ".npy"),
        (["--output", "nowhere/labels.npy"], "no folder"),
    ],
)
def test_bad_options_are_refused(edges: Path, options: list[str], reason: str) -> None:
    done = run("components", edges, *options, cwd=edges.parent)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("skerry: ") and reason in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(edges.parent.iterdir()) == [edges]


@pytest.mark.parametrize("threads", ["0", "many"])
def test_options_that_are_no_numbers(edges: Path, threads: str) -> None:
    assert run("components", edges, "--threads", threads).returncode == 2


@pytest.mark.parametrize(
    ("error", "code"), [(OSError(28, "No space left"), 2), (KeyboardInterrupt(), 130)]
)
def test_output_is_whole_or_as_before(
    edges: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    output = edges.with_name("labels.npy")
    output.write_bytes(b"as before")

    def save_some(file: Any, *_: Any, **__: Any) -> None:
        file.write(b"half")
        raise error

    monkeypatch.setattr(files.np, "save", save_some)
    result = invoke("components", edges, "-o", output)
    assert result.exit_code == code
    assert output.read_bytes() == b"as before"
    assert sorted(edges.parent.iterdir()) == [edges, output]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file sizes")
def test_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    import resource

    (tmp_path / "edges.txt").write_text("0 100000\n")
    done = run(
        *("components", tmp_path / "edges.txt", "-o", tmp_path / "labels.npy"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
    )
    assert done.returncode == 2
    assert done.stderr.startswith("skerry: ") and done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["edges.txt"]


def test_a_wrong_answer_is_not_written(edges: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Verification(False, "made up", np.empty(0, np.uint64))
    monkeypatch.setattr(skerry.Components, "verify", lambda _: wrong)
    output = edges.with_name("labels.npy")
    result = invoke("components", edges, "-o", output, "--verify")
    assert result.exit_code == 1
    assert "made up" in result.output
    assert not output.exists()
    assert invoke("demo").exit_code == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs named pipes")
def test_ctrl_c(tmp_path: Path) -> None:
    pipe = tmp_path / "edges.txt"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "skerry", "components", str(pipe)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    with process, pipe.open("w"):  # opens when the reader does, which then waits for edges
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "skerry: stopped\n"


# The package around it


def test_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"skerry {skerry.__version__}\n")


def test_the_library_does_not_load_the_command_line() -> None:
    code = "import skerry, sys; print({'typer', 'rich', 'skerry.cli', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
