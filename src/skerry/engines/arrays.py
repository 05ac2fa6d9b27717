"""Which engine solves the edges that another engine has gathered in arrays."""

from __future__ import annotations

from skerry.engines.engine import Engine
from skerry.engines.memory import MEMORY
from skerry.request import SolveOptions


def engine_for_arrays(options: SolveOptions) -> Engine:
    """The memory engine, the one that sends arrays to a GPU, or the one of parts."""
    if not options.on_gpu:
        return MEMORY
    if options.in_parts:
        # Imported for parts only, as below.
        from skerry.engines.parts.engine import PARTS

        return PARTS
    # Imported for a GPU only: it brings all GPU code.
    from skerry.engines.device import UPLOAD

    return UPLOAD
