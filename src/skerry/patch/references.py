"""Replaces an object in every module that holds it by a name of its own.

A module that did ``from package import function`` keeps the function under a name of its own, so
replacing ``package.function`` is not enough. What is not a name of a module (an attribute of a
class, a default argument, an element of a list) is not found.
"""

from __future__ import annotations

import sys
from typing import Any


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
