#!/usr/bin/env bash
# Ends a job that runs with this --log-path; it is no error if there is none any more.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/options.sh"
read_options "job-id log-path" "$@"
require_options job-id log-path
number="$log_path/$job_id.pid"
if [ -f "$number" ]; then
  kill "$(cat "$number")" 2> /dev/null || true
  rm -f "$number"
fi
