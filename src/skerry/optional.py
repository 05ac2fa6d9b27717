"""Packages that skerry uses where they are installed, and the errors where they are not.

They are imported when they are first needed: the core needs NumPy only, and pyarrow alone takes
longer to import than many a graph takes to solve.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from skerry.errors import UnsupportedError


def require_arrow(purpose: str, module: str = "pyarrow") -> Any:
    """pyarrow, or one of its modules.

    Parameters
    ----------
    purpose
        What needs it, as the beginning of the message: ``"reading Parquet files"``.
    module
        The module to return, such as ``"pyarrow.parquet"``.

    Raises
    ------
    UnsupportedError
        If pyarrow is not installed.

    Examples
    --------
    >>> require_arrow("this example", "pyarrow.compute").__name__
    'pyarrow.compute'
    """
    return require_package(module, purpose, "arrow")


def require_package(module: str, purpose: str, extra: str) -> Any:
    """A module of a package that an extra of skerry brings.

    Raises
    ------
    UnsupportedError
        If it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise UnsupportedError(
            f"{purpose} needs {package}: pip install 'skerry[{extra}]'"
        ) from None


def arrow_if_installed() -> Any | None:
    """pyarrow, or None: for work that it does faster, but that can be done without it."""
    try:
        return import_module("pyarrow")
    except ImportError:
        return None
