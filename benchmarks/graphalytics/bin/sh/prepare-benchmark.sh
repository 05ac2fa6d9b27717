#!/usr/bin/env bash
# Checks that skerry can run, before the benchmark begins. Nothing has to be compiled.
set -euo pipefail
"${SKERRY_PYTHON:-python3}" - <<'PYTHON'
import skerry
import skerry_bench.graphalytics.job

print(f"skerry {skerry.__version__} is ready")
PYTHON
