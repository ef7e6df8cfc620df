#!/usr/bin/env bash
# test_results.sh ODSGD: results/table.py and results/plot.py on runs of ODSGD. Exit code 77 (skipped): the Python that
# they are for lacks what they need.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=/usr/bin/python3
if ! { [[ -x $python ]] && "$python" -c "import h5py, matplotlib"; } 2>/dev/null; then
  echo "results: skipped: $python lacks h5py or matplotlib (Debian: python3-h5py, python3-matplotlib)"
  exit 77
fi
export ODSGD=$1 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$here/../../results:$here
for test in "$here"/test_*.py; do
  "$python" "$test"
done
