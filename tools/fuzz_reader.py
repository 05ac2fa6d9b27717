"""One target in Python under atheris: ``python tools/fuzz_reader.py NAME [libFuzzer's options]``.

NAME is a format, or ``sets``. Called by ``tools/fuzz.py``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import atheris

with atheris.instrument_imports(
    include=["skerry.formats", "skerry.ids", "skerry.graph", "skerry.union_find"]
):
    from support.fuzzing import path_of, run_input, seeds


def main() -> None:
    """Runs until libFuzzer ends the process."""
    name, *options = sys.argv[1:]
    folder = Path(tempfile.mkdtemp(prefix="skerry-fuzz-"))
    for data in seeds(name, folder):  # what is imported with the first use is instrumented too
        with atheris.instrument_imports(include=["skerry"]):
            run_input(name, data, path_of(name, folder))
    path = path_of(name, folder)
    atheris.Setup([sys.argv[0], *options], lambda data: run_input(name, data, path))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
