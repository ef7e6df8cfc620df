#!/usr/bin/env bash
# check_job_configurations.sh ODSGD FOLDER: every key of every TOML file in the folder is an option of `odsgd train`.
set -euo pipefail
options=$("$1" train --help | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u)
failures=0
for file in "$2"/*.toml; do
  while read -r key; do
    if ! grep -qx -- "--$key" <<<"$options"; then
      echo "$file: '$key' is not an option of odsgd train" >&2
      failures=$((failures + 1))
    fi
  done < <(sed -nE 's/^[[:space:]]*([A-Za-z0-9_-]+)[[:space:]]*=.*/\1/p' "$file")
done
((failures == 0))
