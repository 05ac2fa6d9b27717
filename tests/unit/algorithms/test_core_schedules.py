"""All schedules of the lock-free core on a few vertices, and mutants of it that must be found.

tests/native/model/model.h says what is searched; `make model` searches what takes longer.
"""

from __future__ import annotations

import subprocess
from typing import NamedTuple

import pytest

from support.emulator import compiler, works
from support.paths import ROOT, TESTS

pytestmark = [
    pytest.mark.skipif(not works(), reason="needs a C++ compiler"),
    pytest.mark.xdist_group("core_schedules"),
]

MODEL = TESTS / "native/model"
KERNELS = ROOT / "src/skerry/kernels"
CORE, WALK, LABELS, MEMORY = (
    "common/union_find.h",
    "gpu/own/walk.h",
    "gpu/own/final_links.h",
    "gpu/memory.h",
)


class Mutant(NamedTuple):
    """A change of a header of the kernels, what to search, and what the search says of it."""

    name: str
    header: str
    old: str
    new: str
    section: str
    wrong: str


HOOK = "const Vertex seen = Memory::compare_and_swap(parent + high, high, low);"
JOINED = "const Vertex seen = Device::compare_and_swap(links + high, high, low);"
TOP = "find_end<kUnbounded>(links, largest, 0, tally)"
SWAP = "return atomicCAS(address, expected, desired);"

SPLIT = "a tree is not joined"
RAISED = "a parent is larger than its vertex"
LABEL = "a label is not the root"

MUTANTS = [
    Mutant(
        *("a hook by a store", CORE, HOOK),
        "const Vertex seen = high; Memory::store(parent + high, low);",
        *("unite-halving", SPLIT),
    ),
    Mutant(
        *("a hook by a load and a store", CORE, HOOK),
        "const Vertex seen = Memory::load(parent + high);"
        " if (seen == high) Memory::store(parent + high, low);",
        *("unite-halving", SPLIT),
    ),
    Mutant(
        *("a lost hook is not made again", CORE, "    a = seen;\n", "    return low;\n"),
        *("unite-halving", SPLIT),
    ),
    Mutant(
        *("a vertex is hooked that is no root", CORE, HOOK),
        "Vertex seen = Memory::load(parent + high);"
        " Memory::compare_and_swap(parent + high, seen, low); seen = high;",
        *("unite-halving", "a wrong count of hooks"),
    ),
    Mutant(
        *("the smaller root goes below the larger", CORE, HOOK),
        "const Vertex seen = Memory::compare_and_swap(parent + low, low, high);",
        *("unite-none", RAISED),
    ),
    Mutant(
        *("a lost hook goes on from where it was", CORE, "    b = low;\n", "    b = high;\n"),
        *("unite-none", "a call does not end"),
    ),
    Mutant(
        *("a hook is not counted", CORE, "tally.hooked();", ""),
        *("unite-none", "a wrong count of hooks"),
    ),
    Mutant(
        *("a find stores its root over that of another", CORE, "if (root < first) Memory::store"),
        *("Memory::store", "unite-single", "a hooked vertex becomes a root"),
    ),
    Mutant(
        *("a vertex that is no root counts as joined", CORE, "if (parent_u == parent_v) return;"),
        "if (parent_u == parent_v || parent_u != u) return;",
        *("unite-if-apart", SPLIT),
    ),
    Mutant(
        *("halving links the wrong way", CORE, "Memory::store(parent + previous, next);"),
        *("Memory::store(parent + next, previous);", "unite-halving", "vertex 0 gets a parent"),
    ),
    Mutant(
        *("the last pass halves by a store", CORE),
        "Memory::compare_and_swap(parent + previous, here, next);",
        "Memory::store(parent + previous, next);",
        *("finishes", LABEL),
    ),
    Mutant(
        *("each thread of the GPU shortens one path in the last pass", LABELS, TOP),
        *("find_end(links, largest, 0, tally)", "gpu-labels", LABEL),
    ),
    Mutant(
        *("a hook of the GPU believes its cache", WALK, JOINED),
        "Vertex seen = CachedDevice::load(links + high);"
        " if (seen == high) Device::store(links + high, low);",
        *("gpu-joined", SPLIT),
    ),
    Mutant(
        *("a hook of the GPU is not atomic", MEMORY, SWAP),
        "const T seen = relaxed_load(address);"
        " if (seen == expected) relaxed_store(address, desired); return seen;",
        *("gpu-join", SPLIT),
    ),
    Mutant(
        *("a hook of the GPU is taken to succeed", WALK, JOINED),
        "Device::compare_and_swap(links + high, high, low); const Vertex seen = high;",
        *("gpu-joined", SPLIT),
    ),
]


def compile_part(name, folder, includes=()):
    """The object file of a part of the search."""
    made = folder / f"{name}.o"
    paths = (f"-I{path}" for path in (*includes, KERNELS))
    command = [compiler(), "-std=c++20", "-O2", "-w", *paths, "-c", MODEL / f"{name}.cpp"]
    subprocess.run([*command, "-o", made], check=True)
    return made


def link(parts, folder):
    """The program made of the parts."""
    program = folder / "check_core"
    subprocess.run([compiler(), *parts, "-o", program], check=True)
    return program


def search(program, *arguments):
    """The exit code and what was said."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """All parts, as they are."""
    folder = tmp_path_factory.mktemp("model")
    names = ("check_core", "core_calls", "own_calls", "gpu_calls")
    return {name: compile_part(name, folder) for name in names}


def test_all_schedules_are_right(parts, tmp_path):
    code, said = search(link(parts.values(), tmp_path), "quick")
    assert code == 0, said
    assert said.endswith("all schedules are right\n") and said.count("\n") > 10


def test_hooks_beside_the_last_pass_are_found(parts, tmp_path):
    """Only the end of a pass keeps them apart."""
    code, said = search(link(parts.values(), tmp_path), "unsynced")
    assert code == 1 and "WRONG unsynced" in said


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutants_are_found(mutant, parts, tmp_path):
    text = (KERNELS / mutant.header).read_text()
    assert mutant.old in text
    changed = tmp_path / mutant.header
    changed.parent.mkdir(parents=True)
    changed.write_text(text.replace(mutant.old, mutant.new))
    part = "core_calls" if mutant.header == CORE else "gpu_calls"
    others = [other for name, other in parts.items() if name != part]
    program = link([compile_part(part, tmp_path, [tmp_path]), *others], tmp_path)
    code, said = search(program, mutant.section)
    assert code == 1 and mutant.wrong in said, said
