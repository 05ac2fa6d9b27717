"""`skerry.datatrove`: the files that datatrove's own cluster step writes."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.dedup.minhash import MinhashDedupCluster as Theirs

import skerry
from skerry.datatrove import MinhashDedupCluster, cluster_pairs

BUCKETS = 3
SENTINEL = 2**32 - 1


def written(folder):
    """The numbers in every file, in rows of one or two."""
    files = {}
    for path in sorted(folder.iterdir()):
        width = 1 if path.suffix == ".remove" else 2
        files[path.name] = np.frombuffer(path.read_bytes(), "<u4").reshape(-1, width)
    return files


def run(step, pairs, folder, **options):
    source = folder / "dups"
    source.mkdir(exist_ok=True)
    for bucket in range(BUCKETS):
        rows = b"".join(struct.pack("<4I", *pair) for pair in pairs[bucket::BUCKETS])
        (source / f"{bucket:05d}_00.dups").write_bytes(rows)
    target = folder / step.__module__
    config = MinhashConfig(num_buckets=BUCKETS)
    block = step(str(source), str(target), config, True, True, **options)
    block.run()
    return written(target) if target.exists() else {}, block.stats


def made_up(seed, documents, count, index):
    random = np.random.default_rng(seed)
    pairs = random.integers(0, [4, documents, 4, documents], (count, 4)).tolist()
    pairs = [pair for pair in pairs if pair[:2] != pair[2:]]
    return [[SENTINEL, SENTINEL, *pair[2:]] if random.random() < index else pair for pair in pairs]


@pytest.mark.parametrize("index", [0, 0.05])
@pytest.mark.parametrize("ignore", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_clusters_and_sizes_are_those_of_datatrove(seed, index, ignore, tmp_path):
    pairs = made_up(seed, 100, 150, index)
    files, stats = run(MinhashDedupCluster, pairs, tmp_path, ignore_index_matches=ignore)
    right, right_stats = run(Theirs, pairs, tmp_path, ignore_index_matches=ignore)
    assert {name for name in right if not name.endswith(".remove")} <= files.keys()
    for name in right:
        if not name.endswith(".remove"):
            np.testing.assert_array_equal(files[name], right[name], name)
    # As many are removed of each cluster; of those in the index, the same.
    for kind in ("removed", "kept"):
        assert of_clusters(files)[kind] == of_clusters(right)[kind]
    for label in ("duplicates", "to_remove", "clusters", "cluster_size"):
        ours, theirs = stats[label], right_stats[label]
        assert (ours.total, ours.n, ours.min, ours.max, ours.unit) == (
            *(theirs.total, theirs.n, theirs.min, theirs.max, theirs.unit),
        )
        assert ours.mean == pytest.approx(theirs.mean)
        assert ours.variance == pytest.approx(theirs.variance)


def of_clusters(files):
    """For each cluster, how many of its documents are removed and kept."""
    counts = {"removed": {}, "kept": {}}
    for name, rows in files.items():
        if name.endswith(".clusters"):
            removed = {*files.get(f"{name[:-9]}.remove", np.empty(0)).ravel().tolist()}
            for document, cluster in rows.tolist():
                kind = counts["removed" if document in removed else "kept"]
                kind[cluster] = kind.get(cluster, 0) + 1
    return counts


def test_the_first_document_is_kept_whatever_the_order():
    pairs = np.array([[1, 7, 0, 9], [0, 9, 0, 2], [3, 3, 2, 8]], np.uint32)
    for order in ([0, 1, 2], [2, 1, 0]):
        clusters = cluster_pairs(iter([pairs[order]]))
        kept = ~clusters.removed
        kept = zip(clusters.file[kept].tolist(), clusters.document[kept].tolist(), strict=True)
        assert list(kept) == [(0, 2), (2, 8)]


def test_no_pairs(tmp_path):
    assert run(MinhashDedupCluster, [], tmp_path)[0] == {}


def test_damaged_input_is_an_error(tmp_path):
    for bucket in range(BUCKETS):
        (tmp_path / f"{bucket}.dups").write_bytes(b"\0" * 17)
    config = MinhashConfig(num_buckets=BUCKETS)
    step = MinhashDedupCluster(str(tmp_path), str(tmp_path / "out"), config)
    with pytest.raises(skerry.InputError, match="cut off"):
        step.run()
    with pytest.raises(skerry.InputError, match="one task"):
        step.run(world_size=2)
    (tmp_path / "3.dups").write_bytes(b"")
    with pytest.raises(skerry.InputError, match=r"4 \.dups files for 3 buckets"):
        step.run()
