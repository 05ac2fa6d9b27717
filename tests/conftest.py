"""Set-up of all tests: `support` importable, and what `support.session` sets."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from support.session import (  # noqa: F401 (hooks of pytest)
    pytest_collection_finish,
    pytest_collection_modifyitems,
)
