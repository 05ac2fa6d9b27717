"""Every row that a CPU runs, in every form, width and number of threads, against the oracles."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from support.checks import assert_answer
from support.graphs import graph_of, large_graphs, small_graphs
from support.oracle import scipy_labels
from support.specs import choices_on, names_on, specs_on

ROWS = specs_on("cpu")
NAMES = names_on("cpu")
FORMS = ("edges", "csr", "csc")
TYPES = (np.uint32, np.uint64)
THREADS = (1, 2, 8)

OPTIONS = {
    "q": (0.05, 0.5, 3, 1000),
    "seed": (0, 7, 123456789),
    "block": (1, 3, 10**6),
    "block_bits": (1, 4, 20),
    "prefetch": (0, 1),
    "beta": (0.01, 0.5, 0.95),
    "serial_below": (0, 1, 50, 10**9),
    "rounds": (0, 1, 3, 100),
    "follow": (0, 1),
}
"""Values that numeric choices are tried with; a new choice must be added here."""

ABLATIONS = [
    row.replace(init=init, jump=jump, finish=finish)
    for row in (skerry.algorithm("ecl"),)
    for init, jump, finish in product(*(row.choices[c] for c in ("init", "jump", "finish")))
]

EXTREMES = ("-1", "nan", "inf", "-inf", "1e-300", "1e300")


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 40))
    ends = st.integers(0, n - 1)
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=80))
    return graph_of("drawn", n, pairs)


def test_oracles_agree():
    for graph in small_graphs():
        other = scipy_labels(graph.n, graph.src, graph.dst)
        np.testing.assert_array_equal(graph.labels, other, graph.name)


@pytest.mark.parametrize("name", NAMES)
def test_small_graphs(name):
    for graph, form, dtype, threads in product(small_graphs(), FORMS, TYPES, THREADS):
        result = assert_answer(
            graph, getattr(graph, form), form, algorithm=name, dtype=dtype, threads=threads
        )
        assert result.labels.dtype == dtype


@pytest.mark.parametrize("name", NAMES)
def test_large_graphs(name):
    calls = zip(product(FORMS, THREADS[1:]), TYPES * 3, strict=True)
    for graph, ((form, threads), dtype) in zip(large_graphs() * 2, [*calls] * 2, strict=True):
        assert_answer(
            graph, getattr(graph, form), form, algorithm=name, dtype=dtype, threads=threads
        )


@pytest.mark.parametrize("name", NAMES)
@given(graph=graphs(), form=st.sampled_from(FORMS), threads=st.sampled_from(THREADS))
def test_drawn_graphs(name, graph, form, threads):
    assert_answer(graph, getattr(graph, form), form, algorithm=name, threads=threads)


@pytest.mark.parametrize("name", NAMES)
def test_dense_labels(name):
    for graph in small_graphs():
        assert_answer(graph, graph.edges, algorithm=name, labels="dense")


@pytest.mark.parametrize("row", ABLATIONS, ids=str)
def test_ablations_of_ecl(row):
    for graph, form, threads in product(small_graphs(), FORMS, (1, 8)):
        assert_answer(graph, getattr(graph, form), form, algorithm=row, threads=threads)
    for graph in large_graphs():
        assert_answer(graph, graph.symmetric, algorithm=row, threads=8, symmetric=True)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_other_choices(row):
    for choice, values in choices_on("cpu", row).items():
        for value in values or OPTIONS[choice]:
            changed = row.replace(**{choice: value})
            for graph, threads in product(small_graphs(), (1, 8)):
                assert_answer(graph, graph.edges, algorithm=changed, threads=threads)
            assert_answer(large_graphs()[1], large_graphs()[1].edges, algorithm=changed, threads=8)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_senseless_numbers_do_no_harm(row):
    for choice, values in choices_on("cpu", row).items():
        if values or choice == "rounds":
            continue
        for value in EXTREMES:
            name = f"{row.name}[{choice}={value}]"
            for graph in small_graphs():
                assert_answer(graph, graph.edges, algorithm=name, threads=2)


def test_there_are_all_ablations():
    assert len({str(row) for row in ABLATIONS}) == len(ABLATIONS) >= 3 * 4 * 3


def test_names_of_ablations():
    row = skerry.algorithm("ecl[jump=single, init=own]")
    assert str(row) == "ecl[jump=single,init=own]"
    assert str(skerry.algorithm("ecl").replace(jump="none").replace(jump="single")) == (
        "ecl[jump=single]"
    )
    result = skerry.connected_components([(0, 1), (1, 2), (3, 4)], algorithm="stages-cc[q=2]")
    assert result.plan.algorithm.startswith("stages-cc[q=2")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nope", "no algorithm named 'nope'; there are: auto, dfs"),
        ("", "no algorithm named ''"),
        ("ecl[]", "write choices as"),
        ("ecl[jump]", "write choices as"),
        ("ecl[jump=fast]", "jump='fast' is not one of: multiple, single, none, halving"),
        ("ecl[q=1]", "ecl has no choice 'q'; it has: init, jump, entries, "),
        ("dfs[jump=none]", "dfs has no choice 'jump'; it has: none"),
        ("stages-cc[q=many]", "q of stages-cc takes a number, got 'many'"),
        ("ecl-serial[warp_from=3]", "ecl-serial has no choice 'warp_from'"),
        ("ecl[warp_from=3]", "ecl has no choice warp_from on cpu"),
        ("eclaf[block_from=3]", "eclaf has no choice block_from on cpu"),
        ("stream[share=3]", "stream has no choice share on cpu"),
        ("skip", 'skip runs on a GPU only; use device="cuda" or another algorithm'),
        ("skip[way=1]", "skip runs on a GPU only"),
        ("groute[segments=2]", "groute runs on a GPU only"),
    ],
)
def test_refused_names(name, message):
    with pytest.raises(skerry.UnsupportedError) as error:
        skerry.connected_components([(0, 1), (1, 2), (3, 4)], algorithm=name)
    assert message in str(error.value)


def test_choices_of_a_gpu_alone_are_refused_on_a_cpu():
    for row in skerry.catalog():
        for choice in set(row.choices) - set(choices_on("cpu", row)):
            changed = row.replace(**{choice: 1})
            assert "cuda" in changed.devices
            with pytest.raises(skerry.UnsupportedError) as error:
                skerry.connected_components([(0, 1), (1, 2), (3, 4)], algorithm=changed)
            assert row.name in str(error.value)
            changed.check_device("cuda")


def test_every_row_runs_somewhere():
    for row in skerry.catalog():
        assert row.devices
        assert ("cpu" in row.devices) == bool(row.passes)
        assert ("cuda" in row.devices) == bool(row.gpu)


def test_rows_are_named_once_and_tell_their_source():
    names = [row.name for row in skerry.catalog()]
    assert len(names) == len(set(names))
    for row in skerry.catalog():
        assert row.summary and row.paper and row.section, row.name
        assert skerry.algorithm(row.name) is row


def test_native_choices_match_the_passes():
    from skerry import _native
    from skerry.algorithms import passes

    for native, names in (
        (_native.INIT, passes.InitKind),
        (_native.JUMP, passes.Jump),
        (_native.FINISH, passes.FinishKind),
    ):
        assert sorted(native) == sorted(names.__args__)
    kernels = {step.kernel for row in ROWS for step in row.passes if hasattr(step, "kernel")}
    assert kernels == {*_native.csr_kernels(), *_native.edge_kernels()}
