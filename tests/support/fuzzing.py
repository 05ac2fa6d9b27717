"""What is fuzzed: readers by their formats, and `UnionFind.load`; seeds, dictionaries, corpora.

A corpus is one file of inputs, each behind its size in four bytes. ``make fuzz`` writes them,
`make test` replays those of Python and `make sanitize` those of native code.
"""

from __future__ import annotations

import struct
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import skerry
from skerry.errors import SkerryError
from skerry.formats import saved_file
from skerry.formats.memory import resident
from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from skerry.formats.registry import FORMATS
from skerry.io import read_edges
from support.damage import GARBAGE, suffix_of
from support.forms.edges import PAIRS
from support.forms.files import FILES, TEXT
from support.forms.kinds import KINDS
from support.forms.objects import Given
from support.small_files import SMALL_FILES

CORPORA = Path(__file__).parents[1] / "fuzz"
NATIVE = Path(__file__).parents[1] / "native/fuzz"
SETS = "sets"
READERS = (*sorted(format.name for format in FORMATS if format.read is not None), SETS)
"""The targets in Python: formats, and files of `UnionFind.save`."""
SPARE = 256 << 20
FEW = 1000
SMALL = ReadOptions(batch_rows=3, block_bytes=48)
"""Another way to cut a file into batches, which must change nothing."""
WORDS: dict[str, tuple[bytes, ...]] = {
    "mtx": (b"%%MatrixMarket matrix coordinate ", b"pattern", b"real", b"symmetric", b"array"),
    "dimacs": (b"p edge ", b"p sp ", b"p col ", b"e ", b"a ", b"c "),
    "ligra": (b"AdjacencyGraph\n", b"WeightedAdjacencyGraph\n"),
    "ldbc": (b"graph.", b".vertex-file = ", b".edge-file = ", b".meta.vertices = ", b".directed"),
    "graphml": (b"<node id='a'/>", b"<edge source='a' target='b'/>", b"<!--", b"&#65;", b"CDATA["),
    "gexf": (b"<node id='a'/>", b"<edge source='a' target='b'/>", b"<!--", b"&amp;"),
    "gml": (b"graph [", b"node [ id 1 ]", b"edge [ source 1 target 2 ]", b'label "', b"&#233;"),
    "pajek": (b"*Vertices 3\n", b"*Arcs\n", b"*Edgeslist\n", b"*Matrix\n", b'1 "a"\n'),
    "jsonl": (b'{"src": ', b'"dst": ', b"[1, 2]\n", b"\\u00e9", b"null", b"1e3", b'"\\ud800"'),
    "csv": (b"src,dst\n", b'""', b'"a\nb",', b"\r\n"),
    SETS: (b'"sections"', b'"labels"', b'"checksums"', b'"begin"', b'"ids"', b'"forest"', b"null"),
}
"""Words of a format, which mutations insert."""


def words_of(name: str) -> tuple[bytes, ...]:
    """The dictionary of a target."""
    return (*WORDS.get(name, ()), *(word for word in GARBAGE if len(word) < 32))


def dictionary(name: str) -> str:
    """The same as libFuzzer reads it."""
    spelled = ("".join(f"\\x{byte:02x}" for byte in word) for word in words_of(name))
    return "".join(f'"{word}"\n' for word in spelled)


def seeds(name: str, folder: Path) -> Iterator[bytes]:
    """Valid inputs of a target in Python."""
    if name == SETS:
        yield from _saved_sets(folder)
        return
    if name in SMALL_FILES:
        yield SMALL_FILES[name]
    kinds = {kind.name: kind for kind in KINDS}
    for form in FILES:
        if form.format == name:
            for kind in {form.kinds[0], form.kinds[-1]}:
                yield next(iter(form.files(Given(kinds[kind], PAIRS[:6])).values()))


def native_seeds(name: str) -> Iterator[bytes]:
    """Valid inputs of a target in C++: for the parsers, four bytes of options before a text."""
    if name != "fuzz_text":
        yield from (bytes([form, 0, 40, *range(40)]) for form in range(8))
        return
    for form in FILES:
        if form.format in TEXT:
            data = next(iter(form.files(Given(KINDS[0], PAIRS[:6])).values()))
            yield from (bytes([flags, 0x24, 1, 20]) + data for flags in (0, 4 | 8, 32 | 64))


def _saved_sets(folder: Path) -> Iterator[bytes]:
    path = folder / "sets"
    with without_sums():
        for kind in ("numbers", "text", "composite"):
            ids = next(each for each in KINDS if each.name == kind)
            for forest in (False, True):
                choice = "vertices" if kind == "numbers" else "external"
                sets = skerry.UnionFind(ids=choice, forest=forest)
                sets.union(*(_column(ids, end) for end in zip(*PAIRS[:6], strict=True)))
                sets.save(path)
                yield path.read_bytes()


def _column(kind: Any, numbers: Any) -> Any:
    return list(numbers) if kind.name == "numbers" else kind.column(numbers)


def without_sums() -> Any:
    """Checksums that are always right: a fuzzer cannot compute them."""
    return patch.object(saved_file, "crc32", lambda _: 0)


def run_input(name: str, data: bytes, path: Path) -> None:
    """Runs one input; what is wrong leaves it as an error.

    Only our errors and `MemoryError` may come of a file, and it must mean the same in small
    batches.
    """
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name == SETS:
            _run_sets(path)
            return
        whole = _answer(read_edges, path, name)
        parts = _answer(_in_small_batches, path, name)
    if whole != parts:
        raise AssertionError(f"{name}: {whole} at once, {parts} in small batches")


def _run_sets(path: Path) -> None:
    with without_sums():
        try:
            sets = skerry.UnionFind.load(path)
        except (SkerryError, MemoryError):
            return
    if len(sets) >= FEW:
        return
    labels = sets.labels.tolist()
    assert sets.count == len(set(labels)) == len(sets.sizes())
    assert all(labels[label] == label <= at for at, label in enumerate(labels))


def _in_small_batches(path: Path, *, format: str) -> Any:
    return open_edges(path, SMALL, format=format)


def _answer(read: Any, path: Path, name: str) -> Any:
    """The sets of a file; None where it is refused, and their number where there are many."""
    # pyarrow ends the process where it is asked for the sizes of some damaged columns.
    limit = None if name in ("parquet", "arrow") else resident() + SPARE
    try:
        result = skerry.connected_components(
            read(path, format=name), threads=1, stream=skerry.StreamOptions(limit=limit)
        )
        if result.num_vertices >= FEW:
            return result.num_vertices, result.count
        return sorted(sorted(map(repr, _ids(group))) for group in result.groups())
    except (SkerryError, MemoryError):
        return None


def _ids(group: Any) -> list[Any]:
    if isinstance(group, tuple):
        return list(zip(*map(_ids, group), strict=True))
    return group.to_pylist() if hasattr(group, "to_pylist") else group.tolist()


def path_of(name: str, folder: Path) -> Path:
    """Where the inputs of a target are written."""
    return folder / f"input{'' if name == SETS else suffix_of(name)}"


def corpus_of(name: str) -> Path:
    """Where the inputs of a target are kept."""
    return CORPORA / f"{name}.bin"


def packed(inputs: Iterable[bytes]) -> bytes:
    """Inputs as a corpus."""
    return b"".join(struct.pack("<I", len(data)) + data for data in inputs)


def unpacked(corpus: bytes) -> Iterator[bytes]:
    """The inputs of a corpus."""
    at = 0
    while at < len(corpus):
        (size,) = struct.unpack_from("<I", corpus, at)
        yield corpus[at + 4 : at + 4 + size]
        at += 4 + size
