"""Pages that are made from the code: public names, commands, algorithms with their papers."""

from __future__ import annotations

import importlib
import inspect
import sys
import tomllib
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import skerry
from skerry.algorithms.paper_names import names_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pages import SITE
from public_api import FILE, PUBLIC, commands, option_rows


def write(folder: Path) -> None:
    """Writes all pages below the folder that Sphinx reads."""
    generated = folder / "generated"
    (generated / "commands.md").write_text(command_page())
    (generated / "catalog.md").write_text(catalog_page())
    (folder / "api").mkdir(exist_ok=True)
    described: set[int] = set()
    for module in PUBLIC:
        (folder / f"api/{module}.rst").write_text(module_page(module, described))
    write_inventories(generated)


def table(rows: Iterable[tuple[str, str]]) -> list[str]:
    """The lines of a table of two columns without a head."""
    return ["| | |", "|---|---|", *(f"| {name} | {text} |" for name, text in rows)]


# Public names: tests/project/public_api.txt lists them, and a test compares it with the code.


def members() -> dict[str, list[str]]:
    """The public members of each public class, by its full name; functions have none."""
    names: dict[str, list[str]] = {}
    modules = set(PUBLIC)
    for line in FILE.read_text().splitlines():
        full = line.split("(")[0].split(":")[0].split(" ")[0]
        owner, _, name = full.rpartition(".")
        if owner in modules and full not in modules:
            names.setdefault(full, [])
        elif owner in names:
            names[owner].append(name)
    return names


def module_page(module: str, described: set[int]) -> str:
    """The page of a module: its docstring, a list of its names, then each with its docstring.

    ``described`` has the objects of pages before: links lead there.
    """
    loaded = importlib.import_module(module)
    listed = {full: own for full, own in members().items() if full.rpartition(".")[0] == module}
    sections: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": [], "Data": []}
    for full, own in listed.items():
        value = getattr(loaded, full.rpartition(".")[2])
        title, directive, options = "Functions", "autofunction", []
        if inspect.isclass(value) and issubclass(value, Exception):
            title, directive = "Errors", "autoexception"
        elif inspect.isclass(value):
            title, directive = "Classes", "autoclass"
            options = [f"   :members: {', '.join(own)}"] if own else []
        elif not callable(value):
            title, directive, options = "Data", "autodata", ["   :no-value:"]
        if id(value) in described:
            options.append("   :no-index:")
        described.add(id(value))
        sections[title].append("\n".join([f".. {directive}:: {full}", *options]))
    lines = [module, "=" * len(module), "", f".. automodule:: {module}", ""]
    for title, entries in sections.items():
        if not entries:
            continue
        lines += [title, "-" * len(title), "", ".. autosummary::", "   :nosignatures:", ""]
        lines += [f"   {entry.split()[2].rpartition('.')[2]}" for entry in entries]
        lines += ["", *(f"{entry}\n" for entry in entries)]
    return "\n".join(lines)


# Commands


def command_page() -> str:
    """Every command: what it does, how it is called, and all its arguments and options."""
    lines = []
    for path, command in commands():
        lines += [f"## {path}", "", str(command.help or "").strip(), ""]
        if command.epilog:
            lines += [f"`{command.epilog.removeprefix('Example: ')}`", ""]
        own = option_rows(command)
        if own:
            lines += [*table((row.spelling, row.text) for row in own), ""]
    return "\n".join(lines)


# Algorithms


def papers() -> dict[str, dict[str, str]]:
    """The papers by the words with which the catalog names them."""
    table: dict[str, dict[str, str]] = tomllib.loads((SITE / "papers.toml").read_text())
    return table


def catalog_page() -> str:
    """Every algorithm of the catalog, and the papers that it names."""
    cited = {name for spec in skerry.catalog() for name in cited_papers(spec)} - {OWN}
    lines = []
    for spec in skerry.catalog():
        lines += [f"## {spec.name}", "", f"{spec.summary[0].upper()}{spec.summary[1:]}.", ""]
        lines += [*table(facts(spec)), ""]
    lines += ["## Papers", ""]
    for name in sorted(cited):
        lines += [f"({label(name)})=", f"**{name}.** {citation(papers()[name])}", ""]
    return "\n".join(lines)


OWN = "docs/algorithms.md"
"""What the catalog names as the paper of skerry's own algorithms."""


def cited_papers(spec: skerry.Algorithm) -> list[str]:
    """The papers of an algorithm."""
    return spec.paper.split("; ")


def label(name: str) -> str:
    """The label of a paper on the page."""
    words = "".join(c if c.isalnum() else " " for c in name.lower())
    return "paper-" + "-".join(words.split())


def facts(spec: skerry.Algorithm) -> Iterator[tuple[str, str]]:
    """What the catalog says of an algorithm, besides its summary."""
    if spec.paper == OWN:
        yield "description", f"[its stages](algorithms.md#{spec.section})"
    else:
        links = [f"[{name}](#{label(name)})" for name in cited_papers(spec)]
        yield "paper", f"{'; '.join(links)}; section {spec.section}"
    names = names_of(spec.name)
    if names:
        yield "names in papers", ", ".join(names)
    threads = ", one thread" if spec.serial else ""
    yield "runs on", ", ".join({"cpu": f"CPU{threads}", "cuda": "GPU"}[d] for d in spec.devices)
    yield "reads", FORMS[spec.form]
    if spec.choices:
        words = ((name, map(str, values)) for name, values in spec.choices.items())
        listed = (f"`{name}`: {', '.join(values) or 'a number'}" for name, values in words)
        yield "choices", "<br>".join(listed)


FORMS = {
    "edges": "an edge list",
    "csr": "rows (CSR)",
    "symmetric csr": "rows (CSR) in which every entry has its reverse",
    "either": "an edge list or rows (CSR)",
}


def citation(paper: dict[str, str]) -> str:
    """Authors, title, where it appeared, and a link where there is one."""
    text = f"{paper['authors']}: *{paper['title']}*. {paper['published']}."
    if "doi" in paper:
        text += f" [doi:{paper['doi']}](https://doi.org/{paper['doi']})"
    return text


# Names of other projects


def write_inventories(folder: Path) -> None:
    """Writes docs/site/inventories.toml as the files that Sphinx reads."""
    for name, project in tomllib.loads((SITE / "inventories.toml").read_text()).items():
        head = f"# Sphinx inventory version 2\n# Project: {name}\n# Version: \n"
        head += "# The remainder of this file is compressed using zlib.\n"
        entries = (f"{full} {kind} 1 {path} -" for full, (kind, path) in project["names"].items())
        body = zlib.compress("".join(f"{entry}\n" for entry in entries).encode())
        (folder / f"{name}.inv").write_bytes(head.encode() + body)
        (folder / f"{name}.url").write_text(project["address"])
