"""The cluster step of datatrove's MinHash deduplication (0.9 and later), by skerry.

Import the class from here instead of from datatrove: it reads the same ``.dups`` files and writes
the same ``.remove``, ``.clusters`` and ``.sizes`` files. Which document of a cluster is kept does
not depend on the order of the pairs: it is the first one, by its file and then by its position.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.api import connected_components
from skerry.errors import InputError, UnsupportedError

try:
    from datatrove.pipeline.dedup import minhash
    from datatrove.utils.stats import MetricStats
except ImportError:
    raise UnsupportedError("skerry.datatrove needs datatrove: pip install datatrove") from None


PAIRS = 1 << 22  # read at a time: 64 MiB
INDEX = np.uint64(2**64 - 1)
"""The document that stands for all of an index: file and document are datatrove's SENTINEL."""


class Clusters(NamedTuple):
    """Every document that has a duplicate: an element of each array for it, in their order."""

    file: npt.NDArray[np.uint32]
    document: npt.NDArray[np.uint32]
    cluster: npt.NDArray[np.uint32]
    """Numbers in order of first appearance."""
    size: npt.NDArray[np.uint32]
    """Documents of its cluster."""
    removed: npt.NDArray[np.bool_]
    """Whether it is not the one that is kept."""


def cluster_pairs(batches: Iterator[npt.NDArray[Any]]) -> Clusters:
    """Clusters documents by pairs of duplicates.

    Parameters
    ----------
    batches
        Arrays with a row ``(file, document, file, document)`` for each pair, ``uint32``. The first
        two may be datatrove's sentinel: then the other is in the index, and is not kept.

    Returns
    -------
    Clusters
        Of each cluster the first document is kept; of one that is in the index, none.
    """
    ends = ((_keys(pairs, 0), _keys(pairs, 2)) for pairs in batches)
    result = connected_components(ends, ids="external", labels="dense")
    keys: npt.NDArray[np.uint64] = np.asarray(result.ids).astype(np.uint64, copy=False)
    if not len(keys):
        none = np.empty(0, np.uint32)
        return Clusters(none, none, none, none, np.empty(0, np.bool_))
    cluster = result.labels
    removed = np.ones(len(keys), np.bool_)
    highest = np.maximum.accumulate(cluster.astype(np.int64))  # grows with each new cluster
    removed[np.flatnonzero(np.diff(highest, prepend=-1))] = False
    if keys[-1] == INDEX:
        removed[cluster == cluster[-1]] = True
        removed[-1] = False
    return Clusters(
        (keys >> np.uint64(32)).astype(np.uint32),
        keys.astype(np.uint32),
        cluster.astype(np.uint32),
        result.sizes()[cluster].astype(np.uint32),
        removed,
    )


def _keys(pairs: npt.NDArray[Any], column: int) -> npt.NDArray[np.uint64]:
    """File and document in a single number, whose order is theirs."""
    file, document = (pairs[:, i].astype(np.uint64) for i in (column, column + 1))
    keys: npt.NDArray[np.uint64] = (file << np.uint64(32)) | document
    return keys


class MinhashDedupCluster(minhash.MinhashDedupCluster):  # type: ignore[misc]  # has no types
    """Replaces ``datatrove.pipeline.dedup.minhash.MinhashDedupCluster``."""

    def run(self, data: Any = None, _: int = 0, world_size: int = 1) -> None:
        """Reads all pairs, clusters them, and writes what the filter reads.

        Parameters
        ----------
        data, _
            Not used, as in datatrove.
        world_size
            Must be 1.

        Raises
        ------
        InputError
            If there are several workers, files are missing, or one is damaged.
        """
        del data
        files = self.input_folder.list_files(glob_pattern="*.dups")
        if world_size != 1:
            raise InputError(f"clustering is one task, got world_size={world_size}")
        if len(files) % self.config.num_buckets:
            raise InputError(
                f"{len(files)} .dups files for {self.config.num_buckets} buckets: some are missing"
            )
        with self.track_time():
            clusters = cluster_pairs(self._pairs(files))
            self._count(clusters)
            with self.output_folder.get_output_file_manager(mode="wb") as output:
                self._write(clusters, output)

    def _pairs(self, files: list[str]) -> Iterator[npt.NDArray[Any]]:
        for name in files:
            with self.input_folder.open(name, "rb") as file:
                while block := file.read(16 * PAIRS):
                    if len(block) % 16:
                        raise InputError(f"{name} ends within a pair: it is cut off")
                    pairs = np.frombuffer(block, "<u4").reshape(-1, 4)
                    if self.ignore_index_matches:
                        pairs = pairs[_keys(pairs, 0) != INDEX]
                    if len(pairs):
                        yield pairs

    def _count(self, clusters: Clusters) -> None:
        """What datatrove counts document by document."""
        kept = ~clusters.removed
        counted = {"duplicates": np.ones(len(kept)), "to_remove": np.ones(int((~kept).sum()))}
        if self.save_cluster_id:
            counted["clusters"] = np.ones(int(kept.sum()))
        for label, values in counted.items():
            self._add_stat(label, values, "doc")
        self._add_stat("cluster_size", clusters.size[kept], "cluster")

    def _add_stat(self, label: str, values: npt.NDArray[Any], unit: str) -> None:
        if not len(values):
            return
        mean = float(values.mean())
        self.stats[label] += MetricStats(
            total=int(values.sum()),
            n=len(values),
            mean=mean,
            min=int(values.min()),
            max=int(values.max()),
            _running_variance=float(((values - mean) ** 2).sum()),
            unit=unit,
        )

    def _write(self, clusters: Clusters, output: Any) -> None:
        starts = np.flatnonzero(np.diff(clusters.file, prepend=clusters.file[:1] + np.uint32(1)))
        bounds = np.append(starts, len(clusters.file)).tolist()
        for begin, end in pairwise(bounds):
            name, part = f"{clusters.file[begin]:06d}", slice(begin, end)
            document = clusters.document[part]
            removed = document[clusters.removed[part]]
            if len(removed):
                output.write(f"{name}.remove", removed.astype("<u4").tobytes())
            if self.save_cluster_id:
                output.write(f"{name}.clusters", _beside(document, clusters.cluster[part]))
            if self.save_cluster_size:
                output.write(f"{name}.sizes", _beside(document, clusters.size[part]))


def _beside(document: npt.NDArray[Any], value: npt.NDArray[Any]) -> bytes:
    return np.column_stack((document, value)).astype("<u4").tobytes()
