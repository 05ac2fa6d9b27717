"""Optional packages: imported when needed; the error says how to install them."""

from __future__ import annotations

from typing import Any

from skerry.errors import UnsupportedError

__all__ = ["require_arrow"]


def require_arrow(purpose: str) -> Any:
    """The module `pyarrow`; `UnsupportedError` where it is not installed.

    Parameters
    ----------
    purpose
        What needs it, as the subject of the message: ``"reading Parquet"``.
    """
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise UnsupportedError(f"{purpose} needs pyarrow: pip install 'skerry[arrow]'") from None
    return pyarrow
