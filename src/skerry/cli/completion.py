"""What the shell offers for a half-typed name: taken from the tables themselves."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "algorithms",
    "devices",
    "graphs",
    "label_formats",
    "readable_formats",
    "writable_formats",
]

Offer = list[tuple[str, str]]
"""Names, each with what it is."""


def _offer(rows: Iterable[tuple[str, str]], incomplete: str) -> Offer:
    return [(name, summary) for name, summary in rows if name.startswith(incomplete)]


def algorithms(incomplete: str) -> Offer:
    """Names of the catalog."""
    from skerry.algorithms.catalog import catalog

    rows = [("auto", "the best for the input")]
    return _offer([*rows, *((row.name, row.summary) for row in catalog())], incomplete)


def devices(incomplete: str) -> Offer:
    """Where it can run; no GPU is asked for, which would take seconds."""
    rows = [("auto", "where the data is"), ("cpu", "this machine"), ("cuda", "the first GPU")]
    return _offer(rows, incomplete)


def _formats(role: str, incomplete: str) -> Offer:
    from skerry.formats.registry import FORMATS

    rows = ((row.name, row.summary) for row in FORMATS if getattr(row, role) is not None)
    return _offer(rows, incomplete)


def readable_formats(incomplete: str) -> Offer:
    """Formats of graphs that can be read."""
    return _formats("read", incomplete)


def writable_formats(incomplete: str) -> Offer:
    """Formats of graphs that can be written."""
    return _formats("write_graph", incomplete)


def label_formats(incomplete: str) -> Offer:
    """Formats of labels that can be written."""
    return _formats("write_labels", incomplete)


def graphs(incomplete: str) -> Offer:
    """Names of the papers' graphs."""
    from skerry.datasets.papers import papers_graphs

    return _offer(((one.name, f"{one.paper}: {one.family}") for one in papers_graphs()), incomplete)
