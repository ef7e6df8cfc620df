#!/usr/bin/env bash
# test_network.sh ODSGD LAUNCH...: network.sh measures and tabulates what it says. LAUNCH starts 3 ranks here. Exit code 77
# (skipped): no python3.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v python3 >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
check() { # claim, value, what it must be
  if [[ $2 != "$3" ]]; then
    printf 'FAILED: %s\n  got: %s\n  want: %s\n' "$1" "$2" "$3" >&2
    failures=$((failures + 1))
  fi
}

tables=$(ODSGD=$1 STEPS=2 WARMUP=1 NETWORKS="resnet50/200 lenet/10" RATIOS="0.5 2" \
  "$here/network.sh" "$folder/all" "${@:2}" 2>"$folder/progress") || {
  cat "$folder/progress" >&2
  exit 1
}
check "a report of every run" "$(cd "$folder/all" && echo *)" \
  "overlap-lenet-jitter.json overlap-lenet-ratio-0.5.json overlap-lenet-ratio-2.json overlap-lenet-straggler.json \
overlap-resnet50-jitter.json overlap-resnet50-ratio-0.5.json overlap-resnet50-ratio-2.json \
overlap-resnet50-straggler.json ps-all.json ps-flat.json"
check "a row each" "$(awk -F' *[|] *' '$2 ~ /^(ps|overlap)-/ { print $2 }' <<<"$tables" | tr '\n' ' ')" \
  "ps-all ps-flat overlap-lenet-jitter overlap-lenet-ratio-0.5 overlap-lenet-ratio-2 overlap-lenet-straggler \
overlap-resnet50-jitter overlap-resnet50-ratio-0.5 overlap-resnet50-ratio-2 overlap-resnet50-straggler "
check "as many cells in every row of a table" \
  "$(awk -F'|' '/^[|]/ { print NF }' <<<"$tables" | sort | uniq -c | awk '{ print $2 }' | tr '\n' ' ')" "12 15 "
code=0
"$here/network.sh" "$folder/none" 2>/dev/null || code=$?
check "no launcher is a usage error" "$code" 2
code=0
ODSGD=$1 "$here/network.sh" "$folder/failed" false >/dev/null 2>&1 || code=$?
check "a run that fails ends it" "$code" 1

((failures == 0))
