"""Names of files and of what code defines, held against a list of words that we do not use.

The words and the plain ones instead of them stand in tests/project/words.toml. Python is parsed:
what a file defines counts (functions, classes, variables, parameters, attributes, keywords), not
what it reads from others. Of C++ and CUDA, every token outside comments and strings counts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath
from typing import NamedTuple

NATIVE = frozenset({".h", ".c", ".cpp", ".cu"})


@dataclass(frozen=True)
class Word:
    """A word that is not used, and what is."""

    word: str
    instead: str
    match: str = "name"  # "part" of a name, all of a "name", a "class", a "file"
    folder: str = ""  # only in paths that start with it
    language: str = ""  # "python" or "native": only there

    def matches(self, name: str) -> bool:
        """Whether an identifier is this word, or has it as a part."""
        if self.match == "class":
            return name.lstrip("_") == self.word
        if self.match == "part":
            return any(f"_{self.word}_" in spelling for spelling in _spellings(name))
        return self.match == "name" and name.strip("_").lower() == self.word


class Use(NamedTuple):
    """A place where a word is used."""

    path: str
    line: int  # 0: the name of the file
    name: str
    word: Word

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.name}: not {self.word.word!r}: {self.word.instead}"


@cache
def _spellings(name: str) -> tuple[str, str]:
    """``someName``, ``SomeName`` and ``kSomeName`` as ``_some_name_``."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")
    return f"_{snake}_", f"_{snake.removeprefix('k_')}_"


def python_names(text: str) -> Iterator[tuple[int, str]]:
    """Lines and identifiers of what a Python source defines or passes by keyword."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg) or (isinstance(node, ast.keyword) and node.arg):
            yield node.lineno, str(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.lineno, node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.lineno, node.rest
        elif isinstance(node, ast.alias) and node.asname:
            yield node.lineno, node.asname


_SKIPPED = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", re.S
)


def native_names(text: str) -> Iterator[tuple[int, str]]:
    """Lines and identifiers of a C++ or CUDA source, without its comments and strings."""
    # A quote between digits groups them: 1'000.
    text = re.sub(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])", "", text)
    code = _SKIPPED.sub(lambda match: "\n" * match.group().count("\n") + " ", text)
    for number, line in enumerate(code.splitlines(), 1):
        for match in re.finditer(r"[A-Za-z_]\w*", line):
            yield number, match.group()


def uses(path: str, text: str, words: Iterable[Word]) -> list[Use]:
    """Every use of one of the words in a file's name and in its identifiers."""
    native = PurePath(path).suffix in NATIVE
    here = [
        word
        for word in words
        if path.startswith(word.folder) and word.language in ("", "native" if native else "python")
    ]
    stem = PurePath(path).stem
    result = [
        Use(path, 0, stem, word)
        for word in here
        if word.match != "class" and (stem == word.word or word.matches(stem))
    ]
    seen = set()
    for line, name in native_names(text) if native else python_names(text):
        for word in here:
            if word.matches(name) and (line, name) not in seen:
                seen.add((line, name))
                result.append(Use(path, line, name, word))
    return result


def sources(root: Path, folders: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Paths, from the root on, and texts of all sources in some folders."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in NATIVE | {".py", ".pyi"} and path.is_file():
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
