"""A row of the catalog: a named algorithm as the passes it is made of, on each kind of device."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

from skerry.algorithms.passes import Init, Kernel, Pass, choices_of
from skerry.errors import UnsupportedError

__all__ = ["Algorithm", "Form"]

Form = Literal["edges", "csr", "symmetric csr", "either"]
"""What an algorithm reads; other inputs are converted first, and the plan says so."""

GPU_CHOICES = ("warp_from", "block_from")
"""Choices of passes that a CPU shares but does not have: it has no warps and blocks."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One row of the catalog."""

    name: str
    passes: tuple[Pass, ...]
    """What a CPU runs; nothing, if the row runs on a GPU only."""
    form: Form
    summary: str
    paper: str
    section: str
    serial: bool = False
    """Runs on one thread of a CPU whatever is asked for."""
    gpu: tuple[Pass, ...] = ()
    """What a GPU runs; nothing, if the row runs on a CPU only."""
    recorded: bool = False
    """Whether a GPU runs it as a recorded sequence of launches.

    Such a sequence never waits for the device, clears the state words itself and withholds the
    labels of invalid input in its own last kernel. It is short and needs little memory, so the
    driver is not asked beforehand how much is free: that would take longer than many runs.
    """
    changed: tuple[str, ...] = ()
    """Choices that differ from the catalog's row, as ``name=value``."""

    def __str__(self) -> str:
        return f"{self.name}[{','.join(self.changed)}]" if self.changed else self.name

    @property
    def devices(self) -> tuple[str, ...]:
        """Where the row runs: ``"cpu"``, ``"cuda"`` or both."""
        found = (("cpu", self.passes), ("cuda", self.gpu))
        return tuple(device for device, passes in found if passes)

    @property
    def choices(self) -> dict[str, tuple[object, ...]]:
        """Choices that `replace` can change, with their possible values (none: any number)."""
        found = _choices_in((*self.passes, *self.gpu))
        if not self.gpu:
            found = {name: values for name, values in found.items() if name not in GPU_CHOICES}
        if self.form == "edges":
            found.pop("init", None)  # other inits look at neighbors, and an edge list has no rows
        return found

    def reads_rows(self, device: str) -> bool:
        """Whether the row reads a CSR there: by its form, or since an init looks at neighbors."""
        passes = self.passes if device == "cpu" else self.gpu
        return self.form in ("csr", "symmetric csr") or any(
            isinstance(step, Init) and step.init != "own" for step in passes
        )

    def check_device(self, device: str) -> None:
        """Raises if this row, or a choice that was changed, is none of this kind of device's."""
        if device not in self.devices:
            place = "a GPU" if device == "cpu" else "a CPU"
            raise UnsupportedError(
                f'{self.name} runs on {place} only; use device="{self.devices[0]}" or '
                "another algorithm"
            )
        own = _choices_in(self.passes if device == "cpu" else self.gpu)
        for name in (part.split("=")[0] for part in self.changed):
            if name not in own or (device == "cpu" and name in GPU_CHOICES):
                raise UnsupportedError(f"{name} is no choice of {self.name} on {device}")

    def replace(self, **values: str | float) -> Algorithm:
        """This row with other choices: ``replace(jump="single")``, ``replace(q=2)``."""
        possible = self.choices
        for name, value in values.items():
            if name not in possible:
                known = ", ".join(possible) or "none"
                raise UnsupportedError(f"{self.name} has no choice {name!r}; it has: {known}")
            if possible[name] and value not in possible[name]:
                allowed = ", ".join(map(str, possible[name]))
                raise UnsupportedError(f"{name}={value!r} is not one of: {allowed}")
            if not possible[name] and not isinstance(value, int | float):
                raise UnsupportedError(f"{name} of {self.name} takes a number, got {value!r}")
        passes = tuple(_replace_in(step, values) for step in self.passes)
        gpu = tuple(_replace_in(step, values) for step in self.gpu)
        changed = {part.split("=")[0]: part for part in self.changed}
        changed |= {name: f"{name}={value}" for name, value in values.items()}
        return dataclasses.replace(self, passes=passes, gpu=gpu, changed=tuple(changed.values()))


def _choices_in(passes: tuple[Pass, ...]) -> dict[str, tuple[object, ...]]:
    found: dict[str, tuple[object, ...]] = {}
    for step in passes:
        found |= choices_of(step)
        if isinstance(step, Kernel):
            found |= {name: () for name, _ in step.options}
    return found


def _replace_in(step: Pass, values: dict[str, str | float]) -> Pass:
    if isinstance(step, Kernel):
        options = tuple((name, float(values.get(name, old))) for name, old in step.options)
        return dataclasses.replace(step, options=options)
    own = {name: values[name] for name in choices_of(step) if name in values}
    return dataclasses.replace(step, **own) if own else step  # type: ignore[arg-type]
