"""Other projects' own tests, with their calls answered by skerry.

Usage: python tools/integrations.py [--list | --own] [project ...]

Runs in an environment of its own (`make test-integrations` makes it): each project's packages are
installed there at the versions below, its tests come with its package or from its repository at a
pinned commit, and are run twice: as they are, and with skerry. A test that fails with skerry only,
or a project whose tests never reached skerry, is an error. Without names, tests/integrations is
run, too; with ``--own``, only that.
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
    version: str
    """The tag of the commit, if it has one."""
    commit: str
    leave_out: tuple[str, ...] = ()
    """Folders that the tests do not read, such as those of videos."""


class Project(NamedTuple):
    """A library whose components skerry can find, and those of its tests that reach them."""

    name: str
    requirements: tuple[str, ...]
    tests: tuple[str, ...]
    repository: Repository | None = None
    own_sources: str = ""
    """The folder of the repository with the library, if it is not the installed one."""
    plugin: str = ""
    """A plugin of pytest beside this file that puts skerry in; otherwise scipy is patched."""
    swap: str = ""
    """The module of skerry whose ``use()`` puts it in, by the plugin swap_in."""
    python: tuple[int, int] = (3, 11)
    """What the library needs."""
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
            "jsonschema",
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
        own_sources=".",
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
        "datatrove",
        ("datatrove==0.9.0", "nltk", "xxhash==3.5.0", "tokenizers", "spacy"),
        ("tests/pipeline/test_minhash.py",),
        Repository(
            "https://github.com/huggingface/datatrove",
            "v0.9.0",
            "87f7bad5c4a56ec648265fbf0b91d7d226bad428",
            leave_out=("src",),  # the installed one is tested
        ),
        plugin="swap_datatrove",
    ),
    Project(
        "splink",
        (
            *("duckdb==2.0.0", "sqlglot", "altair", "Jinja2", "igraph", "pyarrow", "pandas"),
            *("networkx", "goldenmatch==3.22.0"),  # the last for tests/integrations
        ),
        (
            *("-m", "duckdb"),
            "tests/test_clustering.py",
            "tests/test_cluster_at_multiple_thresholds.py",
            "tests/test_cc_random_graphs.py",
            "tests/test_correctness_of_convergence.py",
            "tests/test_graph_metrics.py",
            "tests/test_full_example_duckdb.py",
            "tests/test_full_example_deterministic_link.py",
        ),
        Repository(
            "https://github.com/moj-analytical-services/splink",
            "5.0.0.dev4 of 2026-08-06",
            "e22dacdda967988fe701368d5bc21a54eebba0cf",
            leave_out=("docs",),
        ),
        own_sources=".",
        swap="splink",
    ),
    Project(
        "dedupe",
        ("dedupe==3.0.3",),
        ("tests/test_dedupe.py", "tests/test_api.py", "tests/test_core.py"),
        Repository(
            "https://github.com/dedupeio/dedupe",
            "3.0.3",
            "3f61e79102910bd355e920a2df7e44c14c9cb247",
            leave_out=("dedupe",),  # it is not compiled
        ),
        swap="dedupe",
    ),
    Project(
        "recordlinkage",
        ("recordlinkage==0.16", "networkx==3.6.1"),
        ("tests/test_network.py",),
        Repository(
            "https://github.com/J535D165/recordlinkage",
            "0.16",
            "b93d97641952f8c85106be5794ca93b1f1298fbc",
        ),
        own_sources=".",
        swap="recordlinkage",
    ),
    Project(
        "text-dedup",
        (
            *("polars", "polars-grouper", "bitarray", "datasets", "pydantic-settings", "ftfy"),
            *("regex", "rbloom", "xxhash", "scipy", "rich", "tqdm", "psutil"),
        ),
        ("tests/test_utils/test_union_find.py",),
        Repository(
            "https://github.com/ChenghaoMou/text-dedup",
            "0.4.1 of 2026-03-09",
            "7538f3ec6a28e72a86de5978e58655175b46a11e",
        ),
        own_sources="src",
        swap="text_dedup",
        python=(3, 12),
    ),
    Project(
        "data-juicer",
        (
            *("datasets", "loguru", "regex", "pillow", "dill", "multiprocess", "psutil", "tomli"),
            *("jsonargparse", "jsonlines", "zstandard", "lz4", "matplotlib", "wordcloud", "spacy"),
            *("wget", "av", "aiohttp", "emoji", "librosa", "beautifulsoup4", "pdfplumber"),
            *("python-docx", "mwparserfromhell", "plotly", "seaborn", "resampy", "gitpython"),
            *("httpx", "tabulate"),
        ),
        ("tests/ops/deduplicator/test_document_minhash_deduplicator.py",),
        Repository(
            "https://github.com/modelscope/data-juicer",
            "1.4.3 of 2025-10-17",
            "c07c2d793cd85f7d5151ddc560fe92a0b6a0ba4b",
            leave_out=("docs", "demos", "tests/ops/data", "thirdparty"),
        ),
        own_sources=".",
        swap="data_juicer",
    ),
    # The longest last.
    Project(
        "scanpy",
        ("scanpy==1.11.5", "igraph", "leidenalg", "pytest-mock"),
        (
            *("-p", "testing.scanpy._pytest"),
            "tests/test_neighbors.py",
            "tests/test_neighbors_key_added.py",
            "tests/test_paga.py",
            "tests/test_clustering.py",
            "tests/test_ingest.py",
            "tests/test_embedding.py",
        ),
        Repository(
            "https://github.com/scverse/scanpy",
            "1.11.5",
            "cf8b46dea735c35a629abfaa2e1bab9047281e34",
            leave_out=("docs", "notebooks", "tests/_images", "tests/notebooks"),
        ),
        own_sources="src",
    ),
    Project(
        "networkx",
        ("networkx==3.6.1",),
        ("--pyargs", "networkx"),
        plugin="count_backend_calls",
        environment=(("NETWORKX_TEST_BACKEND", "skerry"), ("NETWORKX_FALLBACK_TO_NX", "True")),
    ),
)


class NotRunError(Exception):
    """pytest ended before it wrote its results."""


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
    try:
        return _check(project)
    except (subprocess.CalledProcessError, NotRunError) as error:  # the others may still run
        return f"{project.name}: {error}"


def _check(project: Project) -> str | None:
    if sys.version_info < project.python:
        needed = ".".join(map(str, project.python))
        return f"{project.name}: needs Python {needed}: remove build/integrations, set PYTHON"
    _pip("install", *project.requirements)
    folder = FOLDER if project.repository is None else _check_out(project.repository)
    before = _run(project, folder, with_skerry=False)
    after = _run(project, folder, with_skerry=True)
    print(
        f"| {project.name} | {_version(project)} | {after.passed}, {before.passed} without "
        f"| {after.skipped} | {len(after.failed)}, {len(before.failed)} without | {after.calls:,} "
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
    paths = [folder / project.own_sources] if project.own_sources else []
    plugin = "swap_in" if project.swap else project.plugin
    command = [sys.executable]
    if plugin and with_skerry:
        paths.append(ROOT / "tools")
        environment |= {**dict(project.environment), "SKERRY_SWAP": project.swap}
    elif with_skerry:
        command += ["-m", "skerry.patch", "--count"]
    environment["PYTHONPATH"] = os.pathsep.join(map(str, paths))
    command += ["-m", "pytest", "-q", f"--junitxml={results}"]
    command += ["-o", "addopts=", "-o", f"cache_dir={FOLDER / 'cache'}"]  # theirs may need plugins
    if plugin and with_skerry:
        command += ["-p", plugin]
    results.unlink(missing_ok=True)
    begin = perf_counter()
    done = subprocess.run(
        [*command, *project.tests], cwd=folder, env=environment, capture_output=True, text=True
    )
    seconds = perf_counter() - begin
    (FOLDER / f"{project.name}-{kind}.log").write_text(done.stdout + done.stderr)
    if not results.exists():
        raise NotRunError(f"the tests did not run\n{done.stdout}{done.stderr}")
    calls = re.search(r"(\d+) calls answered by skerry", done.stdout + done.stderr)
    return _read(results, seconds, int(calls[1]) if calls else 0)


def _own_tests() -> str | None:
    """Ours of what needs the packages of these projects."""
    command = [sys.executable, "-m", "pytest", "-q", "tests/integrations"]
    sources = (_sources(p.repository) / p.own_sources for p in PROJECTS if p.swap and p.repository)
    paths = [ROOT / "tests", *(path for path in sources if path.exists())]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
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
    folder = _sources(repository)
    git = ["git", "-C", str(folder)]
    if not (folder / ".git").exists():
        subprocess.run(["git", "init", "--quiet", folder], check=True)
        subprocess.run([*git, "remote", "add", "origin", repository.url], check=True)
    (folder / ".git/info").mkdir(exist_ok=True)
    patterns = ["/*", *(f"!/{name}/" for name in repository.leave_out)]
    (folder / ".git/info/sparse-checkout").write_text("\n".join(patterns) + "\n")
    for command in (
        ["config", "core.sparseCheckout", "true"],
        ["fetch", "--quiet", "--depth=1", "--filter=blob:none", "origin", repository.commit],
        ["checkout", "--quiet", "--force", "FETCH_HEAD"],
    ):
        subprocess.run([*git, *command], check=True)
    return folder


def _sources(repository: Repository) -> Path:
    return FOLDER / "sources" / repository.url.rpartition("/")[2]


def _version(project: Project) -> str:
    if project.own_sources and project.repository is not None:
        return project.repository.version
    return project.requirements[-1 if project.name.startswith("pytorch") else 0].rpartition("=")[2]


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    subprocess.run([*command, "--quiet"], check=True)


def main(names: list[str]) -> int:
    """Checks the projects named, or all; prints a table."""
    known = {project.name: project for project in PROJECTS}
    unknown = [name for name in names if name not in known and name not in ("--list", "--own")]
    if unknown:
        print(f"no such project: {', '.join(unknown)}; there are {', '.join(known)}")
        return 2
    if "--list" in names:
        print(*known, sep="\n")
        return 0
    if "--own" in names:
        problem = _own_tests()
        print(problem or "tests/integrations passed")
        return 1 if problem else 0
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
