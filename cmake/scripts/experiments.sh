#!/usr/bin/env bash
# experiments.sh FOLDER [RESULTS]: redoes the reference runs of results/mnist-lenet. Packs the idx files of MNIST in
# FOLDER, trains LeNet by every algorithm and by OD-SGD's other local rules, each with the seeds of SEEDS (default
# "1 2 3"), 1 server and 4 workers, keeps the logs and configurations in RESULTS (default results/mnist-lenet), and makes
# the tables from them. A run that is there is kept, so an interrupted call goes on where it stopped.
set -euo pipefail
if [[ ! -d ${1:-} ]]; then
  echo "experiments: got '${1:-}', want the folder with the four idx files of MNIST (make experiments MNIST=<folder>)" >&2
  exit 1
fi
mnist=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
results=${2:-results/mnist-lenet}
set -a
. cmake/open_mpi_local.env
set +a

bin=build/release/bin
runs=runs/mnist-lenet
mkdir -p "$runs"
[[ -e $runs/mnist.h5 ]] || "$bin/odsgd-prep" mnist --input "$mnist" --output "$runs/mnist.h5"

# run GROUP NAME ALGORITHM [OPTIONS]: one row of GROUP's table, all seeds.
run() {
  local group=$1 name=$2 algorithm=$3 seed output
  shift 3
  for seed in ${SEEDS:-1 2 3}; do
    output=$group/$name-seed$seed
    [[ -e $results/$output/run.h5 ]] && continue
    rm -rf "${runs:?}/$output"
    mpirun -np 5 "$bin/odsgd" train --config "jobs/mnist-lenet-$algorithm.toml" --data "$runs/mnist.h5" \
      --seed "$seed" --output "$runs/$output" --save-weights false --progress off "$@"
    mkdir -p "$results/$output"
    cp "$runs/$output"/{run.h5,config.toml} "$results/$output/"
  done
}
run algorithms ssgd ssgd
run algorithms od-sgd od-sgd
run algorithms asgd asgd
run algorithms asgd-lr-0.0125 asgd --lr 0.0125
run local-rules none od-sgd --local-rule none
run local-rules sgd-momentum-0 od-sgd --local-rule sgd --local-momentum 0
run local-rules sgd-momentum-0.9 od-sgd --local-rule sgd --local-momentum 0.9
run local-rules mc od-sgd --local-rule mc

for group in algorithms local-rules; do
  results/table.py "$results/$group"/*/ | tee "$results/$group/table.md"
  results/plot.py --what test-error --output "$results/$group/error.png" "$results/$group"/*/
done
