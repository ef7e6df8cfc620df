#!/usr/bin/env bash
# test_install.sh CMAKE BUILD_FOLDER: a staged install (DESTDIR) holds programs and jobs, and another project finds the
# package where it was moved to, compiles against its headers, and links and runs.
set -euo pipefail
cmake=$1
build=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

DESTDIR=$stage "$cmake" --install "$build" --prefix /opt/odsgd >"$stage/log" || {
  tail -n 20 "$stage/log"
  exit 1
}
prefix=$stage/moved
mv "$stage/opt/odsgd" "$prefix"

for program in odsgd odsgd-prep; do
  if [[ -e $build/bin/$program ]]; then
    "$prefix/bin/$program" --version
  fi
done
[[ -f $prefix/share/odsgd/jobs/mnist-lenet.sbatch ]]
[[ -f $prefix/share/doc/odsgd/LICENSE ]]

"$cmake" -S "$here/consumer" -B "$stage/build" -DCMAKE_PREFIX_PATH="$prefix"
"$cmake" --build "$stage/build"
"$stage/build/consumer"
