"""Single linkage by a threshold, as an estimator of scikit-learn (1.6 and later).

Points are in one cluster if a chain of points joins them, each no farther than the threshold from
the next. Of all methods by distances this is the cheapest: only pairs within the threshold are
looked at, and no dendrogram is made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.csgraph import connected_components
from skerry.errors import InputError, UnsupportedError

try:
    import sklearn.utils.validation as validation
    from sklearn.base import BaseEstimator, ClusterMixin
    from sklearn.neighbors import NearestNeighbors
except ImportError:
    raise UnsupportedError("skerry.sklearn needs scikit-learn: pip install scikit-learn") from None


class ThresholdClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]  # has no types
    """Clusters of points that chains of short distances join: single linkage, cut at a distance.

    The same clusters as ``scipy.cluster.hierarchy.fcluster(single(X), t, "distance")``, and as
    ``DBSCAN(eps=t, min_samples=1)``.

    Parameters
    ----------
    distance_threshold
        Points at this distance or nearer are joined.
    metric
        As in ``sklearn.neighbors.NearestNeighbors``; or ``"precomputed"``, where ``X`` holds
        distances: a dense matrix of all, or a sparse one in which those that are not stored are
        beyond the threshold.
    min_cluster_size
        Members of smaller clusters are labeled -1.
    n_jobs
        Processes or threads that look for neighbors, as everywhere in scikit-learn.

    Attributes
    ----------
    labels_
        The cluster of each point: numbers in order of first appearance, or -1.
    n_clusters_
        Number of clusters, without those that are too small.
    n_features_in_
        Number of columns of ``X``.

    Examples
    --------
    >>> from skerry.sklearn import ThresholdClustering
    >>> points = [[0.0], [0.4], [0.8], [5.0], [5.3], [9.0]]
    >>> ThresholdClustering(distance_threshold=0.5, min_cluster_size=2).fit_predict(points)
    array([ 0,  0,  0,  1,  1, -1])
    """

    def __init__(
        self,
        distance_threshold: float = 0.5,
        *,
        metric: Any = "euclidean",
        min_cluster_size: int = 1,
        n_jobs: int | None = None,
    ) -> None:
        self.distance_threshold = distance_threshold
        self.metric = metric
        self.min_cluster_size = min_cluster_size
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> ThresholdClustering:  # noqa: N803
        """Finds the clusters.

        Parameters
        ----------
        X
            A row for each point, dense or sparse; distances with ``metric="precomputed"``.
        y
            Not used.

        Returns
        -------
        ThresholdClustering
            This estimator.

        Raises
        ------
        InputError
            If a parameter is out of its range, or distances are not a square matrix.
        """
        del y
        self._check_parameters()
        points = validation.validate_data(self, X, accept_sparse=["csr", "csc", "coo"])
        if self.metric == "precomputed":
            graph = self._short_distances(points)
        else:
            neighbors = NearestNeighbors(
                radius=self.distance_threshold, metric=self.metric, n_jobs=self.n_jobs
            )
            graph = neighbors.fit(points).radius_neighbors_graph(mode="connectivity")
        count, labels = connected_components(graph, directed=False)
        sizes = np.bincount(labels, minlength=count)
        large = sizes >= self.min_cluster_size
        numbers = np.where(large, np.cumsum(large) - 1, -1)
        self.labels_ = numbers[labels]
        self.n_clusters_ = int(large.sum())
        return self

    def _check_parameters(self) -> None:
        if not self.distance_threshold >= 0:
            raise InputError(
                f"distance_threshold must be 0 or more, got {self.distance_threshold!r}"
            )
        if self.min_cluster_size < 1:
            raise InputError(f"min_cluster_size must be 1 or more, got {self.min_cluster_size!r}")

    def _short_distances(self, distances: Any) -> Any:
        from scipy.sparse import coo_array

        if distances.shape[0] != distances.shape[1]:
            raise InputError(f"distances are a square matrix, got shape {distances.shape}")
        if hasattr(distances, "tocoo"):
            entries = distances.tocoo()
            row, column, values = entries.row, entries.col, entries.data
            short = values <= self.distance_threshold
            row, column = row[short], column[short]
        else:
            row, column = np.nonzero(distances <= self.distance_threshold)
        return coo_array((np.ones(len(row)), (row, column)), shape=distances.shape)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags
