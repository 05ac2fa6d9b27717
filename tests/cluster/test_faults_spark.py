"""What dies, fills up or is lost on Spark: the labels of one machine, or a clear error."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry.spark
from cluster import faults
from cluster.conftest import edges, expected
from skerry.cluster.spark_engine import SparkExecutor
from skerry.cluster.state import StateError
from skerry.errors import OutputError

TABLE = edges(1500, 1800)
TEXTS = pa.table({name: [f"n{i}" for i in TABLE[name].to_pylist()] for name in ("src", "dst")})


@pytest.fixture(autouse=True)
def harm(monkeypatch):
    faults.rooms_of(monkeypatch)
    return faults.Faults(monkeypatch, SparkExecutor)


def solve(spark, folder, method, table=TABLE, tasks=4, verify=False, **options):
    """Solves and writes; returns what was written."""
    frame = spark.createDataFrame(table.select(["src", "dst"])).repartition(4)
    result = skerry.spark.distributed_components(
        frame, method=method, tasks=tasks, state=str(folder / "state"), **options
    )
    if verify:
        assert result.verify(), result.verify().message
    result.write(str(folder / "out"))
    assert (folder / "out" / "_SUCCESS").exists()
    written = pq.read_table(folder / "out").to_pydict()
    return sorted(zip(written["id"], written["component"], strict=True))


def labels(table=TABLE):
    return expected(table, source="src", target="dst")


KINDS = {
    "forest": ({"method": "forest", "tasks": 3, "verify": True}, [*faults.FOREST, *faults.CHECK]),
    "contraction": ({"method": "contraction"}, faults.CONTRACTION),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("victim", [faults.kill_worker, faults.kill_parent, faults.kill_executor])
def test_a_process_killed_in_every_stage_changes_nothing(spark, harm, tmp_path, victim, kind):
    """An executor takes with it what it has sent to others: their tasks run again, in any order."""
    options, stages = KINDS[kind]
    harm.everywhere(victim, tmp_path / "marks")
    assert solve(spark, tmp_path, **options) == labels()
    happened = {path.name for path in (tmp_path / "marks").iterdir()}
    assert happened >= {f"{name}-{number}" for name, number in stages}


@pytest.mark.parametrize("name", ["FinishRound", "WalkBack"])
def test_a_write_that_fails_is_an_error_and_the_next_run_goes_on(spark, harm, tmp_path, name):
    harm.at(name, 1, faults.refuse_space, tmp_path / "mark")
    with pytest.raises(OutputError, match="larger than allowed"):
        solve(spark, tmp_path, "contraction")
    assert harm.happened
    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.rglob("*.part"))
    harm.no_more()
    assert solve(spark, tmp_path, "contraction") == labels()


def test_a_full_disk_is_an_error_and_the_next_run_goes_on(spark, harm, small_disk):
    harm.at("FinishRound", 0, faults.fill_disk, small_disk / "filler")
    with pytest.raises(OutputError, match="the disk is full"):
        solve(spark, small_disk, "contraction")
    assert not (small_disk / "out").exists()
    harm.no_more()
    faults.empty_disk(small_disk / "filler")
    assert solve(spark, small_disk, "contraction") == labels()


@pytest.mark.parametrize("harmful", [faults.lose, faults.damage])
@pytest.mark.parametrize("name", ["edges-00001", "records-00001"])
def test_a_state_file_lost_between_rounds_is_an_error(spark, tmp_path, harmful, name):
    def progress(sentence):
        if sentence.startswith("round 2"):
            harmful(tmp_path / "state" / "round-000" / f"{name}.parquet")

    with pytest.raises(StateError, match=rf"{name}.*remove the folder"):
        solve(spark, tmp_path, "contraction", progress=progress)
    assert not (tmp_path / "out").exists()


def test_a_number_of_an_id_lost_is_an_error(spark, tmp_path):
    """An inner join would leave out the edges of the id."""
    assert solve(spark, tmp_path, "forest", TEXTS) == labels(TEXTS)
    (tmp_path / "out").rename(tmp_path / "out-1")
    numbers = next((tmp_path / "state" / "ids").glob("part-*.parquet"))
    numbers.with_name(f".{numbers.name}.crc").unlink()
    pq.write_table(pq.read_table(numbers).slice(1), numbers)
    with pytest.raises(StateError, match="an id has no number"):
        solve(spark, tmp_path, "forest", TEXTS)
    assert not (tmp_path / "out" / "_SUCCESS").exists()
