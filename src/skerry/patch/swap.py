"""Functions, methods and classes of another library replaced by skerry's, reversibly.

The library is imported when a swap starts, not before. A module that did ``from package import
function`` keeps the function under a name of its own, so replacing ``package.function`` is not
enough: every module that holds it gets the replacement. What is not a name of a module (an
attribute of a class, a default argument, an element of a list) is not found.
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from threading import Lock
from typing import Any, ClassVar, NamedTuple, Self

from skerry.errors import UnsupportedError


class _Replaced(NamedTuple):
    """A name that holds a replacement now."""

    owner: Any
    """The class whose method it is, or None: a name of modules."""
    name: str
    original: Any
    replacement: Any
    path: str


class Swap:
    """Another library's functions answered by skerry: from `start` to `stop`, or in a block.

    What ``use()`` of `skerry.splink` and the like returns has been started. Swaps of one library
    may be nested, also in several threads: the library is as it was when the last of them ends.
    As a context manager it stops with its block, whether it was started before or by the block.
    Names of modules are replaced wherever they are, also in modules that are imported meanwhile; a
    reference in another object (a default argument, a list) is not.

    Parameters
    ----------
    library
        The name that it is installed by.
    replacements
        From ``"module:name"`` or ``"module:Class.method"`` to what takes its place.
    """

    _lock: ClassVar[Lock] = Lock()
    """Of all swaps: what they replace is of the process."""
    _active: ClassVar[dict[str, int]] = {}
    _replaced: ClassVar[dict[str, list[_Replaced]]] = {}
    """By library: the counts of active swaps, and what was replaced by the first of them."""

    def __init__(self, library: str, replacements: Mapping[str, Any]) -> None:
        self._library = library
        self.replacements = dict(replacements)
        self._on = False
        self._in_block = False

    def start(self) -> Self:
        """Replaces the functions; without effect where it is active already.

        Returns
        -------
        Swap
            This object.

        Raises
        ------
        UnsupportedError
            If the library is not installed, or has no such functions.
        """
        self._prepare()
        with Swap._lock:
            if not self._on:
                self._turn_on()
                self._on = True
        return self

    def stop(self) -> None:
        """Puts back what was there before, unless another one of the same library is active."""
        with Swap._lock:
            if self._on:
                self._turn_off()
                self._on = False

    def __enter__(self) -> Self:
        self.start()
        with Swap._lock:
            if self._in_block:
                raise RuntimeError("this patch is active already, in a block: make another one")
            self._in_block = True
        return self

    def __exit__(self, *exception: object) -> None:
        self._in_block = False
        self.stop()

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
        with Swap._lock:
            for replaced in Swap._replaced.get(library, ()):
                if replaced.path == path:
                    return replaced.original
        return Swap(library, {})._look_up(path)[-1]

    def _prepare(self) -> None:
        """Imports what is needed, without the lock: imports have locks of their own."""
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
            known.append(_Replaced(owner, name, original, self._distinct(replacement), path))
        for replaced in known:
            _set(replaced, replaced.original, replaced.replacement)
        return known

    @staticmethod
    def _distinct(replacement: Any) -> Any:
        """An object that no other code holds, so that putting back finds only what was replaced."""
        if inspect.isclass(replacement):
            return replacement

        @functools.wraps(replacement)
        def answer(*args: Any, **kwargs: Any) -> Any:
            return replacement(*args, **kwargs)

        return answer

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


def use_of(library: str, replacements: Mapping[str, Any]) -> Callable[[], Swap]:
    """The function ``use`` of a module that replaces functions of another library.

    Parameters
    ----------
    library, replacements
        As of `Swap`.

    Returns
    -------
    Callable
        Imports the library when it is called.
    """

    def use() -> Swap:
        """The clusters of the other library are skerry's: from this call on, or in a block.

        Returns
        -------
        Swap
            Its ``stop()``, or the end of its ``with`` block, puts back what was there.

        Examples
        --------
        >>> with use():  # doctest: +SKIP
        ...     ...  # calls of the other library
        """
        return Swap(library, replacements).start()

    return use


def _set(replaced: _Replaced, old: Any, new: Any) -> None:
    if replaced.owner is None:
        replace_everywhere(old, new, except_in=replaced.replacement.__module__)
    else:
        setattr(replaced.owner, replaced.name, new)


def replace_everywhere(old: object, new: object, except_in: str = "") -> int:
    """Sets to ``new`` each name of a loaded module that is bound to ``old``.

    Parameters
    ----------
    old, new
        Compared by identity.
    except_in
        The name of a module that is left as it is.

    Returns
    -------
    int
        How many names were set.

    Examples
    --------
    >>> import types
    >>> module = sys.modules["made_up"] = types.ModuleType("made_up")
    >>> module.size = list_length = lambda values: len(values)
    >>> replace_everywhere(list_length, len), module.size is len
    (1, True)
    >>> del sys.modules["made_up"]
    """
    count = 0
    for module_name, module in list(sys.modules.items()):
        names = _names_of(module) if module_name != except_in else {}
        # A list first: other threads may import and define meanwhile.
        for name, value in list(names.items()):
            if value is old:
                names[name] = new
                count += 1
    return count


def _names_of(module: Any) -> dict[str, Any]:
    """The names of a module as they are, without loading what it would load on demand."""
    try:
        names = object.__getattribute__(module, "__dict__")
    except AttributeError:  # None, or another object that stands for a module
        return {}
    return names if type(names) is dict else {}


def _renew_lock() -> None:
    """In a forked child: a thread that is not there may have held it."""
    Swap._lock = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)
