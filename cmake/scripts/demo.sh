#!/usr/bin/env bash
# make demo: packs Fashion-MNIST of Debian's package dataset-fashion-mnist into HDF5 (once) and trains LeNet on it with
# OD-SGD, 1 server and 4 workers, on this machine. FASHION_MNIST=<folder> takes the idx files from there instead;
# EPOCHS=<n> trains longer. Every call writes a new folder demo/run-<n>.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
set -a
. cmake/open_mpi_local.env
set +a

bin=build/release/bin
data=demo/fashion-mnist.h5
mkdir -p demo

if [[ ! -e $data ]]; then
  folder=${FASHION_MNIST:-$(dpkg-query -L dataset-fashion-mnist 2>/dev/null | sed -n 's,/train-images[^/]*$,,p')}
  if [[ -z $folder ]]; then
    echo "demo: no Fashion-MNIST here: got no Debian package dataset-fashion-mnist, want it or" \
      "FASHION_MNIST=<folder with the four idx files>" >&2
    exit 1
  fi
  "$bin/odsgd-prep" mnist --input "$folder" --output "$data" --name fashion-mnist --class-names \
    "T-shirt/top,Trouser,Pullover,Dress,Coat,Sandal,Shirt,Sneaker,Bag,Ankle boot"
fi

n=1
while [[ -e demo/run-$n ]]; do n=$((n + 1)); done

# Open MPI gives every rank a terminal of its own, also when the output goes to a file: only this script can tell.
progress=off
if [[ -t 1 ]]; then progress=on; fi

set -x
mpirun -np 5 "$bin/odsgd" train --data "$data" --model lenet --algorithm od-sgd --servers 1 --batch-per-worker 64 \
  --epochs "${EPOCHS:-4}" --lr 0.05 --momentum 0.9 --weight-decay 1e-4 --seed 1 --progress "$progress" \
  --output "demo/run-$n"
