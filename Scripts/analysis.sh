#!/bin/sh
# The analysis outside of the toolkit: the Python reader's tests, then notebook and R script over results/quickstart.h5.
# What pip or R cannot give here is named and left out.
set -eu
cd "$(dirname "$0")/.."

python=.build/python/bin/python
cube=results/quickstart.h5
output=results/analysis
export PALIMPSEST="${PALIMPSEST:-$PWD/.build/release/palimpsest}"

if [ ! -x "$PALIMPSEST" ]; then
  echo "analysis: $PALIMPSEST is not here: make build, or name one in PALIMPSEST." >&2
  exit 1
fi
test -s "$cube" || "$PALIMPSEST" run Experiments/quickstart.json --quiet

if { test -x "$python" || python3 -m venv .build/python; } && "$python" -m pip install --quiet './python[plots,test]'; then
  "$python" -m pytest -q -rs -W error python
  "$python" analysis/execute.py "$cube" "$output/python"
else
  echo "analysis: skipped the Python reader and the notebook: python3 with venv and pip is not here or found no packages."
fi

if Rscript -e 'library(rhdf5)' >/dev/null 2>&1; then
  Rscript analysis/report.R "$cube" "$output/r"
else
  echo "analysis: skipped the R script: apt-get install --no-install-recommends r-base-core r-bioc-rhdf5 fonts-dejavu-core"
fi
