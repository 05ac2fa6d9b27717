#!/usr/bin/env bash
# Measures the suites of the papers on one device within a number of seconds, smallest graphs first.
#
#     bash benchmarks/tools/measure_papers.sh cuda OUT [SECONDS] [SCALE]
#     bash benchmarks/tools/measure_papers.sh cpu OUT [SECONDS] [SCALE]
#
# Both write OUT/DEVICE-papers.jsonl, line by line, so a run that is cut off keeps what it has; what
# did not fit is in it with the reason. With the same scale the two devices have the same graphs.
# Nothing is built: `skerry bench` must work. GRAPHS names a folder with originals of the graphs.
# ORIGINALS names a folder of the papers' own programs, which are measured beside ours by the letter:
# on a GPU libraries (docs/corpus.md) in eclcc/ and gerasimou/, on a CPU programs that take the
# arguments {egr} {repeat} {threads}.
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
    --time-budget "${left}s" ${THREADS:+--threads "$THREADS"} ${GRAPHS:+--graphs "$GRAPHS"} -o "$file" >"$out/$device-last.txt" 2>&1
  local status=$?
  tail -n 4 "$out/$device-last.txt"
  return $status
}

# The programs of ORIGINALS as options.
external=()
for program in ${ORIGINALS:+"$ORIGINALS"/*}; do
  [ "$device" = cpu ] && external+=(--external "$(basename "$program")=$program {egr} {repeat} {threads}")
done

graphs=(rmat-20M random-50M random-100M) # of Cong & Muzio's claims about CPUs
if [ -n "${ORIGINALS:-}" ] && [ "$device" = cuda ]; then
  own=(--only-studies --repeat 7 --peers "$ORIGINALS/eclcc" --algorithms ecl,eclaf,soman,groute,gunrock,letters)
  part 50 eclcc "${own[@]}"
  part 20 cong-muzio --budget 0.4 --algorithms cc,cc-updt,stages-cc,sv,rem,schd,letters
  part 18 gerasimou --only-studies --repeat 7 --peers "$ORIGINALS/gerasimou" \
    --algorithms thread-per-vertex,warp-per-row,block-per-row,afforest-random,letters
  scale=0.1 # as on a CPU, where the largest graphs take too long
  part 12 eclcc "${own[@]}"
elif [ -n "${ORIGINALS:-}" ]; then
  part 45 cong-muzio "${graphs[@]}" --budget 0.4 --algorithms letters,cc,cc-updt,stages-cc,rem,rem-prefetch
  scale=0.1
  part 55 eclcc --budget 0.4 --peers igraph "${external[@]}" \
    --algorithms letters,ecl,eclaf,ecl-serial,crono-sv,union-find,dfs,bfs,galois-async
elif [ "$device" = cuda ]; then
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
