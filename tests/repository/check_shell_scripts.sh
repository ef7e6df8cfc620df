#!/usr/bin/env bash
# check_shell_scripts.sh FOLDER: every shell script below it is executable (job scripts need not be), parses, stops at the
# first error, and satisfies shellcheck where that is installed.
set -euo pipefail
cd "$1"
mapfile -t scripts < <(find . \( -path ./build -o -path ./.git \) -prune -o \
  -type f \( -name '*.sh' -o -name '*.sbatch' -o -path './.ci/*' \) -print)
failures=0
fail() {
  echo "$1" >&2
  failures=$((failures + 1))
}

for script in "${scripts[@]}"; do
  bash -n "$script" || fail "$script: does not parse"
  grep -q '^set -euo pipefail$' "$script" || fail "$script: lacks 'set -euo pipefail'"
  [[ -x $script || $script == *.sbatch ]] || fail "$script: not executable"
done
if command -v shellcheck >/dev/null; then
  shellcheck --external-sources "${scripts[@]}" || fail "shellcheck found faults"
fi
((${#scripts[@]} >= 5 && failures == 0))
