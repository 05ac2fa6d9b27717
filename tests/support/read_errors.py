"""Each read of a file fails once, of every format: an error, and the next call is right.

Run as a program, under LD_PRELOAD of tests/native/preload/fail_read.cpp, in a folder; prints for
each format how many reads failed and how many were errors, as JSON.
"""

from __future__ import annotations

import ctypes
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import skerry
from skerry.errors import SkerryError
from support.forms.edges import PAIRS
from support.forms.files import FILES
from support.forms.kinds import KINDS
from support.forms.objects import Given
from support.forms.stores import COMPRESS

KIND = {kind.name: kind for kind in KINDS}
MANY = PAIRS * 40


def sets_of(path: Path, options: dict[str, Any]) -> Any:
    """What a call answers."""
    result = skerry.connected_components(skerry.io.read_edges(path, **options))
    return result.num_vertices, result.count, result.labels.tobytes()


def failures(arm: Any, path: Path, options: dict[str, Any]) -> dict[str, int]:
    """Makes each read fail: the call must raise, or have the right answer."""
    right = sets_of(path, options)
    counts = {"failed": 0, "errors": 0}
    while True:
        arm(counts["failed"])
        try:
            answer = sets_of(path, options)
        except (OSError, SkerryError):
            answer = None
        made = arm(-1)
        if made <= counts["failed"]:
            assert answer == right
            return counts
        counts["failed"] += 1
        counts["errors"] += answer is None
        assert answer in (None, right), f"{path.name}: wrong where read {counts['failed']} failed"
        assert sets_of(path, options) == right, f"{path.name}: wrong afterwards"


def main(folder: Path) -> None:
    """Prints the counts of every format, plain and compressed."""
    warnings.simplefilter("ignore")
    arm = ctypes.CDLL(None).fail_read
    arm.restype, arm.argtypes = ctypes.c_int64, [ctypes.c_int64]
    folder.mkdir()
    counts = {}
    for form in FILES:
        if form.format in counts:
            continue
        given = Given(KIND[form.kinds[0]], MANY)
        suffix, data = next(iter(form.files(given).items()))
        for other, content in form.files(given).items():
            (folder / f"edges{other}").write_bytes(content)
        counts[form.format] = failures(arm, folder / f"edges{suffix}", form.options(given))
        if len(form.files(given)) == 1:
            packed = folder / f"edges{suffix}.gz"
            packed.write_bytes(COMPRESS[".gz"](data))
            counts[f"{form.format}.gz"] = failures(arm, packed, form.options(given))
    print(json.dumps(counts))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
