"""``--limit-memory`` and ``--spill``: in memory or on disk, which is said before the run."""

from __future__ import annotations

import shutil

from skerry.cli.components_request import Request
from skerry.cli.errors import UsageError, say
from skerry.cli.format_numbers import bytes_of, limit_of
from skerry.cli.output import BestRecords
from skerry.config import temporary_folder
from skerry.engines.spilling.room import Room
from skerry.formats.spill_file import SpillFolder
from skerry.graph.edge_source import EdgeSource

DISK = 3
"""Times the bytes of the input that a run takes on disk, at most: measured 1.6 to 1.9."""


def _memory_for_all(request: Request) -> list[str]:
    """The options that take memory for all vertices."""
    options = {
        "--verify": request.verify,
        "--sizes": request.sizes is not None,
        "--largest": request.largest is not None,
        "--min-size": request.min_size > 1,
        "--named-after": request.named_after is not None,
        "--best": isinstance(request.output, BestRecords),
    }
    return [name for name, is_stated in options.items() if is_stated]


def check_spill(request: Request) -> None:
    """Raises if something is asked for that would hold all vertices in memory."""
    if request.spill is not None:
        for name in _memory_for_all(request):
            raise UsageError(
                f"--spill and {name} cannot be used together: {name} takes memory for all vertices"
            )


def spill_folder(request: Request, source: EdgeSource) -> str | None:
    """Where what does not fit below --limit-memory goes; None: all stays in memory. Says so."""
    limit = request.limit
    if limit is None or request.max_size is not None or _others(request, source):
        return request.spill
    room, shown = Room(limit), f"limit {limit_of(limit)}"
    try:
        room.check(source)
    except MemoryError:  # which the run says better
        return request.spill
    if room.holds(source, request.vertices.num_vertices):
        _note(request, f"{shown}: the graph fits in memory")
        return request.spill
    folder = request.spill
    if folder is None and request.checkpoint is None and not _memory_for_all(request):
        folder = temporary_folder()
    if folder is None:
        _note(request, f"{shown}: runs in memory, and stops if the graph does not fit")
        return None
    SpillFolder(folder)  # raises where it cannot be used
    disk = "an unknown part"
    if source.num_bytes is not None:
        disk = f"up to about {bytes_of(DISK * source.num_bytes)}"
    free = bytes_of(shutil.disk_usage(folder).free)
    _note(
        request,
        f"{shown}: the graph may not fit in memory; what does not goes to {folder}, {disk} of the "
        f"{free} that are free there",
    )
    return folder


def _others(request: Request, source: EdgeSource) -> bool:
    """Whether an option is stated that a run on disk refuses, or with which it has other names."""
    return (
        request.algorithm != "auto"
        or request.device not in ("auto", "cpu")
        or request.labels != "min"
        or request.previous is not None
        or bool(source.facts.groups)
    )


def _note(request: Request, text: str) -> None:
    if not request.quiet and not request.as_json:
        say(text)
