#!/usr/bin/env bash
# Removes what load-graph.sh stored in the folder --output-path, and nothing else.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/options.sh"
read_options "graph-name output-path" "$@"
require_options graph-name output-path
job unload "$output_path"
