"""Generate the stub of the compiled module, ``src/skerry/_native.pyi``, which mypy reads.

nanobind's stub generator takes the signatures from the bindings (``nb::sig``). The types that they
name are defined in ``native_stub.patterns`` beside this file. The module that is imported as
``skerry._native`` is described, so it must be built first.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STUB = ROOT / "src/skerry/_native.pyi"
PATTERNS = Path(__file__).with_suffix(".patterns")


def main(stub: Path = STUB) -> None:
    """Write the stub."""
    command = [sys.executable, "-m", "nanobind.stubgen", "--quiet", "-m", "skerry._native"]
    subprocess.run([*command, "-p", str(PATTERNS), "-o", str(stub)], check=True)


if __name__ == "__main__":
    main()
