#!/usr/bin/env bash
# The format check accepts formatted code, names the file that is not formatted, and --fix repairs it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
format=$root/cmake/scripts/format.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cp "$root/.clang-format" "$tree"
mkdir -p "$tree/src" "$tree/build"

"$format" "$tree" || exit # an empty tree; 77 when there is no clang-format

printf 'int main() { return 0; }\n' >"$tree/src/good.cpp"
printf 'int  built( );\n' >"$tree/build/generated.cpp" # not ours
"$format" "$tree"

for name in bad.cpp bad.hpp bad.cu bad.cuh; do
  printf 'int  f( );\n' >"$tree/src/$name"
  if output=$("$format" "$tree" 2>&1); then
    echo "FAILED: accepts an unformatted $name" >&2
    exit 1
  fi
  [[ $output == *"$name"* ]]
  "$format" --fix "$tree"
  [[ $(<"$tree/src/$name") == 'int f();' ]]
done
"$format" "$tree"
