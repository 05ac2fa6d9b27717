"""The random numbers of kernels/common/random.h once more, in Python's own integers.

What any device must agree with.
"""

from __future__ import annotations

MASK = 2**64 - 1


def mix(x):
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def key_of(seed, stream):
    return mix(mix(seed + 0x9E3779B97F4A7C15 & MASK) + stream * 0xD1342543DE82EF95 & MASK)


def draw(key, index):
    return mix(key + (index + 1) * 0x9E3779B97F4A7C15 & MASK)
