"""Numbers as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["bytes_of", "duration", "fitting", "many", "percent", "rate", "span"]


def duration(seconds: float) -> str:
    """Three digits are enough for a person: ``1.24 ms``, ``2.05 s``.

    >>> duration(0.00124), duration(2.054)
    ('1.24 ms', '2.05 s')
    """
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


def span(seconds: float) -> str:
    """A time to wait: ``7 s``, ``1:05``, ``2:00:00``.

    >>> span(6.6), span(65), span(7200)
    ('7 s', '1:05', '2:00:00')
    """
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    if not minutes:
        return f"{whole} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def bytes_of(count: float) -> str:
    """A size in powers of ten: ``1.23 MB``.

    >>> bytes_of(1234567), bytes_of(12)
    ('1.23 MB', '12 bytes')
    """
    for size, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f} bytes"


def rate(speed: float, what: str) -> str:
    """So many of something, for a speed.

    >>> rate(12.3e6, "edges")
    '12.3 million edges'
    """
    for size, word in ((1e9, "billion"), (1e6, "million"), (1e3, "thousand")):
        if speed >= size:
            return f"{speed / size:.3g} {word} {what}"
    return f"{speed:.3g} {what}"


def many(number: int, one: str, more: str) -> str:
    """A number with the word for what it counts.

    >>> many(1, "file", "files"), many(1200, "file", "files")
    ('1 file', '1,200 files')
    """
    return f"{number:,} {one if number == 1 else more}"


def percent(share: float) -> str:
    """A part of a whole; what is not nothing, or not all, does not look as if it were.

    >>> percent(0.1234), percent(1e-6), percent(0.9999999), percent(1)
    ('12.3%', '<0.1%', '>99.9%', '100.0%')
    """
    if 0 < share < 0.0005:
        return "<0.1%"
    return ">99.9%" if 0.9995 <= share < 1 else f"{share:.1%}"


def fitting(words: Sequence[str], total: int, width: int, more: str = "...") -> str:
    """As many words of a list as fit into a line, and how many of all of them do not.

    >>> fitting(["kim", "lea", "lee"], 3, 20), fitting(["kim", "lea", "lee"], 900, 20)
    ('kim, lea, lee', 'kim, ... 899 more')
    """
    for shown in range(len(words), 0, -1):
        rest = total - shown
        line = ", ".join(words[:shown]) + (f", {more} {rest:,} more" if rest else "")
        if len(line) <= width:
            return line
    return f"{words[0][: max(width - len(more), 0)]}{more}" if words else ""
