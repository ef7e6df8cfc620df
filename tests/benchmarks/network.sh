#!/usr/bin/env bash
# The exchange between hosts: what each algorithm hides on this network, for networks of known key sizes.
#
#     tests/benchmarks/network.sh FOLDER LAUNCH...
#
# LAUNCH is what starts a rank on each of the hosts, the first of them being the server, e.g.
#     tests/benchmarks/network.sh results mpirun --hostfile hosts -np 4
# Writes FOLDER/<name>.json and prints tables. Settings are variables of the environment:
#     NETWORKS  names and divisors (default: "resnet50/20 alexnet/40 vgg16/100", some 200 ms a step at 1 Gbit/s)
#     RATIOS    communication / compute (default: "0.5 1 2")
#     STEPS, WARMUP   steps that are measured, and before (default: 20, 5)
#     ODSGD     the program (default: build/release/bin/odsgd)
set -euo pipefail
if [[ $# -lt 2 ]]; then
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
odsgd=$(realpath "${ODSGD:-$tests/../../build/release/bin/odsgd}")
folder=$1
shift
mkdir -p "$folder"
read -ra networks <<<"${NETWORKS:-resnet50/20 alexnet/40 vgg16/100}"
steps=(--steps "${STEPS:-20}" --warmup-steps "${WARMUP:-5}")

measure() { # NAME BENCH-OPTIONS...
  local name=$1
  shift
  echo "$name: odsgd bench $*" >&2
  "${launch[@]}" "$odsgd" bench "$@" "${steps[@]}" --json >"$folder/$name.json.part"
  mv "$folder/$name.json.part" "$folder/$name.json"
}

launch=("$@")
for network in "${networks[@]}"; do
  sizes=(--network "${network%/*}" --scale "${network#*/}")
  for ratio in ${RATIOS:-0.5 1 2}; do
    measure "overlap-${network%/*}-ratio-$ratio" overlap "${sizes[@]}" --ratio "$ratio"
  done
  measure "overlap-${network%/*}-straggler" overlap "${sizes[@]}" --ratio 1 --straggler 2
  measure "overlap-${network%/*}-jitter" overlap "${sizes[@]}" --ratio 1 --compute-jitter 20
done
network=${networks[0]}
measure ps-all ps --network "${network%/*}" --scale "${network#*/}" --rounds 2 --repetitions 1
measure ps-flat ps --network flat:2500000 --rounds 2 --repetitions 1

python3 "$tests/tables.py" "$folder"
