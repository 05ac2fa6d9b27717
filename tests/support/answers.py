"""The matrix of answers: what a CPU, an emulated GPU and a GPU must find, written once.

The test module of each derives a class from `Answers`, which says what runs there and which graphs
and forms there is time for.
"""

from __future__ import annotations

from contextlib import nullcontext
from itertools import product

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import skerry
from skerry.algorithms.number_ranges import NUMBER_RANGES
from support.graphs import SIDES, graph_of
from support.specs import choices_on, specs_on

FORMS = ("edges", "csr", "csc", "symmetric")
DEVICE_FORMS = ("edges", "csr", "symmetric")
FORCED = (
    "rows[strategy=links]",
    "rows[strategy=direct]",
    "rows[strategy=plain]",
    "stream[share=1]",
    "stream[share=3]",
)
"""Code that ``auto`` does not reach on graphs small enough for a single launch of a GPU."""

WIDTHS = {
    "narrow": (np.uint32, np.uint32, np.uint32),
    "wide labels": (np.uint64, np.uint32, np.uint32),
    "wide ids": (np.uint32, np.int64, np.int64),
    "wide": (np.uint64, np.int64, np.int64),
    "signed": (np.uint32, np.int32, np.int64),
}
"""Of labels, ids and offsets of arrays on a device."""

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
    "warp_from": (1, 2, 5, 40, 10**9),
    "block_from": (1, 3, 30, 10**9),
    "segments": (1, 2, 7, 150),
    "repeat": (0, 1),
    "jumps": (1, 2),
    "drop": (0, 1),
    "samples": (0, 1, 5, 64),
    "share": (0, 1, 2, 7, 33, 10**9),
}
"""Values that numeric choices are tried with; a new choice must be added here."""


def device_form(graph, form, ids=np.uint32, offsets=np.uint32, keep=np.asarray):
    """A form of a test graph as a caller would have it on a device; ``keep`` puts arrays there."""
    if form == "edges":
        columns = (keep(column.astype(ids)) for column in (graph.src, graph.dst))
        return skerry.Edges(*columns, graph.n)
    rows = getattr(graph, form)
    known = True if form == "symmetric" else None
    return skerry.Csr(keep(rows.indptr.astype(offsets)), keep(rows.indices.astype(ids)), known)


def forms_of(name):
    """The forms that an algorithm reads as they are on a device."""
    if name == "auto":
        return DEVICE_FORMS
    spec = skerry.algorithm(name)
    return {"edges": ("edges",), "symmetric csr": ("symmetric",)}.get(
        spec.form, ("csr", "symmetric")
    )


def ablations(device):
    """`ecl` with every combination of its inits, jumps and finishes; no GPU finishes in order."""
    spec = skerry.algorithm("ecl")
    finishes = [one for one in spec.choices["finish"] if device == "cpu" or one != "ordered"]
    return [
        spec.replace(init=init, jump=jump, finish=finish)
        for init, jump, finish in product(spec.choices["init"], spec.choices["jump"], finishes)
    ]


@st.composite
def drawn_graphs(draw):
    n = draw(st.integers(1, 70))
    ends = st.integers(0, n - 1)
    far = draw(st.lists(st.tuples(ends, ends), max_size=60))
    near = [(v, max(v - step, 0)) for v, step in draw(st.lists(st.tuples(ends, st.integers(1, 4))))]
    return graph_of("drawn", n, far + near)


class Answers:
    """Every algorithm of a runtime gives the oracles' labels, whatever it is asked and how.

    `small`, `larger`, `few`, `ablated` and `one_way` give cases: graphs, and how each is handed
    over, which `check` takes by keyword.
    """

    device = "cpu"
    names = ()

    def running(self, name="auto", seed=0, unbounded=False):  # noqa: ARG002
        """What has to be around calls; a GPU is emulated with a seed for the order of threads."""
        return nullcontext()

    def check(self, graph, name, form, **options):
        raise NotImplementedError

    def check_all(self, name, cases, **options):
        with self.running():
            for graph, way in cases:
                self.check(graph, name, **way, **options)

    def pytest_generate_tests(self, metafunc):
        tables = {
            "name": self.names,
            "spec": specs_on(self.device),
            "ablation": ablations(self.device),
            "side": tuple(SIDES),
        }
        shared = any(metafunc.function.__name__ in vars(base) for base in type(self).__mro__[1:])
        for argument, values in tables.items():
            if shared and argument in metafunc.fixturenames:
                metafunc.parametrize(argument, values, ids=str)

    def test_small_graphs(self, name):
        self.check_all(name, self.small(name))

    def test_larger_graphs(self, name):
        self.check_all(name, self.larger(name))

    @given(graph=drawn_graphs(), data=st.data())
    @settings(suppress_health_check=[HealthCheck.differing_executors, HealthCheck.too_slow])
    def test_drawn_graphs(self, name, graph, data):
        form = data.draw(st.sampled_from(FORMS[:3] if self.device == "cpu" else DEVICE_FORMS))
        with self.running(name, data.draw(st.integers(1, 2**60))):
            self.check(graph, name, form)

    def test_dense_labels(self, name):
        self.check_all(name, self.few(name), labels="dense")

    def test_one_direction_is_enough(self, name, side):
        cases = self.one_way(name, list(SIDES).index(side))
        self.check_all(name, ((SIDES[side](graph), way) for graph, way in cases))

    def test_ablations_of_ecl(self, ablation):
        self.check_all(ablation, self.ablated())

    def test_there_are_all_ablations(self):
        specs = ablations(self.device)
        assert len({str(spec) for spec in specs}) == len(specs) >= 36

    def test_other_choices(self, spec):
        for choice, values in choices_on(self.device, spec).items():
            for turn, value in enumerate(values or OPTIONS[choice]):
                if value != "ordered" or self.device == "cpu":
                    changed = spec.replace(**{choice: value})
                    self.check_all(changed, self.few(spec.name, turn))
            for value in () if values else NUMBER_RANGES[choice][:2]:
                ends = [case for case in self.few(spec.name) if case[0].n < 400]
                self.check_all(spec.replace(**{choice: value}), ends)
