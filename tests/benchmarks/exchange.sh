#!/usr/bin/env bash
# The exchange on this machine: memory limits, push and pull of 25 million floats between threads and between processes,
# and what each algorithm hides behind a pretend computing of 30 ms. About a minute; `make bench` calls it.
#
#     tests/benchmarks/exchange.sh [FOLDER]     writes FOLDER/<name>.json (default build/release/bench) and prints a table
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
set -a
. cmake/open_mpi_local.env
set +a
odsgd=${ODSGD:-build/release/bin/odsgd}
folder=${1:-build/release/bench}
mkdir -p "$folder"

measure() { # NAME COMMAND...
  local name=$1
  shift
  echo "$*" >&2
  "$@" --json >"$folder/$name.json.part"
  mv "$folder/$name.json.part" "$folder/$name.json"
}

measure limits "$odsgd" bench limits
ps=(bench ps --network flat:25000000)
measure ps-threads-1+2 "$odsgd" "${ps[@]}" --workers 2
measure ps-threads-2+2 "$odsgd" "${ps[@]}" --workers 2 --servers 2
measure ps-threads-1+4 "$odsgd" "${ps[@]}" --workers 4
measure ps-mpi-1+2 mpirun -np 3 "$odsgd" "${ps[@]}"
measure ps-mpi-2+2 mpirun -np 4 "$odsgd" "${ps[@]}" --servers 2
measure ps-mpi-1+4 mpirun -np 5 "$odsgd" "${ps[@]}"
overlap=(bench overlap --network resnet50 --scale 20 --compute-ms 30)
measure overlap-threads "$odsgd" "${overlap[@]}" --workers 2
measure overlap-mpi mpirun -np 3 "$odsgd" "${overlap[@]}"

python3 tests/benchmarks/tables.py "$folder"
