"""Folders of tests that run only where they are asked for: each has a target of its own."""

from __future__ import annotations

from pathlib import Path


def left_out(config, folder):
    """What ``pytest_ignore_collect`` returns for a folder: True unless an argument is in it."""
    given = (Path(argument.split("::")[0]).resolve() for argument in config.args)
    return None if any(path.is_relative_to(folder) for path in given) else True
