"""Compares the instruction counts of small fixed runs with a committed baseline.

``python tools/bench_guard.py [--update] [--base REVISION] [--tolerance PERCENT]``

The runs are those of guard_cases.py, counted by valgrind's callgrind, which repeats to about 0.1 %.
Instructions are not time, but a kernel that executes more of them does more work or is compiled
worse. Waiting for memory is not counted; `skerry bench compare` measures that.

Counts are compared with ``benchmarks/results/guard.json`` only if the architecture, the compiler
and the Python version are those of the baseline. Otherwise ``--base main`` builds that revision
here, into build/guard, and counts its instructions too. A case with over 3 % more instructions
fails, and so does a case of the baseline that no longer runs. ``--update`` writes a new baseline.

Exit codes: 0 no failure; 1 more instructions, or a missing case; 77 nothing can be compared here.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import re
import shutil
import site
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TOOLS = Path(__file__).resolve().parent
BASELINE = ROOT / "benchmarks/results/guard.json"
BUILDS = ROOT / "build/guard"
CANNOT = 77
"""The exit code that test harnesses count as skipped."""
TOLERANCE = 3.0
COMPILERS = (re.compile(rb"clang version [\w.-]+"), re.compile(rb"GCC: \([^)]*\) [\w.-]+"))
"""The marks of compilers in their output; files of clang also have that of the system's GCC."""

Counts = Mapping[str, int]


class CannotRunError(Exception):
    """Something that the guard needs is missing."""


@dataclass(frozen=True)
class Difference:
    """One case before and now."""

    case: str
    before: int
    now: int

    @property
    def percent(self) -> float:
        """The growth in percent."""
        return 100.0 * (self.now / self.before - 1.0)


def environment(native: Path) -> dict[str, str]:
    """What instruction counts depend on, apart from the source."""
    code = native.read_bytes()
    compiler = next(filter(None, (pattern.search(code) for pattern in COMPILERS)), None)
    return {
        "architecture": platform.machine(),
        "compiler": compiler[0].decode() if compiler else "unknown",
        "python": ".".join(platform.python_version_tuple()[:2]),
    }


def native_of_this() -> Path:
    """The compiled module of the skerry that this interpreter imports."""
    spec = importlib.util.find_spec("skerry._native")
    if spec is None or spec.origin is None:
        raise CannotRunError("skerry is not installed for this Python; run make bench-guard")
    return Path(spec.origin)


def count(folder: Path, *, packages: Path | None = None) -> dict[str, int]:
    """Instructions of each case; ``packages`` is a folder with another skerry to measure."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise CannotRunError("valgrind is not installed (apt install valgrind)")
    command = [valgrind, "--tool=callgrind", "--instr-atstart=no", sys.executable]
    command.insert(3, f"--callgrind-out-file={folder / 'counts'}")
    settings = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    settings["SKERRY_GUARD_MARKS"] = str(_marks(folder))
    if packages is not None:
        # Without site, an editable skerry does not come before the one to measure.
        command.append("-S")
        paths = [packages, *site.getsitepackages(), *filter(os.path.isdir, sys.path)]
        settings["PYTHONPATH"] = os.pathsep.join(map(str, paths))
    command.append(str(TOOLS / "guard_cases.py"))
    done = subprocess.run(
        command, env=os.environ | settings, capture_output=True, text=True, check=False
    )
    for line in done.stderr.splitlines():
        if not line.startswith("=="):
            print(f"  {line}")
    if done.returncode:
        raise CannotRunError(f"the cases failed under valgrind: {done.stderr[-1500:]}")
    return read_counts(folder)


def _marks(folder: Path) -> Path:
    """Compiles the library that switches counting on and off."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise CannotRunError("no C compiler (set CC)")
    library = folder / "marks.so"
    source = str(TOOLS / "guard_marks.c")
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotRunError(f"valgrind's headers cannot be compiled: {done.stderr[-500:]}")
    return library


def read_counts(folder: Path) -> dict[str, int]:
    """The totals of callgrind's files, by case."""
    totals = {}
    for path in sorted(folder.glob("counts.*")):
        text = path.read_text(errors="replace")
        case = re.search(r"^desc: Trigger: Client Request: (.+)$", text, re.MULTILINE)
        total = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
        if case and total:
            totals[case[1]] = int(total[1])
    return totals


def build_base(revision: str) -> Path:
    """A folder with skerry at a revision, built once."""
    command = ["git", "rev-parse", "--verify", f"{revision}^{{commit}}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotRunError(f"git has no revision {revision}: {done.stderr.strip()}")
    commit = done.stdout.strip()
    packages = BUILDS / commit / "packages"
    if (packages / "skerry").exists():
        return packages
    print(f"building {revision} ({commit[:10]}); this takes minutes")
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, "source.tar")
        subprocess.run(["git", "archive", "-o", str(archive), commit], cwd=ROOT, check=True)
        source = Path(folder, "source")
        shutil.unpack_archive(archive, source)
        options = ["--no-deps", "--no-build-isolation", "--target", str(packages), str(source)]
        command = [sys.executable, "-m", "pip", "install", "--quiet", *options]
        if subprocess.run(command, check=False).returncode:
            shutil.rmtree(packages, ignore_errors=True)
            raise CannotRunError(f"{revision} could not be built")
    return packages


def differences(before: Counts, now: Counts) -> list[Difference]:
    """Cases in both, largest growth first."""
    both = [Difference(case, before[case], now[case]) for case in before if case in now]
    return sorted(both, key=lambda difference: -difference.percent)


def judge(before: Counts, now: Counts, tolerance: float) -> int:
    """Prints what changed and returns the exit code."""
    changed = [case for case in differences(before, now) if abs(case.percent) > tolerance / 10]
    for case in changed:
        mark = "MORE" if case.percent > tolerance else ""
        counts = f"{case.before:>13,} {case.now:>13,} {case.percent:+8.2f} %"
        print(f"  {case.case:<32} {counts}  {mark}")
    lost = sorted(before.keys() - now.keys())
    new = sorted(now.keys() - before.keys())
    if new:
        print(f"not in the baseline: {', '.join(new)}")
    if lost:
        print(f"in the baseline, but did not run: {', '.join(lost)}")
    more = sum(case.percent > tolerance for case in changed)
    less = sum(case.percent < -tolerance for case in changed)
    if less:
        print(f"{less} cases take over {tolerance:g} % less: --update records that")
    worse = f"{more} of {len(before)} cases take" if more else "no case takes"
    print(f"{worse} over {tolerance:g} % more instructions")
    return 1 if more or lost else 0


def run(update: bool, base: str | None, tolerance: float) -> int:
    """Counts, then compares or writes a baseline; returns the exit code."""
    here = environment(native_of_this())
    if not (update or base):
        kept = json.loads(BASELINE.read_text())
        if kept["environment"] != here:
            raise CannotRunError(
                f"the baseline is of {_text(kept['environment'])}, this is {_text(here)}: their "
                "counts cannot be compared. ARGS='--base main' builds that revision here and "
                "compares with it"
            )
    with tempfile.TemporaryDirectory() as folder:
        now = count(Path(folder))
    if update:
        write_baseline(here, now)
        return 0
    if base:
        packages = build_base(base)
        with tempfile.TemporaryDirectory() as folder:
            return judge(count(Path(folder), packages=packages), now, tolerance)
    return judge(kept["counts"], now, tolerance)


def write_baseline(here: Mapping[str, str], counts: Counts) -> None:
    """Writes the counts as the new baseline."""
    baseline: dict[str, Any] = {"environment": here, "counts": counts}
    BASELINE.write_text(json.dumps(baseline, indent=1, sort_keys=True) + "\n")
    print(f"wrote {len(counts)} counts to {BASELINE.relative_to(ROOT)}")


def _text(environment: Mapping[str, str]) -> str:
    parts = environment["compiler"], environment["architecture"]
    return f"{', '.join(parts)}, Python {environment['python']}"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write a new baseline")
    parser.add_argument("--base", metavar="REVISION", help="compare with that revision, built here")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, metavar="PERCENT")
    arguments = parser.parse_args()
    try:
        return run(arguments.update, arguments.base, arguments.tolerance)
    except CannotRunError as missing:
        print(f"skipped: {missing}")
        return CANNOT


if __name__ == "__main__":
    sys.exit(main())
