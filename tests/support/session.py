"""Set-up of a session of tests, the product's and the lab's: threads that wait without spinning."""

from __future__ import annotations

import gc
import os
import signal

from hypothesis import HealthCheck, settings

# Teams of more threads than idle cores are part of the tests; spinning would make them crawl.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# With it, commands that we start write at once: an end that cannot write would not be seen.
os.environ.pop("PYTHONUNBUFFERED", None)
# A shell that starts us in the background has Ctrl-C ignored, and what tests of it end would not.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_common = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=25, derandomize=True, **_common)
settings.register_profile("thorough", max_examples=1000, **_common)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_collection_modifyitems(items):
    """The long ones first: else one of several workers is left with one of them at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish():
    """Every collection would walk through thousands of tests and the packages they import."""
    gc.collect()
    gc.freeze()
