"""The packages as people get them: built, installed where nothing else is, and run.

skerry is built twice: as a wheel from the checkout, and as an sdist from which a wheel is built.
Neither environment has pyarrow, so what works without it is tested here too.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from support.packages import Installed, builds, clean, install, pip
from support.paths import ROOT, TESTS

pytestmark = builds


def sdist(folder: Path, backend: str, project: Path) -> Path:
    """Builds an sdist with the tools of this environment."""
    code = f"import {backend} as backend; print(backend.build_sdist({str(folder)!r}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project,
        env=clean(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sdist(tmp_path_factory.mktemp("sdist"), "scikit_build_core.build", ROOT)


@pytest.fixture(scope="module")
def wheel_of_source(tmp_path_factory: pytest.TempPathFactory, source: Path) -> Path:
    """A wheel of the sdist. It is not optimized: to compile it so takes a third of the time."""
    folder = tmp_path_factory.mktemp("from-source")
    pip(
        *(sys.executable, "wheel", source, "--no-deps", "--no-build-isolation", "-w", folder),
        *("-C", f"build-dir={folder / 'build'}", "-C", "cmake.build-type=Debug"),
        *("-C", "cmake.define.CMAKE_CXX_FLAGS_DEBUG=-O0"),
    )
    return next(folder.glob("skerry-*.whl"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Installed:
    return install(tmp_path_factory.mktemp("installed"), wheel, "networkx")


@pytest.fixture(scope="module")
def bench_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of skerry-bench, made from its sdist."""
    folder = tmp_path_factory.mktemp("bench")
    archive = sdist(folder, "hatchling.build", ROOT / "benchmarks")
    pip(sys.executable, "wheel", archive, "--no-deps", "--no-build-isolation", "-w", folder)
    return next(folder.glob("*.whl"))


def files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_demo(installed: Installed) -> None:
    assert "2,136 components" in installed.skerry("demo")


def test_doctor(installed: Installed) -> None:
    output = installed.skerry("doctor")
    assert str(installed.folder / "lib") in output  # the installed one, not this checkout
    assert "scipy          missing" in output


def test_components(installed: Installed, tmp_path: Path) -> None:
    edges, labels, table = (tmp_path / name for name in ("g.mtx", "l.npy", "l.csv"))
    installed.skerry("generate", "planted", "--sizes", "100+20x5", "-o", edges)
    assert "21 components" in installed.skerry("components", edges, "--verify", "-o", labels)
    assert "21 components" in installed.skerry("verify", edges, labels)
    assert "21 components" in installed.skerry("explore", edges, "-o", tmp_path / "page.html")
    installed.skerry("components", edges, "-o", table)
    done = installed.run(installed.folder / "bin/skerry", "verify", edges, table)
    assert done.returncode == 2 and "pip install 'skerry[arrow]'" in done.stderr
    assert "ECL-CC" in installed.skerry("graphs")


@pytest.fixture(scope="module")
def answers(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What tests/support/without_arrow.py gives in an environment without pyarrow."""
    folder = tmp_path_factory.mktemp("without-arrow")
    done = installed.run(installed.python, TESTS / "support/without_arrow.py", folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


LABELS = [0, 0, 0, 3, 4, 5, 5]


def lines(delimiter: str) -> list[str]:
    rows = [("id", "component"), *((str(row), str(label)) for row, label in enumerate(LABELS))]
    return [delimiter.join(row) for row in rows]


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        ("pyarrow", False),
        ("arrays", 4),
        ("pairs", 4),
        ("external", 2),
        ("csr", 4),
        ("union_find", 4),
        ("verify", True),
        ("graph.txt", 2),
        ("graph.el", 2),
        ("graph.wel", 2),
        ("graph.mtx", 4),
        ("graph.metis", 4),
        ("graph.gr", 4),
        ("graph.npy", 4),
        ("graph.npz", 4),
        ("networkx of integers", [["7", "8"], ["9"]]),
        ("networkx of text", [["ann"], ["kim", "lee"]]),
        ("networkx of both", [["kim", "lee"], ["1", "2"]]),
        ("labels.csv", lines(",")),
        ("labels.tsv", lines("\t")),
        ("labels.npy", LABELS),
    ],
)
def test_without_pyarrow(answers: dict[str, object], case: str, answer: object) -> None:
    assert answers[case] == answer


@pytest.mark.parametrize("case", ["named.csv", "graph.parquet", "table", "text ids"])
def test_what_needs_pyarrow_says_how_to_get_it(answers: dict[str, object], case: str) -> None:
    assert "skerry[arrow]" in str(answers[case])


def test_the_version_stands_in_one_place(
    answers: dict[str, object], wheel: Path, source: Path, bench_wheel: Path
) -> None:
    version = answers["version"]
    assert [path.name.split("-")[1] for path in (wheel, bench_wheel)] == [version] * 2
    assert source.name == f"skerry-{version}.tar.gz"


def test_the_wheel_holds_the_library_only(wheel: Path) -> None:
    names = files(wheel)
    assert {name.split("/")[0] for name in names} == {"skerry", "_skerry_networkx"}
    assert "skerry/py.typed" in names
    assert any(name.startswith("skerry/_native.") and name.endswith(".so") for name in names)
    assert any(name.endswith(".cu") for name in names)
    assert "skerry/result/explore/assets/d3-force.min.js" in names
    assert not [name for name in names if name.endswith((".cpp", ".pyc"))]
    assert not [name for name in names if "bench" in name]


def test_the_wheel_says_what_is_in_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        metadata = {
            name.split(".dist-info/")[1]: archive.read(name)
            for name in archive.namelist()
            if ".dist-info/" in name
        }
    bill = json.loads(metadata["sboms/skerry.cdx.json"])
    assert bill["metadata"]["component"]["version"] == wheel.name.split("-")[1]
    assert {"nanobind", "robin-map", "d3-force"} <= {part["name"] for part in bill["components"]}
    assert all(part["licenses"] for part in bill["components"])
    assert b"\nLicense-Expression: BSD-3-Clause AND MIT AND ISC\n" in metadata["METADATA"]
    bundled = ("packaging/licenses/nanobind.txt", "packaging/licenses/robin-map.txt")
    for name in ("LICENSE", *bundled, "src/skerry/result/explore/assets/d3-force.LICENSE"):
        assert f"licenses/{name}" in metadata


def test_packages_built_twice_are_the_same(wheel: Path, source: Path, tmp_path: Path) -> None:
    again = sdist(tmp_path, "scikit_build_core.build", ROOT)
    assert again.read_bytes() == source.read_bytes()
    pip(sys.executable, "wheel", ROOT, "--no-deps", "--no-build-isolation", "-w", tmp_path)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


@pytest.mark.parametrize(
    "command",
    [
        "twine check --strict {wheel} {source} {bench_wheel}",
        "check-wheel-contents {wheel} {bench_wheel}",
        "abi3audit --strict {wheel}",
        "pyroma --min=8 {source}",  # two points are for an address, which there is not yet
    ],
    ids=lambda command: command.split()[0],
)
def test_the_tools_of_a_release(command: str, wheel: Path, source: Path, bench_wheel: Path) -> None:
    name, *arguments = command.format(wheel=wheel, source=source, bench_wheel=bench_wheel).split()
    program = Path(sys.executable).parent / name
    if not program.exists():
        pytest.skip("not installed: pip install --group release")
    if name == "abi3audit" and "-abi3-" not in wheel.name:
        pytest.skip("the wheel of this interpreter is its own")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_sdist_builds_the_same_wheel(wheel: Path, wheel_of_source: Path) -> None:
    assert files(wheel) == files(wheel_of_source)


def test_the_sdist_runs(tmp_path: Path, wheel_of_source: Path) -> None:
    here = install(tmp_path / "env", wheel_of_source)
    assert "2,136 components" in here.skerry("demo")


def test_the_sdist_holds_sources_only(source: Path) -> None:
    with tarfile.open(source) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    assert {"LICENSE", "README.md", "CMakeLists.txt", "tests/project/test_packaging.py"} <= names
    assert not [
        name
        for name in names
        if name.startswith(("build", "benchmarks", ".venv", ".ci", ".github"))
    ]
    assert not [name for name in names if name.endswith((".so", ".pyc"))]


@pytest.mark.parametrize("command", ["bench", "report"])
def test_a_command_of_the_other_package(installed: Installed, command: str) -> None:
    done = installed.run(installed.folder / "bin/skerry", command)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "pip install skerry-bench" in done.stderr


def test_skerry_bench(wheel: Path, bench_wheel: Path, tmp_path: Path) -> None:
    here = install(tmp_path / "env", wheel, bench_wheel)
    assert "suite" in here.skerry("bench", "--help")
    assert "report" in here.skerry("report", "--help")
    assert {"bench", "report"} <= {*here.skerry("--help").replace("│", " ").split()}
