"""What dies, fills up, is lost or interrupted: the labels of one machine, or a clear error."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cluster import faults
from cluster.conftest import edges
from cluster.engines import one_machine
from skerry.cluster.state import StateError
from skerry.errors import OutputError

TABLE = edges(1500, 1800).select(["src", "dst"])
TEXTS = pa.table({name: [f"n{i}" for i in TABLE[name].to_pylist()] for name in ("src", "dst")})
KINDS = {
    "forest": ({"method": "forest", "tasks": 3, "verify": True}, [*faults.FOREST, *faults.CHECK]),
    "contraction": ({"method": "contraction"}, faults.CONTRACTION),
    "texts": ({"method": "forest", "table": TEXTS}, faults.TEXTS),
}
PLACES = [(kind, *where) for kind, (_, stages) in KINDS.items() for where in stages]
FULL = [
    each
    for each in PLACES
    if each[1] in faults.WRITERS or each[1:] in (("WalkBack", 1), ("WriteRows", 0))
]
"""Stages that write."""
FULL_ON_SPARK = (("contraction", "FinishRound", 1), ("contraction", "WalkBack", 1))
VICTIMS = {
    "ray": [faults.kill_worker],
    "spark": [faults.kill_worker, faults.kill_parent, faults.kill_executor],
}
STOP_SECONDS = 60
"""On a loaded machine; a quiet one takes a few."""


@pytest.fixture(autouse=True)
def harm(monkeypatch, cluster):
    faults.rooms_of(monkeypatch)
    return faults.Faults(monkeypatch, cluster.executor)


def solve(cluster, folder, method, table=TABLE, tasks=4, verify=False, **options):
    """Solves and writes; returns what was written."""
    result = cluster.solve(
        cluster.given(table), method=method, tasks=tasks, state=str(folder / "state"), **options
    )
    if verify:
        assert result.verify(), result.verify().message
    result.write(str(folder / "out"))
    assert (folder / "out" / "_SUCCESS").exists()
    written = pq.read_table(folder / "out").to_pydict()
    return sorted(zip(written["id"], written["component"], strict=True))


def right(kind):
    return one_machine(KINDS[kind][0].get("table", TABLE))


@pytest.mark.parametrize("kind", KINDS)
def test_a_process_killed_in_every_stage_changes_nothing(cluster, harm, tmp_path, kind):
    """An executor takes with it what it has sent to others: their tasks run again, in any order."""
    if (cluster.name, kind) == ("spark", "texts"):
        pytest.skip("numbers texts itself")
    for number, victim in enumerate(VICTIMS[cluster.name]):
        folder = tmp_path / str(number)
        folder.mkdir()
        harm.seen.clear()
        harm.everywhere(victim, folder / "marks")
        assert solve(cluster, folder, **KINDS[kind][0]) == right(kind)
        happened = {path.name for path in (folder / "marks").iterdir()}
        assert happened >= {f"{name}-{number}" for name, number in KINDS[kind][1]}


def test_no_stage_is_left_out(cluster, harm, tmp_path):
    """Every stage that there is has been killed above."""
    if cluster.name == "spark":
        pytest.skip("numbers texts itself")
    import skerry.cluster as package

    for kind, (options, _) in KINDS.items():
        (tmp_path / kind).mkdir()
        solve(cluster, tmp_path / kind, **options)
    known = {name for _, name, _ in PLACES}
    assert set(harm.seen) == known
    text = "\n".join(path.read_text() for path in Path(package.__path__[0]).glob("*.py"))
    assert text.count("def __call__(self, task: int, inbox: Inbox)") == len(known) + 1  # Counted


@pytest.mark.parametrize("place", FULL, ids=str)
def test_a_write_that_fails_is_an_error_and_the_next_run_goes_on(cluster, harm, tmp_path, place):
    if cluster.name == "spark" and place not in FULL_ON_SPARK:
        pytest.skip("each of them takes Spark long")
    kind, name, number = place
    harm.at(name, number, faults.refuse_space, tmp_path / "mark")
    with pytest.raises(OutputError, match="larger than allowed"):
        solve(cluster, tmp_path, **KINDS[kind][0])
    assert harm.happened
    assert not (tmp_path / "out" / "_SUCCESS").exists()
    assert not list(tmp_path.rglob("*.part"))
    harm.no_more()
    (tmp_path / "out").exists() and (tmp_path / "out").rename(tmp_path / "partial")
    assert solve(cluster, tmp_path, **KINDS[kind][0]) == right(kind)


@pytest.mark.parametrize(
    ("kind", "name"), [("contraction", "FinishRound"), ("forest", "WriteLabels")]
)
def test_a_full_disk_is_an_error_and_the_next_run_goes_on(cluster, harm, small_disk, kind, name):
    harm.at(name, 0, faults.fill_disk, small_disk / "filler")
    with pytest.raises(OutputError, match="the disk is full"):
        solve(cluster, small_disk, **KINDS[kind][0])
    assert not (small_disk / "out").exists()
    harm.no_more()
    faults.empty_disk(small_disk / "filler")
    assert solve(cluster, small_disk, **KINDS[kind][0]) == right(kind)


@pytest.mark.parametrize("harmful", [faults.lose, faults.damage])
@pytest.mark.parametrize("name", ["edges-00001", "records-00001", "minima-00001"])
def test_a_state_file_lost_between_rounds_is_an_error(cluster, tmp_path, harmful, name):
    def progress(sentence):
        if sentence.startswith("round 2"):
            harmful(tmp_path / "state" / "round-000" / f"{name}.parquet")

    with pytest.raises(StateError, match=rf"{name}.*remove the folder"):
        solve(cluster, tmp_path, "contraction", progress=progress)
    assert not (tmp_path / "out").exists()


def interrupt_when(path):
    """Ctrl-C for this process as soon as a file is there."""

    def watch():
        while not path.exists():
            time.sleep(0.02)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    threading.Thread(target=watch, daemon=True).start()


@pytest.mark.parametrize(("name", "number"), [("HeapEdges", 1), ("WalkBack", 1), ("CopyLabels", 0)])
def test_ctrl_c_stops_a_run_that_the_same_call_goes_on_with(cluster, harm, tmp_path, name, number):
    """While a task of this stage is at work: it ends, and nothing is left half-written."""
    harm.at(name, number, faults.linger, tmp_path / "mark")
    interrupt_when(tmp_path / "mark")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            solve(cluster, tmp_path, "contraction")
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - began < STOP_SECONDS
    assert harm.happened and cluster.is_idle()
    if cluster.name == "ray":
        assert Path(f"{harm.mark}.ended").exists()  # no task is at work any more
    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.rglob("*.part"))
    harm.no_more()
    assert solve(cluster, tmp_path, "contraction") == right("contraction")
