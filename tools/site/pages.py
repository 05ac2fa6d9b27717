"""Copies the pages of the repository to where Sphinx reads them, with links between the copies.

The pages stay what a reader of the repository sees. Links to a page become links to its copy; links
to other files of the repository, such as sources, become plain text.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "docs/site"

LAST_LINES = re.compile(r"\n\s*(\n *`{3,})$")
"""Blank lines at the end of a block, which end an example where it is run."""
FENCED = re.compile(r"(^ *(`{3,}).*?^ *\2`*$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)#\s]*)(#[^)\s]*)?\)")
IMAGES = (".svg", ".png")

RENAMED = {
    "README.md": "overview.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "docs/README.md": "pages.md",
    "benchmarks/README.md": "lab/index.md",
    "benchmarks/docs/README.md": "lab/pages.md",
    "benchmarks/graphalytics/README.md": "lab/graphalytics-driver.md",
}
"""Pages whose copies do not have their names. Those of a folder follow below."""


def page_copies() -> dict[Path, Path]:
    """Every page and notebook, with the path of its copy below the folder that Sphinx reads."""
    paths = {ROOT / name: Path(copy) for name, copy in RENAMED.items()}
    for pattern, folder in (
        ("docs/*.md", ""),
        ("docs/site/*.md", ""),
        ("docs/tours/*.ipynb", "tours"),
        ("benchmarks/docs/*.md", "lab"),
    ):
        for path in sorted(ROOT.glob(pattern)):
            paths.setdefault(path, Path(folder, path.name).with_suffix(".md"))
    return paths


def copy_pages(target: Path) -> None:
    """Writes all copies below an empty folder, and the images that they show."""
    paths = page_copies()
    if len({*paths.values()}) < len(paths):
        raise ValueError("two pages would have one copy: rename one of them in tools/site/pages.py")
    for page, copy in paths.items():
        text = notebook_page(page) if page.suffix == ".ipynb" else page.read_text()
        path = target / copy
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(relink(text, page, copy, paths))
    (target / "generated").mkdir()
    (target / "generated/lists.md").write_text(page_lists(paths))
    shutil.copytree(ROOT / "docs/images", target / "images")
    shutil.copytree(ROOT / "docs/tours", target / "extra/tours")


OWN_PAGES = {
    "Start": ["Overview <overview>", "gallery", "gallery-images", "how-it-works", "pages"],
    "Reference": ["api", "commands", "catalog"],
    "Explanation": ["lab-report"],
}
"""Pages that only the site has, or names otherwise, by the list that begins with them."""


def page_lists(paths: dict[Path, Path]) -> str:
    """The lists of all pages beside each page: those of docs/README.md, then the lab's."""
    lists = {"Start": OWN_PAGES["Start"]}
    for section in re.split(r"^## ", (ROOT / "docs/README.md").read_text(), flags=re.MULTILINE)[1:]:
        title, _, text = section.partition("\n")
        for row in re.findall(r"^\|.*$", text, re.MULTILINE):
            for link in LINK.finditer(row):
                copy = paths.get(Path(os.path.normpath(ROOT / "docs" / link[3])))
                if copy is not None and copy.parts[0] != "lab":
                    own = lists.setdefault(title, OWN_PAGES.get(title, []).copy())
                    own.append(str(copy.with_suffix("")))
    listed = {re.sub(r".*<(.*)>", r"\1", name) for names in lists.values() for name in names}
    others = {str(copy.with_suffix("")) for copy in paths.values()} - listed - {"index"}
    if lost := sorted(name for name in others if not name.startswith("lab/")):
        raise ValueError(f"docs/README.md must list {', '.join(lost)} in one of its tables")
    lists["The lab"] = sorted(others)
    return "\n".join(
        "\n".join(
            ["```{toctree}", ":hidden:", f":caption: {title}", "", *dict.fromkeys(names), "```"]
        )
        for title, names in lists.items()
    )


def relink(text: str, page: Path, copy: Path, paths: dict[Path, Path]) -> str:
    """The text of a page with links as its copy needs them; code has none."""

    def link(match: re.Match[str]) -> str:
        image, words, target, anchor = match.groups()
        if "://" in target or not target:
            return match[0]
        path = Path(os.path.normpath(page.parent / target))
        if path.suffix in IMAGES:
            linked = Path("images") / path.name
        elif path in paths:
            linked = paths[path]
        elif path == ROOT / "docs/tours":
            linked = Path("gallery.md")
        else:
            return str(words)
        return f"{image}[{words}]({os.path.relpath(linked, copy.parent)}{anchor or ''})"

    parts = FENCED.split(text)  # text, block, its fence, text, ...
    return "".join(
        LINK.sub(link, part) + LAST_LINES.sub(r"\1", block)
        for part, block in zip(parts[::3], [*parts[1::3], ""], strict=True)
    )


def notebook_page(path: Path) -> str:
    """A notebook as a page: its text, its code, what that printed, and the notebook itself."""
    blocks: list[str] = []
    for cell in json.loads(path.read_text())["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            blocks.append(source)
            continue
        language = "sh" if source.startswith("%%bash\n") else "python"
        code = source.removeprefix("%%bash\n")
        blocks.append(f"```{language}\n{code}\n```")
        printed = "".join(map(output_text, cell["outputs"])).rstrip()
        if printed:
            blocks.append(f"```text\n{printed}\n```")
    blocks.insert(1, f'<a href="{path.name}" download>Download this page as a notebook</a>')
    return "\n\n".join(blocks) + "\n"


def output_text(output: dict[str, object]) -> str:
    """What a cell printed or returned, as text."""
    data = output.get("data")
    lines = data["text/plain"] if isinstance(data, dict) else output["text"]
    return "".join(lines) if isinstance(lines, list) else str(lines)
