"""The command line: the demo, the catalog, and what surrounds all commands."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

import skerry
from skerry.cli.app import app
from skerry.cli.shown_ids import braced, islands
from skerry.datasets.embedded import NamedGraph, debian
from skerry.result.verify import Verification
from support.cli import invoke, ok, refused, run, said

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
    assert said(result.output, "isolated").startswith(f"{(truth == 1).sum():,} packages")
    assert said(result.output, "others").startswith(f"{(truth > 1).sum() - 1:,} more")
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


# The catalog


def test_a_wrong_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Verification(False, "made up", np.empty(0, np.uint64))
    monkeypatch.setattr(skerry.Components, "verify", lambda _: wrong)
    assert invoke("demo").exit_code == 1


def test_algorithms_lists_the_catalog() -> None:
    result = invoke("algorithms")
    assert result.exit_code == 0
    listed = {line.split()[0] for line in result.output.splitlines() if line.strip()}
    assert {row.name for row in skerry.catalog()} <= listed
    assert "halving" in result.output


def test_algorithms_tells_where_a_row_runs() -> None:
    head, *lines = invoke("algorithms").output.splitlines()
    column = head.index("reads, runs on")
    said = {}
    for line in lines[: lines.index(next(line for line in lines if not line.strip()))]:
        if line[1] != " ":
            said[line.split()[0]] = where = []
        where.append(line[column:].strip())
    assert said.keys() == {row.name for row in skerry.catalog()}
    assert said["dfs"][:3] == ["symmetric csr", "cpu", "one cpu thread"]
    assert said["bfs"][:3] == ["symmetric csr", "cpu, gpu", "one cpu thread"]
    assert said["ecl"][:3] == ["csr", "cpu, gpu", ""]
    for row in skerry.catalog():
        places = ["gpu" if device == "cuda" else device for device in row.devices]
        assert said[row.name][:2] == [row.form, ", ".join(places)]


def test_algorithms_of_a_paper() -> None:
    result = invoke("algorithms", "CONG & muzio")
    listed = {line.split()[0] for line in result.output.splitlines() if line.strip()}
    assert "stages-cc" in listed and "ecl" not in listed
    result = invoke("algorithms", "nobody")
    assert result.exit_code == 2
    assert "Jaiganesh" in result.output


# The package around it


def test_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"skerry {skerry.__version__}\n")


def test_the_library_does_not_load_the_command_line() -> None:
    code = "import skerry, sys; print({'typer', 'rich', 'skerry.cli', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def commands() -> list[list[str]]:
    names = [info.name or info.callback.__name__ for info in app.registered_commands]
    groups = {info.name: info.typer_instance for info in app.registered_groups}
    below = [["graphs", one.callback.__name__] for one in groups["graphs"].registered_commands]
    return [[name] for name in [*names, *groups]] + below + [["generate", "rmat"]]


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_has_help_with_an_example(command: list[str]) -> None:
    text = " ".join(ok(*command, "--help").split())
    assert f"Example: skerry {' '.join(command)}" in text
    assert text == " ".join(ok(*command, "-h").split())


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["components"], "skerry: Missing argument 'INPUT...'; see skerry components --help"),
        (["generate", "nix"], "skerry: No such command 'nix'; see skerry generate --help"),
        (["nonsense"], "skerry: No such command 'nonsense'; see skerry --help"),
    ],
)
def test_wrong_use_is_told_in_a_line(arguments: list[str], line: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{line}\n")


def test_help_is_shown_to_those_who_say_nothing() -> None:
    done = run()
    assert "components" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


# Shell completion


def complete(words: str, shell: str = "bash") -> list[str]:
    asked = {
        "_SKERRY_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": f"skerry {words}",
        "COMP_CWORD": str(len(f"skerry {words}".split(" ")) - 1),
        "_TYPER_COMPLETE_ARGS": f"skerry {words}",
    }
    return run(env=os.environ | asked).stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("components --algorithm eclaf", "eclaf"),
        ("components --format par", "parquet"),
        ("generate graph500-", "graph500-reference"),
        ("graphs get soc", "soc-LiveJournal1"),
    ],
)
def test_completion(words: str, offered: str) -> None:
    assert complete(words) == [offered]


def test_completion_can_be_installed() -> None:
    done = run(
        "--show-completion",
        "bash",
        env=os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    )
    assert "skerry" in done.stdout
    assert "--install-completion" in ok("--help")


def test_refusals_are_one_line() -> None:
    assert "no algorithm matches" in refused("algorithms", "nobody")
