#!/usr/bin/env bash
# The include check is itself checked: it accepts a small clean tree, and rejects each forbidden include put into it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

clean_tree() {
  rm -rf "${tree:?}"/*
  mkdir -p "$tree"/include/odsgd/{base,transport,ps,bench,h5,data} "$tree"/src/{base,transport,ps,h5,data,compute/cpu,extra} \
    "$tree"/data_prep
  echo '#include <vector>' >"$tree/include/odsgd/base/error.hpp"
  echo '#include "odsgd/base/error.hpp"' >"$tree/include/odsgd/transport/endpoint.hpp"
  echo '#include "odsgd/transport/endpoint.hpp"' >"$tree/include/odsgd/ps/client.hpp"
  echo '#include "odsgd/ps/client.hpp"' >"$tree/include/odsgd/bench/exchange.hpp"
  printf '#include <mpi.h>\n#include "mpi_check.hpp"\n' >"$tree/src/transport/mpi_endpoint.cpp"
  echo '#include "odsgd/base/error.hpp"' >"$tree/src/transport/mpi_check.hpp"
  echo '#include "version.hpp"' >"$tree/src/base/version.cpp"
  : >"$tree/src/base/version.hpp.in"
  echo '#include <dnnl.hpp>' >"$tree/src/compute/cpu/pool.cpp"
  echo '#include <hdf5.h>' >"$tree/include/odsgd/h5/file.hpp"
  echo '#include <odsgd/h5/file.hpp>' >"$tree/include/odsgd/data/reader.hpp"
  echo '#include "odsgd/app/run.hpp"' >"$tree/src/main.cpp"
  echo '#include "odsgd/data/reader.hpp"' >"$tree/data_prep/main.cpp"
}

accepts() { # what
  if ! "$here/check_includes.sh" "$tree"; then
    echo "FAILED: rejects $1" >&2
    failures=$((failures + 1))
  fi
}

rejects() { # file, line to add: must be named in the message with its line number
  clean_tree
  echo "$2" >>"$tree/$1"
  local output
  if output=$("$here/check_includes.sh" "$tree" 2>&1); then
    echo "FAILED: accepts '$2' in $1" >&2
    failures=$((failures + 1))
  elif [[ $output != "$1:$(wc -l <"$tree/$1"):"* ]]; then
    echo "FAILED: does not name the place of '$2' in $1 but says: $output" >&2
    failures=$((failures + 1))
  fi
}

clean_tree
accepts "a clean tree"

rejects include/odsgd/base/error.hpp '#include "odsgd/transport/endpoint.hpp"'        # leftwards
rejects include/odsgd/base/error.hpp '  #  include <odsgd/transport/endpoint.hpp>'    # however it is spelt
rejects src/ps/client.cpp '#include "odsgd/h5/file.hpp"'                              # another branch
rejects include/odsgd/data/reader.hpp '#include "odsgd/record/log.hpp"'               # a sibling
rejects src/ps/client.cpp '#include "odsgd/bench/exchange.hpp"'
rejects include/odsgd/bench/exchange.hpp '#include "odsgd/data/reader.hpp"'
rejects src/ps/client.cpp '#include <mpi.h>'
rejects src/transport/in_process.cpp '#include <mpi.h>'                               # only mpi_* files
rejects src/compute/registry.cpp '#include <oneapi/dnnl/dnnl.hpp>'
rejects src/data/reader.cpp '#include <hdf5.h>'
rejects src/data/reader.cpp '#include <H5Fpublic.h>'
rejects src/compute/cpu/pool.cpp '#include <cuda_runtime.h>'
rejects src/ps/client.cpp '#include "../transport/mpi_check.hpp"'                     # another module's private header
rejects src/ps/client.cpp '#include "transport/mpi_check.hpp"'
rejects src/main.cpp '#include "odsgd/ps/client.hpp"'
rejects data_prep/main.cpp '#include "odsgd/app/run.hpp"'
rejects src/base/random.cpp '#include <odsgd/extra/thing.hpp>'
rejects src/extra/thing.cpp '#include "odsgd/base/error.hpp"'                         # not a module of the table

((failures == 0))
