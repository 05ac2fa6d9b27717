"""Every algorithm many times on graphs with long walks: no answer may depend on timing.

`SKERRY_GPU_RUNS=1000000 make test-gpu ARGS=tests/gpu/test_many_runs_on_gpu.py` runs more.
"""

from __future__ import annotations

import os

import pytest

import skerry
from support.answers import FORCED
from support.many_runs import FORMS, forget_graphs, run_many
from support.on_gpu import NAMES, form_read_by, require_gpu

require_gpu()

RUNS = int(os.environ.get("SKERRY_GPU_RUNS", "100000"))
"""Of our own algorithms in all; the published ones run a tenth of that in all."""
OWN = ("auto", "stream", "rows", *FORCED)


@pytest.fixture(scope="module", autouse=True)
def _memory_is_given_back():
    yield
    forget_graphs()


def read_by(name):
    """The forms that an algorithm reads without a conversion."""
    own = form_read_by(name)
    symmetric = name != "auto" and skerry.algorithm(name).form == "symmetric csr"
    forms = [form for form, read in FORMS.items() if own in (None, read)]
    return [form for form in forms if not symmetric or form != "rows"]


CASES = [(name, form) for name in dict.fromkeys((*OWN, *NAMES)) for form in read_by(name)]


@pytest.mark.parametrize(("name", "form"), CASES)
def test_every_run_is_right(name, form, record_property):
    cases = [case for case in CASES if (case[0] in OWN) == (name in OWN)]
    runs = RUNS // len(cases) if name in OWN else RUNS // 10 // len(cases)
    tally = run_many(name, form, runs)
    record_property("runs", tally.runs)
    print(tally)
    assert not tally.wrong, str(tally)
