"""Writes the checksums of labels that every version must reproduce.

Usage: python tools/label_checksums.py [--write]

Labels are computed, compared with scipy's, and their checksums with those of
tests/project/label_checksums.json. ``--write`` writes that file: only when a graph or a form is
added, since a label that has changed breaks what people have stored.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent
FILE = ROOT / "tests/project/label_checksums.json"


def compute() -> dict[str, dict[str, str]]:
    """Graph -> kind of ids -> checksum, each compared with scipy."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support import checksum_graphs

    table: dict[str, dict[str, str]] = {}
    for name, n, source, target in checksum_graphs.graphs():
        entry = table.setdefault(name, {})
        for form in checksum_graphs.FORMS:
            labels = checksum_graphs.solve(form, n, source, target).labels
            right = checksum_graphs.expected(form, n, source, target)
            if not np.array_equal(labels, right):
                raise SystemExit(f"{name}: labels of {form} differ from scipy's")
            value = checksum_graphs.checksum(labels)
            if entry.setdefault(checksum_graphs.key(form), value) != value:
                raise SystemExit(f"{name}: labels of {form} differ from those of another form")
    return table


def main() -> int:
    """Compares, or writes with ``--write``; gives the exit code."""
    table = compute()
    if "--write" in sys.argv[1:]:
        FILE.write_text(json.dumps(table, indent=1) + "\n")
        print(f"{FILE.relative_to(ROOT)}: {len(table)} graphs")
        return 0
    different = [
        name for name, entry in json.loads(FILE.read_text()).items() if table.get(name) != entry
    ]
    print(f"{len(table)} graphs, {len(different)} differ: {' '.join(different)}")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main())
