"""Imports point only downwards, without circles; ``import skerry`` brings in nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib

import pytest

import skerry
from support import layers
from support.paths import ROOT

HOUSE = tomllib.loads((ROOT / "tests/project/layers.toml").read_text())
LAYERS = [layer["modules"] for layer in HOUSE["layer"]]
ONLY = {
    name: layer["only"] for layer in HOUSE["layer"] if "only" in layer for name in layer["modules"]
}
PAGE = ROOT / "docs/architecture.md"
HEAVY = ("scipy", "pyarrow", "rich", "typer", "networkx", "pandas", "numpy.ma", "skerry.cli")


@pytest.fixture(scope="module")
def sources():
    return layers.read_sources(ROOT / "src")


def listed(lines):
    return "\n".join(["", *map(str, lines)])


def test_imports_point_downwards(sources):
    violations = layers.layer_violations(sources, LAYERS, ONLY)
    assert not violations, listed(violations)


def test_no_circles(sources):
    circles = layers.circles(sources)
    assert not circles, listed(circles)


def test_late_imports_have_a_reason(sources):
    allowed = HOUSE["late"]
    counts = dict.fromkeys(allowed, 0)
    for module, count in layers.late_imports(sources).items():
        entry = layers.allowance(module, allowed)
        assert entry, f"{module} imports our modules inside functions: say why in layers.toml"
        counts[entry] += count
    grown = [
        f"{name}: {counts[name]}" for name, rule in allowed.items() if counts[name] > rule["limit"]
    ]
    assert not grown, f"more late imports than layers.toml allows:{listed(grown)}"


def test_type_tests(sources):
    rule = HOUSE["type_tests"]
    ours = {name: text for name, text in sources.items() if layers.allowance(name, {"skerry"})}
    counts = layers.type_tests(ours, rule["types"])
    elsewhere = {
        name: count for name, count in counts.items() if not layers.allowance(name, rule["modules"])
    }
    assert not elsewhere, listed(sorted(elsewhere.items()))
    assert counts.total() <= rule["limit"], listed(sorted(counts.items()))


def test_the_layers_are_all_in_use(sources):
    used = {layers.part_of(name, LAYERS) for name in sources} | layers.COMPILED
    unused = {entry for layer in LAYERS for entry in layer} - used
    assert not unused


def table():
    """The layers as the page shows them."""
    yield "| modules | what they hold |"
    yield "|---|---|"
    for layer in HOUSE["layer"]:
        names = ", ".join(f"`{name}`" for name in layer["modules"])
        only = (
            "; imports only " + ", ".join(f"`{name}`" for name in layer["only"])
            if "only" in layer
            else ""
        )
        yield f"| {names} | {layer['holds']}{only} |"


def test_the_page_shows_the_layers():
    page = PAGE.read_text().split("<!-- layers -->\n")
    assert len(page) == 3, f"{PAGE.name}: the table stands between two lines `<!-- layers -->`"
    expected = "\n".join(table())
    assert page[1].strip() == expected, f"{PAGE.name}: its table of layers should read\n{expected}"


# The checks themselves, fed with houses that have a fault.


CIRCLE = {
    "p.a": "from p import b",
    "p.b": "def late():\n    from p.c import name\n    return name",
    "p.c": "import p.a",
    "p.d": "import p.a",
}


def test_a_circle_is_seen():
    assert layers.circles(CIRCLE) == [["p.a", "p.b", "p.c"]]
    for name in ("p.a", "p.b", "p.c"):  # without any of its imports it is none
        assert layers.circles(CIRCLE | {name: ""}) == []


@pytest.mark.parametrize(
    "text",
    [
        "async def f():\n    import p.a",
        "f = lambda: __import__('p.a')",
        "class C:\n    def f(self):\n        from p import a",
        "from importlib import import_module\nimport_module('p.a')",
        "TABLE = (('name', 'p.a', 'attribute'),)",
        "if TYPE_CHECKING:\n    import p.a",
        "if typing.TYPE_CHECKING:\n    from p.a import name",
        "if TYPE_CHECKING:\n    pass\nelse:\n    import p.a",
    ],
)
def test_a_circle_is_seen_however_it_is_imported(text):
    assert layers.circles(CIRCLE | {"p.c": text}) == [["p.a", "p.b", "p.c"]]


def test_two_circles_are_two():
    other = {"p.x": "import p.y", "p.y": "import p.x, p.a"}
    assert sorted(layers.circles(CIRCLE | other)) == [["p.a", "p.b", "p.c"], ["p.x", "p.y"]]


def test_an_import_upwards_is_seen():
    table = (("p.top",), ("p.left", "p.right"), ("p.low",))
    house = {"p.top": "import p.low", "p.left": "import p.low", "p.right": "", "p.low.inner": ""}
    assert layers.layer_violations(house, table, {}) == []
    for name, text, reason in [
        ("p.low.inner", "import p.top", "p.low.inner:1 imports p.top, which is not below it"),
        ("p.low.inner", "def f():\n    import p.top", "p.low.inner:2 imports p.top"),
        ("p.low.inner", "if TYPE_CHECKING:\n    import p.top", "p.low.inner:2 imports p.top"),
        ("p.right", "import p.left", "p.right:1 imports p.left, which is not below it"),
        ("p.new", "", "p.new has no layer"),
    ]:
        (violation,) = layers.layer_violations(house | {name: text}, table, {})
        assert violation.startswith(reason)
    house["p.top"] = "import p.low.inner"
    (violation,) = layers.layer_violations(house, table, {"p.top": ("p.left",)})
    assert violation == "p.top:1 imports p.low.inner, but p.top may import p.left only"


def test_late_imports_are_counted():
    assert layers.late_imports(CIRCLE) == {"p.b": 1}
    assert layers.allowance("p.b.c", {"p", "p.b"}) == "p.b"
    assert layers.allowance("q", {"p"}) is None


def test_relative_imports_are_refused():
    with pytest.raises(ValueError, match=r"p\.a:1: a relative import"):
        layers.imports({"p.a": "from . import b"})


def test_type_tests_are_counted():
    text = """
isinstance(x, Csr)
isinstance(x, (int, graph.Edges))
isinstance(x, Csr | None)
isinstance(x, int)
match x:
    case Csr():
        pass
    case int():
        pass
"""
    assert layers.type_tests({"p": text}, ("Csr", "Edges")) == {"p": 4}


def fresh(code):
    """What a new interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_import_alone_loads_no_module_of_ours_and_no_numpy():
    """Names are loaded with their first use; `skerry --help` needs few of them."""
    loaded = fresh("import sys, skerry; print(*sys.modules)")
    packages = {each for each in loaded if each.split(".")[0] not in sys.stdlib_module_names}
    assert {each for each in packages if not each.startswith("_")} == {"skerry"}


def test_each_public_name_is_loaded_from_where_types_say_it_is(sources):
    block = next(node for node in ast.parse(sources["skerry"]).body if isinstance(node, ast.If))
    typed = {(node.module, name.name) for node in block.body for name in node.names}
    homes = {(f"skerry.{home}", name) for name, home in skerry._HOME_OF.items()}
    assert homes == typed
    assert {name for _, name in homes} == set(skerry.__all__)
    assert all(getattr(skerry, name) is not None for name in skerry.__all__)
    assert set(dir(skerry)) >= {*skerry.__all__, "io", "generators"}
    with pytest.raises(AttributeError, match="module 'skerry' has no attribute 'nothing'"):
        _ = skerry.nothing


def test_what_a_call_needs_is_nothing_heavy():
    loaded = fresh("import sys, skerry; skerry.connected_components; print(*sys.modules)")
    assert "skerry.api" in loaded
    own = set(loaded) - set(fresh("import sys, numpy; print(*sys.modules)"))
    for name in HEAVY:
        assert not [each for each in own if each == name or each.startswith(f"{name}.")]
    allowed = {"skerry", "numpy"}
    outside = {each.split(".")[0] for each in own}
    assert {each for each in outside - set(sys.stdlib_module_names) if each[0] != "_"} <= allowed
    aside = ("skerry.union_find", "skerry.thresholds", "skerry.formats", "skerry.generators")
    assert not [each for each in own if each.startswith(aside)]
