"""The caller's stream is the one used, and `auto` does not wait for the device."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest

import skerry
from support.graphs import large_graphs, small_graphs
from support.on_gpu import assert_labels, on_device, require_gpu

cp = require_gpu()

SPIN = cp.RawKernel(
    r"""
    extern "C" __global__ void spin(unsigned long long nanoseconds) {
      unsigned long long begin, now;
      asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
      do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
      } while (now - begin < nanoseconds);
    }
    """,
    "spin",
)
LONG = 100_000_000  # nanoseconds; a call takes a thousandth of it

GRAPHS = (small_graphs()[-4], large_graphs()[0], large_graphs()[3])
FORMS = ("edges", "csr", "symmetric")


def spin():
    SPIN((1,), (1,), (np.uint64(LONG),))


@pytest.fixture
def stream():
    with cp.cuda.Stream(non_blocking=True) as made:
        yield made
        made.synchronize()


def warm_up(given, **options):
    """Compiles kernels and leaves memory of the stream in the pool."""
    for _ in range(3):
        result = skerry.connected_components(given, **options)
        cp.cuda.get_current_stream().synchronize()
        del result


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name)
def test_auto_waits_for_nothing(stream, graph, form):
    given = on_device(graph, form)
    warm_up(given)
    spin()
    result = skerry.connected_components(given)
    labels = result.labels
    assert not stream.done, "the call returned after all that was launched before it had run"
    assert labels is result.labels
    stream.synchronize()
    assert_labels(graph, result, form)


@pytest.mark.parametrize("form", FORMS)
def test_a_call_does_not_wait_for_one_in_another_stream(form):
    graph = large_graphs()[0]
    given = on_device(graph, form)
    busy, free = (cp.cuda.Stream(non_blocking=True) for _ in range(2))
    for stream in (busy, free):
        with stream:
            warm_up(given)
    with busy:
        spin()
        late = skerry.connected_components(given)
    with free:
        soon = skerry.connected_components(given)
        free.synchronize()
    assert not busy.done, "the call in the free stream waited for the busy one"
    assert_labels(graph, soon, form)
    busy.synchronize()
    assert_labels(graph, late, form)


@pytest.mark.usefixtures("stream")
def test_what_is_launched_before_is_seen():
    graph = large_graphs()[2]
    right = on_device(graph, "edges")
    late = skerry.Edges(cp.zeros_like(right.src), cp.zeros_like(right.dst), graph.n)
    warm_up(late)
    for name in ("auto", "ecl", "cc", "gunrock", "bfs"):
        late.src.fill(0)
        late.dst.fill(0)
        spin()
        late.src[:] = right.src
        late.dst[:] = right.dst
        assert_labels(graph, skerry.connected_components(late, algorithm=name), name)


def test_host_graphs_use_the_stream(stream):
    graph = large_graphs()[0]
    spin()
    result = skerry.connected_components(graph.edges, device="cuda")
    assert stream.done
    np.testing.assert_array_equal(result.labels, graph.labels)


def captured(stream, given):
    """The launches of a call, recorded instead of run: whatever waits raises."""
    stream.begin_capture()
    try:
        result = skerry.connected_components(given)
    except BaseException:
        with suppress(Exception):
            stream.end_capture()
        raise
    return result, stream.end_capture()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name)
def test_auto_can_be_captured(stream, graph, form):
    given = on_device(graph, form)
    warm_up(given)
    result, launches = captured(stream, given)
    for _ in range(2):
        result.labels.fill(7)
        launches.launch(stream)
        stream.synchronize()
        np.testing.assert_array_equal(result.labels.get(), graph.labels)


def test_a_capture_reads_the_graph_anew(stream):
    graph = large_graphs()[1]
    given = on_device(graph, "edges")
    other = on_device(large_graphs()[4], "edges")
    m = min(len(given.src), len(other.src))
    part = skerry.Edges(given.src[:m], given.dst[:m], graph.n)
    warm_up(part)
    result, launches = captured(stream, part)
    part.src[:] = other.src[:m]
    part.dst[:] = other.dst[:m]
    launches.launch(stream)
    stream.synchronize()
    again = skerry.connected_components((other.src[:m], other.dst[:m]), num_vertices=graph.n)
    assert (again.labels == result.labels).all()
