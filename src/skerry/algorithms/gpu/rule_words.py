"""The rules of the planner as words: ``kernels/gpu/own/strategy.h`` reads them."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf

from skerry.algorithms.gpu.state import Word
from skerry.algorithms.gpu_planner import Bound, GpuRule

__all__ = ["RULE_WORDS", "SAMPLE_WORDS", "rule_words"]

RULE_WORDS = 16  # kRuleWords of own/strategy.h
SHARE_UNIT = 1024  # kShareUnit of own/strategy.h
SHARE_BITS = 16  # kShareBits of own/strategy.h
BOUND_BITS = 40  # kBoundBits of own/strategy.h

SAMPLE_WORDS = {
    "rows": Word.SAMPLED,
    "near": Word.NEAR,
    "adjacent": Word.ADJACENT,
    "long": Word.LONG,
    "linked": Word.LINKED,
    "hubs": Word.HUBS,
    "triangles": Word.TRIANGLES,
}
"""Where the device counts the fields of `RowSample`, in their order."""


def rule_words(rules: Sequence[GpuRule]) -> tuple[int, ...]:
    """Two words for each rule; zeros after the last."""
    words: list[int] = []
    for rule in rules:
        first, second = (*map(_bound_word, rule.sample), 0, 0)[:2]
        words += (rule.strategy << BOUND_BITS | first, second)
    assert len(words) <= RULE_WORDS, "more rules than the kernel has words for"
    return (*words, *(0,) * (RULE_WORDS - len(words)))


def _bound_word(bound: Bound) -> int:
    name, low, high = bound
    maximum = 2 * SHARE_UNIT if high == inf else ceil(high * SHARE_UNIT)
    return (SAMPLE_WORDS[name] << SHARE_BITS | ceil(low * SHARE_UNIT)) << SHARE_BITS | maximum
