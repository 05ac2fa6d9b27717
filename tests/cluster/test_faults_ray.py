"""What is lost on Ray alone: numbers of ids, labels, a machine with its messages."""

from __future__ import annotations

import pytest

from cluster import faults
from cluster.engines import one_machine
from cluster.test_faults import TABLE, TEXTS, solve
from skerry.cluster.ray_engine import RayExecutor
from skerry.cluster.state import StateError


@pytest.fixture(autouse=True)
def harm(monkeypatch):
    faults.rooms_of(monkeypatch)
    return faults.Faults(monkeypatch, RayExecutor)


@pytest.mark.parametrize("harmful", [faults.lose, faults.damage])
@pytest.mark.parametrize("name", ["list-00001", "numbers-00001", "part-00001"])
def test_a_file_of_numbered_ids_lost_is_an_error(ray_cluster, tmp_path, harmful, name):
    def progress(sentence):
        if sentence.startswith("joining"):
            harmful(tmp_path / "state" / "ids" / f"{name}.parquet")

    with pytest.raises(StateError, match=rf"{name}.*run again"):
        solve(ray_cluster, tmp_path, "forest", TEXTS, progress=progress)
    assert not (tmp_path / "out" / "_SUCCESS").exists()


@pytest.mark.parametrize("harmful", [faults.lose, faults.damage])
def test_a_file_of_labels_lost_is_an_error(ray_cluster, tmp_path, harmful):
    options = {"method": "forest", "tasks": 2, "state": str(tmp_path / "state")}
    result = ray_cluster.solve(ray_cluster.given(TABLE), **options)
    harmful(tmp_path / "state" / "labels" / "part-00001.parquet")
    with pytest.raises(StateError, match=r"part-00001.*remove the folder"):
        result.write(str(tmp_path / "out"))
    assert not (tmp_path / "out" / "_SUCCESS").exists()


@pytest.mark.parametrize(("name", "number"), [("PickRepresentatives", 0), ("WalkBack", 0)])
def test_a_machine_that_dies_with_its_messages_changes_nothing(
    ray_cluster, harm, tmp_path, name, number
):
    """Ray makes the lost messages again, by running their tasks again on the other machine."""
    ray_cluster.stop()
    import ray
    from ray.cluster_utils import Cluster

    machines = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        machines.add_node(num_cpus=1)
        machines.add_node(num_cpus=1)
        ray.init(address=machines.address, log_to_driver=False)
        machines.wait_for_nodes()
        harm.at(name, number, faults.kill_parent, tmp_path / "mark")
        assert solve(ray_cluster, tmp_path, "contraction") == one_machine(TABLE)
        assert harm.happened
    finally:
        ray_cluster.stop()
        machines.shutdown()
        ray_cluster.start()
