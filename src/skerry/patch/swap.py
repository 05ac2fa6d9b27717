"""Functions, methods and classes of another library replaced by skerry's, reversibly.

The library is imported when a swap starts, not before.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

from skerry.errors import UnsupportedError
from skerry.patch.references import replace_everywhere
from skerry.patch.switch import Switch


class _Replaced(NamedTuple):
    """A name that holds a replacement now."""

    owner: Any
    """The class whose method it is, or None: a name of modules."""
    name: str
    original: Any
    replacement: Any
    path: str


class Swap(Switch):
    """Another library's functions answered by skerry: from `start` to `stop`, or in a block.

    What ``use()`` of `skerry.splink` and the like returns has been started. Swaps of one library
    may be nested, also in several threads: the library is as it was when the last of them ends.
    Names of modules are replaced wherever they are, also in modules that are imported meanwhile; a
    reference in another object (a default argument, a list) is not.

    Parameters
    ----------
    library
        The name that it is installed by.
    replacements
        From ``"module:name"`` or ``"module:Class.method"`` to what takes its place.
    """

    _active: ClassVar[dict[str, int]] = {}
    _replaced: ClassVar[dict[str, list[_Replaced]]] = {}
    """By library: the counts of active swaps, and what was replaced by the first of them."""

    def __init__(self, library: str, replacements: Mapping[str, Any]) -> None:
        super().__init__()
        self._library = library
        self.replacements = dict(replacements)

    @staticmethod
    def original(library: str, path: str) -> Any:
        """What the library itself has there, whether it is replaced or not.

        Parameters
        ----------
        library, path
            As in the constructor.

        Returns
        -------
        Any
            The function, method or class.
        """
        with Switch._lock:
            for replaced in Swap._replaced.get(library, ()):
                if replaced.path == path:
                    return replaced.original
        return Swap(library, {})._look_up(path)[-1]

    def _prepare(self) -> None:
        for path in self.replacements:
            self._module(path)

    def _turn_on(self) -> None:
        if not Swap._active.get(self._library):
            Swap._replaced[self._library] = self._replace()
        Swap._active[self._library] = Swap._active.get(self._library, 0) + 1

    def _turn_off(self) -> None:
        Swap._active[self._library] -= 1
        if not Swap._active[self._library]:
            for replaced in Swap._replaced.pop(self._library):
                _set(replaced, replaced.replacement, replaced.original)

    def _replace(self) -> list[_Replaced]:
        known = []
        # All are looked up before any is replaced.
        for path, replacement in self.replacements.items():
            owner, name, original = self._look_up(path)
            known.append(_Replaced(owner, name, original, _distinct(replacement), path))
        for replaced in known:
            _set(replaced, replaced.original, replaced.replacement)
        return known

    def _module(self, path: str) -> Any:
        module_name = path.partition(":")[0]
        try:
            return import_module(module_name)
        except ImportError as error:
            raise UnsupportedError(
                f"this needs {self._library}: cannot import {module_name} ({error})"
            ) from error

    def _look_up(self, path: str) -> tuple[Any, str, Any]:
        module = self._module(path)
        class_name, _, name = path.partition(":")[2].rpartition(".")
        try:
            owner = getattr(module, class_name) if class_name else None
            return owner, name, getattr(owner or module, name)
        except AttributeError:
            raise UnsupportedError(
                f"this version of {self._library} has no {path}: docs/integrations.md names those "
                "that were tested"
            ) from None


def _distinct(replacement: Any) -> Any:
    """An object that no other code holds, so that putting back finds only what was replaced."""
    if inspect.isclass(replacement):
        return replacement

    @functools.wraps(replacement)
    def answer(*args: Any, **kwargs: Any) -> Any:
        return replacement(*args, **kwargs)

    return answer


def _set(replaced: _Replaced, old: Any, new: Any) -> None:
    if replaced.owner is None:
        replace_everywhere(old, new, except_in=replaced.replacement.__module__)
    else:
        setattr(replaced.owner, replaced.name, new)
