#!/usr/bin/env bash
# format.sh [--fix] [FOLDER]: fails when a C++ or CUDA source is not as clang-format would have it; --fix rewrites it.
# Exit code 77 (skipped): no clang-format 14 here. Other versions break lines at other places, so one version decides.
set -euo pipefail
mode=(--dry-run -Werror)
if [[ ${1:-} == --fix ]]; then
  mode=(-i)
  shift
fi
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

if ! tool=$(command -v clang-format-14 || command -v clang-format); then
  echo "format: skipped: clang-format is not installed" >&2
  exit 77
fi
version=$("$tool" --version | sed -E 's/.*version ([0-9]+).*/\1/')
if [[ $version != 14 ]]; then
  echo "format: skipped: found clang-format $version, want 14" >&2
  exit 77
fi

find . \( -path ./build -o -path './.?*' \) -prune -o \
  -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
  xargs -0 -r "$tool" --style=file "${mode[@]}"
