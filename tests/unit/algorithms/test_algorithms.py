"""Every algorithm of a CPU, in every form, width and number of threads, against the oracles."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry.algorithms.number_ranges import NUMBER_RANGES
from support.checks import assert_answer
from support.graphs import graph_of, large_graphs, small_graphs
from support.oracle import scipy_labels
from support.specs import choices_on, names_on, specs_on

SPECS = specs_on("cpu")
NAMES = names_on("cpu")
FORMS = ("edges", "csr", "csc")
TYPES = (np.uint32, np.uint64)
THREADS = (1, 2, 8)

OPTIONS = {
    "q": (0.05, 0.5, 3, 1000),
    "seed": (0, 7, 123456789),
    "block": (1, 3, 10**6),
    "block_bits": (8, 12, 31),
    "chunk": (0, 1, 3, 10**6),
    "prefetch": (0, 1),
    "beta": (0.01, 0.5, 0.95),
    "serial_below": (0, 1, 50, 10**9),
    "plant": (0, 1),
    "push_first": (0, 1),
    "density": (0, 0.3, 1),
    "aggressive": (0, 1),
    "tries": (0, 1, 2),
    "random": (0, 1),
}
"""Values that numeric choices are tried with; a new choice must be added here."""

ABLATIONS = [
    spec.replace(init=init, jump=jump, finish=finish)
    for spec in (skerry.algorithm("ecl"),)
    for init, jump, finish in product(*(spec.choices[c] for c in ("init", "jump", "finish")))
]


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


@pytest.mark.parametrize("spec", ABLATIONS, ids=str)
def test_ablations_of_ecl(spec):
    for graph, form, threads in product(small_graphs(), FORMS, (1, 8)):
        assert_answer(graph, getattr(graph, form), form, algorithm=spec, threads=threads)
    for graph in large_graphs():
        assert_answer(graph, graph.symmetric, algorithm=spec, threads=8, symmetric=True)


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_other_choices(spec):
    for choice, values in choices_on("cpu", spec).items():
        for value in values or OPTIONS[choice]:
            changed = spec.replace(**{choice: value})
            for graph, threads in product(small_graphs(), (1, 8)):
                assert_answer(graph, graph.edges, algorithm=changed, threads=threads)
            assert_answer(large_graphs()[1], large_graphs()[1].edges, algorithm=changed, threads=8)


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_the_ends_of_a_range_give_right_answers(spec):
    for choice, values in choices_on("cpu", spec).items():
        if values:
            continue
        for value in NUMBER_RANGES[choice][:2]:
            changed = spec.replace(**{choice: value})
            for graph in small_graphs():
                assert_answer(graph, graph.edges, algorithm=changed, threads=2)


@pytest.mark.parametrize("spec", skerry.catalog(), ids=str)
def test_a_number_outside_its_range_is_refused(spec):
    for choice in (choice for choice, values in spec.choices.items() if not values):
        allowed = NUMBER_RANGES[choice]
        outside = (allowed.low - 1, 3 * allowed.high, "nan", "inf", "-inf", "", "many")
        for value in (*outside, *(("0.5", "8.5") if allowed.integer else ())):
            with pytest.raises(skerry.InputError) as error:
                skerry.algorithm(f"{spec.name}[{choice}={value}]")
            assert f"{choice} of {spec.name} must be {allowed}" in str(error.value)
        for default in (*spec.passes, *spec.gpu):
            assert dict(getattr(default, "options", {})).get(choice, allowed.low) in allowed


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("stages-cc[q=nan]", "q of stages-cc must be a number in 1e-30..1e+30, got nan"),
        ("stages-cc[q=-1]", "q of stages-cc must be a number in 1e-30..1e+30, got -1.0"),
        ("stages-cc[seed=nan]", "seed of stages-cc must be a whole number in 0..2**53, got nan"),
        ("schd[block_bits=-1]", "block_bits of schd must be a whole number in 8..31, got -1.0"),
        ("stages-cc[q=many]", "q of stages-cc must be a number in 1e-30..1e+30, got 'many'"),
        ("ecl[jump=single,jump=none]", "has two values for jump: write it once"),
        ("stages-cc[q=2, q=2]", "has two values for q: write it once"),
    ],
)
def test_a_choice_that_is_nonsense_is_an_input_error(name, message):
    with pytest.raises(skerry.InputError) as error:
        skerry.connected_components([(0, 1), (1, 2), (3, 4)], algorithm=name)
    assert message in str(error.value)


def test_true_is_not_a_number():
    with pytest.raises(skerry.InputError):
        skerry.algorithm("stages-cc").replace(q=True)


def test_there_are_all_ablations():
    assert len({str(spec) for spec in ABLATIONS}) == len(ABLATIONS) >= 3 * 4 * 3


def test_names_of_ablations():
    spec = skerry.algorithm("ecl[jump=single, init=own]")
    assert str(spec) == "ecl[jump=single,init=own]"
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
        ("ecl-serial[warp_from=3]", "ecl-serial has no choice 'warp_from'"),
        ("ecl[warp_from=3]", "ecl has no choice warp_from on cpu"),
        ("eclaf[block_from=3]", "eclaf has no choice block_from on cpu"),
        ("stream[share=3]", "stream has no choice share on cpu"),
        ("soman", 'soman runs on a GPU only; use device="cuda" or another algorithm'),
        ("rows[strategy=links]", "rows has no choice strategy on cpu"),
        ("groute[segments=2]", "groute runs on a GPU only"),
    ],
)
def test_refused_names(name, message):
    with pytest.raises(skerry.UnsupportedError) as error:
        skerry.connected_components([(0, 1), (1, 2), (3, 4)], algorithm=name)
    assert message in str(error.value)


def test_choices_of_a_gpu_alone_are_refused_on_a_cpu():
    for spec in skerry.catalog():
        for choice in set(spec.choices) - set(choices_on("cpu", spec)):
            changed = spec.replace(**{choice: (spec.choices[choice] or (1,))[0]})
            assert "cuda" in changed.devices
            with pytest.raises(skerry.UnsupportedError) as error:
                skerry.connected_components([(0, 1), (1, 2), (3, 4)], algorithm=changed)
            assert spec.name in str(error.value)
            changed.check_device("cuda")


def test_every_row_runs_somewhere():
    for spec in skerry.catalog():
        assert spec.devices
        assert ("cpu" in spec.devices) == bool(spec.passes)
        assert ("cuda" in spec.devices) == bool(spec.gpu)


def test_rows_are_named_once_and_tell_their_source():
    names = [spec.name for spec in skerry.catalog()]
    assert len(names) == len(set(names))
    for spec in skerry.catalog():
        assert spec.summary and spec.paper and spec.section, spec.name
        assert skerry.algorithm(spec.name) is spec


def test_native_choices_match_the_passes():
    from skerry import _native
    from skerry.algorithms import passes

    for native, names in (
        (_native.INIT, passes.InitKind),
        (_native.JUMP, passes.Jump),
        (_native.FINISH, passes.FinishKind),
    ):
        assert sorted(native) == sorted(names.__args__)
    kernels = {step.kernel for spec in SPECS for step in spec.passes if hasattr(step, "kernel")}
    assert kernels == {*_native.csr_kernels(), *_native.edge_kernels()}
