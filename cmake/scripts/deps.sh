#!/usr/bin/env bash
# deps.sh [GROUP...]: sees to it that what odsgd needs is installed. Groups: build test demo tidy; without any, the first
# three. Debian with root or sudo: installs what is missing. Elsewhere: lists it, and leaves the verdict to CMake, which
# also finds packages of Spack or of a module system (docs/install.md).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# group, Debian package, Spack package, what for
table() {
  cat <<'END'
build build-essential        gcc            C++20 compiler with OpenMP (g++ 12 or newer)
build cmake                  cmake          build system, 3.25 or newer
build ninja-build            ninja          build system
build libopenmpi-dev         openmpi        messages between ranks
build openmpi-bin            openmpi        mpirun
build libhdf5-dev            hdf5~mpi       data sets, run logs
build libdnnl-dev            onednn@2       convolution and the like on the CPU
build libcli11-dev           cli11          command line
build libfmt-dev             fmt            text output
build nlohmann-json3-dev     nlohmann-json  JSON output
build libtomlplusplus-dev    tomlplusplus   TOML configurations
build zlib1g-dev             zlib           gzipped data files
build libssl-dev             openssl        sha256 of data files
test  doctest-dev            doctest        unit tests
test  clang-format           llvm           format test, make format
test  hdf5-tools             hdf5           h5dump, to look into run logs
test  python3-h5py           py-h5py        results/table.py and plot.py: tables and curves of runs
test  python3-matplotlib     py-matplotlib  results/plot.py
demo  dataset-fashion-mnist  -              60,000 images for the demo and the tests
tidy  clang-tidy             llvm           make tidy
END
}

# "package spack purpose" of every missing package of the groups in $1
missing() {
  local installed group package spack purpose
  # dpkg-query complains about packages it has never heard of; they are missing as well.
  # shellcheck disable=SC2016  # the ${...} is dpkg-query's
  installed=$(table | awk '{ print $2 }' | xargs dpkg-query -W -f '${Status}:${Package}\n' 2>/dev/null || true)
  while read -r group package spack purpose; do
    if [[ " $1 " == *" $group "* && $'\n'$installed$'\n' != *$'\n'"install ok installed:$package"$'\n'* ]]; then
      echo "$package $spack $purpose"
    fi
  done < <(table)
}

# How to become root: "" (is root), "sudo -n", or failure.
become_root() {
  if [[ $(id -u) == 0 ]]; then
    echo ""
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    echo "sudo -n"
  else
    return 1
  fi
}

main() {
  local groups="${*:-build test demo}" list root
  list=$(missing "$groups")
  if [[ -z $list ]]; then
    echo "deps: every package is installed"
    return
  fi

  if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null && root=$(become_root); then
    local -a names apt
    mapfile -t names < <(awk '{ print $1 }' <<<"$list")
    # shellcheck disable=SC2206  # two words or none
    apt=($root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
    echo "deps: installing ${names[*]}"
    "${apt[@]}" update </dev/null
    "${apt[@]}" install -y --no-install-recommends "${names[@]}" </dev/null
    return
  fi

  echo "deps: may not install packages here (needs Debian's apt-get, and root or sudo); not known to be installed:"
  {
    echo "Debian Spack what for"
    echo "$list"
  } | while read -r package spack purpose; do printf '  %-23s %-14s %s\n' "$package" "$spack" "$purpose"; done
  local output
  if output=$(cmake --preset release 2>&1); then
    echo "deps: CMake finds everything that the build needs; going on"
    return
  fi
  printf '%s\n' "$output" | tail -n 30
  echo "deps: install what CMake misses (docs/install.md: Debian, Spack, modules) and try again"
  return 1
} >&2

main "$@"
