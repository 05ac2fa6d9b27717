"""Finds the links of a built site that lead to no file, or to no such place in it.

    python tools/site/links.py build/site

Addresses of other sites are not opened. Exits with 1 and lists the broken links.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links of a page, and the places in it that a link can name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keeps what a tag links to, and its name."""
        for name, value in attrs:
            if value and name in ("id", "name"):
                self.anchors.add(value)
            elif value and (name, tag) != ("href", "base") and name in ("href", "src"):
                self.links.append(value)


def broken_links(site: Path) -> list[str]:
    """One line for each link of each page that leads nowhere."""
    pages = {path.resolve(): Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    lines = []
    for path, page in pages.items():
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not target.is_file():
                lines.append(f"{path.relative_to(site.resolve())}: {link}: no such file")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                lines.append(f"{path.relative_to(site.resolve())}: {link}: no such place")
    return lines


def main() -> int:
    """Prints the broken links; gives the exit code."""
    lines = broken_links(Path(sys.argv[1]))
    print(*lines, sep="\n", end="\n" if lines else "")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
