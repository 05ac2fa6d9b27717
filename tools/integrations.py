"""Other projects' own tests, with their calls answered by skerry.

Usage: python tools/integrations.py [--list] [project ...]

Runs in an environment of its own (`make test-integrations` makes it): each project's packages are
installed there at the versions below, its tests come with its package or from its repository at a
pinned commit, and are run twice: as they are, and with skerry. A test that fails with skerry only,
or a project whose tests never reached skerry, is an error. Without names, tests/integrations is
run, too.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build/integrations"


class Repository(NamedTuple):
    """Where tests come from that a package does not ship."""

    url: str
    tag: str
    commit: str
    """What the tag must be."""


class Project(NamedTuple):
    """A library that calls scipy or networkx, and those of its tests that reach the call."""

    name: str
    requirements: tuple[str, ...]
    tests: tuple[str, ...]
    repository: Repository | None = None
    own_sources: bool = False
    """Whether the library is that of the repository, not the installed one."""
    plugin: str = ""
    """A plugin of pytest beside this file that puts skerry in; otherwise scipy is patched."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables that are set with skerry."""


PROJECTS = (
    Project("scipy", ("scipy==1.17.1",), ("--pyargs", "scipy.sparse.csgraph")),
    Project(
        "scikit-learn",
        ("scikit-learn==1.9.1",),
        (
            "--pyargs",
            "sklearn.cluster.tests.test_hierarchical",
            "sklearn.cluster.tests.test_feature_agglomeration",
            "sklearn.cluster.tests.test_hdbscan",
            "sklearn.cluster.tests.test_spectral",
            "sklearn.manifold.tests.test_isomap",
            "sklearn.manifold.tests.test_spectral_embedding",
            "sklearn.utils.tests.test_graph",
            "sklearn.feature_extraction.tests.test_image",
        ),
    ),
    Project(
        "trimesh",
        (
            "trimesh==5.2.0",
            "networkx==3.6.1",
            "shapely",
            "rtree",
            "lxml",
            "pillow",
            "svg.path",
            "mapbox_earcut",
        ),
        (
            "tests/test_graph.py",
            "tests/test_remesh.py",
            "tests/test_repair.py",
            "tests/test_polygons.py",
            "tests/test_paths.py",
            "tests/test_creation.py",
            "tests/test_mutate.py",
        ),
        Repository(
            "https://github.com/mikedh/trimesh",
            "5.0.0rc1",
            "a513c0e2cfa6dfbd3121a6dfd8ceb002b9ef55d8",
        ),
        own_sources=True,
    ),
    Project(
        "dask-image",
        ("dask-image==2025.11.0",),
        ("tests/test_dask_image/test_ndmeasure",),
        Repository(
            "https://github.com/dask/dask-image",
            "v2025.11.0",
            "9992f3f896edb674e4efec83b0bde2adf20ea69a",
        ),
    ),
    Project(
        "pytorch-geometric",
        ("torch==2.13.0", "torch-geometric==2.8.0.post1"),
        (
            "test/transforms/test_largest_connected_components.py",
            "test/data/test_data.py",
            "test/data/test_hetero_data.py",
            "test/nn/pool/test_cluster_pool.py",
        ),
        Repository(
            "https://github.com/pyg-team/pytorch_geometric",
            "2.8.0.post1",
            "d4e1c45689967a614a7f3d873ad4ba83c4a1f3bd",
        ),
    ),
    Project(
        "networkx",
        ("networkx==3.6.1",),
        ("--pyargs", "networkx"),
        plugin="count_backend_calls",
        environment=(("NETWORKX_TEST_BACKEND", "skerry"), ("NETWORKX_FALLBACK_TO_NX", "True")),
    ),
    Project(
        "datatrove",
        ("datatrove==0.9.0", "nltk", "xxhash==3.5.0", "tokenizers", "spacy"),
        ("tests/pipeline/test_minhash.py",),
        Repository(
            "https://github.com/huggingface/datatrove",
            "v0.9.0",
            "87f7bad5c4a56ec648265fbf0b91d7d226bad428",
        ),
        plugin="swap_datatrove",
    ),
)


class Run(NamedTuple):
    """What pytest said."""

    passed: int
    skipped: int
    failed: frozenset[str]
    seconds: float
    calls: int
    """Calls that skerry answered."""


def check(project: Project) -> str | None:
    """Tests a project, prints a row of a table, and returns what is wrong."""
    _pip("install", *project.requirements)
    folder = FOLDER if project.repository is None else _check_out(project.repository)
    before = _run(project, folder, with_skerry=False)
    after = _run(project, folder, with_skerry=True)
    print(
        f"| {project.name} | {_version(project)} | {after.passed} | {after.skipped} "
        f"| {len(after.failed)}, {len(before.failed)} without | {after.calls:,} "
        f"| {after.seconds:.0f}, {before.seconds:.0f} without |",
        flush=True,
    )
    broken = sorted(after.failed - before.failed)
    if broken:
        return f"{project.name}: fails with skerry only: {', '.join(broken)}"
    if not after.passed or not after.calls:
        return f"{project.name}: no test reached skerry"
    return None


def _run(project: Project, folder: Path, with_skerry: bool) -> Run:
    kind = "with" if with_skerry else "without"
    results = FOLDER / f"{project.name}-{kind}.xml"
    environment = dict(os.environ)
    if project.own_sources:
        environment["PYTHONPATH"] = str(folder)
    command = [sys.executable]
    if project.plugin and with_skerry:
        environment |= {**dict(project.environment), "PYTHONPATH": str(ROOT / "tools")}
    elif with_skerry:
        command += ["-m", "skerry.patch", "--count"]
    command += ["-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={results}"]
    command += ["-o", "addopts="]  # theirs may need plugins
    if project.plugin and with_skerry:
        command += ["-p", project.plugin]
    results.unlink(missing_ok=True)
    begin = perf_counter()
    done = subprocess.run(
        [*command, *project.tests], cwd=folder, env=environment, capture_output=True, text=True
    )
    seconds = perf_counter() - begin
    (FOLDER / f"{project.name}-{kind}.log").write_text(done.stdout + done.stderr)
    if not results.exists():
        raise SystemExit(f"{project.name}: the tests did not run\n{done.stdout}{done.stderr}")
    calls = re.search(r"(\d+) calls answered by skerry", done.stdout + done.stderr)
    return _read(results, seconds, int(calls[1]) if calls else 0)


def _own_tests() -> str | None:
    """Ours of what needs the packages of these projects."""
    command = [sys.executable, "-m", "pytest", "-q", "tests/integrations"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    done = subprocess.run(command, cwd=ROOT, env=environment)
    return "tests/integrations failed" if done.returncode else None


def _read(results: Path, seconds: float, calls: int) -> Run:
    passed = skipped = 0
    failed = set()
    for case in ElementTree.parse(results).iter("testcase"):
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            failed.add(f"{case.get('classname')}.{case.get('name')}")
        elif "skipped" in kinds:
            skipped += 1
        else:
            passed += 1
    return Run(passed, skipped, frozenset(failed), seconds, calls)


def _check_out(repository: Repository) -> Path:
    """The files of a repository at its pinned commit."""
    folder = FOLDER / "sources" / repository.url.rpartition("/")[2]
    if not (folder / ".git").exists():
        subprocess.run(["git", "init", "--quiet", folder], check=True)
    tag = f"refs/tags/{repository.tag}"
    for command in (
        ["fetch", "--quiet", "--depth=1", repository.url, tag],
        ["checkout", "--quiet", "--force", "FETCH_HEAD"],
    ):
        subprocess.run(["git", "-C", folder, *command], check=True)
    command = ["git", "-C", str(folder), "rev-parse", "HEAD"]
    commit = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    if commit != repository.commit:
        raise SystemExit(f"{repository.url}: {repository.tag} is {commit}, not the pinned commit")
    return folder


def _version(project: Project) -> str:
    if project.own_sources and project.repository is not None:
        return project.repository.tag
    return project.requirements[-1 if project.name.startswith("pytorch") else 0].rpartition("=")[2]


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    subprocess.run([*command, "--quiet"], check=True)


def main(names: list[str]) -> int:
    """Checks the projects named, or all; prints a table."""
    known = {project.name: project for project in PROJECTS}
    unknown = [name for name in names if name not in known and name != "--list"]
    if unknown:
        print(f"no such project: {', '.join(unknown)}; there are {', '.join(known)}")
        return 2
    if "--list" in names:
        print(*known, sep="\n")
        return 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "pytest.ini").write_text("[pytest]\n")  # or ours would hold for their tests
    print("| project | version | passed | skipped | failed | calls by skerry | seconds |")
    print("|---|---|---|---|---|---|---|", flush=True)
    problems = [check(known[name]) for name in names or known]
    if not names:
        problems.append(_own_tests())
    for problem in filter(None, problems):
        print(problem)
    return 1 if any(problems) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
