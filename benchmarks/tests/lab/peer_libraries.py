"""Shared libraries in the place of other programs, compiled from C."""

from __future__ import annotations

import shutil
import subprocess

import pytest


def compile_peers(folder, source, lines):
    """Makes ``folder/NAME.so`` for each name: ``source`` with the name's line instead of BREAK."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    for name, line in lines.items():
        path = folder / f"{name}.c"
        path.write_text(source.replace("BREAK", line))
        command = [compiler, "-shared", "-fPIC", "-o", str(folder / f"{name}.so"), str(path)]
        subprocess.run(command, check=True)
    return folder
