"""Ids that are not integers: numbered exactly, in their order, and found again."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
import skerry.cluster.joiner
from skerry.cluster.contraction_stages import HeapEdges
from skerry.cluster.counted import counted
from skerry.cluster.driver import Job, solve
from skerry.cluster.edge_input import EdgeReader, IdReader, TablePart, has_integers
from skerry.cluster.forest_stages import JoinForests
from skerry.cluster.id_stages import ListIds, TaskIds, number_steps, row_steps
from skerry.cluster.joiner import joining_on
from skerry.cluster.outbox import Outbox
from skerry.cluster.stage import EDGES, Message, Step, report
from skerry.cluster.state import WORDS, StateError, StateFolder
from skerry.errors import InputError, UnsupportedError
from skerry.formats.options import ReadOptions
from skerry.result.plan import PhaseTimer
from skerry.union_find.device_forest import DeviceForest
from support.cluster import graph
from support.emulator import EmulatedRuntime
from support.local_executor import LocalExecutor

READ = ReadOptions("src", "dst")
TEXTS = [" ", "a", "ab", "b", "é", "z" * 50, "\U0001f40c", *(f"t{i}" for i in range(90))]
PRICES = [Decimal(i) / 4 for i in range(-9, 30)]
DAYS = [dt.date(2020, 1, 1) + dt.timedelta(days=i) for i in range(40)]


def table_of(values, seed=1, rows=120):
    rng = np.random.default_rng(seed)
    ends = [[values[i] for i in rng.integers(0, len(values), rows)] for _ in range(2)]
    return pa.table({"src": pa.array(ends[0]), "dst": pa.array(ends[1])})


def number(folder, table, tasks, parts):
    """The tasks' parts and the state, after their ids were numbered."""
    state, executor = StateFolder(str(folder)), LocalExecutor(order=1, repeat=True)
    pieces = [table.slice(*piece) for piece in _pieces(len(table), tasks)]
    inputs = [[TablePart(piece)] if len(piece) else [] for piece in pieces]
    source = [[*IdReader(READ, None).blobs(each)] for each in inputs]
    reports = executor.run([Step(ListIds(state, parts), tasks)], source)
    executor.run(counted(number_steps(state, reports, tasks, parts)))
    return state, executor, inputs


def _pieces(rows, tasks):
    ends = [rows * task // tasks for task in range(tasks + 1)]
    return [(ends[i], ends[i + 1] - ends[i]) for i in range(tasks)]


@pytest.mark.parametrize("values", [TEXTS, DAYS, PRICES, [b"x", b"", b"\xff\x00"]])
@pytest.mark.parametrize(("tasks", "parts"), [(1, 1), (3, 4), (7, 2)])
def test_labels_are_those_of_one_machine(tmp_path, values, tasks, parts):
    table = table_of(values)
    state, executor, inputs = number(tmp_path / "state", table, tasks, parts)
    readers = [EdgeReader(READ, None, WORDS, TaskIds(state, task)) for task in range(tasks)]
    source = [[*reader.all_pairs(each)] for reader, each in zip(readers, inputs, strict=True)]
    job = Job(state, "contraction", tasks, parts, 90 * 20)
    labels = solve(executor, job, source, PhaseTimer())
    target = StateFolder(str(tmp_path / "out"))
    reports = executor.run(counted(row_steps(labels, target, parts)))
    assert sum(each["rows"] for each in reports) == labels.vertices
    written = pq.read_table(tmp_path / "out").sort_by("id")
    assert written.to_pydict() == skerry.connected_components(table).table().to_pydict()


def test_numbers_have_the_order_of_ids(tmp_path):
    table = table_of(TEXTS)
    state, _, inputs = number(tmp_path, table, 3, 4)
    known = {}
    for task, parts in enumerate(inputs):
        encoder = TaskIds(state, task).encoder()
        for part in parts:
            for column in part.table.columns:
                ids = column.combine_chunks()
                known |= dict(zip(ids.to_pylist(), encoder.encode(ids, "x").tolist(), strict=True))
    assert sorted(known) == sorted(known, key=known.get)
    assert len(set(known.values())) == len(known)
    assert len({number >> 40 for number in known.values()}) == 4


def test_an_id_that_was_not_numbered_is_noticed(tmp_path):
    state, _, _ = number(tmp_path, table_of(TEXTS), 1, 2)
    with pytest.raises(StateError, match="did not have"):
        TaskIds(state, 0).encoder().encode(pa.array(["never seen"]), "x")
    (tmp_path / "ids" / "list-00000.parquet").unlink()
    with pytest.raises(StateError, match="list-00000"):
        TaskIds(state, 0).encoder()


def test_the_first_batch_says_what_ids_are():
    assert not has_integers([TablePart(table_of(TEXTS))], READ)
    assert has_integers([TablePart(table_of([1, 2]))], READ)
    assert has_integers([TablePart(table_of(TEXTS).slice(0, 0))], READ)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([{"a": 1}], "single values"),
        ([[1]], "single values"),
        (["a", None], "null"),
        ([0.5], "float"),
    ],
)
def test_ids_that_have_no_order_of_their_own_are_refused(values, message):
    table = pa.table({"src": values, "dst": values})
    with pytest.raises(InputError, match=message):
        list(IdReader(READ, None).blobs([TablePart(table)]))


def test_ids_of_several_columns_are_refused():
    table = pa.table({"a": ["x"], "b": [1], "c": ["y"], "d": [2]})
    options = ReadOptions(("a", "b"), ("c", "d"))
    with pytest.raises(UnsupportedError, match="several columns"):
        list(IdReader(options, None).blobs([TablePart(table)]))


# Messages that have no room in memory are the same when they are taken.


@pytest.mark.parametrize("held", [None, 0, 100, 10**6])
def test_what_is_put_is_taken_whatever_is_held(held):
    rng = np.random.default_rng(1)
    outbox, wanted = Outbox(3, held), [[], [], []]
    for number in range(30):
        blob = rng.integers(0, 256, rng.integers(0, 50), np.uint8)
        target, channel = int(rng.integers(0, 2)), f"channel {number % 4}"
        outbox.put(target, Message(target, channel, blob))
        wanted[target].append((channel, blob.tobytes()))
    for receiver in (1, 0, 2):
        taken = [(channel, blob.tobytes()) for _, channel, blob in outbox.take(receiver)]
        assert taken == wanted[receiver]
        assert outbox.take(receiver) == []


def test_a_held_message_does_not_hold_what_it_is_a_part_of():
    outbox, everything = Outbox(1, 100), np.zeros(10**6, np.uint8)
    outbox.put(0, Message(0, "edges", everything[:50]))
    assert outbox.take(0)[0][2].base is None


@pytest.mark.parametrize("held", [None, 0])
def test_reports_are_bytes(held):
    outbox = Outbox(1, held)
    outbox.put(0, report({"rows": 3}))
    assert outbox.take(0) == [(0, "report", b'{"rows": 3}')]


# Tasks that have a GPU, here an emulated one, send what others send, bit for bit.


@pytest.mark.parametrize("name", ["random", "star", "none"])
@pytest.mark.parametrize("stage", [HeapEdges(5, 3), HeapEdges(5, 3, room=100), JoinForests(2)])
def test_a_task_with_a_gpu_sends_the_same_messages(monkeypatch, name, stage):
    runtime = EmulatedRuntime()
    monkeypatch.setattr(skerry.cluster.joiner, "find_runtime", lambda _: runtime)
    blobs = [np.ascontiguousarray(part).view(np.uint8) for part in np.split(graph(name), 2)]

    def messages(device):
        with joining_on(device):
            sent = [*stage(0, {EDGES: iter(blobs)})]
        return [(each.target, each.channel, each.blob.tobytes()) for each in sent]

    assert messages("cuda") == messages(None)


def test_forests_of_two_devices_are_merged():
    """One worker a GPU: their parent arrays become one."""
    rng = np.random.default_rng(3)
    first, second, both = (DeviceForest(EmulatedRuntime()) for _ in range(3))
    for forest, n in ((first, 300), (second, 500)):
        src, dst = rng.integers(0, n, (2, n // 2)).astype(np.uint32)
        forest.join(src, dst)
        both.join(src, dst)
    first.grow(second.size)
    first.join(*second.edges())
    assert np.array_equal(first.labels(), both.labels())
    assert first.count == both.count
