"""Pages of `explore` as tests read them: their elements, and the data in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any


class Elements(HTMLParser):
    """The tags of a page with their attributes, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inline: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.inline.append((tag, ""))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem is not None:
            tag, text = self.inline[-1]
            self.inline[-1] = tag, text + data


def data_of(path: Path) -> dict[str, Any]:
    """What the script of a page reads."""
    data: dict[str, Any] = json.loads(Elements(path.read_text("ascii")).inline[1][1])
    return data


def links_of(part: dict[str, Any]) -> Iterator[tuple[Any, Any, int]]:
    """The links of a component: two ids, and what a bridge splits off."""
    flat = part.get("links", [])
    for source, target, splits in zip(flat[::3], flat[1::3], flat[2::3], strict=True):
        yield part["ids"][source], part["ids"][target], splits
