#!/bin/sh
# All peers and Palimpsest side by side on one core; JSON lines to results/peers.jsonl, the tables to standard output.
#   run_all.sh [--core 0] [--rounds 7] [--avalanche-rounds 1] [--palimpsest TOOL] [--data FOLDER] [--out FILE] [--venvs FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
core=0 rounds=7 avalanche=1 tool= data=${PALIMPSEST_DATASETS:-datasets} out=results/peers.jsonl venvs=.build/peers
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || { echo "$1: a value is missing" >&2; exit 2; }
  case $1 in
    --core) core=$2 ;; --rounds) rounds=$2 ;; --avalanche-rounds) avalanche=$2 ;; --palimpsest) tool=$2 ;;
    --data) data=$2 ;; --out) out=$2 ;; --venvs) venvs=$2 ;;
    *) echo "$1: not an option; see the head of $0" >&2; exit 2 ;;
  esac
  shift 2
done

venv() {  # NAME REQUIREMENTS
  [ -x "$venvs/$1/bin/python" ] || python3 -m venv "$venvs/$1"
  "$venvs/$1/bin/pip" install -q -r "$here/$2"
}
mkdir -p "$venvs" "$(dirname "$out")"
venv peers requirements.txt
pinned() { name=$1; shift; taskset -c "$core" "$venvs/$name/bin/python" -W ignore "$@"; }

pinned peers "$here/check.py" ${tool:+--palimpsest "$tool"} >&2
pinned peers "$here/interleave.py" --rounds "$rounds" ${tool:+--palimpsest "$tool"} > "$out"
if [ "$avalanche" -gt 0 ]; then
  venv avalanche requirements-avalanche.txt
  mnist() { pinned avalanche "$here/avalanche_mnist.py" --data "$data" "$@" >> "$out"; }
  for _ in $(seq "$avalanche"); do
    mnist --feed loop
    for method in naive replay ewc si; do
      mnist --method "$method"
      [ -z "$tool" ] || pinned peers "$here/palimpsest_mnist.py" --palimpsest "$tool" --data "$data" --method "$method" >> "$out"
    done
    mnist --feed own
    pinned avalanche "$here/avalanche_users.py" --repeats 1 >> "$out"
  done
fi
"$venvs/peers/bin/python" "$here/table.py" "$out"
