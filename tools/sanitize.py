"""Build the native drivers and all kernels under a sanitizer and run them.

``python tools/sanitize.py {thread,address} --size 300 [--kernel NAME]``

``thread`` is ThreadSanitizer, ``address`` is AddressSanitizer with UndefinedBehaviorSanitizer.
Every ``tests/native/*.cpp`` is a driver with a ``main`` of its own; it is linked with all kernels
but not with the Python bindings, and called as ``driver SIZE [KERNEL]``. Teams run on the pool of
cpu/pool.h as everywhere, so it is checked too. With ``address``, the targets of ``make fuzz`` in
C++ run all inputs of their corpora.

Exit codes: 0 clean; 1 a report, a failed check or a failed build; 77 the compiler, or this
machine, cannot run the sanitizer. Only changed files are compiled again.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDES = ROOT / "src/skerry/kernels"
KERNELS = INCLUDES / "cpu"
DRIVERS = ROOT / "tests/native"
CORPORA = ROOT / "tests/fuzz"
KERNEL_DRIVER = "check_kernels"
"""The driver that knows kernels by name."""

CANNOT = 77
"""Exit code that test harnesses treat as "skipped"."""
COMMON = ["-std=c++20", "-g1", "-fno-omit-frame-pointer", "-pthread"]
COMMON += ["-DSKERRY_SMALL_RANGES", f"-I{INCLUDES}"]
FLAGS = {
    "thread": ["-O1", "-fsanitize=thread"],
    # Optimizing the inserted checks takes the compiler three times as long as the complete run.
    "address": ["-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
}
PROBE = "#include <thread>\nint main() { std::thread([] {}).join(); }\n"


class CannotRunError(Exception):
    """The sanitizer is missing or does not work here."""


class BuildError(Exception):
    """The compiler or linker refused."""


@dataclass(frozen=True)
class Launcher:
    """How to start an instrumented program on this machine."""

    prefix: tuple[str, ...] = ()
    options: str = ""
    note: str = ""

    def run(self, command: list[str], *, quiet: bool = False) -> int:
        """Start ``command`` and return its exit code."""
        inherited = {name: os.environ.get(name, "") for name in ("ASAN_OPTIONS", "TSAN_OPTIONS")}
        options = {name: f"{value}:{self.options}".strip(":") for name, value in inherited.items()}
        stream = subprocess.DEVNULL if quiet else None
        return subprocess.run(
            [*self.prefix, *command],
            env=os.environ | options,
            stdout=stream,
            stderr=stream,
            check=False,
        ).returncode


@dataclass(frozen=True)
class Builder:
    """Compiles into one folder, and only what has changed."""

    compiler: str
    flags: tuple[str, ...]
    folder: Path

    def compile(self, source: Path) -> Path:
        """Return the object file of ``source``, made anew if anything it includes is newer."""
        out = self.folder / f"{source.parent.name}-{source.stem}.o"
        deps = out.with_suffix(".d")
        if not _stale(out, deps):
            return out
        part = out.with_suffix(".part")
        self._call([*self.flags, "-MD", "-MF", str(deps), "-c", str(source), "-o", str(part)])
        part.replace(out)
        return out

    def link(self, objects: list[Path], out: Path) -> Path:
        """Return the program made of ``objects``."""
        if not out.exists() or any(_newer(each, out) for each in objects):
            self._call([*self.flags, *map(str, objects), "-o", str(out)])
        return out

    def _call(self, arguments: list[str]) -> None:
        done = subprocess.run(
            [self.compiler, *arguments], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise BuildError(done.stderr.strip())


def _newer(path: Path, other: Path) -> bool:
    return path.stat().st_mtime_ns > other.stat().st_mtime_ns


def _stale(out: Path, deps: Path) -> bool:
    if not out.exists() or not deps.exists():
        return True
    listed = deps.read_text().partition(":")[2].replace("\\\n", " ").split()
    return any(not Path(each).exists() or _newer(Path(each), out) for each in listed)


def find_compiler() -> str:
    """Return $CXX, or the first C++ compiler on the path."""
    for name in (os.environ.get("CXX", ""), "g++", "clang++", "c++"):
        if name and shutil.which(name):
            return name
    raise CannotRunError("no C++ compiler found; set CXX")


def find_launcher(builder: Builder, kind: str) -> Launcher:
    """Try the sanitizer on an empty program; some machines need another way to start it."""
    source = builder.folder / "probe.cpp"
    if not source.exists():
        source.write_text(PROBE)
    try:
        probe = builder.link([builder.compile(source)], builder.folder / "probe")
    except BuildError as error:
        reason = str(error).splitlines()[0] if str(error) else "it fails on an empty program"
        raise CannotRunError(f"{builder.compiler} has no {kind} sanitizer here: {reason}") from None
    launchers = [Launcher()]
    if kind == "thread" and shutil.which("setarch"):
        # With many bits of address randomization, memory lies where TSan does not support it.
        prefix = ("setarch", platform.machine(), "-R")
        launchers.append(Launcher(prefix, note="without address randomization"))
    if kind == "address":
        # The search for leaks uses ptrace, which containers and debuggers may deny.
        launchers.append(Launcher(options="detect_leaks=0", note="without the search for leaks"))
    for launcher in launchers:
        if launcher.run([str(probe)], quiet=True) == 0:
            return launcher
    raise CannotRunError(f"an empty program does not run under the {kind} sanitizer here")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Prevent other processes from building in ``folder`` at the same time."""
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def prepare(kind: str, build_dir: Path, jobs: int) -> tuple[Launcher, list[Path]]:
    """Build everything; return how to run it, and the programs."""
    compiler = find_compiler()
    flags = (*COMMON, *FLAGS[kind])
    folder = build_dir / kind
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        _forget_if_changed(folder, [compiler, *flags])
        builder = Builder(compiler, flags, folder)
        launcher = find_launcher(builder, kind)
        kernels = sorted(
            path for path in KERNELS.rglob("*.cpp") if not path.stem.startswith("bind")
        )
        drivers = sorted(DRIVERS.glob("*.cpp"))
        fuzzed = sorted((DRIVERS / "fuzz").glob("fuzz_*.cpp")) if kind == "address" else []
        with ThreadPoolExecutor(jobs) as pool:
            objects = list(pool.map(builder.compile, kernels + drivers + fuzzed))
        shared, own = objects[: len(kernels)], objects[len(kernels) :]
        replay = [builder.compile(DRIVERS / "fuzz/replay.cpp")] if fuzzed else []
        programs = [
            builder.link(
                [main, *(replay if driver in fuzzed else []), *shared], folder / driver.stem
            )
            for main, driver in zip(own, drivers + fuzzed, strict=True)
        ]
    return launcher, programs


def _forget_if_changed(folder: Path, command: list[str]) -> None:
    # Objects of another compiler or of other flags cannot be reused.
    stamp, line = folder / "command", " ".join(command)
    if not stamp.exists() or stamp.read_text() != line:
        for old in folder.glob("*.o"):
            old.unlink()
        stamp.write_text(line)


def main() -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kind", choices=sorted(FLAGS))
    parser.add_argument("--size", type=int, default=3000, help="vertices of the test graphs")
    parser.add_argument("--kernel", help=f"only this kernel, and only by {KERNEL_DRIVER}")
    parser.add_argument("--jobs", type=int, default=2, help="compilers at a time")
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build/sanitize")
    arguments = parser.parse_args()
    try:
        launcher, programs = prepare(arguments.kind, arguments.build_dir, arguments.jobs)
    except CannotRunError as error:
        print(f"sanitize: skipped, {error}")
        return CANNOT
    except BuildError as error:
        print(f"sanitize: the build failed\n{error}", file=sys.stderr)
        return 1
    failed = False
    for program in programs:
        corpus = CORPORA / f"{program.name}.bin"
        command = [str(program), str(corpus) if corpus.exists() else str(arguments.size)]
        if arguments.kernel is not None:
            if program.name != KERNEL_DRIVER:
                continue
            command.append(arguments.kernel)
        note = f" ({launcher.note})" if launcher.note else ""
        print(f"sanitize: {arguments.kind}{note}: {program.name}", *command[1:], flush=True)
        code = launcher.run(command)
        if code:
            print(f"sanitize: {arguments.kind}: {program.name} FAILED with exit code {code}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
