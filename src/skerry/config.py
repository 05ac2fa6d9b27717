"""Environment variables: one table, and the rule by which they are read.

An argument (``threads=``, ``--threads``) goes before a variable, a variable before its default. A
variable that is set to an empty text counts as not set. Each is read when it is first needed, and
then kept: reading the environment takes a microsecond, and a call on ten edges only a few.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from skerry.errors import ArgumentError

MAX_THREADS = 1024
LONGEST_LINE = 64 << 20
UNITS = {"k": 10, "m": 20, "g": 30}


def _thread_count(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= MAX_THREADS:
        raise ValueError(f"must be a whole number in 1..{MAX_THREADS}")
    return int(text)


def _byte_count(text: str) -> int:
    digits, shift = text, 0
    if text[-1].lower() in UNITS:
        digits, shift = text[:-1], UNITS[text[-1].lower()]
    if not (digits.isascii() and digits.isdigit() and len(digits) < 16) or int(digits) < 1:
        raise ValueError("must be a number of bytes, such as 67108864, 512M or 2G")
    return int(digits) << shift


def _new_folder(text: str) -> str:
    path = os.path.abspath(os.path.expanduser(text))  # noqa: PTH100, PTH111 (pathlib is slow to load)
    if os.path.exists(path) and not os.path.isdir(path):  # noqa: PTH110, PTH112
        raise ValueError("must be a folder, but it is a file")
    return path


def _writable_folder(text: str) -> str:
    path = _new_folder(text)
    if not os.path.isdir(path):  # noqa: PTH112
        raise ValueError("there is no such folder: create it first")
    if not os.access(path, os.W_OK | os.X_OK):
        raise ValueError("the folder is not writable")
    return path


class Variable(NamedTuple):
    """An environment variable of skerry."""

    name: str
    meaning: str
    default: str
    """What holds where neither an argument nor a variable is set, in words."""
    reader: str
    """The function that returns the value in force, as ``module:function``."""
    parse: Callable[[str], Any]
    """Text to value; raises `ValueError` saying what the value must be."""
    argument: str = ""
    """The argument that goes before the variable, where there is one."""
    fallbacks: tuple[str, ...] = ()
    """Variables of other programs that are used where this one is not set, first one first."""


VARIABLES = (
    Variable(
        "SKERRY_THREADS",
        "largest number of threads that a call uses, 1 to 1024",
        "the cores that this process may use, at most its CPU quota",
        "skerry.threads:available_threads",
        _thread_count,
        "threads=",
        ("OMP_NUM_THREADS",),
    ),
    Variable(
        "SKERRY_KERNEL_CACHE",
        "folder for compiled GPU kernels; passed to CuPy as CUPY_CACHE_DIR",
        "~/.cupy/kernel_cache",
        "skerry.config:kernel_cache_folder",
        _new_folder,
        fallbacks=("CUPY_CACHE_DIR",),
    ),
    Variable(
        "SKERRY_TMPDIR",
        "folder for temporary files, such as copies of compressed Parquet files; must exist",
        "the system's folder for temporary files",
        "skerry.config:temporary_folder",
        _writable_folder,
        fallbacks=("TMPDIR", "TEMP", "TMP"),
    ),
    Variable(
        "SKERRY_LONGEST_LINE",
        "largest line of a text file, in bytes (512M, 2G); a longer one is an error",
        "64 MiB",
        "skerry.config:longest_line",
        _byte_count,
    ),
)
"""All of them. `skerry doctor` and docs/options.md show this table."""


@cache
def setting(name: str) -> Any:
    """The value of a variable of the table; None where it is not set.

    Raises
    ------
    InputError
        The value cannot be used; the message names the variable.
    """
    variable = next(each for each in VARIABLES if each.name == name)
    text = os.environ.get(name, "").strip()
    if not text:
        return None
    try:
        return variable.parse(text)
    except ValueError as error:
        raise ArgumentError(f"environment variable {name}={text!r}: {error}") from None


def origin(variable: Variable) -> str:
    """The variable that the value in force comes from, or ``"default"``."""
    if setting(variable.name) is not None:
        return variable.name
    return next((name for name in variable.fallbacks if _is_usable(variable, name)), "default")


def _is_usable(variable: Variable, name: str) -> bool:
    """Whether another program's variable is set to something that we can use."""
    text = os.environ.get(name, "").split(",")[0].strip()
    try:
        return bool(text) and variable.parse(text) is not None
    except ValueError:
        return False


def kernel_cache_folder() -> str:
    """The folder where CuPy keeps compiled kernels."""
    stated = setting("SKERRY_KERNEL_CACHE") or os.environ.get("CUPY_CACHE_DIR")
    return stated or os.path.expanduser("~/.cupy/kernel_cache")  # noqa: PTH111


def temporary_folder() -> str:
    """The folder for temporary files."""
    stated: str | None = setting("SKERRY_TMPDIR")
    if stated is not None:
        return stated
    import tempfile  # takes a while to load, and few calls need it

    return tempfile.gettempdir()


def longest_line() -> int:
    """The largest number of bytes of a line of text."""
    return setting("SKERRY_LONGEST_LINE") or LONGEST_LINE


def silence_ray() -> None:
    """Keeps Ray from logging each task that waited for one that failed: the error is shown once."""
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")


def spark_folder(task: int) -> str | None:
    """A folder of this machine that Spark lends its tasks (spark.local.dir), if any."""
    folders = [each for each in os.environ.get("SPARK_LOCAL_DIRS", "").split(",") if each]
    return folders[task % len(folders)] if folders else None


def has_java() -> bool:
    """Whether Spark will find a Java: by JAVA_HOME, or by its command."""
    import shutil

    return bool(os.environ.get("JAVA_HOME")) or shutil.which("java") is not None
