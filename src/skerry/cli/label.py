"""``skerry label IMAGE -o LABELS``: labels an image, writes the labels, and shows their sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from rich.text import Text

from skerry.cli.errors import UsageError, say
from skerry.cli.format_numbers import bytes_of, duration, percent, plural, rate
from skerry.cli.label_survey import Survey, drawn
from skerry.cli.logged_progress import progress_display
from skerry.cli.progress import ProgressDisplay
from skerry.cli.result_facts import size_classes
from skerry.cli.run_log import current_log
from skerry.cli.size_histogram import glyphs_of, size_histogram
from skerry.cli.summary import RATED_FROM, console, labeled_lines
from skerry.cli.terminal import print_json
from skerry.engines.streaming.checkpoint_folder import (
    CheckpointFolder,
    remove_checkpoint,
    what_is_kept,
)
from skerry.errors import ArgumentError
from skerry.formats.memory import resident
from skerry.formats.overwriting import refuse_overwriting
from skerry.formats.writers.atomic_file import check_target
from skerry.graph.grid_rule import make_rule
from skerry.machine import memory_free
from skerry.ndimage.image_files import open_image, split_path
from skerry.ndimage.label_files import LabelsFile
from skerry.ndimage.slab_state import SlabState
from skerry.ndimage.slabs import SlabOptions, call_of, solve_slabs
from skerry.option_checks import folder

PIECE = 1 << 26
"""Bytes that are read between two drawings of the progress."""


@dataclass(frozen=True, slots=True)
class LabelRequest:
    """The arguments of the command."""

    image: str
    output: str
    picture: str | None
    dtype: str | None
    rule: dict[str, Any]
    threads: int | None
    limit: int | None
    checkpoint: str | None
    as_json: bool
    quiet: bool


@dataclass(frozen=True, slots=True)
class _Answer:
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    label_dtype: np.dtype[Any]
    count: int
    survey: Survey
    seconds: float


class _Read:
    """An image whose reading shows its progress, where a slab takes long."""

    def __init__(self, image: Any, display: ProgressDisplay) -> None:
        self.shape = tuple(image.shape)
        self.dtype = np.dtype(image.dtype)
        self._image = image
        self._display = display

    def __getitem__(self, planes: slice) -> Any:
        begin, end, _ = planes.indices(self.shape[0])
        plane = int(np.prod(self.shape[1:], dtype=np.int64)) * self.dtype.itemsize
        step = max(1, PIECE // max(plane, 1))
        if end - begin <= step:
            return np.asarray(self._image[planes])
        pixels = np.empty((end - begin, *self.shape[1:]), self.dtype)
        for first in range(begin, end, step):
            last = min(first + step, end)
            pixels[first - begin : last - begin] = self._image[first:last]
            self._display.advance(last - begin, end - begin)
        return pixels


def parse_axes(texts: Sequence[str]) -> tuple[int, ...] | None:
    """The axes of ``--wrap``, repeated or with commas."""
    parts = [part.strip() for text in texts for part in text.split(",") if part.strip()]
    try:
        axes = tuple(map(int, parts))
    except ValueError:
        axes = ()
    if texts and not axes:
        raise UsageError(f"--wrap must be axes such as 0,1, got {', '.join(texts)}")
    return axes or None


def parse_number(option: str, text: str) -> int | float | None:
    """A number; None of ``none``."""
    if text.strip().lower() == "none":
        return None
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        if value == value:
            return value
    raise UsageError(f"{option} must be a number or none, got {text}")


def show_label(request: LabelRequest) -> None:
    """Labels, writes and summarizes."""
    _check_outputs(request)
    with _interruptible(request):
        answer = _solve(request)
        if request.picture is not None:
            answer.survey.write(request.picture)
    if request.checkpoint is not None:  # the labels are in place: nothing is left to go on with
        remove_checkpoint(request.checkpoint)
    report = _report(request, answer)
    log = current_log()
    if log is not None:
        log.write("result", **report)
    if request.as_json:
        print_json(report)
    elif not request.quiet and log is None:
        _show(request, answer)


def _check_outputs(request: LabelRequest) -> None:
    """Raises before any work if an output would be lost, or would replace the image."""
    outputs = [("--output", request.output)]
    if request.picture is not None:
        outputs.append(("--picture", request.picture))
        if Path(request.picture).suffix.lower() != ".png":
            raise ArgumentError(f"{request.picture}: a picture is written to .png")
        check_target(request.picture)
    image = split_path(request.image)[0]
    refuse_overwriting(outputs, [str(image)])
    for option, path in outputs:
        target = Path(path).resolve()
        if target == image.resolve() or target in image.resolve().parents:
            raise ArgumentError(f"{path}: is an input, which {option} would overwrite")


@contextmanager
def _interruptible(request: LabelRequest) -> Iterator[None]:
    """Says after Ctrl-C or a signal how to go on."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        if request.checkpoint is not None:
            say(what_is_kept(request.checkpoint))
        else:
            say("nothing was written; with --checkpoint DIR, the same command would go on")
        raise


def _solve(request: LabelRequest) -> _Answer:
    start = perf_counter()
    with ExitStack() as stack:
        state = None
        if request.checkpoint is not None:
            checkpoint = CheckpointFolder(folder("checkpoint", request.checkpoint))
            stack.enter_context(checkpoint.locked())
            state = checkpoint.path
        image = stack.enter_context(open_image(request.image))
        shape = tuple(image.shape)
        rule = make_rule(len(shape), 0, None, **request.rule)
        labels = LabelsFile(request.output, shape, request.dtype, state, request.image)
        stack.enter_context(labels)
        # Without a limit: all at once if that fits into half of what is free.
        limit = request.limit or resident() + memory_free() // 2
        display = stack.enter_context(progress_display(request.quiet or request.as_json))
        survey = Survey(shape, limit)
        display.begin("labeling")
        count = solve_slabs(
            _Read(image, display),
            labels,
            rule,
            SlabState(state, call_of(image, rule, request.image)),
            SlabOptions(
                limit=limit,
                threads=request.threads,
                progress=display.advance,
                watch=survey.see,
            ),
        )
        display.begin("writing")
        before = shape[0] if survey.seen_from is None else survey.seen_from
        for begin in range(0, before, labels.planes_per_chunk):  # what an earlier run has written
            end = min(begin + labels.planes_per_chunk, before)
            survey.see(begin, labels[begin:end])
        answer = _Answer(shape, np.dtype(image.dtype), labels.dtype, count, survey, 0)
    return replace(answer, seconds=perf_counter() - start)


def _report(request: LabelRequest, answer: _Answer) -> dict[str, Any]:
    sizes = answer.survey.sizes
    objects = None if sizes is None else sizes[1:]
    return {
        "image": request.image,
        "shape": list(answer.shape),
        "dtype": str(answer.dtype),
        "components": answer.count,
        "background": None if sizes is None else int(sizes[0]),
        "largest": None if objects is None else int(objects.max(initial=0)),
        "output": request.output,
        "label_dtype": str(answer.label_dtype),
        "picture": request.picture,
        "seconds": answer.seconds,
    }


def _show(request: LabelRequest, answer: _Answer) -> None:
    out = console()
    noun = ("pixel", "pixels") if len(answer.shape) < 3 else ("voxel", "voxels")
    total = int(np.prod(answer.shape, dtype=np.int64))
    shape = " x ".join(f"{size:,}" for size in answer.shape)
    lines: list[tuple[str, str | Text]] = [
        ("image", Text(request.image, style="bold")),
        ("", f"{shape}, {answer.dtype}, {bytes_of(total * answer.dtype.itemsize)}"),
        ("found", Text(plural(answer.count, "component", "components"), style="bold")),
    ]
    sizes = answer.survey.sizes
    if sizes is None:
        lines.append(("sizes", "not counted: they do not fit under --limit-memory"))
    elif answer.count:
        largest, objects = int(sizes[1:].max()), int(sizes[1:].sum())
        lines.append(("largest", f"{plural(largest, *noun)}, {percent(largest / objects)} of all"))
        lines.append(("objects", f"{percent(objects / total)} of the image"))
    out.print(labeled_lines(lines))
    out.print()
    if sizes is not None and answer.count:
        values, counts = np.unique(sizes[1:], return_counts=True)
        classes = size_classes(list(zip(values.tolist(), counts.tolist(), strict=True)))
        out.print(size_histogram(classes, noun[1], glyphs_of(out), out.width))
        out.print()
    if out.is_terminal and answer.survey.picture.size and not out.is_dumb_terminal:
        out.print(drawn(answer.survey.picture, out))
        out.print()
    lines = [("written", f"{answer.label_dtype} labels to {request.output}")]
    if request.picture is not None:
        lines.append(("", f"picture to {request.picture}"))
    per_second = (
        f", {rate(total / answer.seconds, noun[1])} a second" if total >= RATED_FROM else ""
    )
    lines.append(("took", f"{duration(answer.seconds)}{per_second}"))
    out.print(labeled_lines(lines))
