#!/usr/bin/env bash
# Loads a graph: reads its text files and stores it in the folder --output-path.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/options.sh"
read_options "graph-name input-vertex-path input-edge-path output-path directed weighted" "$@"
require_options graph-name input-vertex-path input-edge-path output-path
# Components are weak ones: directions and weights mean nothing for them.
job load "$input_vertex_path" "$input_edge_path" "$output_path"
