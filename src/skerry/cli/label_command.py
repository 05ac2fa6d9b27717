"""The command ``label`` and its options."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from skerry.cli.errors import plain_errors
from skerry.cli.options import AsJson, Quiet, Threads
from skerry.cli.run_log import LogFormat

_neighbors = partial(typer.Option, rich_help_panel="Neighbors")
_run = partial(typer.Option, rich_help_panel="Execution")


class ValuesChoice(StrEnum):
    """Which neighbors are joined."""

    BINARY = "binary"
    EQUAL = "equal"


class TypeChoice(StrEnum):
    """The type of labels."""

    UINT8 = "uint8"
    UINT16 = "uint16"
    UINT32 = "uint32"
    UINT64 = "uint64"
    INT32 = "int32"
    INT64 = "int64"


ImageInput = Annotated[
    str,
    typer.Argument(
        metavar="IMAGE",
        help="The image: .npy, .tif, .nii, .nii.gz, .zarr, .h5 or a picture; volume.h5/raw names "
        "one of several arrays.",
        show_default=False,
    ),
]
LabelsOutput = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the labels: .npy, .tif, .nii, .nii.gz, .zarr, .h5 or .png.",
        show_default=False,
    ),
]
PictureOutput = Annotated[
    str | None,
    typer.Option(
        "--picture",
        metavar="FILE",
        help="Write a picture of the labels in colors, of the middle plane: .png.",
    ),
]
LabelType = Annotated[
    TypeChoice | None,
    typer.Option(
        "--dtype",
        help="Type of the labels; by default uint32, for 2^32 pixels and more uint64, for .png "
        "uint16.",
        show_default=False,
    ),
]
Connectivity = Annotated[
    int,
    _neighbors(
        min=1,
        help="Neighbors differ by one along at most so many axes.",
    ),
]
Wrap = Annotated[
    list[str],
    _neighbors(
        metavar="AXES",
        help="Periodic axes, with commas between them; the first is 0.",
        show_default=False,
    ),
]
Values = Annotated[
    ValuesChoice,
    _neighbors(
        help="Join neighbors if both are part of an object, or only equal ones.",
    ),
]
Background = Annotated[
    str,
    _neighbors(
        metavar="NUMBER",
        help="Value of pixels that belong to no object; 'none': all belong to one.",
    ),
]
Delta = Annotated[
    float | None,
    _neighbors(help="Join neighbors whose values differ by at most this."),
]
SlabCheckpoint = Annotated[
    str | None,
    _run(
        "--checkpoint",
        metavar="DIR",
        help="Keep what is done so far in this folder: after a crash, the same command goes on.",
    ),
]
SlabLimit = Annotated[
    str | None,
    _run(
        "--limit-memory",
        metavar="SIZE",
        help="Label slab by slab, so that the process stays below this: 4G, 500M. By default half "
        "of the free memory.",
    ),
]


def label(
    image: ImageInput,
    output: LabelsOutput,
    picture: PictureOutput = None,
    dtype: LabelType = None,
    connectivity: Connectivity = 1,
    wrap: Wrap = [],  # noqa: B006, typer copies it
    values: Values = ValuesChoice.BINARY,
    background: Background = "0",
    delta: Delta = None,
    threads: Threads = None,
    limit_memory: SlabLimit = None,
    checkpoint: SlabCheckpoint = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    _log: LogFormat = None,
) -> None:
    """Label the connected components of an image or a volume."""
    with plain_errors():
        from skerry.cli.input_options import byte_count
        from skerry.cli.label import LabelRequest, parse_axes, parse_number, show_label

        options = {
            "connectivity": connectivity,
            "wrap": parse_axes(wrap),
            "values": values.value,
            "background": parse_number("--background", background),
            "delta": delta,
        }
        show_label(
            LabelRequest(
                *(image, output, picture, None if dtype is None else dtype.value, options),
                *(threads, byte_count(limit_memory), checkpoint, as_json, quiet),
            )
        )
