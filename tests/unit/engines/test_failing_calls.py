"""Calls of ours that fail, one after the other: what is kept on disk is as before or as after.

The k-th call that our Python code makes, or that enters it, raises `MemoryError` or an error of the
disk. Checkpoints must lead to the same labels, files of clusters must be those of one day, and
nothing stays open or lies around.
"""

from __future__ import annotations

import errno
import gc
import os
import random
import warnings
from itertools import count
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
from skerry.errors import SkerryError
from support.histories import partition, random_days
from support.interrupted import small_steps
from support.interruptions import FailingCall
from support.spilled import LIMIT, tiny_passes

pytestmark = pytest.mark.filterwarnings(
    # The end of a generator is a call, too, and a file may be closed by the one who forgets it.
    "ignore::pytest.PytestUnraisableExceptionWarning"
)
STEP = int(os.environ.get("SKERRY_FAILING_STEP", "97"))
"""Every so manieth call fails; 1: each."""
EDGES = np.random.default_rng(4).integers(0, 300, (260, 2))


def full_disk():
    return OSError(errno.ENOSPC, "No space left on device")


def open_files():
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def names_in(folder):
    return {path.name for path in folder.iterdir()}


def fails(call, at, error):
    """Whether the call raised; how many calls there were."""
    failing = FailingCall(at, error)
    try:
        with failing:
            call()
    except (MemoryError, OSError, SkerryError):
        return True, failing.seen
    return False, failing.seen


def written(folder, form):
    path = folder / f"edges.{'csv' if form == 'spilled' else form}"
    if form == "npy":
        np.save(path, EDGES)
    elif form == "parquet":
        pq.write_table(pa.table(dict(zip("ab", EDGES.T, strict=True))), path, row_group_size=64)
    else:
        path.write_text("src,dst\n" + "".join(f"n{u},n{v}\n" for u, v in EDGES.tolist()))
    return path


@pytest.mark.parametrize("error", [MemoryError, full_disk])
@pytest.mark.parametrize("form", ["npy", "csv", "parquet", "spilled"])
def test_a_checkpoint_leads_to_the_same_labels(form, error, tmp_path):
    path, folder = written(tmp_path, form), tmp_path / "checkpoint"
    right = skerry.connected_components(path, threads=1).labels.tobytes()
    dice = random.Random(form)
    spill = tmp_path / "spill" if form == "spilled" else None
    if spill is not None:
        spill.mkdir()

    def run():
        options = {"limit": LIMIT, "spill": spill} if spill else {}
        stream = skerry.StreamOptions(checkpoint=folder, **options)
        with small_steps(), tiny_passes(3):
            result = skerry.connected_components(path, stream=stream, threads=1)
            assert result.labels.tobytes() == right

    run()
    names, opened = names_in(tmp_path), open_files()
    for at in count(1 + dice.randrange(STEP), STEP):
        failed, seen = fails(run, at, error)
        fails(run, 1 + dice.randrange(seen), error)
        run()
        assert names_in(tmp_path) == names, at
        assert spill is None or not names_in(spill), at
        if not failed and seen < at:
            break
    gc.collect()
    assert open_files() <= opened
    assert at > 100


def clusters_of(path):
    """What the file says, as sets of records by their names."""
    table = pq.read_table(path)
    clusters = {}
    for record, name in zip(*(table[c].to_pylist() for c in table.column_names), strict=True):
        clusters.setdefault(name, set()).add(record)
    return clusters


@pytest.mark.parametrize("error", [MemoryError, full_disk])
@pytest.mark.parametrize("again", [False, True], ids=["previous", "named_after"])
def test_clusters_on_disk_are_those_of_one_day(again, error, tmp_path):
    """Each day replaces the file of the day before, whichever call fails meanwhile."""
    path, good = tmp_path / "clusters.parquet", tmp_path / "good.parquet"

    def day(pairs, old, new):
        table = pa.table(dict(zip("ab", np.array(pairs, np.int64).T, strict=True)))
        given = {} if old is None or again else {"previous": old}
        result = skerry.connected_components(table, ids="external", **given)
        if again and old is not None:
            result = result.named_after(old)
        result.write(new)

    opened = failures = 0
    for number, pairs in enumerate(random_days(7, grows=True)):
        old = path if number else None
        day(pairs, old, good)
        before, after = old and clusters_of(path), clusters_of(good)
        assert {frozenset(each) for each in after.values()} == set(map(frozenset, partition(pairs)))
        opened = opened or open_files()
        for at in count(1 + number % STEP, STEP):
            failed, _ = fails(lambda pairs=pairs, old=old: day(pairs, old, path), at, error)
            failures += failed
            seen = clusters_of(path) if path.exists() else None
            assert seen in (before, after), (number, at)
            assert {each.name for each in tmp_path.iterdir()} <= {path.name, good.name}, (
                number,
                at,
            )
            if seen == after:
                break
    gc.collect()
    assert open_files() <= opened
    assert failures > 300 // STEP


def test_a_result_stays_as_it_is_where_a_question_fails():
    """Answers that are kept with a result are complete, or made again."""
    pairs = pa.table({"a": ["kim", "bo", "lee"], "b": ["lee", "ann", "al"]})
    old = skerry.connected_components(pairs.slice(0, 2), forest=True)
    expected = None
    for at in count(1, max(1, STEP // 10)):
        result = skerry.connected_components(pairs, forest=True)

        def asked(result=result):
            return [
                result.table().to_pydict(),
                [group.to_pylist() for group in result.groups()],
                result.sizes().tolist(),
                result.component_of("al"),
                [*result.why("kim", "al")],
                [*result.bridges()],
                result.named_after(old).table().to_pydict(),
                result.changes(old).counts,
                result.hubs(2),
            ]

        expected = expected or asked()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            failed, _ = fails(asked, at, MemoryError)
        assert asked() == expected, at
        if not failed:
            break
    assert at > 100
