#!/usr/bin/env bash
# cmake/scripts/deps.sh in a pretended system: fakes of dpkg-query, apt-get, id, sudo and cmake are all that is on the PATH.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
deps=$root/cmake/scripts/deps.sh
world=$(mktemp -d)
trap 'rm -rf "$world"' EXIT
failures=0

# A system with nothing but the tools that any has.
new_world() {
  rm -rf "${world:?}"/*
  mkdir "$world/bin"
  for tool in bash env cat awk xargs printf tail dirname; do
    ln -s "$(type -P "$tool")" "$world/bin/$tool"
  done
  : >"$world/calls"
  fake id "echo 0"
  fake cmake "exit 1"
}
fake() { # name, body
  printf '#!%s\n%s\n' "$(type -P bash)" "$2" >"$world/bin/$1"
  chmod +x "$world/bin/$1"
}
debian() { # names of packages that are not installed; apt-get writes down what it is asked to do
  # shellcheck disable=SC2016
  fake dpkg-query 'for p in "${@:4}"; do [[ " '"$*"' " == *" $p "* ]] || echo "install ok installed:$p"; done; '"[[ -z '$*' ]]"
  fake apt-get "echo apt-get \"\$@\" >>$world/calls"
}
run() { # arguments of deps.sh; sets code, output, calls
  code=0
  output=$(PATH=$world/bin "$world/bin/bash" "$deps" "$@" 2>&1 </dev/null) || code=$?
  calls=$(<"$world/calls")
}
check() { # claim, value, the glob that it must match
  # shellcheck disable=SC2053
  if [[ $2 != $3 ]]; then
    printf 'FAILED: %s\n  code: %s\n  calls: %s\n  output: %s\n' "$1" "$code" "$calls" "$output" >&2
    failures=$((failures + 1))
  fi
}
newline=$'\n'

new_world && debian
run
check "all installed: succeeds" "$code" 0
check "all installed: leaves apt alone" "$calls" ''

new_world && debian libfmt-dev doctest-dev
run
check "missing, root: succeeds" "$code" 0
check "missing, root: updates first" "$calls" "apt-get *update${newline}apt-get *install *"
check "missing, root: installs these and no other" "$calls" '*--no-install-recommends libfmt-dev doctest-dev'

new_world && debian clang-tidy
run
check "clang-tidy is not needed unless asked for" "$code$calls" 0
run build tidy
check "clang-tidy is installed when asked for" "$calls" '* clang-tidy'

new_world && debian libhdf5-dev
fake apt-get 'exit 100'
run
check "apt-get fails: so does deps" "$code" '[1-9]*'

new_world && debian libhdf5-dev
fake id 'echo 1000'
# shellcheck disable=SC2016
fake sudo '[[ $1 == -n ]] || exit 1; shift; if [[ $1 != true ]]; then exec "$@"; fi'
run
check "missing, sudo without a password: succeeds" "$code" 0
check "missing, sudo without a password: installs" "$calls" '* libhdf5-dev'

new_world && debian libhdf5-dev cmake
fake id 'echo 1000'
fake sudo 'echo "sudo: a password is required" >&2; exit 1'
run
check "missing, no rights: fails" "$code" 1
check "missing, no rights: touches nothing" "$calls" ''
check "missing, no rights: names the Debian and the Spack package" "$output" '*libhdf5-dev *hdf5~mpi *'
check "missing, no rights: does not list what is there" "${output/*libfmt-dev*/listed}" '[!l]*'
check "missing, no rights: points to the guide" "$output" '*docs/install.md*'

new_world # neither dpkg-query nor apt-get
fake cmake 'echo "DNNL: Debian libdnnl-dev, Spack onednn"; exit 1'
run
check "not Debian, CMake misses something: fails" "$code" 1
check "not Debian: shows what CMake misses" "$output" '*DNNL: Debian libdnnl-dev, Spack onednn*'
check "not Debian: points to the guide" "$output" '*docs/install.md*'
fake cmake 'exit 0'
run
check "not Debian, CMake finds everything: succeeds" "$code" 0

# Every package that CMake names is one that deps.sh installs; its output still lists them all.
while read -r -a packages; do
  for package in "${packages[@]/#g++/build-essential}"; do
    check "deps.sh knows $package of OdsgdDependencies.cmake" "$output" "* $package *"
  done
done < <(sed -nE 's/^ *odsgd_require\(.*DEBIAN "?([^"]+)"? SPACK.*/\1/p' "$root/cmake/OdsgdDependencies.cmake")

((failures == 0))
