"""What Python and the kernels both write down is the same: words, faults, constants, macros."""

from __future__ import annotations

import re
from enum import IntEnum

import pytest

from skerry.algorithms import gpu_planner
from skerry.algorithms.gpu import edge_copy, job, labels, published, row_solver, rows, stream
from skerry.algorithms.gpu.state import COPIES, COPY_WORDS, Count, InputFault, Word
from skerry.algorithms.gpu_planner import Strategy
from skerry.algorithms.number_ranges import WORDS
from skerry.cuda.runtime import BLOCK, LANES, Widths
from skerry.cuda.source import KERNELS, kernel_names, kernel_sources, source_text

PACKAGE = KERNELS.parent
HEADERS = sorted(
    path
    for folder in ("common", "gpu")
    for path in (KERNELS / folder).rglob("*")
    if path.suffix in (".h", ".cu")
)


def values_of_enum(path, name):
    """The names and values of a C++ enum: those without a value count up from the one before."""
    text = re.sub(r"//.*", "", (KERNELS / path).read_text())
    body = re.search(rf"enum {name}\b[^{{]*\{{([^}}]*)\}}", text)[1]
    values, value = {}, 0
    for part in filter(None, map(str.strip, body.split(","))):
        name, _, number = part.partition("=")
        value = int(number) if number else value
        values[name.strip()] = value
        value += 1
    return values


def in_capitals(name):
    """``kFaultPosition`` as Python writes it."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.removeprefix("k")).upper()


def constants():
    """All constants of the kernels that are whole numbers, by name."""
    expressions, macros = {}, {}
    for path in HEADERS:
        text = path.read_text()
        expressions |= dict(re.findall(r"constexpr \w+ (k\w+) = ([^;]+);", text))
        macros |= {name: int(n) for name, n in re.findall(r"#define (SKERRY_\w+) (\d+)\b", text)}
    known = {}
    for _ in expressions:  # in any order: each pass adds those whose parts are known
        for name, expression in expressions.items():
            words = set(re.findall(r"k[A-Z]\w*", expression))
            if name not in known and words <= known.keys() and "{" not in expression:
                known[name] = int(eval(expression.replace("/", "//").rstrip("u"), macros, known))
    return known


CONSTANTS = constants()


@pytest.mark.parametrize(
    ("name", "own"), [("StateWord", Word), ("Fault", InputFault), ("Count", Count)]
)
def test_enums(name, own):
    assert issubclass(own, IntEnum)
    theirs = values_of_enum("gpu/state.h", name)
    assert {in_capitals(one): value for one, value in theirs.items()} == dict(own.__members__)


def test_words_that_are_read_together_lie_side_by_side():
    assert (Word.FAULT, Word.FAULT_POSITION, Word.CHANGED) == (0, 1, 2)
    assert Word.BACK == Word.FRONT + 1


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (BLOCK, "kBlock"),
        (COPIES, "kCopies"),
        (COPY_WORDS, "kCopyWords"),
        (job.SAMPLERS, "kSamples"),
        (row_solver.CHUNK, "kChunk"),
        (row_solver.HEAVY_FROM, "kHeavyFrom"),
        (gpu_planner.LANES, "kLanes"),
        (LANES, "kLanes"),
        (published.RECORD_WORD, "kLanes"),
        (edge_copy.RUN, "kLanes"),
    ],
)
def test_constants(value, name):
    assert CONSTANTS[name] == value


def repeated():
    """Constants of Python whose comment names a header's: ``TILE = 1024  # kTile of x.h``."""
    line = re.compile(
        r"^([A-Z_]+) = ([^#\n]+?)  # (k\w+(?:(?:, | and )k\w+)*) of ([\w/]+\.h)", re.M
    )
    for path in sorted(PACKAGE.rglob("*.py")):
        for name, value, theirs, header in line.findall(path.read_text()):
            for one in re.split(", | and ", theirs):
                yield pytest.param(name, value, one, header, id=f"{path.stem}.{name}-{one}")


@pytest.mark.parametrize(("name", "value", "theirs", "header"), [*repeated()])
def test_constants_that_say_whose_they_are(name, value, theirs, header):
    assert f" {theirs} = " in (KERNELS / "gpu" / header).read_text(), name
    assert CONSTANTS[theirs] == eval(value)


def test_there_are_constants_that_say_whose_they_are():
    assert len([*repeated()]) >= 3


def test_stretches_of_labels():
    text = (KERNELS / "gpu/passes/labels.cu").read_text()
    assert f"constexpr u64 kStretch = {labels.STRETCH};" in text


def test_ordered_lists():
    text = (KERNELS / "gpu/own/stream.cu").read_text()
    assert f"constexpr u32 kAdjacentShare = {stream.ORDERED_SHARE};" in text
    assert "kAdjacentShare * state[kAdjacent] >= kBlock" in text
    least = BLOCK // stream.ORDERED_SHARE
    assert stream.is_ordered(least) and not stream.is_ordered(least - 1)


def test_strategies():
    theirs = values_of_enum("gpu/own/strategy.h", "Strategy")
    own = {strategy.name: strategy.value for strategy in Strategy}
    assert {in_capitals(name): number for name, number in theirs.items()} == own
    auto, *words = WORDS["strategy"]
    assert auto == "auto" and [own[word.upper()] for word in words] == [1, 2, 3]


@pytest.mark.parametrize("names", [rows.JUMP, rows.FINISH])
def test_jumps_and_finishes_are_structs_of_the_core(names):
    core = (KERNELS / "common/union_find.h").read_text()
    for name in names.values():
        assert f"struct {name} {{" in core


def test_macros_of_the_widths_are_those_of_the_types():
    for define in Widths(32, 64, 32).defines:
        name, value = define.split("=")
        assert value in ("32", "64")
        assert f"UnsignedOf<{name}>" in (KERNELS / "gpu/types.h").read_text()


def test_sources_have_names_of_their_own():
    assert len(kernel_sources()) == len([*(KERNELS / "gpu").rglob("*.cu")])


@pytest.mark.parametrize("source", kernel_sources())
def test_sources_include_nothing_of_a_library(source):
    text = source_text(source)
    assert "#include" not in text
    assert "std::" not in text
    assert text.isascii()
    assert text.count("#pragma once") == 0


@pytest.mark.parametrize("source", ["rows", "stream"])
def test_every_kernel_of_a_program_waits_for_the_one_before_it(source):
    """First of all, as it may have been set up while that one still runs."""
    text = source_text(source)
    bounded = r'extern "C" __global__ void(?:\s+__launch_bounds__\(.*\))?'
    bodies = dict(re.findall(bounded + r"\s+(\w+)\([^{;]*\) \{\n(.*)\n", text))
    assert set(bodies) == set(kernel_names(source))
    assert {first.strip() for first in bodies.values()} == {"wait_for_previous();"}
