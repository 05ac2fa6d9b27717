"""`skerry.sklearn.ThresholdClustering`, as scikit-learn's own checks want estimators."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist, squareform
from sklearn.base import clone
from sklearn.cluster import DBSCAN
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import skerry
from skerry.sklearn import ThresholdClustering

POINTS = np.random.default_rng(1).normal(size=(300, 2))


@parametrize_with_checks([ThresholdClustering(), ThresholdClustering(min_cluster_size=3)])
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


def same(labels, right):
    """Whether two labelings are the same partition."""
    pairs = {*zip(labels.tolist(), right.tolist(), strict=True)}
    return len(pairs) == len({*labels.tolist()}) == len({*right.tolist()})


@pytest.mark.parametrize("threshold", [0.0, 0.05, 0.2, 0.5, 10.0])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "precomputed"])
def test_it_is_single_linkage_cut_at_a_distance(threshold, metric):
    name = "cityblock" if metric == "manhattan" else "euclidean"
    distances = pdist(POINTS, name)
    right = fcluster(linkage(distances, "single"), threshold, "distance")
    points = squareform(distances) if metric == "precomputed" else POINTS
    model = ThresholdClustering(threshold, metric=metric).fit(points)
    assert same(model.labels_, right) and model.n_clusters_ == len({*right})
    if threshold:
        plain = DBSCAN(eps=threshold, min_samples=1, metric=metric).fit(points)
        assert same(model.labels_, plain.labels_)


def test_sparse_distances_are_far_where_they_are_not_stored():
    distances = scipy.sparse.coo_array(([0.0, 0.3, 0.9], ([0, 1, 3], [1, 2, 4])), shape=(5, 5))
    for form in ("csr", "csc", "coo"):
        model = ThresholdClustering(0.5, metric="precomputed").fit(distances.asformat(form))
        assert model.labels_.tolist() == [0, 0, 0, 1, 2]


def test_small_clusters_are_noise():
    model = ThresholdClustering(0.5, min_cluster_size=2).fit([[9.0], [0.0], [0.4], [5.0], [5.1]])
    assert model.labels_.tolist() == [-1, 0, 0, 1, 1] and model.n_clusters_ == 2


def test_in_a_pipeline_and_cloned():
    model = clone(ThresholdClustering(0.3, min_cluster_size=4))
    assert model.get_params()["min_cluster_size"] == 4
    assert len(make_pipeline(StandardScaler(), model).fit_predict(POINTS)) == len(POINTS)


@pytest.mark.parametrize(
    "options", [{"distance_threshold": -1}, {"distance_threshold": np.nan}, {"min_cluster_size": 0}]
)
def test_parameters_out_of_range(options):
    with pytest.raises(skerry.InputError, match="or more"):
        ThresholdClustering(**options).fit(POINTS)


def test_distances_that_are_not_square():
    with pytest.raises(skerry.InputError, match="square"):
        ThresholdClustering(metric="precomputed").fit(POINTS)
