"""The state of a run: what is lost or changed is noticed, and a stopped run goes on."""

from __future__ import annotations

import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from skerry.cluster.state import StateError, StateFolder
from skerry.ids.content_sum import ContentSum
from support.cluster import divided, expected, graph, labels_of, run
from support.local_executor import LocalExecutor


def test_pairs_come_back_as_they_were(tmp_path):
    state, pairs = StateFolder(str(tmp_path)), graph("random")
    facts = state.write_pairs("a/b.parquet", pairs)
    assert facts.rows == len(pairs) // 2
    assert np.array_equal(state.read_pairs("a/b.parquet", facts), pairs)


def _lose(path):
    path.unlink()


def _shorten(path):
    path.write_bytes(path.read_bytes()[:-20])


def _drop_row(path):
    pq.write_table(pq.read_table(path).slice(1), path)


def _change_value(path):
    table = pq.read_table(path)
    second = table["second"].to_numpy().copy()
    second[0] += 1
    pq.write_table(pa.table({"first": table["first"], "second": second}), path)


@pytest.mark.parametrize("damage", [_lose, _shorten, _drop_row, _change_value])
@pytest.mark.parametrize("kind", ["edges", "records", "minima"])
def test_a_lost_or_changed_file_is_noticed(tmp_path, damage, kind):
    """Of every kind that later stages read: an error that names the file, never other labels."""
    source = divided(graph("random"), 4)

    class Damaging(LocalExecutor):
        runs = 0

        def run(self, steps, source=None, name=""):
            self.runs += 1
            if self.runs == 2:
                damage(tmp_path / "round-000" / f"{kind}-00001.parquet")
            return super().run(steps, source, name)

    with pytest.raises(StateError, match=f"round-000/{kind}-00001"):
        run(tmp_path, source, 2, room=1, executor=Damaging())


class Stopping(LocalExecutor):
    """Is killed in the middle of its n-th run: after some tasks of some stage."""

    def __init__(self, runs, tasks):
        super().__init__()
        self.runs, self.tasks = runs, tasks

    def run(self, steps, source=None, name=""):
        self.runs -= 1
        return super().run(steps, source, name)

    def _run_task(self, step, task, inbox):
        if self.runs == 0:
            self.tasks -= 1
            if self.tasks < 0:
                raise KeyboardInterrupt
        return super()._run_task(step, task, inbox)


@pytest.mark.parametrize("runs", [1, 2, 3])
@pytest.mark.parametrize("tasks", [0, 2, 4, 5])
def test_a_stopped_run_goes_on_at_its_round(tmp_path, runs, tasks):
    edges = graph("random")
    source = divided(edges, 3)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, source, 2, room=1, executor=Stopping(runs, tasks))
    executor = LocalExecutor()
    files = run(tmp_path, source, 2, room=1, executor=executor)
    assert files.resumed == runs - 1
    assert np.array_equal(labels_of(files), expected(edges))


def test_the_state_of_another_run_is_refused(tmp_path):
    run(tmp_path, divided(graph("random"), 3), 2, room=1)
    with pytest.raises(StateError, match="another run: other options: parts"):
        run(tmp_path, divided(graph("random"), 3), 4, room=1)
    with pytest.raises(StateError, match="another run: other options: seed"):
        run(tmp_path, divided(graph("random"), 3), 2, room=1, seed=5)


def test_a_run_goes_on_whatever_tasks_have_read_the_edges(tmp_path):
    """What a round has written depends on the set of edges only."""
    edges = graph("random")
    first = run(tmp_path, divided(edges, 3), 2, room=1)
    again = run(tmp_path, divided(edges, 5, seed=3), 2, room=1)
    assert again.resumed == len(first.rounds) > 1
    assert np.array_equal(labels_of(again), expected(edges))


def test_a_damaged_manifest_is_refused(tmp_path):
    run(tmp_path, divided(graph("random"), 3), 2, room=1)
    done = tmp_path / "labels" / "done.json"
    done.write_text(done.read_text()[:-10])
    with pytest.raises(StateError, match="damaged"):
        run(tmp_path, divided(graph("random"), 3), 2, room=1)


def test_rounds_are_removed_when_all_labels_are_there(tmp_path):
    edges = graph("random")
    first = run(tmp_path, divided(edges, 3), 2, room=1)
    names = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*"))
    assert names == sorted(["job.json", "labels/done.json", *first.names])
    again = run(tmp_path, divided(edges, 3), 2, room=1, executor=Stopping(1, 0))  # runs nothing
    assert (again.rounds, again.resumed) == (first.rounds, len(first.rounds))
    assert np.array_equal(labels_of(again), expected(edges))
    (tmp_path / "mine").touch()
    StateFolder(str(tmp_path / "none")).remove_run()  # no run, nothing to remove
    copy = shutil.copytree(tmp_path, tmp_path.with_name("copy"))
    StateFolder(str(copy)).remove_run()
    assert [path.name for path in copy.iterdir()] == ["mine"]
    (tmp_path / first.names[1]).unlink()
    with pytest.raises(StateError, match=r"part-00001.parquet: is missing"):
        run(tmp_path, divided(edges, 3), 2, room=1)


class Losing(LocalExecutor):
    """An engine that does not deliver a message."""

    def __init__(self, channel, twice=False):
        super().__init__()
        self.channel, self.copies = channel, 2 if twice else 0

    def _run_task(self, step, task, inbox):
        messages = super()._run_task(step, task, inbox)
        for position, each in enumerate(messages):
            if each.channel == self.channel and each.blob.nbytes:
                messages[position : position + 1] = [each] * self.copies
                break
        return messages


CHANNELS = ("candidates", "chosen", "half edges", "records", "minima", "edges", "labels")


@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize("channel", [*CHANNELS, "counts ", "counts labels"])
def test_a_message_that_is_lost_or_comes_twice_is_noticed(tmp_path, channel, twice):
    with pytest.raises(StateError):
        run(tmp_path, divided(graph("random"), 3), 3, room=100, executor=Losing(channel, twice))


def test_a_report_that_is_lost_is_noticed(tmp_path):
    with pytest.raises(StateError, match="reported"):
        run(tmp_path, divided(graph("random"), 3), 3, executor=Losing("report"))


def test_other_facts_than_the_files_are_noticed(tmp_path):
    state, pairs = StateFolder(str(tmp_path)), graph("pairs")
    state.write_pairs("x.parquet", pairs)
    with pytest.raises(StateError, match="not the 7 that were written"):
        state.read_pairs("x.parquet", ContentSum(7, 0))
    shutil.rmtree(tmp_path)
    with pytest.raises(StateError, match="cannot be read"):
        state.read_pairs("x.parquet", ContentSum.of_pairs(pairs))
