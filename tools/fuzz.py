"""Coverage-guided fuzzing of all readers and native entry points: ``make fuzz TIME=3600``.

Readers of files run under atheris, native code under libFuzzer with AddressSanitizer and UBSan; the
seconds of ``--time`` are shared by all targets. Inputs come from the corpora in ``tests/fuzz`` and
from valid files of every format. ``--keep`` minimizes what was found into these corpora. Prints
executions and coverage. Exit codes: 0 clean; 1 an input that fails, whose file is named; 77 neither
fuzzer is here.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from sanitize import CANNOT, KERNELS, ROOT, Builder, BuildError, locked

from support.fuzzing import (
    NATIVE,
    READERS,
    corpus_of,
    dictionary,
    native_seeds,
    packed,
    seeds,
    unpacked,
)

TOOLS = Path(__file__).parent
BUILD = ROOT / "build/fuzz"
FLAGS = ["-std=c++20", "-g1", "-O1", "-fsanitize=fuzzer-no-link,address,undefined", "-pthread"]
FLAGS += ["-fno-sanitize-recover=all", "-DSKERRY_SMALL_RANGES", f"-I{KERNELS.parent}"]
SOURCES = {
    "fuzz_text": ("text/parse_edges", "text/parse_rows"),
    "fuzz_ids": ("ids/key_table", "ids/text_table", "ids/text_order", "ids/sort_keys"),
    "fuzz_spill": ("spill/block_forest", "spill/partition"),
    "fuzz_graph": ("own/rows", "own/stream", "passes/passes", "graph/inputs"),
}
"""Targets in C++, and the kernels that each is linked with."""
LONGEST = 4096
KEPT = 7000
"""Bytes of a corpus: the smallest inputs are kept."""
SHA1 = 40
"""Digits of the names that libFuzzer gives to what it has found."""
LIMITS = [f"-max_len={LONGEST}", "-timeout=25", "-rss_limit_mb=3000", "-print_final_stats=1"]


class Ended(NamedTuple):
    """What a run of a target has shown."""

    name: str
    runs: int
    covered: int
    edges: int
    """Of the instrumented code, where the fuzzer says how many there are."""
    failed: str


def native_targets(names: list[str], built: Path | None = None) -> dict[str, list[str]]:
    """Builds the targets in C++, unless they are built; returns how each is started."""
    if built is not None:
        return {name: [str(built / name)] for name in SOURCES if name in names}
    compiler = os.environ.get("FUZZ_CXX") or shutil.which("clang++")
    wanted = [name for name in SOURCES if name in names]
    if compiler is None or not wanted:
        return {}
    BUILD.mkdir(parents=True, exist_ok=True)
    with locked(BUILD):
        builder = Builder(compiler, tuple(FLAGS), BUILD)
        linker = Builder(compiler, (*FLAGS, "-fsanitize=fuzzer"), BUILD)
        programs = {}
        for name in wanted:
            kernels = (KERNELS / f"{source}.cpp" for source in SOURCES[name])
            objects = [builder.compile(path) for path in (NATIVE / f"{name}.cpp", *kernels)]
            programs[name] = [str(linker.link(objects, BUILD / name))]
    return programs


def reader_targets(names: list[str]) -> dict[str, list[str]]:
    """How each target in Python is started."""
    if importlib.util.find_spec("atheris") is None:
        return {}
    script = str(TOOLS / "fuzz_reader.py")
    return {name: [sys.executable, script, name] for name in READERS if name in names}


def write_inputs(name: str, folder: Path) -> Path:
    """The seeds of a target and its corpus, a file each."""
    inputs = folder / "inputs"
    inputs.mkdir(parents=True)
    kept = list(unpacked(corpus_of(name).read_bytes())) if corpus_of(name).exists() else []
    made = native_seeds(name) if name in SOURCES else seeds(name, folder)
    for number, data in enumerate([*made, *kept]):
        (inputs / f"{number}").write_bytes(data)
    return inputs


def run(name: str, command: list[str], seconds: float, folder: Path, keep: bool) -> Ended:
    """Fuzzes one target."""
    inputs = write_inputs(name, folder)
    words = folder / "words"
    words.write_text(dictionary(name))
    log = folder / "log"
    options = [*LIMITS, f"-dict={words}", f"-artifact_prefix={folder}/failed-"]
    with log.open("wb") as file:
        code = subprocess.run(
            [*command, *options, f"-max_total_time={max(seconds, 1):.0f}", str(inputs)],
            stdout=file,
            stderr=file,
            check=False,
        ).returncode
    text = log.read_text(errors="replace")
    numbers = {
        key: [int(value) for value in re.findall(pattern, text)]
        for key, pattern in (
            ("runs", r"stat::number_of_executed_units: (\d+)"),
            ("covered", r"\bcov: (\d+)"),
            ("edges", r"(\d+) inline 8-bit counters"),
        )
    }
    runs, covered, edges = (max(numbers[key], default=0) for key in ("runs", "covered", "edges"))
    failed = "" if code == 0 else f"exit code {code}: {log}"
    if keep and not failed:
        _keep(name, command, inputs, folder)
    return Ended(name, runs, covered, edges, failed)


def _keep(name: str, command: list[str], inputs: Path, folder: Path) -> None:
    """Writes inputs that cover what the seeds do not into the corpus, the smallest first.

    libFuzzer finds the fewest that suffice in C++; under atheris it cannot start itself again.
    """
    new_inputs = [path for path in inputs.iterdir() if len(path.name) == SHA1]
    if name in SOURCES:
        minimized = folder / "minimized"
        minimized.mkdir()
        merge = [*command, *LIMITS, "-merge=1", str(minimized), str(inputs)]
        subprocess.run(merge, capture_output=True, check=True)
        new_inputs = list(minimized.iterdir())
    kept = list(unpacked(corpus_of(name).read_bytes())) if corpus_of(name).exists() else []
    chosen, size = [], 0
    for data in sorted(
        {*kept, *(path.read_bytes() for path in new_inputs)}, key=lambda d: (len(d), d)
    ):
        size += len(data) + 4
        if size <= KEPT:
            chosen.append(data)
    corpus_of(name).parent.mkdir(exist_ok=True)
    corpus_of(name).write_bytes(packed(chosen))


def main() -> int:
    """Run the command line; return the exit code."""
    every = [*SOURCES, *READERS]
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("targets", nargs="*", default=every, help=", ".join(every))
    parser.add_argument("--time", type=float, default=120, help="seconds of all targets together")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", action="store_true", help="minimize into tests/fuzz")
    parser.add_argument(
        "--programs", type=Path, help="folder of the targets in C++, where they are built already"
    )
    arguments = parser.parse_args()
    try:
        targets = native_targets(arguments.targets, arguments.programs)
        targets |= reader_targets(arguments.targets)
    except BuildError as error:
        print(f"fuzz: the build failed\n{error}", file=sys.stderr)
        return 1
    missing = [name for name in arguments.targets if name not in targets]
    if missing:
        print(f"fuzz: left out, needs clang++ or atheris: {', '.join(missing)}")
    if not targets:
        return CANNOT
    folder = Path(tempfile.mkdtemp(prefix="skerry-fuzz-"))
    share = arguments.time / len(targets)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        runs = [
            pool.submit(run, name, command, share, folder / name, arguments.keep)
            for name, command in targets.items()
        ]
        ended = [each.result() for each in runs]
    for each in ended:
        part = f" of {each.edges:,} ({each.covered / each.edges:.0%})" if each.edges > 9 else ""
        print(f"{each.name:12} {each.runs:11,} runs, {each.covered:,} edges{part} {each.failed}")
    failures = sum(bool(each.failed) for each in ended)
    print(f"{sum(each.runs for each in ended):,} runs of {len(ended)} targets, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
