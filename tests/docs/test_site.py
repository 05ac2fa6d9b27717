"""The parts of the site that `make docs` puts together, without building it."""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import skerry
from support.paths import ROOT

TOOLS = ROOT / "tools/site"

pytestmark = pytest.mark.skipif(
    not TOOLS.exists() or not (ROOT / "benchmarks").exists(), reason="no tools/site, or no lab"
)


@pytest.fixture(scope="module")
def tool():
    """Imports a module of tools/site by its name."""
    sys.path.insert(0, str(TOOLS))
    yield importlib.import_module
    sys.path.remove(str(TOOLS))


def test_every_page_is_copied_and_listed(tool, tmp_path):
    pages = tool("pages")
    copies = pages.page_copies()
    sources = {*ROOT.glob("docs/*.md"), *ROOT.glob("docs/tours/*"), *ROOT.glob("benchmarks/docs/*")}
    assert sources | {ROOT / "README.md", ROOT / "CHANGELOG.md"} <= copies.keys()
    pages.copy_pages(tmp_path)
    lists = (tmp_path / "generated/lists.md").read_text()
    names = [line for line in lists.splitlines() if line and line[0] not in ":`"]
    names = [re.sub(r".*<(.*)>", r"\1", name) for name in names]
    assert sorted([*names, "index"]) == sorted(
        str(path.with_suffix("")) for path in copies.values()
    )
    order = ("Start", "\ntours/roads\n", "How-to", "\ngpu\n", "Reference", "\napi\n", "The lab")
    places = [lists.index(each) for each in order]
    assert places == sorted(places)
    assert {path.name for path in (tmp_path / "extra/tours").iterdir()} >= {"roads.ipynb"}
    for copy in copies.values():
        assert (tmp_path / copy).stat().st_size > 0
    with pytest.raises(ValueError, match=r"must list new in one"):
        pages.page_lists(copies | {ROOT / "docs/new.md": Path("new.md")})


def test_the_front_page_has_the_dates_of_its_figure():
    figure = (ROOT / "docs/images/libraries.svg").read_text()
    dates = sorted({*re.findall(r"\d{4}-\d\d-\d\d", figure)})
    assert f"Measured on {' and '.join(dates)}." in (ROOT / "docs/site/index.md").read_text()


def test_links_lead_to_the_copies(tool):
    pages = tool("pages")
    copies = pages.page_copies()
    page = ROOT / "benchmarks/docs/report.md"
    text = (
        "[a](../../docs/gpu.md#x) [b](peers.md) [c](../results) [d](https://e.org/f.md) [e](#g)\n"
        "```md\n[a](../../docs/gpu.md)\n```\n![i](../../docs/images/libraries.svg) "
        "[`c++`](../../src/skerry/kernels/common/road.h) [r](../../README.md) [t](../../docs/tours)"
    )
    assert pages.relink(text, page, Path("lab/report.md"), copies) == (
        "[a](../gpu.md#x) [b](peers.md) c [d](https://e.org/f.md) [e](#g)\n"
        "```md\n[a](../../docs/gpu.md)\n```\n![i](../images/libraries.svg) "
        "`c++` [r](../overview.md) [t](../gallery.md)"
    )


def test_a_notebook_is_a_page(tool):
    page = tool("pages").notebook_page(ROOT / "docs/tours/roads.ipynb")
    assert page.startswith("# Tour: city roads") and '<a href="roads.ipynb" download>' in page
    assert "```sh\nskerry info city.csv\n```\n\n```text\n" in page and "%%" not in page
    entities = tool("pages").notebook_page(ROOT / "docs/tours/entities.ipynb")
    assert "```python\nimport skerry\n" in entities and "<div>" not in entities


def test_public_names_are_all_described(tool):
    reference = tool("reference")
    members = reference.members()
    assert {f"skerry.{name}" for name in skerry.__all__ if name != "__version__"} <= members.keys()
    assert {"labels", "why"} <= {*members["skerry.Components"]}
    assert members["skerry.verify"] == []
    page = reference.module_page("skerry", set())
    assert ".. autofunction:: skerry.verify\n" in page
    assert ".. autoexception:: skerry.InputError\n" in page
    described: set[int] = set()
    first, second = (reference.module_page(f"skerry.{m}", described) for m in ("ray", "spark"))
    assert ":no-index:" not in first and ":no-index:" in second  # the same class


def test_every_algorithm_has_its_papers(tool):
    reference = tool("reference")
    cited = {name for spec in skerry.catalog() for name in reference.cited_papers(spec)}
    papers = reference.papers()
    assert cited - {reference.OWN} == papers.keys()  # none is missing, and none is left over
    assert all({"authors", "title", "published"} <= paper.keys() for paper in papers.values())
    identifiers = [paper["doi"] for paper in papers.values() if "doi" in paper]
    assert len({*identifiers}) == len(identifiers) >= 18
    assert all(re.fullmatch(r"10\.\d{4,}/[\w.()/-]+", doi) for doi in identifiers)
    page = reference.catalog_page()
    for spec in skerry.catalog():
        assert f"\n## {spec.name}\n" in f"\n{page}"
    for name in cited - {reference.OWN}:
        assert f"]({'#' + reference.label(name)})" in page
        assert f"\n({reference.label(name)})=\n" in page


def test_every_command_is_described(tool):
    page = tool("reference").command_page()
    assert "## skerry components\n" in page and "## skerry graphs get\n" in page
    assert "`--threshold" in page


@pytest.mark.parametrize("name", ["large", "none"])
def test_the_trace_is_of_a_run_of_the_solver(tool, name):
    """`make docs` compares all parents with the kernel's; here, what any run shows."""
    trace = tool("animation").traces()[name]
    n, edges = len(trace["positions"]), trace["edges"]
    rows = tool("kernel_trace").rows_of(n)
    assert sorted((u, v) for u, row in enumerate(rows) for v in row if u < v) == sorted(
        map(tuple, edges)
    )
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.uint64)
    graph = skerry.Csr(offsets, np.array([v for row in rows for v in row], np.uint32), True)
    result = skerry.connected_components(graph, algorithm="rows", threads=1, statistics=True)
    assert [stage["name"] for stage in trace["stages"]] == [*result.plan.stages]
    assert trace["stages"][-1]["parents"] == result.labels.tolist()
    measured = dict(result.plan.statistics.measured)
    assert trace["measured"] == pytest.approx(measured)
    graph_of = nx.Graph(edges)
    graph_of.add_nodes_from(range(n))
    before = list(range(n))
    for stage in trace["stages"]:
        parents = stage["parents"]
        assert all(parent <= v for v, parent in enumerate(parents))
        assert all(nx.has_path(graph_of, v, parent) for v, parent in enumerate(parents))
        trees = [nx.Graph(enumerate(each)) for each in (before, parents)]
        joined = {frozenset(tree) for tree in nx.connected_components(trees[1])}
        for tree in nx.connected_components(trees[0]):  # what is joined stays joined
            assert any(tree <= other for other in joined)
        before = parents
    labels = {min(part) for part in nx.connected_components(graph_of)}
    assert {*before} == labels


def test_inventories_are_what_sphinx_reads(tool, tmp_path):
    inventory = pytest.importorskip("sphinx.util.inventory", reason="of the group docs")
    tool("reference").write_inventories(tmp_path)
    names = tomllib.loads((ROOT / "docs/site/inventories.toml").read_text())
    for project, entry in names.items():
        text = (tmp_path / f"{project}.inv").read_bytes()
        read = inventory.InventoryFile.loads(text, uri=entry["address"]).data
        assert {name for kind in read.values() for name in kind} == entry["names"].keys()


def test_broken_links_are_found(tool, tmp_path):
    (tmp_path / "a.html").write_text(
        '<p id="x"><a href="b.html#y"></a><a href="#x"></a><a href="https://e.org/z"></a>'
        '<a href="b.html#z"></a><img src="gone.svg"><a href="#w"></a>'
    )
    (tmp_path / "b.html").write_text('<a name="y" href="a.html?q=1">')
    assert tool("links").broken_links(tmp_path) == [
        "a.html: b.html#z: no such place",
        "a.html: gone.svg: no such file",
        "a.html: #w: no such place",
    ]
