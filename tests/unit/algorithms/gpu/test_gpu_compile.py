"""Every kernel, compiled by NVRTC for every generation of GPUs it is meant for, without a warning.

Nothing is run, so no GPU is needed. The compiler comes as a wheel; see the test group of
pyproject.toml.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, product

import pytest

from skerry.algorithms.gpu.rows import FINISH, JUMP, LOADS
from skerry.cuda.runtime import Widths
from skerry.cuda.source import compile_options, kernel_names, kernel_sources, source_text
from support import nvrtc

ARCHITECTURES = {12: (70, 80, 90, 120), 13: (75, 90, 120)}
"""By release of the compiler; 13 has dropped Volta, which is 70."""
TARGETS = [(release, one) for release, all_of_it in ARCHITECTURES.items() for one in all_of_it]

OPTIMIZED = {TARGETS[0], TARGETS[-1]}
"""The oldest and the newest: every source, as a run compiles it. For those between, the compiler
does not optimize, which halves its time, and each takes half of the sources."""

WIDTHS = (Widths(32, 32, 32), Widths(32, 64, 64), Widths(64, 64, 64))
VARIANTS = ((), ("SKERRY_COUNTING",), ("SKERRY_COUNTING_HOOKS",))
CHOICES = {
    "SKERRY_JUMP": tuple(JUMP.values()),
    "SKERRY_FINISH": tuple(FINISH.values()),
    "SKERRY_LOADS": tuple(LOADS.values()),
    "SKERRY_RUNS_OF_WORD": (16, 32),
}
"""Macros that name a choice, with what they can be; a source that uses one needs it."""
OLD = re.compile(r"^nvrtc: warning: Architectures prior to .* are deprecated.*\n?")
"""What NVRTC 12 says of Volta, whatever the source."""
ALWAYS = {
    *("SKERRY_VERTEX_BITS", "SKERRY_ID_BITS", "SKERRY_OFFSET_BITS"),
    *("SKERRY_COUNTING", "SKERRY_COUNTING_HOOKS"),
}


def macros_of(source):
    """Macros that a source uses and leaves to the host."""
    text = re.sub(r"//.*", "", source_text(source))
    used = set(re.findall(r"\bSKERRY_\w+", text))
    return used - set(re.findall(r"#define (SKERRY_\w+)", text))


def compilations():
    """For every target, the macros it is compiled with: all widths and choices have their turn."""
    pairs = cycle(product(WIDTHS, VARIANTS))
    for turn, (target, (widths, variant)) in enumerate(zip(TARGETS, pairs, strict=False)):
        chosen = {name: values[turn % len(values)] for name, values in CHOICES.items()}
        yield target, (*widths.defines, *variant), chosen


def defines_of(source, common, chosen):
    own = macros_of(source)
    return (*common, *(f"{name}={value}" for name, value in chosen.items() if name in own))


def sources_for(target):
    """Sources that are compiled for a target: those with a choice for all, for every value."""
    turn = TARGETS.index(target)
    for number, source in enumerate(kernel_sources()):
        if target in OPTIMIZED or (number + turn) % 2 == 0 or macros_of(source) & set(CHOICES):
            yield source


COMPILED = {target: (common, chosen) for target, common, chosen in compilations()}


@pytest.mark.parametrize(("release", "architecture"), TARGETS)
def test_kernels_compile(release, architecture):
    compiler = nvrtc.load(release)
    if compiler is None:
        pytest.skip(f"NVRTC {release} is not installed; pip install --group test brings it")
    assert architecture in compiler.architectures()
    common, chosen = COMPILED[release, architecture]

    def failure(source):
        options = compile_options(defines_of(source, common, chosen))
        effort = () if (release, architecture) in OPTIMIZED else ("--Ofast-compile=max",)
        target = f"-arch=sm_{architecture}"
        code, said = compiler.compile(source, source_text(source), (*options, target, *effort))
        if code is None or OLD.sub("", said):
            return f"{source}.cu for sm_{architecture} with {' '.join(options)}:\n{said}"
        missing = [name for name in kernel_names(source) if name.encode() not in code]
        return f"{source}.cu lacks {', '.join(missing)}" if missing else ""

    with ThreadPoolExecutor(2) as pool:
        failures = "\n".join(filter(None, pool.map(failure, sources_for((release, architecture)))))
    assert not failures


def test_the_oldest_generation_is_really_compiled_for():
    compiler = nvrtc.load(12)
    if compiler is None:
        pytest.skip("NVRTC 12 is not installed")
    assert 70 in compiler.architectures()


@pytest.mark.parametrize("release", ARCHITECTURES)
def test_launch_bounds_suit_every_generation(release):
    """Multiprocessors hold 1024, 1536 or 2048 threads; a kernel with more does not launch."""
    compiler = nvrtc.load(release)
    if compiler is None:
        pytest.skip(f"NVRTC {release} is not installed")
    kernel = '\nextern "C" __global__ void __launch_bounds__(skerry::kBlock, SKERRY_FULL) full() {}'
    options = compile_options(WIDTHS[0].defines)
    for one in compiler.architectures():
        if one >= 70:
            target = f"-arch=sm_{one}"
            _, said = compiler.compile("init", source_text("init") + kernel, (*options, target))
            assert not OLD.sub("", said), one


def test_every_choice_has_its_turn():
    for name, values in CHOICES.items():
        assert {chosen[name] for _, chosen in COMPILED.values()} == set(values)
    widths = len(WIDTHS[0].defines)
    assert {common[:widths] for common, _ in COMPILED.values()} == {w.defines for w in WIDTHS}
    assert {common[widths:] for common, _ in COMPILED.values()} == set(VARIANTS)


@pytest.mark.parametrize("source", kernel_sources())
def test_every_source_is_compiled_for_several_generations(source):
    releases = [target[0] for target in TARGETS if source in sources_for(target)]
    assert set(releases) == set(ARCHITECTURES) and len(releases) >= 4


@pytest.mark.parametrize("source", kernel_sources())
def test_every_macro_is_known(source):
    assert macros_of(source) <= ALWAYS | set(CHOICES), "a new macro must have its turn in CHOICES"


@pytest.mark.parametrize("source", kernel_sources())
def test_every_kernel_is_found_by_name(source):
    names = kernel_names(source)
    assert len(names) == len(set(names)) == source_text(source).count('extern "C" __global__') > 0


def test_the_compiler_is_heard():
    """A checker that lets everything pass would be no use."""
    compiler = nvrtc.load(13) or nvrtc.load(12)
    if compiler is None:
        pytest.skip("NVRTC is not installed")
    options = (*compile_options(Widths(32, 32, 32).defines), "-arch=sm_90")
    text = source_text("init")
    assert compiler.compile("init", text, options)[1] == ""
    unused = text.replace("Vertex smallest =", "int unused = 1;\n    Vertex smallest =")
    code, said = compiler.compile("init", unused, options)
    assert code is not None and "unused" in said and "gpu/passes/init.cu(" in said
    code, said = compiler.compile("init", text.replace("Vertex* parent", "Vertx* parent"), options)
    assert code is None and "Vertx" in said
