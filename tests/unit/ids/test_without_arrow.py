"""Integer ids where pyarrow is not installed, in an interpreter that cannot import it."""

from __future__ import annotations

from textwrap import dedent

import pytest

from support.no_arrow import run_without_arrow

PRELUDE = """
import sys
import numpy as np
from skerry.errors import InputError, UnsupportedError
from skerry.ids.external import External
from skerry.ids.id_space import Counted, Positions
from skerry.ids.objects import Objects
from skerry.ids.numbering import Numbering

def error_of(call, *arguments):
    try:
        call(*arguments)
    except (InputError, UnsupportedError) as error:
        print(type(error).__name__, error)
"""


def lines_of(code):
    """The lines that code prints without pyarrow."""
    return run_without_arrow(PRELUDE + dedent(code)).splitlines()


@pytest.mark.parametrize(
    "column",
    [
        "np.array([70, -3, 70], np.int16)",
        "np.array([70, -3, 70], '>i8')",
        "[70, -3, 70]",
        "np.array([70, -3, 70], object)",
    ],
)
def test_integers_are_numbered(column):
    code = f"""
    numbering = Numbering()
    print(numbering.number([], 1).tolist(), numbering.number(np.array([], object), 1).tolist())
    print(numbering.number({column}, 1).tolist(), numbering.size)
    for take in (numbering.in_order, numbering.take_in_order):
        ids, order = take(2)
        print(type(ids).__name__, ids.dtype.kind, ids.tolist(), order.tolist())
    print("pyarrow" in sys.modules)
    """
    ordered = "ndarray i [-3, 70] [1, 0]"
    assert lines_of(code) == ["[] []", "[0, 1, 0] 2", ordered, ordered, "False"]


def test_composite_integers_are_numbered():
    code = """
    numbering = Numbering()
    print(numbering.number((np.array([2, 1, 2], np.uint8), np.array([-5, 7, -6])), 1).tolist())
    ids, order = numbering.take_in_order(1)
    print([(column.tolist(), str(column.dtype)) for column in ids], order.tolist())
    print(Numbering().in_order(1)[0].dtype)
    """
    assert lines_of(code) == [
        "[0, 1, 2]",
        "[([1, 2, 2], 'uint8'), ([7, -6, -5], 'int64')] [1, 2, 0]",
        "int64",
    ]


def test_ids_are_looked_up():
    code = """
    import pickle
    ids = pickle.loads(pickle.dumps(External(np.array([-3, 70]))))
    print(ids.positions([70, 5]).tolist(), ids.position(-3), ids.objects(np.array([1])))
    composite = External((np.array([1, 1, 2]), np.array([5, 6, 5])), ("a", "b"))
    print(composite.positions([(1, 6), (2, 6)]).tolist(), composite.lookup((2, 5)).tolist())
    print(Positions(3).lookup([2, 0]).tolist(), Counted(1, 3).position(3))
    objects = Objects(["a", None])
    print(objects.position(None), objects.objects(np.array([0])))
    error_of(objects.column, np.array([0]))
    """
    assert lines_of(code) == [
        "[1, -1] 0 [70]",
        "[1, -1] 2",
        "[2, 0] 2",
        "1 ['a']",
        "UnsupportedError a column of ids that are not integers needs pyarrow: "
        "pip install 'skerry[arrow]'",
    ]


@pytest.mark.parametrize(
    ("column", "purpose"),
    [
        ("np.array(['a', 'b'])", "a column of ids of type <U1"),
        ("np.array(['a', 'b'], object)", "a column of ids that are not integers"),
        ("np.array(['2020-01-01'], 'M8[D]')", "a column of ids of type datetime64[D]"),
        ("np.array([True])", "a column of ids of type bool"),
        ("['a', 'b']", "a column of ids that are not integers"),
    ],
)
def test_other_ids_say_that_they_need_pyarrow(column, purpose):
    message = f"UnsupportedError {purpose} needs pyarrow: pip install 'skerry[arrow]'"
    assert lines_of(f"error_of(Numbering().number, {column}, 1)") == [message]


def test_bad_columns_are_refused_as_ever():
    code = """
    error_of(Numbering().number, np.array([1.5]), 1)
    error_of(Numbering().number, np.array([1.5, np.nan]), 1)
    error_of(Numbering().number, 3, 1)
    error_of(Numbering().number, np.zeros((2, 2), int), 1)
    """
    floats, missing, number, table = lines_of(code)
    assert floats.startswith("InputError floats are not ids")
    assert missing.startswith("InputError row 1 of the ids is missing (NaN)")
    assert number.startswith("InputError a int is not a column of ids")
    assert table.startswith("InputError a column of ids has one dimension")
