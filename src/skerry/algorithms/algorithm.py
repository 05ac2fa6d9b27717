"""An entry of the catalog: a named algorithm and the passes that each kind of device runs."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

from skerry.algorithms.number_ranges import WORDS, check_number, number_of
from skerry.algorithms.passes import Init, Kernel, Pass, choices_of
from skerry.errors import UnsupportedError

Form = Literal["edges", "csr", "symmetric csr", "either"]
"""The form of graph that an algorithm reads. Other inputs are converted; the plan says so."""

OTHER_CHOICES = {"cpu": ("warp_from", "block_from", "loads"), "cuda": ("schedule",)}
"""By kind of device, the choices of passes that have no effect there."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A named algorithm of the catalog.

    Get one from `skerry.algorithm` or `skerry.catalog`, and pass it, or its name, to
    `skerry.connected_components`. Instances are immutable and may be shared between threads.

    Parameters
    ----------
    name
        Name in the catalog.
    passes
        The passes that a CPU runs; empty if the algorithm runs on a GPU only.
    form
        Graph that the passes read: ``"edges"``, ``"csr"``, ``"symmetric csr"`` (every entry has its
        reverse) or ``"either"``. Other inputs are converted first.
    summary
        The algorithm in one line.
    paper, section
        Publication that it implements; for Skerry's own algorithms, the page of the documentation.
    serial
        Whether it uses a single thread of a CPU, whatever ``threads=`` says.
    gpu
        The passes that a GPU runs; empty if the algorithm runs on a CPU only.
    recorded
        Whether a GPU runs it as a recorded sequence of launches. Such a sequence never waits for
        the device, clears the state words itself and withholds the labels of invalid input in its
        own last kernel. It needs little memory, so the driver is not asked beforehand how much is
        free: that would take longer than many runs.
    changed
        Choices that differ from those of the catalog, as ``"name=value"``.

    Examples
    --------
    >>> import skerry
    >>> ecl = skerry.algorithm("ecl")
    >>> ecl.form, ecl.devices
    ('csr', ('cpu', 'cuda'))
    >>> print(ecl.replace(jump="single"))
    ecl[jump=single]
    """

    name: str
    passes: tuple[Pass, ...]
    form: Form
    summary: str
    paper: str
    section: str
    serial: bool = False
    gpu: tuple[Pass, ...] = ()
    recorded: bool = False
    changed: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}[{','.join(self.changed)}]" if self.changed else self.name

    @property
    def devices(self) -> tuple[str, ...]:
        """Kinds of devices that it runs on: ``"cpu"``, ``"cuda"`` or both."""
        by_device = (("cpu", self.passes), ("cuda", self.gpu))
        return tuple(device for device, passes in by_device if passes)

    @property
    def choices(self) -> dict[str, tuple[object, ...]]:
        """Choices that `replace` can change, with their possible values (empty: a number)."""
        choices = self._choices_on("cpu") | self._choices_on("cuda")
        if self.form == "edges":
            choices.pop("init", None)  # other inits read neighbors, which an edge list lacks
        return choices

    def _choices_on(self, device: str) -> dict[str, tuple[object, ...]]:
        """A serial algorithm has no schedule of threads; what a GPU alone reads is not a CPU's."""
        without = {*OTHER_CHOICES[device], *(OTHER_CHOICES["cuda"] if self.serial else ())}
        own = _choices_in(self.passes if device == "cpu" else self.gpu)
        return {name: values for name, values in own.items() if name not in without}

    def reads_rows(self, device: str) -> bool:
        """Whether it reads a CSR on this kind of device: by its form, or by an init.

        Parameters
        ----------
        device
            ``"cpu"`` or ``"cuda"``.

        Returns
        -------
        bool
            False where an edge list is read.
        """
        if self.form in ("csr", "symmetric csr"):
            return True
        for step in self.passes if device == "cpu" else self.gpu:  # any() takes longer
            if isinstance(step, Init) and step.init != "own":
                return True
        return False

    def check_device(self, device: str) -> None:
        """Checks that this kind of device has the algorithm and all choices that were changed.

        Parameters
        ----------
        device
            ``"cpu"`` or ``"cuda"``.

        Raises
        ------
        UnsupportedError
            If it has not.
        """
        passes = self.passes if device == "cpu" else self.gpu
        if not passes:
            only = "a GPU" if device == "cpu" else "a CPU"
            raise UnsupportedError(
                f'{self.name} runs on {only} only; use device="{self.devices[0]}" or '
                "another algorithm"
            )
        if not self.changed:
            return
        own = self._choices_on(device)
        for name in (part.split("=")[0] for part in self.changed):
            if name not in own:
                raise UnsupportedError(f"{self.name} has no choice {name} on {device}")

    def replace(self, **values: str | float) -> Algorithm:
        """This algorithm with other choices.

        Parameters
        ----------
        **values
            New values by the names of `choices`.

        Returns
        -------
        Algorithm
            A changed copy.

        Raises
        ------
        UnsupportedError
            If the algorithm has no such choice, or the choice no such value.
        InputError
            If a number is not in the range of its choice.

        Examples
        --------
        >>> import skerry
        >>> print(skerry.algorithm("stages-cc").replace(q=2))
        stages-cc[q=2]
        """
        possible = self.choices
        for name, value in values.items():
            if name not in possible:
                known = ", ".join(possible) or "none"
                raise UnsupportedError(f"{self.name} has no choice {name!r}; it has: {known}")
            if possible[name] and value not in possible[name]:
                allowed = ", ".join(map(str, possible[name]))
                raise UnsupportedError(f"{name}={value!r} is not one of: {allowed}")
            if not possible[name]:
                check_number(self.name, name, value)
        passes = tuple(_replace_in(step, values) for step in self.passes)
        gpu = tuple(_replace_in(step, values) for step in self.gpu)
        changed = {part.split("=")[0]: part for part in self.changed}
        changed |= {name: f"{name}={value}" for name, value in values.items()}
        return dataclasses.replace(self, passes=passes, gpu=gpu, changed=tuple(changed.values()))


def _choices_in(passes: tuple[Pass, ...]) -> dict[str, tuple[object, ...]]:
    choices: dict[str, tuple[object, ...]] = {}
    for step in passes:
        choices |= choices_of(step)
        if isinstance(step, Kernel):
            choices |= {name: WORDS.get(name, ()) for name, _ in step.options}
    return choices


def _replace_in(step: Pass, values: dict[str, str | float]) -> Pass:
    if isinstance(step, Kernel):
        options = tuple(
            (name, number_of(name, values.get(name, old))) for name, old in step.options
        )
        return dataclasses.replace(step, options=options)
    own = {name: values[name] for name in choices_of(step) if name in values}
    return dataclasses.replace(step, **own) if own else step  # type: ignore[arg-type]
