"""Where tests find the repository, and the folder of real graphs that may lie beside it."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent
SHARED = ROOT.parent / "shared"
