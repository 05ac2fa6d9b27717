"""Instructions of small fixed runs beside a committed baseline: speed without the noise of clocks.

``python tools/bench_guard.py [--update] [--base REVISION] [--tolerance PERCENT]``

The runs are those of guard_cases.py, counted by valgrind's callgrind, which is exact to about a
thousandth. Instructions are not time, but a kernel that suddenly executes more of them is either
doing more or compiled worse; a wait for memory is what this cannot see, and `skerry bench compare`
can.

The rule: counts are compared with ``docs/results/guard.json`` only where architecture, compiler and
Python are those it was made with. Elsewhere two trees are measured: ``--base main`` builds that
revision here, into build/guard, and takes it for the baseline. A case that takes over 3 % more
fails, and so does one of the baseline that no longer runs. ``--update`` writes the baseline anew.

Exit codes: 0 fine; 1 more instructions, or a case lost; 77 nothing can be compared here.
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
BASELINE = ROOT / "docs/results/guard.json"
BUILDS = ROOT / "build/guard"
CANNOT = 77
"""What test harnesses take for "skipped"."""
TOLERANCE = 3.0
COMPILERS = (re.compile(rb"clang version [\w.-]+"), re.compile(rb"GCC: \([^)]*\) [\w.-]+"))
"""What compilers leave in the files they make; clang's also have the GCC of the system in them."""

Counts = Mapping[str, int]


class CannotRunError(Exception):
    """Something that the guard needs is missing here."""


@dataclass(frozen=True)
class Difference:
    """One case before and now."""

    case: str
    before: int
    now: int

    @property
    def percent(self) -> float:
        """How much more it takes."""
        return 100.0 * (self.now / self.before - 1.0)


def environment(native: Path) -> dict[str, str]:
    """What instruction counts depend on beside the source."""
    code = native.read_bytes()
    found = next(filter(None, (compiler.search(code) for compiler in COMPILERS)), None)
    return {
        "architecture": platform.machine(),
        "compiler": found[0].decode() if found else "unknown",
        "python": ".".join(platform.python_version_tuple()[:2]),
    }


def native_of_this() -> Path:
    """The compiled part of the skerry that this interpreter imports."""
    found = importlib.util.find_spec("skerry._native")
    if found is None or found.origin is None:
        raise CannotRunError("skerry is not installed for this Python: make bench-guard does so")
    return Path(found.origin)


def count(folder: Path, *, packages: Path | None = None) -> dict[str, int]:
    """Instructions of each case; ``packages`` holds another skerry than this interpreter's."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise CannotRunError("valgrind is not installed (apt install valgrind)")
    command = [valgrind, "--tool=callgrind", "--instr-atstart=no", sys.executable]
    command.insert(3, f"--callgrind-out-file={folder / 'counts'}")
    settings = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    settings["SKERRY_GUARD_MARKS"] = str(_marks(folder))
    if packages is not None:
        # Without site, an editable skerry does not come before the one to be measured.
        command.append("-S")
        places = [packages, *site.getsitepackages(), *filter(os.path.isdir, sys.path)]
        settings["PYTHONPATH"] = os.pathsep.join(map(str, places))
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
    """Compiles the switch of the counting."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise CannotRunError("there is no C compiler")
    library = folder / "marks.so"
    source = str(TOOLS / "guard_marks.c")
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotRunError(f"valgrind's headers cannot be used: {done.stderr[-500:]}")
    return library


def read_counts(folder: Path) -> dict[str, int]:
    """The totals of callgrind's files, by the case that each was written for."""
    found = {}
    for path in sorted(folder.glob("counts.*")):
        text = path.read_text(errors="replace")
        case = re.search(r"^desc: Trigger: Client Request: (.+)$", text, re.MULTILINE)
        total = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
        if case and total:
            found[case[1]] = int(total[1])
    return found


def build_base(revision: str) -> Path:
    """The folder of packages with skerry as it was at a revision; built once."""
    asked = ["git", "rev-parse", "--verify", f"{revision}^{{commit}}"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotRunError(f"git knows no revision {revision}: {done.stderr.strip()}")
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
        wanted = ["--no-deps", "--no-build-isolation", "--target", str(packages), str(source)]
        command = [sys.executable, "-m", "pip", "install", "--quiet", *wanted]
        if subprocess.run(command, check=False).returncode:
            shutil.rmtree(packages, ignore_errors=True)
            raise CannotRunError(f"{revision} could not be built")
    return packages


def differences(before: Counts, now: Counts) -> list[Difference]:
    """Cases of both, the largest growth first."""
    both = [Difference(case, before[case], now[case]) for case in before if case in now]
    return sorted(both, key=lambda one: -one.percent)


def judge(before: Counts, now: Counts, tolerance: float) -> int:
    """Says what changed; the exit code."""
    changed = [one for one in differences(before, now) if abs(one.percent) > tolerance / 10]
    for one in changed:
        mark = "MORE" if one.percent > tolerance else ""
        print(f"  {one.case:<32} {one.before:>13,} {one.now:>13,} {one.percent:+8.2f} %  {mark}")
    lost = sorted(before.keys() - now.keys())
    new = sorted(now.keys() - before.keys())
    if new:
        print(f"not in the baseline: {', '.join(new)}")
    if lost:
        print(f"in the baseline, but did not run: {', '.join(lost)}")
    more = sum(one.percent > tolerance for one in changed)
    less = sum(one.percent < -tolerance for one in changed)
    if less:
        print(f"{less} cases take over {tolerance:g} % less: --update keeps that")
    told = f"{more} of {len(before)} cases take over {tolerance:g} % more instructions"
    print(f"{told if more else f'no case takes over {tolerance:g} % more instructions'}")
    return 1 if more or lost else 0


def run(update: bool, base: str | None, tolerance: float) -> int:
    """Counts, and compares or writes; the exit code."""
    here = environment(native_of_this())
    if not (update or base):
        kept = json.loads(BASELINE.read_text())
        if kept["environment"] != here:
            raise CannotRunError(
                f"the baseline is of {_told(kept['environment'])}, this is {_told(here)}: counts "
                "of one say nothing of the other. ARGS='--base main' builds that revision here "
                "and compares with it"
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
    """Keeps counts for later comparisons."""
    whole: dict[str, Any] = {"environment": here, "counts": counts}
    BASELINE.write_text(json.dumps(whole, indent=1, sort_keys=True) + "\n")
    print(f"wrote {len(counts)} counts to {BASELINE.relative_to(ROOT)}")


def _told(where: Mapping[str, str]) -> str:
    return f"{where['compiler']}, {where['architecture']}, Python {where['python']}"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write the baseline anew")
    parser.add_argument("--base", metavar="REVISION", help="compare with that revision, built here")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, metavar="PERCENT")
    given = parser.parse_args()
    try:
        return run(given.update, given.base, given.tolerance)
    except CannotRunError as missing:
        print(f"skipped: {missing}")
        return CANNOT


if __name__ == "__main__":
    sys.exit(main())
