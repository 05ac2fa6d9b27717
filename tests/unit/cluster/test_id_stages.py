"""Ids that are not integers: numbered exactly, in their order, and found again."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
from skerry.cluster.counted import counted
from skerry.cluster.driver import Job, solve
from skerry.cluster.edge_input import EdgeReader, IdReader, TablePart, has_integers
from skerry.cluster.id_stages import ListIds, TaskIds, number_steps, row_steps
from skerry.cluster.stage import Step
from skerry.cluster.state import WORDS, StateError, StateFolder
from skerry.errors import InputError, UnsupportedError
from skerry.formats.options import ReadOptions
from skerry.result.plan import PhaseTimer
from support.local_executor import LocalExecutor

READ = ReadOptions("src", "dst")
TEXTS = ["", "a", "ab", "b", "é", "z" * 50, "\U0001f40c", *(f"t{i}" for i in range(90))]
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
