"""Several threads that read parts of a file ahead of the consumer, who gets the parts in order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from typing import Any, TypeVar

from skerry.formats.ahead import read_ahead

__all__ = ["read_in_lanes"]

Part = TypeVar("Part")
Item = TypeVar("Item")

END_OF_PART: Any = object()


def read_in_lanes(
    parts: Sequence[Part], read: Callable[[Iterator[Part]], Iterator[tuple[Part, Item]]], lanes: int
) -> Generator[Item, None, None]:
    """The items of all parts, in order, read in so many threads: lane i takes parts i, i + lanes...

    ``read`` gets the parts of a lane and gives each item with the part that it is of; it runs in
    the lane's thread and holds what it needs open for all of its parts. Memory is bounded by a few
    items a lane.

    Examples
    --------
    >>> def read(parts):
    ...     for part in parts:
    ...         yield part, part * 10
    ...         yield part, part * 10 + 1
    >>> list(read_in_lanes([1, 2, 3], read, 2))
    [10, 11, 20, 21, 30, 31]
    """
    lanes = max(1, min(lanes, len(parts)))

    def lane(number: int) -> Iterator[Any]:
        own = parts[number::lanes]
        passed = 0
        for part, item in read(iter(own)):
            while own[passed] is not part:  # parts may be without items
                passed += 1
                yield END_OF_PART
            yield item
        for _ in own[passed:]:
            yield END_OF_PART

    with ExitStack() as stack:
        opened = [
            stack.enter_context(closing(read_ahead(partial(lane, number))))
            for number in range(lanes)
        ]
        for number in range(len(parts)):
            for item in opened[number % lanes]:
                if item is END_OF_PART:
                    break
                yield item
