"""Files by their paths: of files, of folders and the folders in them, and by patterns.

Files and folders whose names begin with a dot or an underscore are not data (``_SUCCESS``,
``_delta_log``), and are skipped unless a path or a pattern names them. Folders may be named by keys
and values (``dt=2024-01-01``): they are read like all others, the keys are no columns.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

from skerry.errors import ArgumentError, InputError
from skerry.formats.sniff import known_suffix
from skerry.formats.source import (
    COMPRESSIONS,
    SourceFile,
    is_remote,
    remote_filesystem,
    source_file,
)

PathLike: TypeAlias = str | os.PathLike[str]
Inputs: TypeAlias = PathLike | Iterable[PathLike]
"""A path, an address (``s3://...``), a pattern (``part-*.txt``), a folder; or several of these."""

HIDDEN = (".", "_")
"""Names of files and folders that are not data begin so."""


def find_files(
    paths: Inputs | SourceFile | Iterable[SourceFile], bare_names: bool = False
) -> list[SourceFile]:
    """The files of all paths, those of a pattern or folder in the order of their names.

    ``bare_names``: of a folder, take files without a suffix too (``part-00000``).
    """
    if isinstance(paths, str | os.PathLike | SourceFile):
        return _expand(paths, bare_names)
    try:
        several = iter(paths)
    except TypeError:
        raise InputError(
            f"a file is named by a path, got {type(paths).__name__} {paths!r}"
        ) from None
    files = [file for path in several for file in _expand(path, bare_names)]
    if not files:
        raise InputError("the list of files is empty")
    return files


def _expand(pattern: PathLike | SourceFile, bare_names: bool) -> list[SourceFile]:
    if isinstance(pattern, SourceFile):
        return [pattern]  # a pipe that the caller has looked at already
    if not isinstance(pattern, str | os.PathLike):
        raise InputError(f"a file is named by a path, got {type(pattern).__name__} {pattern!r}")
    name = os.fspath(pattern)
    if not name:
        raise ArgumentError("the path is empty: name a file or a folder")
    if is_remote(name):
        return [source_file(address) for address in _remote_names(name, bare_names)]
    path = Path(name.removeprefix("file://"))
    try:
        path.stat()
    except (OSError, ValueError):  # a pattern, perhaps, or a name that no file can have
        if not glob.has_magic(name):
            return [source_file(name)]
    if path.is_dir():
        return _regular(_graphs(name, _walk(path), bare_names))
    if not path.exists() and glob.has_magic(name):
        return _regular(_local_matches(name, bare_names))
    return [source_file(name)]


def _regular(names: list[str]) -> list[SourceFile]:
    """Files that were not named one by one: opening a pipe would wait for its writer."""
    for name in names:
        path = Path(name)
        if path.exists() and not path.is_file():
            raise InputError(f"{name}: this is no file but a pipe or a device; to read it, name it")
    return [source_file(name) for name in names]


def _walk(folder: Path, around: tuple[Path, ...] = ()) -> Iterator[str]:
    """All files in a folder and the folders in it; a link to a folder around it is not followed."""
    here = folder.resolve()
    if here in around:
        return
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror or error}") from None
    for entry in entries:
        if entry.name.startswith(HIDDEN):
            continue
        if entry.is_dir():
            yield from _walk(entry, (*around, here))
        else:
            yield str(entry)


def _local_matches(pattern: str, bare_names: bool) -> list[str]:
    names: dict[str, None] = {}
    matches = glob.glob(pattern, recursive=True)  # noqa: PTH207, Path knows no absolute patterns
    for match in sorted(matches):
        if not _is_meant(pattern, match):
            continue
        folder = Path(match).is_dir()
        names |= dict.fromkeys(_known(_walk(Path(match)), bare_names) if folder else [match])
    return _any_match(pattern, names)


def _remote_names(name: str, bare_names: bool) -> list[str]:
    if name.startswith(("http:", "https:")):
        return [name]  # there are no patterns or folders; a request would fetch the file
    system, inner = remote_filesystem(name)
    if glob.has_magic(inner):
        names: dict[str, None] = {}
        for match, facts in sorted(system.glob(inner, detail=True).items()):
            if not _is_meant(inner, match):
                continue
            folder = facts.get("type") == "directory"
            files = _known(_walk_remote(system, match), bare_names) if folder else [match]
            names |= dict.fromkeys(map(system.unstrip_protocol, files))
        return _any_match(name, names)
    if system.isdir(inner) and not system.isfile(inner):
        files = _graphs(name, _walk_remote(system, inner), bare_names)
        return [system.unstrip_protocol(file) for file in files]
    return [name]


def _walk_remote(system: Any, folder: str) -> Iterator[str]:
    for entry in sorted(system.find(folder)):
        parts = entry[len(folder.rstrip("/")) :].strip("/").split("/")
        if not any(part.startswith(HIDDEN) or not part for part in parts):
            yield entry


def _is_meant(pattern: str, match: str) -> bool:
    """Whether a match has no hidden part but those that the pattern writes out."""
    parts = PurePosixPath(pattern).parts
    fixed = next(number for number, part in enumerate(parts) if glob.has_magic(part))
    written = tuple(start for start in HIDDEN if any(p.startswith(start) for p in parts[fixed:]))
    return not any(
        part.startswith(HIDDEN) and not part.startswith(written)
        for part in PurePosixPath(match).parts[fixed:]
    )


def _any_match(pattern: str, names: Iterable[str]) -> list[str]:
    if not names:
        raise InputError(f"{pattern}: no file matches this pattern")
    return list(names)


def _known(files: Iterable[str], bare_names: bool) -> list[str]:
    """The files whose names say that they may be graphs."""
    suffixes = ((file, _inner_suffix(file)) for file in files)
    return [
        file for file, suffix in suffixes if known_suffix(suffix) or (bare_names and not suffix)
    ]


def _graphs(folder: str, entries: Iterator[str], bare_names: bool) -> list[str]:
    files = list(entries)
    graphs = _known(files, bare_names)
    if graphs:
        return graphs
    if files:
        raise InputError(
            f"{folder}: the folder holds no file of a known format (but, for instance, "
            f"{PurePosixPath(files[0]).name}); name the files themselves, or the format: format="
        )
    raise InputError(f"{folder}: the folder holds no files")


def _inner_suffix(name: str) -> str:
    path = PurePosixPath(name)
    return (
        PurePosixPath(path.stem) if path.suffix.lower() in COMPRESSIONS else path
    ).suffix.lower()
