"""What a release needs beside the code: one version, pinned actions, terms of all that is bundled.

The tests of tools are skipped where the group `release` is not installed.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import skerry
from support.paths import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PINNED = re.compile(r"[\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+(\.\d+)*")
DATA = ROOT / "src/skerry/datasets/files"
TOOLS = ROOT / "tools"
RECIPE = ROOT / "packaging/conda/recipe.yaml"


def tool(name: str) -> str:
    path = shutil.which(name, path=str(Path(sys.executable).parent))
    if path is None:
        pytest.skip(f"{name} is not installed: pip install --group release")
    return path


def test_the_version_is_that_of_the_installed_package(monkeypatch):
    assert skerry.__version__ == importlib.metadata.version("skerry")

    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    assert skerry.__version__ == "0.0.0"


def test_no_version_is_written_down():
    for path in (ROOT / "pyproject.toml", ROOT / "benchmarks/pyproject.toml"):
        if path.exists():
            project = tomllib.loads(path.read_text())
            assert "version" in project["project"]["dynamic"]
            text = str(project["tool"])
            assert "'fallback_version': '0.0.0'" in text


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_and_may_do_little(path):
    text = path.read_text()
    uses = re.findall(r"uses: (.*)", text)
    assert uses and not [use for use in uses if not PINNED.fullmatch(use)]
    assert "\npermissions: {}\n" in text
    for target in re.findall(r"- run: make ([\w-]+)", text):
        assert target in (ROOT / "Makefile").read_text() or target == "docs"


def test_one_version_of_an_action():
    pins = {use for path in WORKFLOWS for use in re.findall(r"uses: (.*)", path.read_text())}
    names = [pin.split("@")[0] for pin in pins]
    assert sorted(names) == sorted(set(names))


@pytest.mark.skipif(not WORKFLOWS, reason="not a checkout")
def test_the_site_that_is_published_is_the_one_that_is_built():
    (path,) = re.findall(r"\n +path: (.*)", (ROOT / ".github/workflows/docs.yml").read_text())
    assert (
        f'SITE = ROOT / "build/site-source", ROOT / "{path}"'
        in (TOOLS / "site/build.py").read_text()
    )


def test_every_file_of_data_has_its_terms():
    page = (DATA / "README.md").read_text()
    for path in DATA.iterdir():
        assert path.name == "README.md" or f"## {path.name}" in page
    assert "**Terms**" in page and "ODbL" not in page


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("validate-pyproject", ["pyproject.toml"]),
        ("validate-pyproject", ["benchmarks/pyproject.toml"]),
        ("zizmor", ["--offline", "--quiet", ".github"]),
        ("cffconvert", ["--validate"]),
    ],
)
def test_a_tool_has_nothing_to_say(name, arguments):
    if not (ROOT / arguments[-1]).exists() and "/" in arguments[-1]:
        pytest.skip("not a checkout")
    done = subprocess.run([tool(name), *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_conda_recipe_asks_for_what_pyproject_does():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    text = RECIPE.read_text()
    for requirement in project["project"]["dependencies"] + project["build-system"]["requires"]:
        assert f"- {requirement.replace('>=', ' >=')}\n" in text


def test_the_conda_recipe_renders():
    rattler_build = pytest.importorskip("rattler_build")
    variants = rattler_build.VariantConfig.from_yaml(
        "{cxx_compiler: [gxx], c_stdlib: [sysroot], python: [3.12.* *_cpython]}"
    )
    (variant,) = rattler_build.Stage0Recipe.from_file(str(RECIPE)).render(variants)
    assert "skerry demo" in str(variant.recipe.to_dict()["tests"])


@pytest.fixture(scope="module")
def release_check():
    sys.path.insert(0, str(TOOLS))
    spec = importlib.util.spec_from_file_location("release_check", TOOLS / "release_check.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["release_check"] = module
    spec.loader.exec_module(module)
    sys.path.remove(str(TOOLS))
    return module


def test_a_wheel_with_less_than_it_needs_fails(release_check, tmp_path, monkeypatch, capsys):
    wheel = tmp_path / "skerry-1.0-cp312-abi3-manylinux_2_28_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(sys.executable, "skerry/_native.abi3.so")
    row = release_check.Row(wheel)
    monkeypatch.setattr(release_check, "LARGEST", 10)
    monkeypatch.setattr(release_check, "SYSTEM", re.compile("nothing"))
    monkeypatch.setattr(release_check, "tool", lambda *_: ["false"])
    release_check.check_wheel(row)
    assert not row.checks
    assert row.failed == [
        *("twine", "contents", "abi3audit", "6 MB", "CUDA sources", "SBOM"),
        "system libraries only",
    ]
    release_check.print_table([row], ["what is not proved"])
    table = capsys.readouterr().out
    assert "FAILED SBOM" in table and "unproved: what is not proved" in table


def test_a_symbol_of_glibc_is_found(release_check, tmp_path):
    wheel = tmp_path / "skerry-1.0-cp312-abi3-musllinux_1_2_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(sys.executable, "skerry/_native.abi3.so")
    row = release_check.Row(wheel)
    release_check.check_musl(row)
    assert row.failed == ["symbols"]


def test_the_suite_finds_no_compiler(release_check, tmp_path, monkeypatch):
    compilers = ("cc", "c++", "c99", "g++", "g++-12", "x86_64-linux-gnu-gcc", "clang-19", "cmake")
    others = {"sh", "git", "gcov", "cat"}
    (tmp_path / "usr").mkdir()
    for name in (*compilers, *others):
        (tmp_path / "usr" / name).touch()
    monkeypatch.setenv("PATH", f"{tmp_path / 'usr'}:{tmp_path / 'none'}")
    folder = release_check.without_compilers(tmp_path / "bin")
    assert {path.name for path in folder.iterdir()} == others
