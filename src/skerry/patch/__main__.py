"""``python -m skerry.patch``: runs a program with scipy's components answered by skerry."""

from __future__ import annotations

import logging
import runpy
import sys
from pathlib import Path
from typing import NoReturn

from skerry.patch.scipy import patch_scipy
from skerry.printable import printable, printable_lines

USAGE = """\
usage: python -m skerry.patch [--count] (script.py | -m module) [arguments of the program]

Runs a program whose calls of scipy.sparse.csgraph.connected_components are answered by skerry.

  --count  print at the end, on standard error, how many calls there were
"""


def main(arguments: list[str]) -> None:
    """Runs what the arguments name, as ``python`` would."""
    # By hand: argparse would take options of the program for ours.
    count = False
    while arguments and arguments[0].startswith("-") and arguments[0] != "-m":
        option, *arguments = arguments
        if option in ("-h", "--help"):
            print(printable_lines(USAGE), end="")
            return
        if option != "--count":
            _refuse(f"no such option: {option}")
        count = True
    if not arguments or arguments == ["-m"]:
        _refuse("name a script, or a module with -m")
    with patch_scipy() as patched:
        try:
            _run(arguments)
        finally:
            text = f"{patched.by_skerry} calls answered by skerry"
            logging.getLogger("skerry").info(text)
            if count:
                print(printable(f"skerry.patch: {text}"), file=sys.stderr)


def _run(arguments: list[str]) -> None:
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    script = Path(arguments[0])
    if not script.exists():
        _refuse(f"no such file: {script}")
    sys.argv = arguments
    if not sys.flags.safe_path:
        sys.path[0] = str(script.resolve().parent)  # where `python -m` has the current folder
    runpy.run_path(str(script), run_name="__main__")


def _refuse(reason: str) -> NoReturn:
    print(printable_lines(f"{USAGE}\nerror: {reason}"), file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main(sys.argv[1:])
