"""Damaged files of every format and compression, until the time is over: ``make fuzz``.

Only errors of skerry and MemoryError may come of reading them. The seed is printed; the same seed
makes the same files. A file that raises anything else is kept, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.damage import COMPRESSORS, damaged, foreign_error, suffix_of
from support.small_files import SMALL_FILES


def main() -> int:
    """Runs until the time is over; returns 1 if a file raised a foreign error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    draw = random.Random(arguments.seed)
    deadline = time.monotonic() + arguments.seconds
    folder = Path(tempfile.mkdtemp(prefix="skerry-fuzz-"))
    tried = failed = 0
    seen: set[str] = set()
    while time.monotonic() < deadline:
        name, compression = draw.choice(list(SMALL_FILES)), draw.choice(list(COMPRESSORS))
        path = folder / f"file{suffix_of(name)}{compression}"
        outside = compression and draw.random() < 0.5
        data = COMPRESSORS[compression](SMALL_FILES[name]) if outside else SMALL_FILES[name]
        for contents in damaged(data, 20, draw.randrange(2**32)):
            path.write_bytes(contents if outside else COMPRESSORS[compression](contents))
            tried += 1
            error = foreign_error(path, format=name)
            if error is None:
                continue
            failed += 1
            frame = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} at {frame.filename}:{frame.lineno}"
            if kind not in seen:
                seen.add(kind)
                kept = path.rename(folder / f"{len(seen)}-{path.name}")
                print(f"{kept}: {kind}: {error}", flush=True)
    print(f"{tried:,} files, {failed:,} foreign errors of {len(seen)} kinds")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
