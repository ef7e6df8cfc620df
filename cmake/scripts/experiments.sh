#!/usr/bin/env bash
# experiments.sh FOLDER [RESULTS]: redoes the comparison of all update rules of results/mnist-lenet. Packs the idx files
# of MNIST in FOLDER, and trains LeNet by every rule of rules() below in the settings of settings(), each with the seeds of
# SEEDS (default "1 2 3") for EPOCHS epochs (default 10), 4 workers and 1 server over MPI (4 workers without servers where
# a rule asks for it). Keeps each run as RESULTS/SETTING/RULE-seedN/{run.h5,config.toml} (default results/mnist-lenet);
# a run that is there is not repeated, so an interrupted call goes on where it stopped. A training that diverges is a
# result. SETTINGS and RULES choose some by name. At the end: a table and a picture of each setting.
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

# name, learning rate, momentum
settings() {
  cat <<'END'
momentum-0    0.05  0
momentum-0.9  0.05  0.9
lr-times-4    0.2   0.9
END
}

# name, factor of the learning rate, options
rules() {
  cat <<'END'
ssgd               1     --algorithm ssgd
ssgd-allreduce     1     --algorithm ssgd --exchange allreduce
asgd               1     --algorithm asgd
asgd-lr-4th        0.25  --algorithm asgd
ssp                1     --algorithm ssp
ssp-lr-4th         0.25  --algorithm ssp
dc-asgd            1     --algorithm dc-asgd
dc-asgd-lr-4th     0.25  --algorithm dc-asgd
dc-asgd-c-lr-4th   0.25  --algorithm dc-asgd --lambda-rule constant
od-sgd-mc          1     --algorithm od-sgd --local-rule mc
od-sgd-sgd         1     --algorithm od-sgd --local-rule sgd
od-sgd-sgd-0       1     --algorithm od-sgd --local-rule sgd --local-momentum 0
od-sgd-dc-c        1     --algorithm od-sgd --local-rule dc-c
od-sgd-dc-a        1     --algorithm od-sgd --local-rule dc-a
od-sgd-dc-norm     1     --algorithm od-sgd --local-rule dc-norm
od-sgd-paper       1     --algorithm od-sgd --preset paper
od-sgd-allreduce   1     --algorithm od-sgd --exchange allreduce
pipe-sgd           1     --algorithm pipe-sgd
dc-s3gd            1     --algorithm dc-s3gd
ssd-sgd-mc         1     --algorithm ssd-sgd
ssd-sgd-sgd        1     --algorithm ssd-sgd --local-rule sgd --local-momentum 0
ssd-sgd-glu        1     --algorithm ssd-sgd --local-rule glu
cd-sgd-mc          1     --algorithm cd-sgd
cd-sgd-sgd         1     --algorithm cd-sgd --local-rule sgd --local-momentum 0
local-sgd          1     --algorithm local-sgd
local-sgd-outer    1     --algorithm local-sgd --outer-lr 0.7 --outer-momentum 0.5
easgd              1     --algorithm easgd
END
}

chosen() {
  [[ -z $1 || " $1 " == *" $2 "* ]]
}

# train DIRECTORY RANKS OPTIONS: one run; its log, small, and its configuration go to RESULTS/DIRECTORY.
train() {
  local directory=$1 ranks=$2 status=0
  shift 2
  rm -rf "${runs:?}/$directory"
  mpirun -np "$ranks" "$bin/odsgd" train --data "$runs/mnist.h5" --output "$runs/$directory" --model lenet \
    --batch-per-worker 64 --save-weights false --log-steps 0 --progress off "$@" >"$runs/output.txt" 2>&1 || status=$?
  if [[ ! -e $runs/$directory/run.h5 || $status -gt 1 ]]; then
    cat "$runs/output.txt" >&2
    echo "experiments: $directory ended with exit code $status" >&2
    exit 1
  fi
  mkdir -p "$results/$directory"
  cp "$runs/$directory/config.toml" "$results/$directory/"
  h5repack -l CONTI "$runs/$directory/run.h5" "$results/$directory/run.h5.new"  # growable tables take six times the space
  mv "$results/$directory/run.h5.new" "$results/$directory/run.h5"
  echo "$directory: $(grep -oE 'test accuracy +[0-9.]+ %|^odsgd: .*' "$runs/output.txt" | tail -1)"
}

mkdir -p "$runs"
[[ -e $runs/mnist.h5 ]] || "$bin/odsgd-prep" mnist --input "$mnist" --output "$runs/mnist.h5"
for seed in ${SEEDS:-1 2 3}; do
  while read -r setting lr momentum; do
    chosen "${SETTINGS:-}" "$setting" || continue
    while read -r rule factor options; do
      chosen "${RULES:-}" "$rule" || continue
      directory=$setting/$rule-seed$seed
      [[ -e $results/$directory/run.h5 ]] && continue
      ranks=5
      [[ $options == *allreduce* ]] && ranks=4
      rate=$(awk -v lr="$lr" -v factor="$factor" 'BEGIN { print lr * factor }')
      # shellcheck disable=SC2086  # options are words
      train "$directory" "$ranks" $options --lr "$rate" --momentum "$momentum" --seed "$seed" \
        --epochs "${EPOCHS:-10}" </dev/null
    done < <(rules)
  done < <(settings)
done

while read -r setting _; do
  [[ -d $results/$setting ]] || continue
  logs=()
  while read -r rule _; do
    for log in "$results/$setting/$rule"-seed*/run.h5; do
      [[ -e $log ]] && logs+=("$rule=$log")
    done
  done < <(rules)
  results/table.py "${logs[@]}" | tee "$results/$setting/table.md"
  results/plot.py --what test-error --title "LeNet on MNIST, $setting" --output "$results/$setting/error.png" "${logs[@]}"
done < <(settings)
