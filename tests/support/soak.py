"""Random cases by their seeds, each of a part: forms, graphs, processes that are killed."""

from __future__ import annotations

import shutil
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from support import random_forms, random_graphs, shared_sets

PARTS: dict[str, Callable[[int, Path], Counter[str]]] = {
    "forms": random_forms.run,
    "graphs": random_graphs.run,
    "sets": shared_sets.run,
}
"""What runs the case of a seed in a folder; an error is a wrong answer."""


def run_many(part: str, seeds: range, folder: Path) -> tuple[Counter[str], list[str]]:
    """Counts of what cases ended in, and what was wrong, with how to run it again."""
    counts: Counter[str] = Counter()
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in seeds:
            try:
                counts += PARTS[part](seed, folder)
            except Exception as error:  # each is reported, and the others go on
                counts["wrong"] += 1
                again = f"python tools/soak.py --part {part} --seed {seed} --cases 1"
                wrong.append(f"{type(error).__name__}: {error}"[:2000] + f"\n    {again}")
    shutil.rmtree(folder, ignore_errors=True)
    return counts, wrong
