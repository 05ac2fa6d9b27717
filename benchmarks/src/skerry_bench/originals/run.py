"""A run of the originals that a folder has, each in turn with its rewrite on the same graphs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from skerry.errors import ArgumentError
from skerry_bench.corpus.peer_library import libraries
from skerry_bench.corpus.record import Record
from skerry_bench.corpus.run import CorpusOptions, run_corpus
from skerry_bench.implementation import Device
from skerry_bench.originals.pairs import GRAPHS, LETTERS, ORIGINALS, Original


def present(folder: Path, device: Device) -> list[Original]:
    """The originals for a device whose libraries are in a folder."""
    names = libraries(folder)
    originals = [each for each in ORIGINALS if each.device == device and each.name in names]
    if not originals:
        known = ", ".join(f"{each.name}.so" for each in ORIGINALS if each.device == device)
        raise ArgumentError(f"{folder} has no original for {device}; known are: {known}")
    return originals


def run_originals(
    folder: Path,
    device: Device,
    *,
    graphs: tuple[str, ...] = (),
    threads: int | None = None,
    repeat: int = 9,
    cache: Path | None = None,
    output: Path | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Record:
    """Measures all libraries of the folder; of originals their rewrites, by the letter too."""
    rewrites = dict.fromkeys(each.rewrite for each in present(folder, device))
    letters = [LETTERS[device][name] for name in rewrites if name in LETTERS[device]]
    options = CorpusOptions(
        device=device,
        threads=threads,
        names=graphs or GRAPHS,
        peers=folder,
        cache=cache,
        algorithms=(*rewrites, *letters),
        repeat=repeat,
        output=output,
    )
    return run_corpus(options, say)
