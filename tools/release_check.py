"""All of a release that can be proved on one machine: ``make release-check``.

Builds the sdists twice and the wheels of Linux by Zig, checks them, installs them where nothing
else is, runs the whole suite of the sdist against the installed wheel, and prints a table. It runs
on Linux on x86-64. ``--arm64-root`` is a folder with an arm64 Linux that has Python and NumPy: the
wheel for aarch64 is run in it by qemu-user. What is not proved is listed at the end; the exit code
is 1 if a check failed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zig_build import OBJECTS_ONLY, ROOT, TARGETS, build_wheel, compile_kernels

LARGEST = 6_000_000
"""Bytes of a wheel."""
FIRST_ANSWER = 15.0
"""Seconds from no environment to the answer of `skerry demo`; of processors if these are shared."""
SYSTEM = re.compile(r"lib(c|m|dl|pthread|rt|util)\.so|ld-linux|libc\.musl")
COMPILER = re.compile(r"(.*-)?(g?cc|[gc]\+\+|clang(\+\+)?|cmake|nvcc)(-[\d.]+)?|c\d\d")
QUICK_TESTS = ["tests/unit/test_threads_at_once.py", "tests/unit/union_find"]
QUICK_NEEDS = ["pytest", "pytest-xdist", "hypothesis", "scipy", "pyarrow"]
SMOKE = (
    "import skerry, numpy; a = numpy.arange(10**5); "
    "r = skerry.connected_components((a[:-1], a[1:]), num_vertices=a.size); "
    "assert r.count == 1 and r.verify(); print(skerry.__version__)"
)


@dataclass
class Row:
    """A line of the table."""

    file: Path
    checks: list[str] = field(default_factory=list)
    tests: str = "-"
    failed: list[str] = field(default_factory=list)

    @property
    def tag(self) -> str:
        """The tags of a wheel after its version."""
        return "-".join(self.file.stem.split("-")[2:]) if self.file.suffix == ".whl" else "source"

    def check(self, name: str, passed: bool, said: str = "") -> None:
        """Notes a check and says it at once."""
        (self.checks if passed else self.failed).append(name)
        mark = "ok" if passed else f"FAILED {said[-3000:]}"
        print(f"{self.file.name}: {name}: {mark}", flush=True)

    def run(self, name: str, command: Sequence[object], **options: Any) -> str:
        """A check by a program, whose exit code says whether it passed."""
        words = [*map(str, command)]
        done: subprocess.CompletedProcess[str] = subprocess.run(
            words, capture_output=True, text=True, check=False, **options
        )
        self.check(name, done.returncode == 0, done.stdout + done.stderr)
        return done.stdout


def tool(module: str, *arguments: object) -> list[object]:
    """A program of this environment."""
    return [Path(sys.executable).parent / module, *arguments]


def digest(path: Path) -> str:
    """The checksum of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sources(folder: Path) -> Iterator[Row]:
    """The sdists, and skerry-bench, which is pure: built twice."""
    for project in (ROOT, ROOT / "benchmarks"):
        both = []
        kinds = ["--sdist"] if project == ROOT else []
        for run in ("first", "second"):
            output = folder / run / project.name
            command = [
                sys.executable,
                "-m",
                "build",
                "--no-isolation",
                *kinds,
                "-o",
                output,
                project,
            ]
            subprocess.run([*map(str, command)], check=True, capture_output=True)
            both.append(sorted(output.iterdir()))
        for first, second in zip(*both, strict=True):
            row = Row(first)
            row.check("same twice", digest(first) == digest(second))
            row.run("twine", tool("twine", "check", "--strict", first))
            if kinds:
                row.run("pyroma", tool("pyroma", "--min=8", first))
            else:
                page = project / "pyproject.toml"
                row.run("validate-pyproject", tool("validate-pyproject", page))
            yield row


def check_wheel(row: Row) -> None:
    """What is in a wheel, and what it asks of the system."""
    wheel = row.file
    row.run("twine", tool("twine", "check", "--strict", wheel))
    row.run("contents", tool("check-wheel-contents", wheel))
    if "abi3" in row.tag:
        row.run("abi3audit", tool("abi3audit", "--strict", wheel))
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        native = next(name for name in names if "/_native." in name and name.endswith(".so"))
        library = Path(archive.extract(native, wheel.parent / "unpacked"))
    row.check("6 MB", wheel.stat().st_size < LARGEST, str(wheel.stat().st_size))
    row.check("CUDA sources", any(name.endswith(".cu") for name in names))
    row.check("SBOM", any(".dist-info/sboms/" in name for name in names))
    dynamic = subprocess.run(
        ["readelf", "--dynamic", str(library)], capture_output=True, text=True, check=True
    ).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    row.check("system libraries only", all(SYSTEM.match(name) for name in needed), str(needed))


def repair(wheel: Path, tag: str, folder: Path) -> Row:
    """The wheel with the tag of the system that it runs on, checked."""
    folder.mkdir(parents=True, exist_ok=True)
    old = wheel
    if tag.startswith("manylinux"):  # auditwheel reads wheels of musl on musl only
        # It knows by name the tags of this processor only; it may find an older glibc enough.
        command = tool("auditwheel", "repair", "--plat", "auto", "-w", folder / "auto", wheel)
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        subprocess.run([*map(str, command)], check=True, env=os.environ | {"PATH": path})
        old = next((folder / "auto").glob("*.whl"))
    command = tool("wheel", "tags", "--platform-tag", tag, old)
    done = subprocess.run([*map(str, command)], check=True, capture_output=True, text=True)
    row = Row(Path(shutil.move(old.parent / done.stdout.split()[-1], folder)))
    if old is wheel:
        check_musl(row)
    else:
        versions = map(int, re.findall(r"manylinux_2_(\d+)_", old.name))
        row.check("auditwheel", min(versions, default=99) <= int(tag.split("_")[2]), old.name)
    check_wheel(row)
    return row


def check_musl(row: Row) -> None:
    """No symbol of glibc, and none with a version."""
    with zipfile.ZipFile(row.file) as archive:
        native = next(name for name in archive.namelist() if "/_native." in name)
        library = archive.extract(native, row.file.parent / "musl")
    symbols = subprocess.run(
        ["readelf", "--wide", "--dyn-syms", library], capture_output=True, text=True, check=True
    ).stdout
    row.check("symbols", "GLIBC" not in symbols and "IFUNC" not in symbols)


def environment(python: Path, folder: Path) -> Path:
    """A fresh environment; returns its interpreter."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([str(python), "-m", "venv", str(folder)], check=True)
    return folder / "bin/python"


def first_answer(row: Row, python: Path, folder: Path) -> Path:
    """Installs the wheel where there is no compiler and nothing is cached, and runs the demo."""
    begin, used = time.perf_counter(), sum(os.times()[2:4])
    shutil.rmtree(folder, ignore_errors=True)
    row.run("environment", tool("uv", "venv", "--python", python, folder))
    inner = folder / "bin/python"
    bare = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    bare |= {"PATH": str(inner.parent), "UV_NO_CACHE": "1"}
    row.run("installs", tool("uv", "pip", "install", "--python", inner, row.file), env=bare)
    said = row.run("demo", [inner.parent / "skerry", "demo"], env=bare, cwd=folder)
    seconds, used = time.perf_counter() - begin, sum(os.times()[2:4]) - used
    row.check(
        f"first answer {seconds:.0f} s ({used:.0f} s of processors)",
        "2,136" in said and min(seconds, used) < FIRST_ANSWER,
    )
    clock = "time.process_time()"  # other programs do not change it
    code = f"import time; a = {clock}; import skerry; print({clock} - a)"
    times = [
        float(subprocess.check_output([inner, "-c", code], cwd=folder, text=True)) for _ in range(5)
    ]
    row.check(f"import {min(times):.3f} s", min(times) < 0.06)
    return inner


def without_compilers(folder: Path) -> Path:
    """A folder with links to the programs of the PATH, except those that compile."""
    folder.mkdir(parents=True)
    for directory in os.environ["PATH"].split(os.pathsep):
        for program in Path(directory).glob("*"):
            link = folder / program.name
            if not COMPILER.fullmatch(program.name) and not link.is_symlink():
                link.symlink_to(program)
    return folder


def run_tests(row: Row, inner: Path, sdist: Path, folder: Path, *, everything: bool) -> None:
    """Tests of the sdist against the installed wheel: no compiler, and no sources on the path."""
    shutil.rmtree(folder, ignore_errors=True)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    root = next(folder.iterdir())
    needs = ["--group", f"{root}/pyproject.toml:test"] if everything else QUICK_NEEDS
    row.run("test packages", tool("uv", "pip", "install", "--python", inner, *needs))
    choice = ["-n", "2", "--dist", "loadgroup", "-m", "not slow"] if everything else QUICK_TESTS
    unset = ("PYTHON", "CC", "CXX")
    bare = {key: value for key, value in os.environ.items() if not key.startswith(unset)}
    bare["PATH"] = f"{inner.parent}:{without_compilers(folder / 'bin')}"
    command = [inner, "-m", "pytest", *choice]
    said = row.run("suite" if everything else "threads", command, cwd=root, env=bare)
    row.tests = said.strip().splitlines()[-1].strip("= ") if said.strip() else "-"


def emulated(row: Row, root: Path | None) -> None:
    """Runs the wheel for aarch64 in an arm64 Linux by qemu-user."""
    qemu = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if root is None or qemu is None:
        row.tests = "unproved: no --arm64-root or no qemu-user"
        return
    site = root / "tmp/skerry"
    shutil.rmtree(site, ignore_errors=True)
    with zipfile.ZipFile(row.file) as archive:
        archive.extractall(site)
    python = sorted(root.glob("usr/bin/python3.[0-9]*[0-9]"))[-1]
    command = [qemu, "-L", root, "-E", f"PYTHONPATH={site}", python, "-c", SMOKE]
    row.run("runs on aarch64", command)
    row.tests = "smoke, by qemu"


def interpreters(stated: Sequence[Path]) -> Iterator[Path]:
    """Those that wheels are built for: named, or one of 3.12 or later and 3.11 of the PATH."""
    names = ("python3.13", "python3.12", "python3.14"), ("python3.11",), ("python3.14t",)
    for choices in names:
        for name in choices:
            path = shutil.which(name)
            usable = path and not subprocess.run([path, "-V"], capture_output=True).returncode
            if not stated and usable:
                yield Path(str(path))
                break
    yield from stated


def wheels(python: Path, names: Sequence[str], folder: Path) -> Iterator[tuple[str, Row]]:
    """The wheels of an interpreter for targets, repaired and checked."""
    inner = environment(python, folder / "tools")
    group = f"{ROOT}/pyproject.toml:build"
    subprocess.run([str(inner), "-m", "pip", "install", "-q", "-U", "pip>=25.1"], check=True)
    subprocess.run([str(inner), "-m", "pip", "install", "-q", "--group", group], check=True)
    for name in names:
        target = TARGETS[name]
        wheel = build_wheel(target, inner, ROOT, folder / name)
        yield name, repair(wheel, target.tag, folder / name / "repaired")


def print_table(rows: Sequence[Row], unproved: Sequence[str]) -> None:
    """The table, in Markdown."""
    print("\n| file | size | platform | checks | tests |\n|---|--:|---|---|---|")
    for row in rows:
        size = f"{row.file.stat().st_size:,}" if row.file.is_file() else "-"
        failed = "".join(f", FAILED {name}" for name in row.failed)
        cells = row.file.name, size, row.tag, ", ".join(row.checks) + failed, row.tests
        print("|", " | ".join(cells), "|")
    for name in unproved:
        print(f"unproved: {name}")


def main() -> int:
    """Builds, checks and prints; 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=Path, action="append", default=[], help="build for it")
    parser.add_argument("--arm64-root", type=Path, help="an arm64 Linux with Python and NumPy")
    parser.add_argument(
        "--skip", action="append", default=[], choices=[*TARGETS, "objects", "suite"]
    )
    parser.add_argument("--output", type=Path, default=ROOT / "build/release")
    arguments = parser.parse_args()
    output = arguments.output.resolve()
    log = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    os.environ.setdefault("SOURCE_DATE_EPOCH", log.stdout.strip() or "1735689600")
    shutil.rmtree(output, ignore_errors=True)
    rows = list(sources(output / "sources"))
    unproved = ["macOS and Windows wheels", "wheels of cibuildwheel's images", "trusted publishing"]
    for number, python in enumerate(interpreters(arguments.python)):
        names = [name for name in TARGETS if name not in arguments.skip]
        names = names if number == 0 else names[:1]
        for name, row in wheels(python, names, output / python.name):
            rows.append(row)
            if name == "x86_64":
                inner = first_answer(row, python, output / python.name / "fresh")
                if "suite" not in arguments.skip:
                    folder = output / python.name / "unpacked"
                    run_tests(row, inner, rows[0].file, folder, everything=number == 0)
            elif name == "aarch64":
                emulated(row, arguments.arm64_root)
            else:
                row.tests = "unproved: symbols only"
    for triple in () if "objects" in arguments.skip else OBJECTS_ONLY:
        row = Row(output / "objects" / triple, tests="compiled only")
        said = compile_kernels(triple, row.file)
        row.check("kernels", not said, "\n".join(said))
        rows.append(row)
    print_table(rows, unproved)
    return int(any(row.failed for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
