"""What a device must answer besides labels, whether it is emulated or real: written once."""

from __future__ import annotations

import pickle
from itertools import product

import numpy as np
import pytest

import skerry
from support.answers import DEVICE_FORMS, Answers, device_form, forms_of
from support.bad_graphs import EDGES, ROWS, as_a_builder_says, bad_edges, bad_rows

WIDE = (np.uint64, np.int64, np.int64)


def arrays_of(graph):
    edges = isinstance(graph, skerry.Edges)
    return (graph.src, graph.dst) if edges else (graph.offsets, graph.neighbors)


def raised_by(question, *arguments, **options):
    with pytest.raises(skerry.InputError) as error:
        question(*arguments, **options)
    return str(error.value)


def assert_found_out(result, message, call):
    """There are no labels, and every question raises an error that says why."""
    assert bool((result.labels == np.iinfo(result.labels.dtype).max).all()), call
    for name in ("count", "plan"):
        assert message in raised_by(getattr, result, name), call
    for question in (result.verify, result.sizes, result.groups):
        assert message in raised_by(question), call


class DeviceAnswers(Answers):
    """`asked` are the graphs of questions; arrays go to the device by `keep`, and back by `host`.

    ``unbounded`` are the ways to run in which nothing, or everything, counts as small.
    """

    device = "cuda"
    unbounded = (False,)

    def keep(self, array):
        return array

    def host(self, array):
        return np.asarray(array)

    def there(self, graph):
        arrays = map(self.keep, arrays_of(graph))
        if isinstance(graph, skerry.Edges):
            return skerry.Edges(*arrays, graph.num_vertices)
        return skerry.Csr(*arrays, graph.symmetric)

    def given(self, graph, form, *widths):
        return device_form(graph, form, *widths, keep=self.keep)

    @pytest.mark.parametrize("labels", ["min", "dense"])
    def test_questions_are_answered_as_on_a_cpu(self, labels):
        for graph, dtype in product(self.asked(), (np.uint32, np.uint64)):
            right = skerry.connected_components(graph.edges, labels=labels, dtype=dtype)
            with self.running():
                for form in ("edges", "symmetric"):
                    given = self.given(graph, form)
                    found = skerry.connected_components(given, labels=labels, dtype=dtype)
                    self.assert_same(found, right)

    def assert_same(self, found, right):
        count, labels = found
        assert (found.count, found.num_vertices) == (count, right.num_vertices)
        assert count == right.count and labels is found.labels
        assert labels.dtype == right.labels.dtype
        np.testing.assert_array_equal(self.host(labels), right.labels)
        np.testing.assert_array_equal(self.host(found.sizes()), right.sizes())
        for k in (0, 1, 3, 10**6):
            for mine, theirs in zip(found.largest(k), right.largest(k), strict=True):
                assert (mine.label, mine.size) == (theirs.label, theirs.size)
                np.testing.assert_array_equal(self.host(mine.members), theirs.members)
        for mine, theirs in zip(found.groups()[:50], right.groups()[:50], strict=True):
            np.testing.assert_array_equal(self.host(mine), theirs)
        ends = np.arange(min(right.num_vertices, 500))
        if len(ends):
            joined = self.host(found.connected(ends, ends[::-1]))
            np.testing.assert_array_equal(joined, right.connected(ends, ends[::-1]))
            assert bool(found.connected(0, ends[-1])) == right.connected(0, ends[-1])
        assert found.verify()
        assert f"count={count:,}" in repr(found) and "on cuda" in found._repr_html_()

    @pytest.mark.parametrize("labels", ["min", "dense"])
    @pytest.mark.parametrize("first", ["labels", "count"])
    def test_labels_belong_to_the_caller(self, labels, first):
        """No later answer is derived from what was handed out."""
        graph = self.asked()[-1]
        right = skerry.connected_components(graph.edges, labels=labels)
        with self.running():
            result = skerry.connected_components(self.given(graph, "csr"), labels=labels)
            getattr(result, first)
            result.labels[:] = 3
            assert result.count == right.count
            assert self.host(result.sizes()).tolist() == right.sizes().tolist()
            assert result.verify()
            again = pickle.loads(pickle.dumps(result))
            np.testing.assert_array_equal(self.host(again.labels), right.labels)

    def test_inputs_are_never_changed(self, name):
        graph = self.asked()[-1]
        with self.running():
            for form, (dtype, *widths) in product(DEVICE_FORMS, ((np.uint32,) * 3, WIDE)):
                given = self.given(graph, form, *widths)
                before = [array.copy() for array in arrays_of(given)]
                result = skerry.connected_components(given, algorithm=name, dtype=dtype)
                assert result.verify()
                for array, old in zip(arrays_of(given), before, strict=True):
                    np.testing.assert_array_equal(self.host(array), self.host(old))

    def test_other_forms_are_converted(self, name):
        with self.running():
            for graph, form in product(self.asked(), {*DEVICE_FORMS} - {*forms_of(name)}):
                self.check(graph, name, form)

    def test_bad_edges_are_found_out(self, name):
        for case, dtype, unbounded in product(EDGES, (np.int32, np.int64), self.unbounded):
            graph, message = bad_edges(case, dtype)
            with self.running(unbounded=unbounded):
                given = self.there(graph)
                if name != "auto" and skerry.algorithm(name).reads_rows("cuda"):
                    said = raised_by(skerry.connected_components, given, algorithm=name)
                    assert message in said
                else:
                    result = skerry.connected_components(given, algorithm=name)
                    assert_found_out(result, message, (case, dtype))

    def test_bad_rows_are_found_out(self, name):
        for case, dtype, unbounded in product(ROWS, (np.int32, np.int64), self.unbounded):
            graph, message = bad_rows(case, dtype)
            with self.running(unbounded=unbounded):
                given = self.there(graph)
                if "csr" in forms_of(name):
                    result = skerry.connected_components(given, algorithm=name)
                    assert_found_out(result, message, (case, dtype))
                else:
                    place = as_a_builder_says(message).partition(" ")[0]
                    said = raised_by(skerry.connected_components, given, algorithm=name)
                    assert said.startswith((place, "offsets")), (case, dtype)
