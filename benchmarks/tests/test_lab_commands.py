"""The commands that the lab adds: their help is what skerry says of them without loading them."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from skerry.cli.plugins import COMMANDS_OF_OTHERS, plugins
from support.cli import ok


@pytest.mark.parametrize("name", COMMANDS_OF_OTHERS)
def test_help(name: str) -> None:
    assert name in plugins()
    documented = COMMANDS_OF_OTHERS[name].help
    shown = " ".join(re.sub(r"[^\x00-\x7f]", " ", ok("--help")).split())
    assert f"{name} {documented}" in shown
    assert documented in " ".join(ok(name, "--help").split())


def test_help_does_not_load_other_packages() -> None:
    code = (
        "import sys; sys.argv = ['skerry', '--help']\n"
        "from skerry.cli import main\n"
        "try: main()\n"
        "except SystemExit: print('bench' in plugins(), 'skerry_bench' in sys.modules)"
    )
    code = f"from skerry.cli.plugins import plugins\n{code}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "True False"
