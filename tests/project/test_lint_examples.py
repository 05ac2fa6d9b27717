"""`tools/lint_examples.py`: pages become programs whose lines have the numbers of the page."""

from __future__ import annotations

import importlib.util

import pytest

from support.paths import ROOT


@pytest.fixture(scope="module")
def tool():
    path = ROOT / "tools/lint_examples.py"
    spec = importlib.util.spec_from_file_location("lint_examples", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGE = """\
# A page

```python
>>> import skerry
>>> for edge in [(0, 1)]:
...     skerry.connected_components(edge)
Components(...)

```

```python
result = solve(src)
```

```python
>>> print(edge)
(0, 1)

```
"""


def test_lines_keep_their_numbers(tool, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    blocks, session = ((end, text.splitlines()) for end, text in tool.programs(page))
    assert blocks[0] == "_12" and blocks[1][11] == "result = solve(src)"
    assert blocks[1][0] == "from doc_examples.names import solve, src"
    assert session[0] == "" and session[1][3:6] == [
        "import skerry",
        "for edge in [(0, 1)]:",
        "    skerry.connected_components(edge)",
    ]
    assert session[1][15] == "print(edge)" and session[1][0] == ""


def test_every_page_with_examples_is_written(tool, tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "FOLDER", tmp_path / "examples/doc_examples")
    tool.write()
    written = {path.name for path in tool.FOLDER.glob("*.py")}
    assert {"project.py", "thresholds.py", "out_of_core.py", "types_of_answers.py"} <= written
    for path in tool.FOLDER.glob("*.py"):
        compile(path.read_text(), path, "exec")
