"""An image as a graph: the components of `skerry.Grid` by each engine, checked and counted."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
import skerry.ndimage
from skerry.errors import InputError, UnsupportedError
from support import grid_oracle

RULES = (
    {},
    {"connectivity": 2},
    {"connectivity": 2, "values": "equal", "wrap": 1},
    {"delta": 1, "wrap": (0, 1)},
    {"structure": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "background": None},
    {"background": 2},
)


def image_of(seed, shape=(23, 150), dtype=np.int16):
    return np.random.default_rng(seed).integers(0, 3, shape).astype(dtype)


def first_pixels(labels):
    """The label that a graph has: the first pixel of the object, or the background's own pixel."""
    flat = labels.ravel()
    _, first, inverse = np.unique(flat, return_index=True, return_inverse=True)
    return np.where(flat == 0, np.arange(flat.size), first[inverse])


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("shape", [(23, 150), (1, 1), (400, 700), (0, 4)], ids=str)
def test_labels_are_first_pixels(rule, threads, shape):
    image = image_of(len(rule), shape)
    result = skerry.connected_components(skerry.Grid(image, **rule), threads=threads)
    labels, count = skerry.ndimage.label(image, **rule)
    np.testing.assert_array_equal(result.labels, first_pixels(labels))
    assert result.count == count + np.count_nonzero(labels == 0)
    assert result.plan.algorithm == "runs" and result.plan.engine == result.plan.form == "grid"
    assert result.verify()


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("dtype", [np.uint8, np.float16, ">i4", bool])
def test_edges_are_those_of_an_oracle(rule, dtype):
    grid = skerry.Grid(image_of(7, (9, 30), dtype), **rule)
    structure = grid.rule.structure.astype(bool)
    wrap = tuple(axis for axis in (0, 1) if grid.rule.wrap >> axis & 1)
    kinds = {"equal": grid.rule.values == "equal", "delta": rule.get("delta")}
    expected, _ = grid_oracle.label(
        grid.image, structure, wrap=wrap, background=rule.get("background", 0), **kinds
    )
    options = ({}, {"algorithm": "ecl"}, {"forest": True}, {"statistics": True})
    for option in options:
        result = skerry.connected_components(grid, **option)
        np.testing.assert_array_equal(result.labels, first_pixels(expected))
    both = [np.concatenate(ends) for ends in zip(*grid.batches(7), strict=True)]
    stored = grid.edges()
    np.testing.assert_array_equal(both, stored.arrays())
    assert len(both[0]) <= grid.num_entries
    everywhere = skerry.Grid(np.ones((9, 30)), structure, wrap=wrap)
    assert len(everywhere.edges().src) == everywhere.num_entries == grid.num_entries


def test_wrong_labels_are_found():
    grid = skerry.Grid(image_of(5, (30, 30)), values="equal")
    right = skerry.connected_components(grid).labels
    labels, counts = np.unique(right, return_counts=True)
    random, large = np.random.default_rng(0), labels[counts > 1]
    for _ in range(50):
        split, joined = right.copy(), right.copy()
        label = random.choice(large)
        split[np.flatnonzero(right == label)[-1]] = 900
        a, b = random.choice(labels, 2, replace=False)
        joined[right == a] = b
        assert " joins " in skerry.verify(grid, split).message
        assert "shared by vertices" in skerry.verify(grid, joined).message
    assert skerry.verify(grid, right)
    with pytest.raises(InputError, match="has 900 vertices, but labels has 899"):
        skerry.verify(grid, right[1:])


def test_questions_about_edges():
    image = np.array([[1, 1, 1, 0, 1], [0, 0, 1, 1, 1]])
    result = skerry.connected_components(skerry.Grid(image), forest=True)
    assert len(result.bridges()) == 6
    assert result.why(0, 4) is not None
    assert result.subgraph(0).num_vertices == 7
    assert skerry.connected_components(skerry.Grid(image), labels="dense").labels[-1] == 0


def test_estimates_are_what_a_run_takes():
    estimate = skerry.estimate(640_000, 0, form="grid")
    assert estimate.graph == 640_000 and estimate.algorithm == "runs"
    assert estimate.run == 640_000 * 4 + 10_000 * (16 + 4) * 1
    assert skerry.estimate(640_000, 0, form="grid", id_bits=16).graph == 1_280_000
    assert skerry.estimate(100, 50, form="grid", algorithm="ecl").graph == 400
    with pytest.raises(InputError, match="id_bits must be 32 or 64, of a grid 8 to 64"):
        skerry.estimate(100, 50, form="edges", id_bits=8)


def test_what_is_no_grid():
    with pytest.raises(InputError, match="image is ragged"):
        skerry.Grid([[1], [1, 1]])
    with pytest.raises(InputError, match="structure must be symmetric"):
        skerry.Grid([[1]], np.eye(3)[::-1] * [1, 1, 0])
    with pytest.raises(InputError, match="input has a NaN"):
        skerry.connected_components(skerry.Grid([1.0, np.nan]))
    with pytest.raises(InputError, match="input has a NaN"):
        skerry.Grid([1.0, np.nan]).edges()
    with pytest.raises(InputError, match="real numbers or bool"):
        skerry.connected_components(skerry.Grid(["a"]))
    with pytest.raises(InputError, match="num_vertices=5"):
        skerry.connected_components(skerry.Grid([1, 1]), num_vertices=5)
    with pytest.raises(UnsupportedError, match="previous= is not supported for images"):
        skerry.connected_components(skerry.Grid([1, 1]), previous=[0, 0])
    assert repr(skerry.Grid([1])) == "Grid(pixels=(1,), int64, values='binary')"
