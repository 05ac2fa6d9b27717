"""A checkpoint is of the edges that were read before it, not of names, sizes and times of files."""

from __future__ import annotations

import os
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
from skerry import StreamOptions
from skerry.engines.streaming import checkpoints
from skerry.errors import InputError
from support.interrupted import StoppedError, small_steps, stopped_after

COUNT = 600
PAIRS = np.random.default_rng(3).integers(100, 500, (COUNT, 2))


def write_lines(path, pairs):
    path.write_text("".join(f"{u} {v}\n" for u, v in pairs.tolist()))


def write_array(path, pairs):
    np.save(path, pairs)


def write_texts(path, pairs):
    ends = ([f"v{end:03}" for end in column] for column in pairs.T.tolist())
    table = pa.table(dict(zip(("src", "dst"), ends, strict=True)))
    # Plain pages: the size does not depend on the values.
    pq.write_table(table, path, 100, compression="none", use_dictionary=False)


KINDS = {"edges.el": write_lines, "edges.npy": write_array, "edges.parquet": write_texts}


@pytest.fixture(params=KINDS)
def run(request, tmp_path):
    """Writes a graph, and runs that are stopped behind some of it; all times are those before."""

    class Run:
        path = tmp_path / request.param
        folder = tmp_path / "checkpoint"
        times = (10**18, 10**18)

        def write(self, pairs, write=KINDS[request.param]):
            """In place: another inode would be another file."""
            write(tmp_path / "new" if write is not write_array else tmp_path / "new.npy", pairs)
            new = tmp_path / ("new.npy" if write is write_array else "new")
            self.path.touch()
            with self.path.open("r+b") as file:
                file.write(new.read_bytes())
                file.truncate()
            new.unlink()
            os.utime(self.path, ns=self.times)

        def stop(self):
            with small_steps(), pytest.raises(StoppedError):
                self.solve(stopped_after(5))

        def solve(self, progress=None, **options):
            return skerry.connected_components(
                self.path, stream=StreamOptions(None, progress, self.folder), **options
            )

        def go_on(self):
            with small_steps():
                return self.solve()

    run = Run()
    run.write(PAIRS)
    run.stop()
    return run


def changed(row):
    """One end of one edge is another."""
    pairs = PAIRS.copy()
    pairs[row, 1] = 100 + (pairs[row, 1] - 99) % 400
    return pairs


def assert_answer(result, pairs, expect_read_again):
    """As of a run without a checkpoint, on the same pairs by another way."""
    kind = "vertices" if result.ids is None else "external"
    expected = skerry.connected_components((pairs[:, 0].copy(), pairs[:, 1].copy()), ids=kind)
    if result.ids is not None:
        names = [int(str(id).removeprefix("v")) for id in result.ids.tolist()]
        assert names == expected.ids.tolist()
    assert result.labels.tolist() == expected.labels.tolist()
    assert result.plan.edges == COUNT
    (note,) = (note for note in result.plan.notes if "continued" in note)
    assert ("read again" in note) == expect_read_again


def test_an_unchanged_file_is_read_on_from_the_position(run):
    assert_answer(run.go_on(), PAIRS, expect_read_again=False)


def test_a_changed_edge_in_the_part_that_was_read_is_refused(run):
    """Though size, name and times of the file are as before."""
    size = run.path.stat().st_size
    run.write(changed(7))
    assert run.path.stat().st_size == size
    with pytest.raises(InputError, match=r"changed since, in the part that was read .*delete"):
        run.go_on()
    run.write(PAIRS)
    assert_answer(run.go_on(), PAIRS, expect_read_again=True)  # the checkpoint is still there


def test_a_changed_edge_in_the_part_to_come_is_read(run):
    run.write(changed(COUNT - 1))
    assert_answer(run.go_on(), changed(COUNT - 1), expect_read_again=True)


def test_edges_in_another_order_go_on(run):
    """Within what was read; across its end they are other edges."""
    order = np.arange(COUNT)
    order[:50] = np.random.default_rng(1).permutation(50)
    run.write(PAIRS[order])
    assert_answer(run.go_on(), PAIRS, expect_read_again=True)
    run.write(PAIRS)
    run.stop()
    order[[0, COUNT - 1]] = COUNT - 1, 0
    run.write(PAIRS[order])
    with pytest.raises(InputError, match="changed since"):
        run.go_on()


def test_a_copy_and_a_touched_file_go_on(run):
    moved = run.path.with_name("moved")
    shutil.copyfile(run.path, moved)
    moved.replace(run.path)
    assert_answer(run.go_on(), PAIRS, expect_read_again=True)
    run.stop()
    os.utime(run.path)
    assert_answer(run.go_on(), PAIRS, expect_read_again=True)


def test_a_file_that_was_just_written_is_read_again(run, monkeypatch):
    """It may have been written to once more within one step of the file system's clock."""
    with small_steps():
        monkeypatch.setattr(checkpoints, "SETTLED_NS", 10**12)
        assert_answer(run.solve(), PAIRS, expect_read_again=True)


def test_a_run_that_is_stopped_while_it_compares_keeps_its_checkpoint(run):
    os.utime(run.path)
    before = (run.folder / "checkpoint.skerry").read_bytes()
    with small_steps(), pytest.raises(StoppedError):
        run.solve(stopped_after(1))
    assert (run.folder / "checkpoint.skerry").read_bytes() == before
    assert_answer(run.go_on(), PAIRS, expect_read_again=True)


def test_a_moved_comment_does_not_move_the_position(tmp_path):
    """The position is a byte: the same edges before it, and other bytes, would lose one."""
    path, folder = tmp_path / "edges.el", tmp_path / "checkpoint"
    lines = [f"{2 * number} {2 * number + 1}" for number in range(100, 200)]
    path.write_text("\n".join(["# 3", *lines]))
    with small_steps(text=80), pytest.raises(StoppedError):
        skerry.connected_components(
            path, stream=StreamOptions(checkpoint=folder, progress=stopped_after(4))
        )
    path.write_text("\n".join([*lines, "# 3"]))
    with small_steps(text=80):
        result = skerry.connected_components(path, stream=StreamOptions(checkpoint=folder))
    assert result.plan.edges == 100 and result.count == 100


def test_a_run_that_ended_before_its_first_checkpoint_is_named(tmp_path):
    path, folder = tmp_path / "edges.npy", tmp_path / "checkpoint"
    np.save(path, PAIRS)
    assert not skerry.connected_components(path, stream=StreamOptions(checkpoint=folder)).plan.notes
    with pytest.raises(StoppedError):
        skerry.connected_components(
            path, stream=StreamOptions(checkpoint=folder, progress=stopped_after(1))
        )
    result = skerry.connected_components(path, stream=StreamOptions(checkpoint=folder))
    assert result.plan.notes[-1].startswith("no checkpoint: the run before this one ended before")
    assert "restore checkpoint" not in [step.name for step in result.plan.passes]
