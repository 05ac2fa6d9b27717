#!/usr/bin/env bash
# Measures the suites of the papers on one device within a number of seconds, smallest graphs first.
#
#     bash benchmarks/tools/measure_papers.sh cuda OUT [SECONDS] [SCALE]
#     bash benchmarks/tools/measure_papers.sh cpu OUT [SECONDS] [SCALE]
#
# Both write OUT/DEVICE-papers.jsonl, line by line, so a run that is cut off keeps what it has; what
# did not fit is in it with the reason. With the same scale the two devices have the same graphs.
# Nothing is built: `skerry bench` must work. GRAPHS names a folder with originals of the graphs.
set -u
device=$1 out=$2 seconds=${3:-530} scale=${4:-1}
python=${PYTHON:-.venv/bin/python}
[ -x "$python" ] || python=python3
mkdir -p "$out"
file=$out/$device-papers.jsonl
begin=$SECONDS
export OMP_WAIT_POLICY=passive

# part SHARE_IN_PERCENT arguments of `skerry bench`; what a part leaves is the next one's.
planned=0
part() {
  planned=$((planned + $1))
  local left=$((seconds * planned / 100 - (SECONDS - begin)))
  shift
  if [ "$left" -lt 2 ]; then
    echo "no time left: $*"
    return
  fi
  echo "== ${left} s: $*"
  timeout $((left + 20)) "$python" -m skerry_bench "$@" --device "$device" --scale "$scale" \
    --time-budget "${left}s" ${GRAPHS:+--graphs "$GRAPHS"} -o "$file" >"$out/$device-last.txt" 2>&1
  local status=$?
  tail -n 4 "$out/$device-last.txt"
  return $status
}

if [ "$device" = cuda ]; then
  part 18 cong-muzio --budget 0.4 --studies stages-q,rounds
  part 14 gerasimou --budget 0.4 --studies reorder,rounds,mapping-rounds
  part 56 eclcc --budget 0.4 --repeat 7 --studies init,jump,finish,paths,kernels,thresholds
  part 3 families --budget 0.4 --studies growth
  part 9 gerasimou --budget 0.2 --repeat 3 --energy
else
  part 26 cong-muzio --budget 0.8 --studies cc-threads,stages-q,rounds
  part 18 gerasimou --budget 0.5 --studies rounds,reorder
  part 50 eclcc --budget 0.6 --studies paths,kernels
  part 6 families --budget 0.4 --studies threads,growth
fi
echo "$((SECONDS - begin)) s, $(wc -c <"$file") bytes: $file"
