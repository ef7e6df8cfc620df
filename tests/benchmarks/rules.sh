#!/usr/bin/env bash
# Update rules between hosts: the time of an epoch, the bytes and the staleness of each, on a device that computes for a
# given time and nothing else, so that workers on one machine do not take each other's cores.
#
#     tests/benchmarks/rules.sh DATA FOLDER LAUNCH...
#
# DATA is a packed data set. LAUNCH is what starts a rank on each of the hosts, the first of them being the server, e.g.
#     tests/benchmarks/rules.sh mnist.h5 out mpirun --hostfile hosts -np 5
# Writes FOLDER/<rule>/run.h5 and prints a table. Settings are variables of the environment:
#     RULES     (default: all with something of their own in exchange or waiting)
#     OPTIONS   more options of all of them; with "--exchange allreduce" every host has a worker (default: none)
#     MODEL, COMPUTE_MS   the network that is exchanged, and how long a step computes (default: lenet, 100)
#     EPOCHS    (default: 1)
#     ODSGD     the program (default: build/release/bin/odsgd)
set -euo pipefail
if [[ $# -lt 3 ]]; then
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
odsgd=$(realpath "${ODSGD:-$top/build/release/bin/odsgd}")
data=$(realpath "$1")
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
read -ra options <<<"${OPTIONS:-}"

logs=()
for rule in ${RULES:-ssgd asgd ssp dc-asgd od-sgd dc-s3gd ssd-sgd cd-sgd local-sgd easgd}; do
  echo "$rule" >&2
  rm -rf "${folder:?}/$rule"
  "$@" "$odsgd" train --algorithm "$rule" --data "$data" --output "$folder/$rule" --model "${MODEL:-lenet}" \
    --device synthetic --compute-ms "${COMPUTE_MS:-100}" --epochs "${EPOCHS:-1}" --progress off --log-steps 0 \
    --save-weights false "${options[@]}" >"$folder/$rule.txt" 2>&1 || { cat "$folder/$rule.txt" >&2; exit 1; }
  rm "$folder/$rule.txt"
  logs+=("$rule=$folder/$rule")
done
"$top/results/table.py" "${logs[@]}" | tee "$folder/table.md"
