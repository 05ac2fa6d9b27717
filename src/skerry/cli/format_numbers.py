"""Numbers as people read them."""

from __future__ import annotations

from collections.abc import Sequence


def duration(seconds: float) -> str:
    """A time with three digits: ``1.24 ms``, ``2.05 s``.

    >>> duration(0.00124), duration(2.054)
    ('1.24 ms', '2.05 s')
    """
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


def clock_time(seconds: float) -> str:
    """A time to wait, in whole seconds: ``7 s``, ``1:05``, ``2:00:00``.

    >>> clock_time(6.6), clock_time(65), clock_time(7200)
    ('7 s', '1:05', '2:00:00')
    """
    rounded = round(seconds)
    minutes, remainder = divmod(rounded, 60)
    if not minutes:
        return f"{rounded} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{remainder:02}" if hours else f"{minutes}:{remainder:02}"


def bytes_of(count: float) -> str:
    """A number of bytes in powers of ten: ``1.23 MB``.

    >>> bytes_of(1234567), bytes_of(12)
    ('1.23 MB', '12 bytes')
    """
    for size, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f} bytes"


def rate(per_second: float, unit: str) -> str:
    """A rate with three digits.

    >>> rate(12.3e6, "edges")
    '12.3 million edges'
    """
    for size, word in ((1e9, "billion"), (1e6, "million"), (1e3, "thousand")):
        if per_second >= size:
            return f"{per_second / size:.3g} {word} {unit}"
    return f"{per_second:.3g} {unit}"


def plural(number: int, singular: str, several: str) -> str:
    """A number and the noun that agrees with it.

    >>> plural(1, "file", "files"), plural(1200, "file", "files")
    ('1 file', '1,200 files')
    """
    return f"{number:,} {singular if number == 1 else several}"


def percent(share: float) -> str:
    """A share in percent; only 0 is shown as 0% and only 1 as 100%.

    >>> percent(0.1234), percent(1e-6), percent(0.9999999), percent(1)
    ('12.3%', '<0.1%', '>99.9%', '100.0%')
    """
    if 0 < share < 0.0005:
        return "<0.1%"
    return ">99.9%" if 0.9995 <= share < 1 else f"{share:.1%}"


def join_to_width(words: Sequence[str], total: int, width: int, more: str = "...") -> str:
    """As many words as fit into a line, and the number of those that do not.

    >>> join_to_width(["kim", "lea", "lee"], 3, 20), join_to_width(["kim", "lea", "lee"], 900, 20)
    ('kim, lea, lee', 'kim, ... 899 more')
    """
    for shown in range(len(words), 0, -1):
        hidden = total - shown
        line = ", ".join(words[:shown]) + (f", {more} {hidden:,} more" if hidden else "")
        if len(line) <= width:
            return line
    return f"{words[0][: max(width - len(more), 0)]}{more}" if words else ""


def limit_of(count: int) -> str:
    """A limit as it was stated: ``200M`` where it is a whole number of mebibytes.

    >>> limit_of(200 << 20), limit_of(3 << 30), limit_of(1_000_000)
    ('200M', '3G', '1 MB')
    """
    for power, unit in ((30, "G"), (20, "M")):
        if count and not count % (1 << power):
            return f"{count >> power:,}{unit}"
    return bytes_of(count)
