"""Which errors of pyarrow mean that memory ran out, rather than that a file is damaged."""

from __future__ import annotations

import re

from skerry.machine import memory_total

REQUEST = re.compile(r"alloc(?:ation)? of size (\d+) failed")


def out_of_memory(error: BaseException) -> bool:
    """Whether an amount of memory was refused that this machine has.

    A damaged length may demand any amount: more than there is shows damage.

    >>> out_of_memory(OSError("malloc of size 4096 failed"))
    True
    >>> out_of_memory(OSError(f"malloc of size {2**62} failed"))
    False
    """
    request = REQUEST.search(str(error))
    return request is not None and int(request[1]) <= (memory_total() or 1 << 40)
