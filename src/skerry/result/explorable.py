"""A page for looking at an answer."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from skerry.result.answer import Answer


class Explorable(Answer):
    """The part of `Components` that writes a page."""

    def explore(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        include: Iterable[Any] = (),
        redact_ids: bool = False,
    ) -> Path:
        """Writes one HTML page for looking at this answer in a browser.

        It shows the sizes of all components, finds ids, and draws components with their weights,
        bridges and paths. The page holds all that it needs and makes no request.

        Parameters
        ----------
        path
            The file, which ends in ``.html``; one that exists is replaced. Without it, the page is
            a new temporary file, and a browser opens it.
        include
            Ids whose components the page holds in any case, before the largest. A component that
            is too large to draw is sampled around them, with a path between them.
        redact_ids
            Leave ids, and the rows of edges, out: numbers in random order stand for ids.

        Returns
        -------
        pathlib.Path
            Where the page is. Only its owner may read it.

        Raises
        ------
        InputError
            If no page can be written there, it is a file of the input, or an id of ``include`` is
            not in the graph.
        OutputError
            If the disk is full, for instance.

        Notes
        -----
        The page holds at most 50,000 ids; components of more than 400 vertices are sampled.
        The edges are read again: once with ``forest=True``, otherwise twice. If they cannot be read
        again, the page says so; it then draws the spanning forest, if there is one.

        Examples
        --------
        >>> import pathlib, skerry, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "pairs.html")
        >>> page = skerry.connected_components([(0, 1), (1, 2), (5, 6)]).explore(path)
        >>> page.read_text()[:15]
        '<!doctype html>'
        """
        from skerry.result.explore.page import write_page  # it brings the writers of files

        page = write_page(self, path, include, redact_ids)
        if path is None:
            import webbrowser

            webbrowser.open(page.as_uri())
        return page
