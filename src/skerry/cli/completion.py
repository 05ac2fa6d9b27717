"""Names that the shell completes: taken from the tables themselves."""

from __future__ import annotations

from collections.abc import Iterable

Offer = list[tuple[str, str]]
"""Names, each with its description."""


def _offer(names: Iterable[tuple[str, str]], incomplete: str) -> Offer:
    return [(name, summary) for name, summary in names if name.startswith(incomplete)]


def algorithms(incomplete: str) -> Offer:
    """Names of the catalog."""
    from skerry.algorithms.catalog import catalog

    auto = ("auto", "the best for the input")
    return _offer([auto, *((spec.name, spec.summary) for spec in catalog())], incomplete)


def devices(incomplete: str) -> Offer:
    """Names of devices; GPUs are not counted, which would take seconds."""
    names = [("auto", "where the data is"), ("cpu", "this machine"), ("cuda", "the first GPU")]
    return _offer(names, incomplete)


def _formats(role: str, incomplete: str) -> Offer:
    from skerry.formats.registry import FORMATS

    names = ((each.name, each.summary) for each in FORMATS if getattr(each, role) is not None)
    return _offer(names, incomplete)


def readable_formats(incomplete: str) -> Offer:
    """Formats of graphs that can be read."""
    return _formats("read", incomplete)


def writable_formats(incomplete: str) -> Offer:
    """Formats of graphs that can be written."""
    return _formats("write_graph", incomplete)


def graphs(incomplete: str) -> Offer:
    """Names of the papers' graphs."""
    from skerry.datasets.papers import papers_graphs

    names = ((graph.name, f"{graph.paper}: {graph.family}") for graph in papers_graphs())
    return _offer(names, incomplete)
