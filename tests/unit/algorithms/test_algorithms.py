"""Every algorithm of a CPU, in every form, width and number of threads, against the oracles."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import skerry
from skerry.algorithms.number_ranges import NUMBER_RANGES
from skerry.algorithms.paper_names import PAPER_NAMES
from support.answers import FORMS, Answers
from support.checks import assert_answer
from support.graphs import large_graphs, small_graphs
from support.oracle import scipy_labels
from support.specs import choices_on, names_on, specs_on


def ways(**options):
    """Every combination of some values of options."""
    return [dict(zip(options, way, strict=True)) for way in product(*options.values())]


TYPES = (np.uint32, np.uint64)
PAIRWISE = (("csr", None, 1), ("csr", False, 8), ("csc", None, 8), ("csc", False, 1))
"""Forms, promises and threads: any two of them together."""


class TestCpu(Answers):
    names = names_on("cpu")

    def check(self, graph, name, form, **options):
        assert_answer(graph, getattr(graph, form), form, algorithm=name, **options)

    def small(self, _):
        return product(small_graphs(), ways(form=FORMS[:3], dtype=TYPES, threads=(1, 2, 8)))

    def larger(self, _):
        return zip(
            large_graphs() * 2, ways(threads=(2, 8), form=FORMS[:3], dtype=TYPES), strict=True
        )

    def few(self, _, turn=0):  # noqa: ARG002
        large = large_graphs()[1], {"form": "edges", "threads": 8}
        return *product(small_graphs(), ways(form=["edges"], threads=(1, 8))), large

    def ablated(self):
        large = {"form": "symmetric", "threads": 8, "symmetric": True}
        some = product(small_graphs(), ways(form=FORMS[:3], threads=(1, 8)))
        return *some, *((graph, large) for graph in large_graphs())

    def one_way(self, _, turn):
        names = ("form", "symmetric", "threads")
        pairwise = [dict(zip(names, way, strict=True)) for way in PAIRWISE]
        large = large_graphs()[turn], {"form": FORMS[1 + turn % 2], "threads": 8}
        return *product(small_graphs(), pairwise), large


def test_oracles_agree():
    for graph in small_graphs():
        other = scipy_labels(graph.n, graph.src, graph.dst)
        np.testing.assert_array_equal(graph.labels, other, graph.name)


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


def test_names_of_ablations():
    spec = skerry.algorithm("ecl[jump=single, init=own]")
    assert str(spec) == "ecl[jump=single,init=own]"
    assert str(skerry.algorithm("ecl").replace(jump="none").replace(jump="single")) == (
        "ecl[jump=single]"
    )
    result = skerry.connected_components([(0, 1), (1, 2), (3, 4)], algorithm="stages-cc[q=2]")
    assert result.plan.algorithm.startswith("stages-cc[q=2")


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("Init1", "ecl[init=own]"),
        ("Jump2[finish=Fini1]", "ecl[jump=single,finish=halving]"),
        ("ecl[init=init2]", "ecl[init=smallest]"),
        ("Fini3", "ecl[finish=single]"),
        ("ECL-CC", "ecl"),
        ("ecl cc omp", "ecl"),
        ("Stages", "stages-cc"),
        ("CC-updt", "cc-updt"),
        ("IrGL", "soman"),
        ("Ligra+ BFSCC", "bfscc"),
    ],
)
def test_names_of_the_papers(name, own):
    assert str(skerry.algorithm(name)) == own


def test_no_name_of_a_paper_hides_a_name_of_the_catalog():
    own = {spec.name for spec in skerry.catalog()}
    for name, target in PAPER_NAMES.items():
        assert target.partition("[")[0] in own
        assert name not in own
    keys = [name.lower().translate(str.maketrans("", "", " -_+")) for name in PAPER_NAMES]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nope", "no algorithm named 'nope'; there are: auto, dfs"),
        ("", "no algorithm named ''"),
        ("afforrest", "no algorithm named 'afforrest'; did you mean 'afforest'"),
        ("jump5", "no algorithm named 'jump5'; did you mean 'Jump"),
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


def test_rows_are_named_once_and_tell_their_source():
    names = [spec.name for spec in skerry.catalog()]
    assert len(names) == len(set(names))
    for spec in skerry.catalog():
        assert spec.devices and spec.summary and spec.paper and spec.section, spec.name
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
    kernels = {
        step.kernel for spec in specs_on("cpu") for step in spec.passes if hasattr(step, "kernel")
    }
    assert kernels == {*_native.csr_kernels(), *_native.edge_kernels()}


# What sets `thrifty`, `fastsv` and `jayanti-tarjan` apart; that they are right, others test.


def solve(edges, name, n=None, threads=1):
    return skerry.connected_components(
        edges, num_vertices=n, algorithm=name, threads=threads, statistics=True, device="cpu"
    )


def statistics(edges, name, **options):
    return solve(edges, name, **options).plan.statistics


def path(n, order=None):
    numbers = np.arange(n) if order is None else order
    return numbers[:-1], numbers[1:]


def broom(n):
    """A path 0, n, n - 1, .. 1 that ends at a hub, the last vertex, which has n leaves more."""
    hub, leaves = 2 * n + 1, np.arange(n + 1, 2 * n + 1)
    handle = np.concatenate([[0], np.arange(n, 0, -1), [hub]])
    return np.append(handle[:-1], leaves), np.append(handle[1:], np.full(n, hub))


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_thrifty_labels_a_star_by_its_first_push(threads):
    n = 5000
    leaves = np.arange(n - 1)
    result = solve((leaves, np.full(n - 1, n - 1)), "thrifty", threads=threads)
    assert not result.labels.any()  # the hub is the last vertex, the label the first
    assert result.plan.statistics.rounds == 2  # the push, and a pull that changes nothing


def test_the_hub_is_not_the_label_of_its_component():
    edges = [(0, 1), (7, 3), (7, 4), (7, 5), (7, 9)]
    labels = solve(edges, "thrifty", 11).labels
    assert labels.tolist() == [0, 0, 2, 3, 3, 3, 6, 3, 8, 3, 10]


def test_a_zero_planted_at_the_hub_travels_less_far_than_one_at_vertex_0():
    hub, vertex_0 = (
        statistics(broom(300), f"thrifty[plant={plant},density=0]").rounds for plant in (1, 0)
    )
    assert hub == 4  # the push, two pulls, one that changes nothing
    assert vertex_0 > 300  # a step a round: the path runs against the order of the sweep


def test_thrifty_always_pulls_where_the_density_is_0():
    for graph in large_graphs()[:5]:  # not a shuffled path, of tens of thousands of rounds
        pulls, both = (
            statistics(graph.edges, name) for name in ("thrifty[density=0]", "thrifty[density=1]")
        )
        assert pulls.rounds <= both.rounds, graph.name


@pytest.mark.parametrize("choice", ["aggressive=1", "aggressive=0"])
def test_fastsv_takes_few_rounds_on_long_paths(choice):
    n = 1 << 14
    shuffled = np.random.default_rng(5).permutation(n)
    for edges in (path(n), path(n, np.arange(n)[::-1]), path(n, shuffled)):
        result = solve(edges, f"fastsv[{choice}]")
        assert result.count == 1
        assert result.plan.statistics.rounds <= 2 * 14
    assert statistics(path(n, shuffled), "label-propagation").rounds > 1000


@pytest.mark.parametrize("name", ["fastsv", "jayanti-tarjan"])
def test_rows_and_edges_are_read_as_they_are(name):
    graph = large_graphs()[0]
    for form in ("edges", "csr", "symmetric"):
        result = solve(getattr(graph, form), name)
        np.testing.assert_array_equal(result.labels, graph.labels)
        names = [step.name for step in result.plan.passes if step.name != "convert ids"]
        assert names == [name, "canonical labels"][: len(names)]


def test_a_random_order_keeps_trees_flat_where_the_order_of_numbers_makes_a_list():
    src, dst = (ends[::-1] for ends in path(1 << 12))  # links a root below a single vertex
    src, dst = np.append(src, (1 << 12) - 1), np.append(dst, 0)  # and walks from the last one
    by_number = statistics((src, dst), "jayanti-tarjan[random=0,tries=0]")
    random = statistics((src, dst), "jayanti-tarjan[tries=0]")
    assert by_number.longest == (1 << 12) - 1
    assert random.longest < 64


def test_more_tries_make_shorter_paths():
    n = 1 << 12
    ends = np.random.default_rng(1).integers(0, n, (2, 4 * n))
    never, once, twice = (
        statistics(tuple(ends), f"jayanti-tarjan[tries={tries}]").steps for tries in (0, 1, 2)
    )
    assert twice < once < never


def test_a_seed_changes_the_order_and_no_label():
    n = 1 << 10
    ends = tuple(np.random.default_rng(2).integers(0, n, (2, n)))
    results = [solve(ends, f"jayanti-tarjan[seed={seed}]", n) for seed in (1, 2, 1)]
    assert results[0].plan.statistics == results[2].plan.statistics
    assert results[0].plan.statistics != results[1].plan.statistics
    for result in results[1:]:
        np.testing.assert_array_equal(result.labels, results[0].labels)
