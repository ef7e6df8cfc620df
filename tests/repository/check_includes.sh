#!/usr/bin/env bash
# check_includes.sh FOLDER: fails when a source includes what its module may not know (docs/architecture.md, modules).
# Looks at include/odsgd, src and data_prep below FOLDER; prints file:line and the reason for every fault.
set -euo pipefail
cd "$1"
faults=0

# The modules that a module may include, beside itself: everything to its right in the module graph.
allowed() {
  case $1 in
    base) ;;
    transport | compute | h5) echo base ;;
    ps) echo transport base ;;
    nn) echo compute base ;;
    algorithms) echo ps transport base ;;
    data | record | checkpoint) echo h5 base ;;
    bench) echo algorithms ps transport nn compute base ;;
    app) echo bench algorithms ps transport nn compute data record checkpoint h5 base ;;
    main.cpp) echo app base ;;
    data_prep) echo data h5 base ;;
    *) return 1 ;;
  esac
}

# The only files that may include a third party's headers: header pattern, file pattern.
owners='
^mpi[.]h                          ^src/transport/mpi_
^(oneapi/.*|dnnl.*)               ^src/compute/cpu
^(hdf5.*|H5.*)                    ^(src|include/odsgd)/h5/
^(cuda|cublas|cudnn|nvtx).*       ^src/compute/cuda
'

fault() { # file:line, header, reason
  echo "$1: includes $2: $3" >&2
  faults=$((faults + 1))
}

# include/odsgd/<module>/..., src/<module>/..., src/main.cpp, data_prep/...
module_of() {
  local path=${1#include/odsgd/}
  path=${path#src/}
  echo "${path%%/*}"
}

check_ours() { # place, file, module, header
  local target=${4#odsgd/}
  target=${target%%/*}
  if [[ $target != "$3" && " $(allowed "$3") " != *" $target "* ]]; then
    fault "$1" "$4" "module $3 may include only: $3 $(allowed "$3")"
  fi
}

check_private() { # place, file, module, header: in its module's folder, perhaps made by CMake from a header.in
  local path
  path=$(realpath -m --relative-to=. "$(dirname "$2")/$4")
  if [[ ! -f $path && ! -f $path.in ]]; then
    fault "$1" "\"$4\"" "not beside the file; other modules are included as <odsgd/module/file.hpp>"
  elif [[ $(module_of "$path") != "$3" ]]; then
    fault "$1" "\"$4\"" "a private header of module $(module_of "$path")"
  fi
}

check_third_party() { # place, file, header
  local header files
  while read -r header files; do
    if [[ -n $header && $3 =~ $header && ! $2 =~ $files ]]; then
      fault "$1" "$3" "only $files may"
    fi
  done <<<"$owners"
}

folders=()
for folder in include/odsgd src data_prep; do
  [[ -d $folder ]] && folders+=("$folder")
done
while IFS=: read -r file line text; do
  module=$(module_of "$file")
  if ! allowed "$module" >/dev/null; then
    fault "$file:$line" "$text" "module $module is not in the table of $0"
    continue
  fi
  header=${text#*[<\"]}
  header=${header%%[>\"]*}
  check_third_party "$file:$line" "$file" "$header"
  if [[ $header == odsgd/* ]]; then
    check_ours "$file:$line" "$file" "$module" "$header"
  elif [[ $text == *\"* ]]; then
    check_private "$file:$line" "$file" "$module" "$header"
  fi
done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' "${folders[@]}" \
  --include='*.cpp' --include='*.hpp' --include='*.cu' --include='*.cuh' --include='*.in')

if ((faults > 0)); then
  echo "$faults forbidden includes" >&2
  exit 1
fi
