"""What ``skerry components`` is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from skerry.cli.input_options import InputArguments
from skerry.cli.output import Output
from skerry.cli.vertices import VertexArguments
from skerry.result.components import LabelKind


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments of the command."""

    arguments: InputArguments
    output: Output | None
    sizes: Output | None
    vertices: VertexArguments
    previous: str | None
    named_after: str | None
    algorithm: str
    device: str
    threads: int | None
    labels: LabelKind
    largest: int | None
    min_size: int
    max_size: int | None
    limit: int | None
    checkpoint: str | None
    spill: str | None
    verify: bool
    as_json: bool
    quiet: bool

    @property
    def outputs(self) -> list[Output]:
        """All that is written."""
        return [each for each in (self.output, self.sizes) if each is not None]

    @property
    def to_stdout(self) -> bool:
        """Whether labels or sizes go to standard output."""
        return any(each.to_stdout for each in self.outputs)
