"""The page, one self-contained HTML file: style, scripts, library, licenses and data are inside.

Nothing is fetched: the content security policy in the head of the page forbids every request, and
allows the scripts and the style of the page by their hashes only. Ids are data of a JSON element in
ASCII, and the script shows them as text, never as markup.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

from skerry.errors import TargetError
from skerry.formats.overwriting import refuse_overwriting
from skerry.formats.source import is_remote
from skerry.formats.writers.atomic_file import (
    atomic_file,
    check_target,
    local_path,
    new_temporary_file,
)
from skerry.result.answer import Answer
from skerry.result.explore.data import page_data

SCRIPTS = ("state.js", "drawing.js", "lists.js", "main.js")
SUFFIXES = (".html", ".htm")
PRIVATE = 0o600
"""Permissions of the file: it holds ids."""


def html_page(data: dict[str, Any]) -> bytes:
    """The complete page."""
    library, style = _asset("d3-force.min.js"), _asset("page.css")
    script = '"use strict";\n' + "".join(map(_asset, SCRIPTS))
    policy = (
        f"default-src 'none'; script-src {_hash(library)} {_hash(script)}; "
        f"style-src {_hash(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    )
    values = {
        "policy": policy,
        "style": style,
        "library": library,
        "script": script,
        "data": _json(data),
        "license": html.escape(_asset("d3-force.LICENSE")),
    }
    page = re.sub(r"\{\{(\w+)\}\}", lambda use: values[use[1]], _asset("page.html"))
    return page.encode("ascii")


def write_page(
    answer: Answer,
    path: str | os.PathLike[str] | None = None,
    include: Iterable[Any] = (),
    redact: bool = False,
    title: str = "",
) -> Path:
    """Writes the page, complete or not at all, readable by its owner only; returns its path.

    Without a path it is a new temporary file.
    """
    if path is not None:
        refuse_overwriting([("writing", os.fspath(path))], answer.plan.input.files)
        check_page_target(path)
    page = html_page(page_data(answer, include, redact, title))
    target = Path(new_temporary_file(".html") if path is None else local_path(path))
    try:
        with atomic_file(target, PRIVATE) as file:
            file.write(page)
    except BaseException:
        if path is None:
            target.unlink(missing_ok=True)
        raise
    return target


def check_page_target(path: str | os.PathLike[str]) -> None:
    """Raises now if no page could be written there later."""
    if is_remote(os.fspath(path)):
        raise TargetError(
            f"{os.fspath(path)}: a page holds ids, and only its owner may read it: write a local "
            "file"
        )
    check_target(path)
    if not os.fspath(path).lower().endswith(SUFFIXES):
        raise TargetError(f"{os.fspath(path)}: a page is HTML: name a file that ends in .html")


def _asset(name: str) -> str:
    return files("skerry.result.explore").joinpath(f"assets/{name}").read_text("ascii")


def _hash(text: str) -> str:
    """How the policy names an element with this text."""
    digest = base64.b64encode(hashlib.sha256(text.encode("ascii")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def _json(data: dict[str, Any]) -> str:
    """JSON in ASCII that cannot end its element or open another."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
