"""What dies, fills up or is lost on Ray: the labels of one machine, or an error that says what."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import ray
from ray.cluster_utils import Cluster

import skerry.ray
from cluster import faults
from cluster.conftest import edges, expected
from skerry.cluster.ray_engine import RayExecutor
from skerry.cluster.state import StateError
from skerry.errors import OutputError

pytestmark = pytest.mark.usefixtures("ray_cluster")
TABLE = edges(1500, 1800)
TEXTS = pa.table({name: [f"n{i}" for i in TABLE[name].to_pylist()] for name in ("src", "dst")})
NAMED = {"source": "src", "target": "dst"}


@pytest.fixture(autouse=True)
def harm(monkeypatch):
    faults.rooms_of(monkeypatch)
    return faults.Faults(monkeypatch, RayExecutor)


def solve(folder, method, table=TABLE, tasks=4, verify=False, **options):
    """Solves and writes; returns what was written."""
    rows = -(-len(table) // 5)
    blocks = ray.data.from_arrow([table.slice(i * rows, rows) for i in range(5)])
    result = skerry.ray.distributed_components(
        blocks, **NAMED, method=method, tasks=tasks, state=str(folder / "state"), **options
    )
    if verify:
        assert result.verify(), result.verify().message
    result.write(str(folder / "out"))
    assert (folder / "out" / "_SUCCESS").exists()
    written = pq.read_table(folder / "out").to_pydict()
    return sorted(zip(written["id"], written["component"], strict=True))


KINDS = {
    "forest": ({"method": "forest", "tasks": 3}, faults.FOREST),
    "contraction": ({"method": "contraction"}, faults.CONTRACTION),
    "check": ({"method": "forest", "verify": True}, faults.CHECK),
    "texts": ({"method": "forest", "table": TEXTS}, faults.TEXTS),
}
STAGES = [(kind, *where) for kind, (_, stages) in KINDS.items() for where in stages]
PLACES = [pytest.param(*each, id="-".join(map(str, each))) for each in STAGES]


@pytest.mark.parametrize(("kind", "name", "number"), PLACES)
def test_a_worker_killed_in_any_stage_changes_nothing(harm, tmp_path, kind, name, number):
    options, _ = KINDS[kind]
    harm.at(name, number, faults.kill_worker, tmp_path / "mark")
    rows = solve(tmp_path, **options)
    assert harm.happened
    assert rows == expected(options.get("table", TABLE), **NAMED)


def test_no_stage_is_left_out(harm, tmp_path):
    """Every stage that there is has been killed above."""
    import skerry.cluster as package

    for kind, (options, _) in KINDS.items():
        (tmp_path / kind).mkdir()
        solve(tmp_path / kind, **options)
    known = {name for _, name, _ in STAGES}
    assert set(harm.seen) == known
    text = "\n".join(path.read_text() for path in Path(package.__path__[0]).glob("*.py"))
    assert text.count("def __call__(self, task: int, inbox: Inbox)") == len(known) + 1  # Counted


FULL = [
    each
    for each in STAGES
    if each[1] in faults.WRITERS or each[1:] in (("WalkBack", 1), ("WriteRows", 0))
]


@pytest.mark.parametrize(("kind", "name", "number"), FULL)
def test_a_write_that_fails_is_an_error_and_the_next_run_goes_on(
    harm, tmp_path, kind, name, number
):
    options, _ = KINDS[kind]
    harm.at(name, number, faults.refuse_space, tmp_path / "mark")
    with pytest.raises(OutputError, match="larger than allowed"):
        solve(tmp_path, **options)
    assert harm.happened
    assert not (tmp_path / "out" / "_SUCCESS").exists()
    assert not list(tmp_path.rglob("*.part"))
    harm.no_more()
    (tmp_path / "out").exists() and (tmp_path / "out").rename(tmp_path / "partial")
    assert solve(tmp_path, **options) == expected(options.get("table", TABLE), **NAMED)


@pytest.mark.parametrize(
    ("kind", "name"), [("contraction", "FinishRound"), ("forest", "WriteLabels")]
)
def test_a_full_disk_is_an_error_and_the_next_run_goes_on(harm, small_disk, kind, name):
    options, _ = KINDS[kind]
    harm.at(name, 0, faults.fill_disk, small_disk / "filler")
    with pytest.raises(OutputError, match="the disk is full"):
        solve(small_disk, **options)
    assert not (small_disk / "out").exists()
    harm.no_more()
    faults.empty_disk(small_disk / "filler")
    assert solve(small_disk, **options) == expected(TABLE, **NAMED)


@pytest.mark.parametrize("harmful", [faults.lose, faults.damage])
@pytest.mark.parametrize("name", ["edges-00001", "records-00001", "minima-00001"])
def test_a_state_file_lost_between_rounds_is_an_error(tmp_path, harmful, name):
    def progress(sentence):
        if sentence.startswith("round 2"):
            harmful(tmp_path / "state" / "round-000" / f"{name}.parquet")

    with pytest.raises(StateError, match=rf"{name}.*remove the folder"):
        solve(tmp_path, "contraction", progress=progress)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("harmful", [faults.lose, faults.damage])
@pytest.mark.parametrize("name", ["list-00001", "numbers-00001", "part-00001"])
def test_a_file_of_numbered_ids_lost_is_an_error(tmp_path, harmful, name):
    def progress(sentence):
        if sentence.startswith("joining"):
            harmful(tmp_path / "state" / "ids" / f"{name}.parquet")

    with pytest.raises(StateError, match=rf"{name}.*run again"):
        solve(tmp_path, "forest", TEXTS, progress=progress)
    assert not (tmp_path / "out" / "_SUCCESS").exists()


@pytest.mark.parametrize("harmful", [faults.lose, faults.damage])
def test_a_file_of_labels_lost_is_an_error(tmp_path, harmful):
    blocks = ray.data.from_arrow(TABLE)
    result = skerry.ray.distributed_components(
        blocks, **NAMED, method="forest", tasks=2, state=str(tmp_path / "state")
    )
    harmful(tmp_path / "state" / "labels" / "part-00001.parquet")
    with pytest.raises(StateError, match=r"part-00001.*remove the folder"):
        result.write(str(tmp_path / "out"))
    assert not (tmp_path / "out" / "_SUCCESS").exists()


@pytest.mark.parametrize(("name", "number"), [("PickRepresentatives", 0), ("WalkBack", 0)])
def test_a_machine_that_dies_with_its_messages_changes_nothing(harm, tmp_path, name, number):
    """Ray makes the lost messages again, by running their tasks again on the other machine."""
    ray.shutdown()
    machines = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        machines.add_node(num_cpus=1)
        machines.add_node(num_cpus=1)
        ray.init(address=machines.address, log_to_driver=False)
        machines.wait_for_nodes()
        harm.at(name, number, faults.kill_parent, tmp_path / "mark")
        assert solve(tmp_path, "contraction") == expected(TABLE, **NAMED)
        assert harm.happened
    finally:
        ray.shutdown()
        machines.shutdown()
