"""NumPy's archives (.npz): two columns of ids, or a matrix by scipy; read in pieces.

As with arrays in memory, ids are vertex numbers: 0 up to the largest, or as many as the shape of a
matrix says. Matrices in CSR, CSC and COO do not need scipy; BSR, DIA and others are read into
memory by scipy.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import numpy as np

from skerry.errors import InputError, SkerryError, UnsupportedError
from skerry.formats.decompress import largest_contents
from skerry.formats.options import ReadOptions
from skerry.formats.prefetch import prefetch
from skerry.formats.readers.array_sections import ArrayReader, Section
from skerry.formats.readers.csr_files import CsrFile, csr_source
from skerry.formats.readers.npy_header import NpyHeader, check_ids, read_npy_header
from skerry.formats.readers.numpy_files import column_batches
from skerry.formats.source import SourceFile, seekable
from skerry.graph.edge_source import Batch, EdgeSource

DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    OverflowError,
    RuntimeError,
)
"""What zipfile raises on bad contents; RuntimeError if they are encrypted."""
MOST_SMALL = 1 << 12
"""Bytes of an array that holds a word or some numbers, with its header."""


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges of the arrays ``src`` and ``dst``, or of a matrix by ``scipy.sparse.save_npz``."""
    options.refuse_columns(file.name, "npz")
    options.refuse_weight(file.name, "npz")
    with _archive(file) as archive:
        arrays = {name.removesuffix(".npy") for name in archive.namelist()}
        if {"src", "dst"} <= arrays:
            n = _scalar(archive, file, "num_vertices") if "num_vertices" in arrays else None
            return _pair_source(file, archive, ("src", "dst"), n, options)
        if not {"format", "shape"} <= arrays:
            raise InputError(
                f"{file.name}: holds the arrays {', '.join(sorted(arrays)) or 'none'}; needs src "
                "and dst, or a matrix written by scipy.sparse.save_npz"
            )
        return _matrix_source(file, archive, options)


def _matrix_source(file: SourceFile, archive: Any, options: ReadOptions) -> EdgeSource:
    kind = _small(archive, file, "format").item()
    kind = kind.decode("ascii", "replace") if isinstance(kind, bytes) else str(kind)
    shape = tuple(int(side) for side in _small(archive, file, "shape"))
    if len(shape) != 2 or shape[0] != shape[1]:
        raise InputError(f"{file.name}: an adjacency matrix is square, got shape {shape}")
    n = shape[0]
    if kind == "coo":
        return _pair_source(file, archive, ("row", "col"), n, options)
    if kind not in ("csr", "csc"):
        return _by_scipy(file, kind, n)
    offsets, entries = (_header(archive, file, name) for name in ("indptr", "indices"))
    m = entries.shape[0]
    if offsets.shape[0] != n + 1:
        raise InputError(
            f"{file.name}: indptr has {offsets.shape[0]:,} entries; {n:,} vertices need {n + 1:,}"
        )
    # The columns of a CSC are the rows of the transpose, which has the same components.
    graph = CsrFile(
        file.name,
        n,
        m,
        partial(_member, file, "indptr", offsets),
        partial(_member, file, "indices", entries),
        num_bytes=file.size,
        transposed=kind == "csc",
    )
    return csr_source(graph, options)


def _pair_source(
    file: SourceFile, archive: Any, names: tuple[str, str], n: int | None, options: ReadOptions
) -> EdgeSource:
    src, dst = (_header(archive, file, name) for name in names)
    if src.shape != dst.shape:
        raise InputError(
            f"{file.name}: {names[0]} has {src.shape[0]:,} ids and {names[1]} {dst.shape[0]:,}: an "
            "edge needs one of each"
        )

    def batches() -> Iterator[Batch]:
        with ExitStack() as stack:
            sources, targets = (
                stack.enter_context(_member(file, name, header))
                for name, header in zip(names, (src, dst), strict=True)
            )
            yield from column_batches(sources, targets, file.size or 0, options)

    return EdgeSource(
        name=file.name,
        id_kind="vertices",
        open=lambda _: prefetch(batches),
        num_vertices=n,
        num_edges=src.shape[0],
        num_bytes=file.size,
    )


def _by_scipy(file: SourceFile, kind: str, n: int) -> EdgeSource:
    try:
        from scipy.sparse import load_npz
    except ImportError:
        raise UnsupportedError(
            f"{file.name}: reading a {kind.upper()} matrix needs scipy: pip install 'skerry[scipy]'"
        ) from None

    def batches(_: int) -> Iterator[Batch]:
        with seekable(file) as raw:
            try:
                loaded: Any = load_npz(raw)
                if hasattr(loaded, "check_format"):  # blocks outside wrap around in tocoo
                    loaded.check_format(full_check=True)
                matrix = loaded.tocoo()
            except (MemoryError, SkerryError):
                raise
            except Exception as error:  # scipy trusts what it reads, and raises many kinds
                raise InputError(f"{file.name}: scipy cannot read this matrix: {error}") from None
        stored = matrix.data != 0  # BSR and DIA are padded with zeros
        yield Batch(matrix.row[stored], matrix.col[stored], None, "", file.size or 0)

    return EdgeSource(file.name, "vertices", batches, num_vertices=n, num_bytes=file.size)


@contextmanager
def _archive(file: SourceFile) -> Iterator[zipfile.ZipFile]:
    with seekable(file) as raw:
        try:
            archive = zipfile.ZipFile(raw)
        except (ValueError, *DAMAGED) as error:  # a name that is no UTF-8
            raise InputError(f"{file.name}: not a complete .npz file: {error}") from None
        with archive:
            yield archive


class _Member:
    """An array of an archive, as a stream of bytes."""

    def __init__(self, name: str, stream: Any) -> None:
        self._name = name
        self._stream = stream

    def fill(self, buffer: memoryview) -> int:
        """Fills all of ``buffer`` unless the array ends before; returns how many bytes."""
        filled = 0
        try:
            while filled < len(buffer):
                count = self._stream.readinto(buffer[filled:])
                if not count:
                    break
                filled += count
        except DAMAGED as error:
            raise InputError(f"{self._name}: the archive is damaged: {error}") from None
        return filled

    def read_fully(self, count: int) -> bytes:
        """The next ``count`` bytes, or fewer at the end."""
        buffer = bytearray(count)
        return bytes(buffer[: self.fill(memoryview(buffer))])


@contextmanager
def _member(file: SourceFile, name: str, header: NpyHeader) -> Iterator[ArrayReader]:
    with _archive(file) as archive, _opened(archive, file, name) as stream:
        inner = _Member(f"{file.name}: {name}", stream)
        inner.read_fully(header.end)
        section = Section(name, header.end, header.dtype, header.shape[0])
        yield ArrayReader(file.name, section, inner)


def _opened(archive: Any, file: SourceFile, name: str) -> Any:
    try:
        return archive.open(f"{name}.npy")
    except (KeyError, ValueError, *DAMAGED) as error:
        raise InputError(f"{file.name}: the array {name} cannot be read: {error}") from None


def _header(archive: Any, file: SourceFile, name: str) -> NpyHeader:
    """The header of a one-dimensional array of ids in an archive."""
    try:
        with _opened(archive, file, name) as stream:
            header = read_npy_header(_Member(file.name, stream), f"{file.name}: {name}")
    except DAMAGED as error:
        if isinstance(error, SkerryError):
            raise
        raise InputError(f"{file.name}: the array {name} cannot be read: {error}") from None
    if len(header.shape) != 1:
        raise InputError(f"{file.name}: {name} must be one-dimensional, got {header.shape}")
    check_ids(header, f"{file.name}: {name}")
    needed = header.shape[0] * header.dtype.itemsize
    if file.size is not None and needed > largest_contents(file.size):
        raise InputError(
            f"{file.name}: {name} has {header.shape[0]:,} entries, for which an archive of "
            f"{file.size:,} bytes is too small; it may be damaged"
        )
    return header


def _small(archive: Any, file: SourceFile, name: str) -> Any:
    try:
        with archive.open(f"{name}.npy") as stream:
            values = stream.read(MOST_SMALL + 1)
            if len(values) > MOST_SMALL:
                raise ValueError(f"it has more than {MOST_SMALL} bytes")
            return np.lib.format.read_array(io.BytesIO(values), allow_pickle=False)
    except Exception as error:  # its header is a Python literal, which can be wrong in many ways
        raise InputError(f"{file.name}: the array {name} cannot be read: {error}") from None


def _scalar(archive: Any, file: SourceFile, name: str) -> int:
    return int(_small(archive, file, name))
