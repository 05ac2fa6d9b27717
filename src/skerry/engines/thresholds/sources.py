"""Sources whose edges have weights, as the two kinds that thresholds are applied to."""

from __future__ import annotations

from skerry.errors import UnsupportedError
from skerry.inputs.sources import AdjacencySource, HostSource, Source, StreamSource


def host_or_stream(source: Source, purpose: str) -> HostSource | StreamSource:
    """A source in host memory, or of batches; Python objects become arrays."""
    if isinstance(source, AdjacencySource):
        # Imported for such graphs only, as by dispatch.
        from skerry.inputs.adjacency import as_edges

        return as_edges(source)
    if isinstance(source, HostSource | StreamSource):
        return source
    raise UnsupportedError(f"{purpose} runs on a CPU: copy the arrays to the host first")
