"""The format of a file: by its suffix, and by its first bytes where formats share the suffix."""

from __future__ import annotations

from dataclasses import replace

from skerry.errors import UnsupportedError
from skerry.formats.registry import AMBIGUOUS, FORMATS, Format, format_named
from skerry.formats.source import COMPRESSIONS, SourceFile, spooled
from skerry.formats.text_stream import refuse_compressed, refuse_encoding

HEAD = 1 << 16
"""Bytes to read: enough to get past the comments at the head of a file."""

MAGIC = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"\x93NUMPY", "npy"),
    (b"PK\x03\x04", "npz"),
)
FIRST_WORDS = (
    ("%%matrixmarket", "mtx"),
    ("adjacencygraph", "ligra"),
    ("weightedadjacencygraph", "ligra"),
    ("p ", "dimacs"),
    ("<graphml", "graphml"),
    ("<gexf", "gexf"),
    ("*vertices ", "pajek"),
    ("*network ", "pajek"),
    ("graph [", "gml"),
    ("creator ", "gml"),
    ("{", "jsonl"),
    ("[", "jsonl"),
)
IPC_STREAM = b"\xff\xff\xff\xff"
"""How a stream of Arrow begins; then comes the length of its schema."""
SAMPLE_LINES = 20
"""Lines of text without a name that are looked at: they are delimited text or an edge list."""


def known_suffix(suffix: str) -> bool:
    """Whether files with this suffix (in lower case) can be graphs."""
    readable = (format for format in FORMATS if format.read is not None)
    return suffix in AMBIGUOUS[1:] or any(suffix in format.suffixes for format in readable)


def format_of(file: SourceFile, name: str | None = None) -> Format:
    """The format of this name, or without a name the one that suffix and first bytes show."""
    if name is not None:
        return format_named(name)
    suffix = file.suffix
    if suffix in AMBIGUOUS:
        return format_named(_by_head(file, suffix))
    for format in FORMATS:
        if suffix in format.suffixes or suffix in format.descriptions:
            return format
    readable = [format for format in FORMATS if format.read is not None]
    known = {each for format in readable for each in format.suffixes + format.descriptions}
    suffixes = sorted(known | {*AMBIGUOUS[1:]})
    raise UnsupportedError(
        f"{file.name}: no format has the suffix {suffix}; there are: {' '.join(suffixes)} (each "
        f"also with {' '.join(COMPRESSIONS)}). If the file has another name than its format, name "
        'the format, for instance format="snap"'
    )


def readable_file(file: SourceFile, format: Format) -> SourceFile:
    """The file as the reader of its format needs it: a pipe may have to be copied first."""
    if format.text:
        return replace(file, text=True)
    return spooled(file) if format.seeks else file


def _by_head(file: SourceFile, suffix: str) -> str:
    head = file.head(HEAD, lambda head: len(_data_lines(head)) == SAMPLE_LINES)
    for magic, name in MAGIC:
        if head.startswith(magic):
            return name
    refuse_compressed(file.name, head)
    if suffix == ".gr" and head[:8] in (b"\1" + 7 * b"\0", b"\2" + 7 * b"\0"):
        return "galois"
    if head.startswith(IPC_STREAM) and len(head) > 8:
        return "arrow"
    refuse_encoding(file.name, head[:64])
    if b"\0" in head:
        raise UnsupportedError(
            f"{file.name}: the contents are binary, in a format that the first bytes do not show; "
            'name the format, for instance format="raw32"'
        )
    lines = _data_lines(head)
    first = lines[0].lower() if lines else ""
    first = " ".join(first.split()) + " "
    if first.startswith(("<?xml", "<!doctype")):
        return "gexf" if b"<gexf" in head else "graphml"
    for word, name in FIRST_WORDS:
        if first.startswith(word):
            return name
    fixed = {".gr": "dimacs", ".graph": "metis"}.get(suffix)
    if fixed is None and (suffix == "" or (lines and not _has_integers(lines))):
        return _by_lines(file, lines)
    return fixed or "snap"


def _data_lines(head: bytes) -> list[str]:
    """The first lines that are not comments; Matrix Market begins like a comment."""
    text = head.decode("utf-8", "replace").removeprefix("\ufeff")
    text = text[: text.rfind("\n") + 1] or text  # the last line may be cut
    lines: list[str] = []
    for raw in text.splitlines():
        line = raw.strip()
        if line.lower().startswith("%%matrixmarket"):
            return [line]
        word = line.split(maxsplit=1)[0] if line else "#"
        if word[0] not in "#%" and word != "c" and not word.startswith("//"):
            lines.append(line)
            if len(lines) == SAMPLE_LINES:
                break
    return lines


def _by_lines(file: SourceFile, lines: list[str]) -> str:
    """The format of text without a name: delimited text, or an edge list of integers.

    Adjacency lists and METIS files are lines of integers too, but not of equally many: nothing in
    them says which of these they are.
    """
    if any(mark in line for line in lines for mark in ",;|"):
        return "csv"
    rows = [line.split() for line in lines]
    if any(not _is_integer(word) for row in rows for word in row[:2]):
        return "tsv" if all("\t" in line for line in lines) else "csv"
    if len({len(row) for row in rows}) > 1 or any(len(row) < 2 for row in rows):
        raise UnsupportedError(
            f"{file.name}: the contents do not show the format, since the lines have different "
            'numbers of columns; name it: format="snap" takes the first two columns as an edge, '
            'others are format="metis", format="adjlist" and format="webgraph"'
        )
    return "snap"


def _has_integers(lines: list[str]) -> bool:
    """Whether the first two words of a line have an integer: then words beside it are errors."""
    rows = (line.replace(",", " ").split()[:2] for line in lines)
    return any(any(map(_is_integer, row)) for row in rows)


def _is_integer(word: str) -> bool:
    return word.removeprefix("-").removeprefix("+").isdigit()
