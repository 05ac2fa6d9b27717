"""Counters of energy: RAPL's packages by Linux's powercap, and a GPU's total by NVML.

Both count since some time in the past; the energy of a stretch of work is the difference of two
readings. Whatever cannot be read, or cannot be right, is a `MeterError` that says why: a counter
that only the administrator may read, as is usual, is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

POWERCAP = Path("/sys/class/powercap")

MAX_WATTS = 1000.0
"""Of one package. A counter is not believed over a time in which this would take it around."""


class MeterError(Exception):
    """A counter cannot be read, or what it says is not an energy."""


class Meter(Protocol):
    """A set of counters of one part of the machine."""

    @property
    def part(self) -> str:
        """``"cpu"`` or ``"gpu"``: the key in the record."""

    @property
    def description(self) -> str:
        """What is read, for the record of the run."""

    def read(self) -> tuple[int, ...]:
        """The counters as they are now."""

    def joules(self, before: Sequence[int], after: Sequence[int], seconds: float) -> float:
        """The energy between two readings that many seconds apart."""


@dataclass(frozen=True, slots=True)
class RaplMeter:
    """The package domains of RAPL: cores, caches and memory controllers, not the memory."""

    domains: tuple[Path, ...]
    part: ClassVar[str] = "cpu"

    @property
    def description(self) -> str:
        """How many packages."""
        count = len(self.domains)
        return f"RAPL, {count} package{'' if count == 1 else 's'}"

    def read(self) -> tuple[int, ...]:
        """Microjoules of each package."""
        return tuple(_number(domain / "energy_uj") for domain in self.domains)

    def joules(self, before: Sequence[int], after: Sequence[int], seconds: float) -> float:
        """The sum of the packages; a counter that is smaller now has gone around once."""
        total = 0
        for domain, first, last in zip(self.domains, before, after, strict=True):
            spent = last - first
            size = self._range(domain)
            if size is None:
                if spent < 0:
                    raise MeterError(f"RAPL: {domain.name} went back, and its range is unknown")
            else:
                if seconds * MAX_WATTS * 1e6 > size:
                    raise MeterError(f"RAPL: {domain.name} may have gone around more than once")
                spent += size if spent < 0 else 0
                if not 0 <= spent <= size:
                    raise MeterError(f"RAPL: {domain.name} is beyond its range")
            total += spent
        return _positive(total / 1e6, "RAPL")

    def _range(self, domain: Path) -> int | None:
        try:
            return _number(domain / "max_energy_range_uj")
        except MeterError:
            return None


@dataclass(frozen=True, slots=True)
class NvmlMeter:
    """The total of a GPU since its driver was loaded: the board, with its memory."""

    nvml: Any
    """The module ``pynvml``."""
    handle: Any
    part: ClassVar[str] = "gpu"

    @property
    def description(self) -> str:
        """Where the number is from."""
        return "NVML, the board"

    def read(self) -> tuple[int, ...]:
        """Millijoules."""
        try:
            return (int(self.nvml.nvmlDeviceGetTotalEnergyConsumption(self.handle)),)
        except (self.nvml.NVMLError, TypeError, ValueError) as error:
            raise MeterError(f"NVML: {error}") from error

    def joules(self, before: Sequence[int], after: Sequence[int], seconds: float) -> float:
        """The difference; a driver that was loaded again begins at 0."""
        del seconds  # 64 bits of millijoules do not go around
        return _positive((after[0] - before[0]) / 1e3, "NVML")


def find_rapl(folder: Path = POWERCAP) -> RaplMeter:
    """The packages of this machine.

    ``intel-rapl`` is the name on AMD's processors too. Its subdomains (``intel-rapl:0:0``) are
    parts of a package, ``intel-rapl-mmio`` is the same package once more, ``psys`` is not one.

    Raises
    ------
    MeterError
        If there are none, or one of them cannot be read.
    """
    domains = tuple(
        path
        for path in sorted(folder.glob("intel-rapl:*"))
        if path.name.count(":") == 1 and _text(path / "name").startswith("package")
    )
    if not domains:
        raise MeterError(f"RAPL: {folder} has no package")
    meter = RaplMeter(domains)
    meter.read()
    return meter


def find_nvml(address: str) -> NvmlMeter:
    """The GPU with this PCI address; CUDA's numbers of devices are not NVML's.

    Raises
    ------
    MeterError
        If the package ``nvidia-ml-py`` is missing, or the GPU has no counter (before Volta).
    """
    try:
        import pynvml
    except ImportError:
        raise MeterError("NVML: the package nvidia-ml-py is not installed") from None
    try:
        pynvml.nvmlInit()
        handle = pynvml.nvmlDeviceGetHandleByPciBusId(address.encode())
    except pynvml.NVMLError as error:
        raise MeterError(f"NVML: {error}") from error
    meter = NvmlMeter(pynvml, handle)
    meter.read()
    return meter


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _number(path: Path) -> int:
    try:
        number = int(path.read_text())
    except OSError as error:
        raise MeterError(f"RAPL: {path} cannot be read: {error.strerror}") from error
    except ValueError:
        raise MeterError(f"RAPL: {path} is not a number") from None
    if number < 0:
        raise MeterError(f"RAPL: {path} is negative")
    return number


def _positive(joules: float, name: str) -> float:
    if joules <= 0:
        raise MeterError(f"{name}: the counter did not rise")
    return joules
