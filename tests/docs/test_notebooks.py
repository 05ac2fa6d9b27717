"""The notebooks of docs/tours are small, readable and free of this machine; they run elsewhere.

``make test-notebooks`` runs them in an environment that has what they need.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace as Namespace

import pytest

from support.paths import ROOT

FOLDER = ROOT / "docs/tours"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MAX_BYTES = 60_000
MAX_CELLS = 25
MACHINE_PATH = re.compile(r"(?<![\w.])/(home|root|tmp|Users|usr|opt|work|var|mnt)/|[A-Z]:\\\\")

over_all = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cells(path: Path, kind: str) -> list[dict]:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def test_there_is_a_tour_for_each_kind_of_user():
    assert {path.stem for path in NOTEBOOKS} == {"documents", "entities", "gpu", "roads"}
    index = (ROOT / "docs/README.md").read_text()
    for path in NOTEBOOKS:
        assert f"tours/{path.name}" in index


@over_all
def test_a_notebook_is_small_and_of_the_usual_form(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert path.stat().st_size <= MAX_BYTES
    assert len(notebook["cells"]) <= MAX_CELLS
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    assert "".join(notebook["cells"][0]["source"]).startswith("# Tour: ")


@over_all
def test_code_cells_parse(path):
    for cell in cells(path, "code"):
        source = "".join(cell["source"])
        if not source.startswith("%%bash\n"):
            ast.parse(source)
        elif bash := shutil.which("bash"):
            script = source.removeprefix("%%bash\n")
            subprocess.run([bash, "-n", "-c", script], check=True, timeout=60)


@over_all
def test_outputs_come_from_a_run_without_errors(path):
    code = cells(path, "code")
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert any(cell["outputs"] for cell in code)
    for cell in code:
        assert all(output["output_type"] != "error" for output in cell["outputs"])


@over_all
def test_outputs_name_no_path_of_a_machine_and_no_escape_codes(path):
    for cell in cells(path, "code"):
        text = json.dumps(cell["outputs"])
        assert not MACHINE_PATH.search(text), MACHINE_PATH.search(text)
        assert "\\u001b" not in text


@over_all
def test_links_of_a_notebook_lead_to_files(path):
    for cell in cells(path, "markdown"):
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", "".join(cell["source"])):
            assert "://" in target or (path.parent / target).exists(), target


def test_a_path_of_a_machine_is_recognized():
    assert MACHINE_PATH.search("wrote /home/kim/x.csv")
    assert MACHINE_PATH.search(json.dumps({"text": "C:\\Users"}))
    assert not MACHINE_PATH.search("a/b of docs/tours")


@pytest.fixture(scope="module")
def tool():
    path = ROOT / "tools/run_notebooks.py"
    if not path.exists():
        pytest.skip("no tools/run_notebooks.py")
    spec = importlib.util.spec_from_file_location("run_notebooks", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed(text, tags=()):
    return Namespace(
        cell_type="code", metadata={"tags": tags}, outputs=[{"name": "stdout", "text": text}]
    )


def test_other_output_than_shown_is_noticed(tool, capsys):
    shown = [[{"name": "stdout", "text": ["3 components\n"]}]]
    assert tool._compare(FOLDER / "x.ipynb", [printed("3  components\n")], shown)
    assert not tool._compare(FOLDER / "x.ipynb", [printed("4 components\n")], shown)
    assert "-3 components" in capsys.readouterr().err
    assert not tool._compare(FOLDER / "x.ipynb", [printed("")], shown)


def test_times_sizes_and_cells_that_vary_are_not_compared(tool):
    shown = [[{"name": "stdout", "text": "took 38.4 ms, 2 threads, 1.2 MB"}]]
    assert tool._compare(FOLDER / "x.ipynb", [printed("took 2 s, 16 threads, 300 kB")], shown)
    assert tool._compare(FOLDER / "x.ipynb", [printed("on a GPU", [tool.VARIES])], shown)
