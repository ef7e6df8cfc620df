#!/usr/bin/env bash
# experiments.sh FOLDER: redoes the reference runs of results/mnist-lenet. Packs the idx files of MNIST in FOLDER, then
# trains LeNet with every jobs/mnist-lenet-*.toml and the seeds of SEEDS (default "1 2 3"), 1 server and 4 workers, into
# runs/mnist-lenet/<algorithm>-seed<n>. A run that is there is kept, so an interrupted call goes on where it stopped.
set -euo pipefail
if [[ ! -d ${1:-} ]]; then
  echo "experiments: got '${1:-}', want the folder with the four idx files of MNIST (make experiments MNIST=<folder>)" >&2
  exit 1
fi
mnist=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
set -a
. cmake/open_mpi_local.env
set +a

bin=build/release/bin
runs=runs/mnist-lenet
mkdir -p "$runs"
[[ -e $runs/mnist.h5 ]] || "$bin/odsgd-prep" mnist --input "$mnist" --output "$runs/mnist.h5"

for seed in ${SEEDS:-1 2 3}; do
  for config in jobs/mnist-lenet-*.toml; do
    name=$(basename "$config" .toml)
    run=$runs/${name#mnist-lenet-}-seed$seed
    [[ -e $run ]] && continue
    # Trained under another name first: a run that was interrupted must not count as done.
    rm -rf "$run.unfinished"
    mpirun -np 5 "$bin/odsgd" train --config "$config" --data "$runs/mnist.h5" --seed "$seed" --output "$run.unfinished"
    mv "$run.unfinished" "$run"
  done
done
for run in "$runs"/*-seed*/; do
  "$bin/odsgd" info "${run}run.h5"
done
