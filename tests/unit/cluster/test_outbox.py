"""Messages that have no room in memory are the same when they are taken."""

from __future__ import annotations

import numpy as np
import pytest

from skerry.cluster.outbox import Outbox
from skerry.cluster.stage import Message, report


@pytest.mark.parametrize("held", [None, 0, 100, 10**6])
def test_what_is_put_is_taken_whatever_is_held(held):
    rng = np.random.default_rng(1)
    outbox, wanted = Outbox(3, held), [[], [], []]
    for number in range(30):
        blob = rng.integers(0, 256, rng.integers(0, 50), np.uint8)
        target, channel = int(rng.integers(0, 2)), f"channel {number % 4}"
        outbox.put(Message(target, channel, blob))
        wanted[target].append((channel, blob.tobytes()))
    for receiver in (1, 0, 2):
        taken = [(channel, blob.tobytes()) for channel, blob in outbox.take(receiver)]
        assert taken == wanted[receiver]
        assert outbox.take(receiver) == []


def test_a_held_message_does_not_hold_what_it_is_a_part_of():
    outbox, everything = Outbox(1, 100), np.zeros(10**6, np.uint8)
    outbox.put(Message(0, "edges", everything[:50]))
    assert outbox.take(0)[0][1].base is None


@pytest.mark.parametrize("held", [None, 0])
def test_reports_are_bytes(held):
    outbox = Outbox(1, held)
    outbox.put(report({"rows": 3}))
    assert outbox.take(0) == [("report", b'{"rows": 3}')]
