# Reads the options of a script, "--key value" each, into variables of their names (dashes as
# underscores). An option that is not in the list is an error.
# Usage: read_options "graph-name output-path" "$@"
read_options() {
  local known=" $1 " key
  shift
  while [ $# -gt 0 ]; do
    key="${1#--}"
    if [ "$1" = "$key" ] || [[ "$known" != *" $key "* ]]; then
      echo "skerry: there is no option $1; there are:${known// / --}" >&2
      exit 2
    fi
    if [ $# -lt 2 ]; then
      echo "skerry: $1 needs a value" >&2
      exit 2
    fi
    printf -v "${key//-/_}" '%s' "$2"
    shift 2
  done
}

# Ends the script if one of these options has no value.
require_options() {
  local key name
  for key in "$@"; do
    name="${key//-/_}"
    if [ -z "${!name:-}" ]; then
      echo "skerry: --$key is missing" >&2
      exit 2
    fi
  done
}

# Becomes the process of a job.
job() {
  exec "${SKERRY_PYTHON:-python3}" -m skerry_bench.graphalytics.job "$@"
}
