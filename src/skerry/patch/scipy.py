"""Calls of `scipy.sparse.csgraph.connected_components` go to skerry, wherever they come from.

There is one replacement for the whole process. It looks at every call whether a patch is active: a
reference to it that outlives the patch, in a closure or in another process, does what scipy does.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from skerry import csgraph as answers
from skerry.errors import UnsupportedError
from skerry.patch.swap import Swap

PATH = "scipy.sparse.csgraph:connected_components"


class _Calls:
    """The calls of the process so far, while a patch was active."""

    by_skerry = 0


def connected_components(
    csgraph: Any, directed: bool = True, connection: str = "weak", return_labels: bool = True
) -> Any:
    """Stands in for scipy's function of this name while a patch is active; see `patch_scipy`."""
    original = _original()
    if not Swap._active.get("scipy"):
        return original(csgraph, directed, connection, return_labels)
    with Swap._lock:
        _Calls.by_skerry += 1
    return answers.connected_components(csgraph, directed, connection, return_labels)


@cache
def _original() -> Any:
    return Swap.original("scipy", PATH)


class Patched(Swap):
    """A patch of scipy: from the call of `skerry.patch_scipy` to `stop` or the end of its block.

    It may be started again after it ended. Blocks that are active at once need one each.

    Examples
    --------
    >>> import numpy as np, skerry
    >>> from scipy.sparse import csgraph
    >>> with skerry.patch_scipy() as patched:
    ...     count, labels = csgraph.connected_components(np.eye(3))
    >>> count, patched.by_skerry
    (3, 1)
    """

    def __init__(self) -> None:
        super().__init__("scipy", {PATH: connected_components})
        self._before = self._after = 0

    @property
    def by_skerry(self) -> int:
        """Calls that skerry answered while this was active, of all threads."""
        return (_Calls.by_skerry if self._on else self._after) - self._before

    def __repr__(self) -> str:
        state = "active, stop() ends it" if self._on else "not active"
        return f"Patched({state}; calls: {self.by_skerry})"

    def _prepare(self) -> None:
        try:
            super()._prepare()
        except UnsupportedError:
            raise UnsupportedError("patch_scipy needs scipy: pip install 'skerry[scipy]'") from None

    @staticmethod
    def _distinct(replacement: Any) -> Any:
        """The function itself: it pickles by its name, and only patched modules hold it."""
        return replacement

    def _turn_on(self) -> None:
        super()._turn_on()
        self._before = _Calls.by_skerry

    def _turn_off(self) -> None:
        self._after = _Calls.by_skerry
        super()._turn_off()


def patch_scipy() -> Patched:
    """Sends calls of ``scipy.sparse.csgraph.connected_components`` to skerry, reversibly.

    The call patches: for the rest of the program, until ``stop()`` of what it returns, or in a
    ``with`` block. Weak and strong components are skerry's, with scipy's answers and types
    (`skerry.csgraph`). Every module is reached that calls the function by a name of its own, also
    those imported later.

    Returns
    -------
    Patched
        Its ``stop()`` puts scipy's function back, and so does the end of its ``with`` block;
        ``by_skerry`` counts the calls.

    Raises
    ------
    UnsupportedError
        If scipy is not installed.

    Notes
    -----
    The patch is of the process: calls of other threads are answered by skerry too while any patch
    is active. scipy's function is put back when the last of them ends, by an exception too.
    Forked children inherit it, spawned ones do not. A function that was bound before the patch
    other than by a name of a module (a default argument, an attribute of a class, a
    ``functools.partial``) stays scipy's.

    Examples
    --------
    >>> import numpy as np, skerry
    >>> from scipy.sparse import csgraph
    >>> with skerry.patch_scipy() as patched:
    ...     csgraph.connected_components(np.eye(2), connection="strong", return_labels=False)
    2
    >>> patched.by_skerry
    1
    """
    return Patched().start()
