"""The format of a file: by its suffix, and by its first bytes where formats share the suffix."""

from __future__ import annotations

from skerry.errors import UnsupportedError
from skerry.formats.registry import AMBIGUOUS, FORMATS, Format, format_named
from skerry.formats.source import COMPRESSIONS, SourceFile

__all__ = ["format_of", "known_suffix"]

HEAD = 1 << 16
"""Bytes to read: enough to get past the comments at the head of a file."""

MAGIC = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"\x93NUMPY", "npy"),
    (b"PK\x03\x04", "npz"),
)
COMPRESSED = (
    (b"\x1f\x8b", ".gz"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
    (b"\xfd7zXZ", ".xz"),
    (b"BZh", ".bz2"),
)
FIRST_WORDS = (
    ("%%matrixmarket", "mtx"),
    ("adjacencygraph", "ligra"),
    ("weightedadjacencygraph", "ligra"),
    ("p ", "dimacs"),
    ("<?xml", "graphml"),
    ("<graphml", "graphml"),
)


def known_suffix(suffix: str) -> bool:
    """Whether files with this suffix (in lower case) can be graphs."""
    return suffix in AMBIGUOUS[1:] or any(suffix in format.suffixes for format in FORMATS)


def format_of(file: SourceFile, name: str | None = None) -> Format:
    """The format of this name, or without a name the one that suffix and first bytes show."""
    if name is not None:
        return format_named(name)
    suffix = file.suffix
    if suffix in AMBIGUOUS:
        return _by_head(file, suffix)
    for format in FORMATS:
        if suffix in format.suffixes:
            return format
    known = {suffix for format in FORMATS for suffix in format.suffixes}
    suffixes = sorted(known | {*AMBIGUOUS[1:]})
    raise UnsupportedError(
        f"{file.name}: no format has the suffix {suffix}; there are: {' '.join(suffixes)} (each "
        f"also with {' '.join(COMPRESSIONS)}). If the file has another name than its format, name "
        'the format, for instance format="snap"'
    )


def _by_head(file: SourceFile, suffix: str) -> Format:
    head = file.head(HEAD)
    for magic, name in MAGIC:
        if head.startswith(magic):
            return format_named(name)
    for magic, ending in COMPRESSED:
        if head.startswith(magic):
            raise UnsupportedError(
                f"{file.name}: the contents are compressed; rename the file: {file.stem}{ending}"
            )
    if suffix == ".gr" and head[:8] in (b"\1" + 7 * b"\0", b"\2" + 7 * b"\0"):
        return format_named("galois")
    if _is_binary(head):
        raise UnsupportedError(
            f"{file.name}: the contents are binary, in a format that the first bytes do not show; "
            'name the format, for instance format="raw32"'
        )
    first = _first_line(head)
    for word, name in FIRST_WORDS:
        if first.startswith(word):
            return format_named(name)
    return format_named({".gr": "dimacs", ".graph": "metis"}.get(suffix, "snap"))


def _is_binary(head: bytes) -> bool:
    return b"\0" in head


def _first_line(head: bytes) -> str:
    """The first line that is not a comment, in lower case; Matrix Market begins like a comment."""
    for raw in head.decode("utf-8", "replace").removeprefix("\ufeff").splitlines():
        line = raw.strip().lower()
        if line.startswith("%%matrixmarket"):
            return line
        if (
            line
            and line[0] not in "#%"
            and line != "c"
            and not line.startswith(("c ", "c\t", "//"))
        ):
            return " ".join(line.split()) + " "
    return ""
