#!/usr/bin/env bash
# Sweeps on a real Slurm on this machine (Scripts/slurm-sandbox), against the same sweep by one process.
#
#   bash Scripts/slurm-trial.sh                      array, cancel, requeue, split array, printed script: about a minute
#   bash Scripts/slurm-trial.sh faults               besides, everything that kills, cuts off, stops, preempts, fills, shifts: half an hour
#   CASES="node cut" bash Scripts/slurm-trial.sh     these alone; the cases stand in Scripts/slurm-cases
#
# Every case ends with each run exactly once in the cube and the bits of one process; a worker that was stopped or cut off may do
# runs a second time. No slot is idle for more than 70 s, and the collect job begins 90 s after the last run at the latest. Ends with 0
# and a word where Slurm or root is not to be had, with 1 where a case fails.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. Scripts/trial-helpers.sh
sandbox=$PWD/Scripts/slurm-sandbox
export SLURM_SANDBOX=$work/slurm

if [ "$(uname)" != Linux ] || [ "$(id -u)" != 0 ] || ! command -v slurmctld slurmd sbatch munged >/dev/null; then
  echo "Slurm: skipped; it wants root and, of Debian, slurmctld slurmd slurm-client munge"
  exit 0
fi
finish() {
  "$sandbox" stop
  if mountpoint -q "$work/small"; then umount -l "$work/small"; fi
  if [ "$fails" -eq 0 ]; then rm -rf "$work"; else echo "Slurm: kept for a look: $work"; fi
}
trap finish EXIT

for file in helpers short faults launches resources; do . "Scripts/slurm-cases/$file.sh"; done

short="array print cancel requeue split refused"
long="worker manager node cut scancel drain preempt again controller stop limit"
long+=" two beside lost grown replaced many disk clock memory trap"
cases=${CASES:-$short}
if [ "${1:-}" = faults ] && [ -z "${CASES:-}" ]; then cases="$short $long"; fi

SLURM_SANDBOX_MAXARRAY=1001 "$sandbox" start 3 || exit 1
eval "$("$sandbox" env)"
all=$SECONDS
for name in $cases; do
  begin=$SECONDS
  if [ "$name" = split ]; then
    "$sandbox" stop && SLURM_SANDBOX_MAXARRAY=5 "$sandbox" start 3 && "t_$name"
    "$sandbox" stop && "$sandbox" start 3
  else
    "t_$name"
  fi
  say "($((SECONDS - begin)) s)"
done
echo "Slurm: $((SECONDS - all)) s, $fails failed"
exit $((fails > 0))
