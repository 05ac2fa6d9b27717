"""Runs the notebooks of docs/tours and compares what they print with what they show.

``make test-notebooks`` does, in an environment of its own. Each runs in an empty folder. Texts are
compared without times, sizes and numbers of threads, and not at all in cells with the tag
``varies``. ``--write`` keeps the new outputs instead.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "docs/tours"
VARIES = "varies"
"""The tag of cells whose output depends on the machine."""
LOOSE = (
    (r"\b\d[\d.]*(e[+-]?\d+)? (us|ms|s)\b", "TIME"),
    (r"\b\d[\d.]* (bytes|kB|MB|GB)\b", "SIZE"),
    (r"\b\d+ threads?\b", "THREADS"),
    (r"^ +wait for edges .*\n( {10,}\S.*\n)*", "PHASES\n"),
)
PLAIN = """
import os, warnings
os.environ.update(FORCE_COLOR="", NO_COLOR="1", TERM="dumb")
warnings.filterwarnings("ignore", "IProgress")
warnings.filterwarnings("ignore", "`torch.jit.script` is deprecated")
"""
"""Run first. Kernels ask programs for colors, which would be stored as escape codes, and libraries
warn where there are no widgets, or of what other libraries do, as PyTorch of PyTorch Geometric."""


def main() -> int:
    """Run them; 1 if one failed or printed something else."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="names of notebooks; default: all")
    parser.add_argument("--write", action="store_true", help="keep the new outputs")
    options = parser.parse_args()
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    paths = [FOLDER / f"{Path(name).stem}.ipynb" for name in options.names]
    failures = 0
    for path in paths or sorted(FOLDER.glob("*.ipynb")):
        failures += not _run(path, write=options.write)
    return 1 if failures else 0


def _run(path: Path, *, write: bool) -> bool:
    """Whether a notebook runs, and prints what it shows."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    notebook = nbformat.read(path, as_version=4)
    shown = [list(cell.get("outputs", ())) for cell in notebook.cells]
    notebook.cells.insert(0, nbformat.v4.new_code_cell(PLAIN))
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook, timeout=300, record_timing=False, resources={"metadata": {"path": folder}}
        )
        try:
            client.execute()
        except CellExecutionError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            return False
    del notebook.cells[0]
    if write:
        _tidy(notebook)
        nbformat.write(notebook, path)
        print(f"{path.name}: written")
        return True
    return _compare(path, notebook.cells, shown)


def _compare(path: Path, cells: list[Any], shown: list[list[Any]]) -> bool:
    same = True
    for number, (cell, before) in enumerate(zip(cells, shown, strict=True)):
        if cell.cell_type != "code" or VARIES in cell.metadata.get("tags", ()):
            continue
        expected, printed = loosely(output_text(before)), loosely(output_text(cell.outputs))
        if expected != printed:
            same = False
            print(f"{path.name}, cell {number}:", file=sys.stderr)
            lines = difflib.unified_diff(
                expected.splitlines(), printed.splitlines(), "shown", "printed", lineterm=""
            )
            print("\n".join(lines), file=sys.stderr)
    print(f"{path.name}: {'as shown' if same else 'differs'}")
    return same


def output_text(outputs: list[Any]) -> str:
    """What outputs print, as plain text."""
    return "".join(
        "".join(output["text"]) if "text" in output else f"{output['data']['text/plain']}\n"
        for output in outputs
    )


def loosely(text: str) -> str:
    """Text without what differs from run to run.

    >>> loosely("took  38.4 ms, 2 threads")
    'took TIME, THREADS'
    """
    text = f"{text}\n"
    for pattern, word in LOOSE:
        text = re.sub(pattern, word, text, flags=re.MULTILINE)
    return "\n".join(" ".join(line.split()) for line in text.splitlines() if line.strip())


def _tidy(notebook: Any) -> None:
    """Number the cells from 1, and leave out what says where it ran."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    count = 0
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count
        cell.metadata = {"tags": cell.metadata.tags} if "tags" in cell.metadata else {}
        cell.outputs = _merged(cell.outputs)
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = count


def _merged(outputs: list[Any]) -> list[Any]:
    """A program's text arrives in pieces, and its lines end in blanks."""
    merged: list[Any] = []
    for output in outputs:
        if merged and output.get("name") and output.get("name") == merged[-1].get("name"):
            merged[-1].text += output.text
        else:
            merged.append(output)
    for output in merged:
        if "text" in output:
            output.text = re.sub(r" +$", "", output.text, flags=re.MULTILINE)
    return merged


if __name__ == "__main__":
    sys.exit(main())
