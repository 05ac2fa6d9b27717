#!/usr/bin/env bash
# Finds the components of a loaded graph and writes "vertex component" lines. Prints when processing
# starts and ends. Drivers differ in the names of the two paths; both are accepted.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/options.sh"
read_options "job-id log-path algorithm source-vertex max-iteration damping-factor input-path \
input-dir output-path output-file num-machines num-threads directed weighted device" "$@"
input_path="${input_path:-${input_dir:-}}"
output_path="${output_path:-${output_file:-}}"
require_options job-id algorithm input-path output-path
if [ "${algorithm,,}" != wcc ]; then
  echo "skerry: the algorithm is $algorithm, but skerry has wcc only" >&2
  exit 2
fi
if [ "${num_machines:-1}" != 1 ]; then
  echo "skerry: runs on one machine, --num-machines is $num_machines" >&2
  exit 2
fi
if [ -d "$output_path" ]; then
  output_path="$output_path/$job_id"
fi
arguments=("$input_path" "$output_path" --device "${device:-${SKERRY_DEVICE:-cpu}}")
if [ -n "${num_threads:-}" ]; then
  arguments+=(--threads "$num_threads")
fi
if [ -z "${log_path:-}" ]; then
  job execute "${arguments[@]}"
fi
# With a folder for logs, the number of the process is there too, for terminate-job.sh.
mkdir -p "$log_path"
job execute "${arguments[@]}" > "$log_path/$job_id.log" 2>&1 &
echo $! > "$log_path/$job_id.pid"
code=0
wait $! || code=$?
rm -f "$log_path/$job_id.pid"
cat "$log_path/$job_id.log"
exit "$code"
