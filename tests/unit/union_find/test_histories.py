"""Random histories of operations, of which some are refused, interrupted or short of memory.

After each operation, everything that can be observed is as if it had happened, or as if it had not.
The model is a dict of sets and a list of edges. ``SKERRY_HISTORIES=10000 pytest <this file>`` runs
more of them than `make test` does.
"""

from __future__ import annotations

import os

import pytest

from support.interruptions import FailingCall, Interruption
from support.sets_by_hand import KINDS, History, Model, matches, observed

HISTORIES = int(os.environ.get("SKERRY_HISTORIES", "200"))


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=[kind.name for kind in KINDS])
def test_histories(kind, monkeypatch):
    for seed in range(kind, HISTORIES, len(KINDS)):
        History(seed, monkeypatch).run()


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_every_instruction(kind):
    """One union, interrupted before each of its instructions, and done once more afterwards."""
    step = 1 if HISTORIES > 200 else 41
    new = kind.ids[:3], kind.ids[1:4]
    pairs = list(zip(*new, strict=True))
    form = kind.forms[-1]
    at = 1
    while True:
        sets = kind.make()
        act = sets.push if kind.window else sets.union
        old = [kind.ids[5]], [kind.ids[6]]
        act(*(kind.column(end, form) for end in old))
        before = Model(kind.vertices, limit=3 if kind.window else None)
        before.push(list(zip(*old, strict=True)))
        after = before.copy()
        after.push(pairs)
        ends = [kind.column(end, form) for end in new]
        try:
            with Interruption(at):
                act(*ends)
        except KeyboardInterrupt:
            seen = observed(sets, kind.ids, kind.forest)
            assert any(matches(seen, model, kind.forest) for model in (before, after)), at
            if not kind.window and not kind.forest:
                act(*ends)
                assert matches(observed(sets, kind.ids, kind.forest), after, kind.forest), at
        else:
            break
        at += step
    assert at > 100


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("kind", range(len(KINDS)), ids=[kind.name for kind in KINDS])
def test_every_call_fails(kind):
    """Each operation is tried with its 1st, 2nd, ... call failing, until it is done."""
    step = 1 if HISTORIES > 200 else 13
    failed = 0
    for seed in range(kind, HISTORIES // 20, len(KINDS)):
        history = History(seed)
        failed += sum(history.fail_each(FailingCall, step) for _ in range(6))
        history.check_copies()
    assert failed > 150 // step
