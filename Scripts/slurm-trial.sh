#!/usr/bin/env bash
# Sweeps on a real Slurm on this machine (Scripts/slurm-sandbox), against the same sweep by one process.
#
#   bash Scripts/slurm-trial.sh          array, cancel, requeue, split array, printed script: about a minute
#   bash Scripts/slurm-trial.sh faults   besides, everything that kills, cuts off, stops, preempts: some minutes
#
# Every case ends with each run exactly once in the cube and the bits of one process; a worker that was stopped or cut off may do
# runs a second time. Ends with 0 and a word where Slurm or root is not to be had, with 1 where a case fails.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tool=${TOOL:-$PWD/.build/release/palimpsest}
sandbox=$PWD/Scripts/slurm-sandbox
work=$(mktemp -d)
# Kept with the daemons' state: a folder with a space and a percent sign, as users have.
mkdir -p "$work/my 50% sweeps"
export SLURM_SANDBOX=$work/slurm PALIMPSEST_CACHE=$work/cache
fails=0

if [ "$(uname)" != Linux ] || [ "$(id -u)" != 0 ] || ! command -v slurmctld slurmd sbatch munged >/dev/null; then
  echo "Slurm: skipped; it wants root and, of Debian, slurmctld slurmd slurm-client munge"
  exit 0
fi
finish() {
  "$sandbox" stop
  if [ "$fails" -eq 0 ]; then rm -rf "$work"; else echo "Slurm: kept for a look: $work"; fi
}
trap finish EXIT

say() { printf '  %s\n' "$*"; }
check() {
  local what=$1
  shift
  if "$@" >"$work/check.out" 2>&1; then say "ok    $what"; else
    say "FAIL  $what"
    sed 's/^/        /' "$work/check.out"
    fails=$((fails + 1))
  fi
}
# until_ok SECONDS COMMAND...
until_ok() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.2
  done
}

# experiment NAME SEEDS DAYS: two strategies, so 2 × SEEDS runs
experiment() {
  cat >"$work/$1.json" <<JSON
{
  "name": "$1",
  "scenarios": { "visible": { "name": "habit-phases", "phases": [0, 1, 3], "users": 4, "days": $3, "burnIn": 10,
    "testUsers": 6, "calibrationUsers": 50, "jointCeiling": "none" } },
  "training": { "epochs": 2, "batch": 16 },
  "strategies": { "naive": [], "replay": [{ "name": "reservoir", "capacity": 20 }] },
  "seeds": $2
}
JSON
}
results() { printf '%s/my 50%% sweeps/%s.h5' "$work" "$1"; }
# the same by one process
alone() { "$tool" run "$work/$1.json" --jobs 2 --quiet --output "$work/alone/$1.h5" >/dev/null; }
submit() {
  local name=$1
  shift
  "$tool" run "$work/$name.json" --launcher slurm --memory 300M --task-cpus 1 --output "$(results "$name")" "$@"
}
folder() { printf '%s/my 50%% sweeps/%s.palimpsest' "$work" "$1"; }
done_runs() { cat "$(folder "$1")"/journal/*.jsonl 2>/dev/null | wc -l; }
has_runs() { [ "$(done_runs "$1")" -ge "$2" ]; }
# the array's number; the collect job's name ends in -collect
array() { squeue -h -t all -n "plmp-$1-${2:-1}" -o %F | sort -n | tail -1; }
queued() { squeue -h -t PD,R,CG,CF,S -o %j | grep -c "^plmp-$1-"; }
over() { [ "$(queued "$1")" = 0 ]; }
twice() { echo $(($(done_runs "$1") - $2)); }
host_of() { squeue -h -r -j "$1" -t R -o '%K %N' | awk -v k="$2" '$1 == k { print substr($2, 2) }'; }
# the process of a task's worker: not the srun that waits for it
worker_of() {
  local process
  for process in $(pgrep -f -- "$work/.*/$1.palimpsest --launch [0-9]* --task $2 "); do
    case $(readlink "/proc/$process/exe") in "$(folder "$1")"/bin/*) echo "$process" && return ;; esac
  done
  return 1
}
# the step's manager has the worker's srun client elsewhere; it is the worker's parent
manager_of() { ps -o ppid= -p "$(worker_of "$1" "$2")" | tr -d ' '; }

# whole NAME RUNS MOST-TWICE
whole() {
  check "$1: nothing is left in the queue" until_ok 300 over "$1"
  check "$1: all $2 runs are there" "$tool" status "$(results "$1")" --json
  "$tool" collect "$(results "$1")" >/dev/null
  [ -e "$work/alone/$1.h5" ] || alone "$1"
  check "$1: the bits of one process" same "$1"
  local more
  more=$(twice "$1" "$2")
  check "$1: $more runs done twice, at most $3" [ "$more" -le "$3" ]
}
same() { "$tool" compare "$(results "$1")" "$work/alone/$1.h5" --same-bits >"$work/$1.compare" 2>&1; }

# --- the short ones

t_array() {
  echo "array of 6 tasks, 400 runs"
  experiment array 200 20
  check "array: submitted" submit array --tasks 6
  "$tool" status "$(results array)" | sed -n '/^launch/p' | sed 's/^/        /'
  whole array 400 0
  check "array: the collect job made the cube" test -s "$(folder array)/log/1/collect.log"
  check "array: status without Slurm's programs" env PATH=/nonexistent "$tool" status "$(results array)"
}
t_print() {
  echo "the printed script is what is submitted"
  experiment print 4 20
  "$tool" run "$work/print.json" --launcher slurm --memory 300M --output "$(results print)" --print-script >"$work/printed"
  check "print: nothing was written" test ! -e "$(folder print)"
  submit print >/dev/null
  until_ok 30 over print
  scontrol write batch_script "$(array print)" "$work/batch" >/dev/null
  check "print: Slurm has it" test -s "$work/batch"
  check "print: equal" diff <(sed -n "/<<'END'/,/^# END/p" "$work/printed" | sed '/END/d' | sed '/^$/,$d' | sed -n "1,$(wc -l <"$work/batch")p") "$work/batch"
}
t_cancel() {
  echo "a task is cancelled, and what is missing is submitted again"
  experiment cancel 40 400
  submit cancel --tasks 2 >/dev/null
  until_ok 30 has_runs cancel 4
  "$tool" cancel "$(results cancel)" >/dev/null
  check "cancel: both tasks ended" until_ok 60 over cancel
  local had
  had=$(done_runs cancel)
  check "cancel: some runs are missing ($had of 80 done)" [ "$had" -lt 80 ]
  check "cancel: resubmitted" "$tool" resubmit "$(results cancel)"
  check "cancel: the second launch has $((80 - had)) runs" grep -q "\"runs\": $((80 - had))," "$(folder cancel)/launch/2.json"
  whole cancel 80 0
}
t_requeue() {
  echo "a task is requeued"
  experiment requeue 40 400
  submit requeue --tasks 2 >/dev/null
  until_ok 30 has_runs requeue 4
  scontrol requeue "$(array requeue)_0"
  whole requeue 80 0
}
t_split() {
  echo "more tasks than an array may have"
  experiment split 12 20
  submit split --tasks 6 | tee "$work/split.out" | sed -n 1p
  check "split: two arrays" grep -q 'job [0-9]*, job [0-9]*: 6 tasks' "$work/split.out"
  whole split 24 0
}
t_refused() {
  echo "what Slurm refuses is said in its words"
  experiment refused 4 20
  submit refused --partition nowhere >/dev/null 2>"$work/refused.err"
  check "refused: ends with 69" [ $? -eq 69 ]
  check "refused: quoted" grep -q 'sbatch: error: .*invalid partition specified: nowhere' "$work/refused.err"
  check "refused: submitted again without it" submit refused
  whole refused 8 0
}

# --- faults

# sweep NAME TASKS [SEEDS DAYS]: 120 runs of a fraction of a second, submitted, and some of them done
sweep() {
  experiment "$1" "${3:-60}" "${4:-600}"
  submit "$1" --tasks "$2" >/dev/null
  until_ok 60 has_runs "$1" 8
}
# A worker that dies leaves its block to an heir a minute later: these sweeps take longer than that.
long_sweep() { sweep "$1" "$2" 500 2000; }
t_worker() {
  echo "kill -9 of a worker"
  long_sweep worker 3
  check "worker: killed" kill -9 "$(worker_of worker 1)"
  whole worker 1000 0
}
t_manager() {
  echo "kill -9 of a step's slurmstepd"
  long_sweep manager 3
  check "manager: killed" kill -9 "$(manager_of manager 1)" "$(worker_of manager 1)"
  whole manager 1000 0
}
t_node() {
  echo "a node crashes"
  sweep node 3
  local lost
  lost=$(host_of "$(array node)" 1)
  "$sandbox" kill-node "$lost"
  whole node 120 0
  "$sandbox" start-node "$lost"
}
t_cut() {
  echo "a node is cut off, its worker goes on"
  sweep cut 3
  local lost
  lost=$(host_of "$(array cut)" 1)
  "$sandbox" cut-node "$lost"
  whole cut 120 20
  "$sandbox" start-node "$lost"
}
t_scancel() {
  echo "scancel of one task"
  sweep scancel 3
  scancel "$(array scancel)_1"
  whole scancel 120 0
}
t_drain() {
  echo "a node is drained"
  sweep drain 3
  local node
  node=n$(host_of "$(array drain)" 1)
  scontrol update nodename="$node" state=drain reason=trial
  whole drain 120 0
  scontrol update nodename="$node" state=resume
}
t_preempt() {
  echo "preemption by a partition of higher priority"
  sweep preempt 6
  sbatch --parsable -p urgent --exclusive --job-name=urgent --output=/dev/null --wrap='sleep 5' >/dev/null
  whole preempt 120 0
}
t_again() { echo "scontrol requeue"; sweep again 3; scontrol requeue "$(array again)_1"; whole again 120 0; }
t_controller() { echo "the controller is restarted"; sweep controller 3; "$sandbox" restart; whole controller 120 0; }
t_stop() {
  echo "a worker is stopped for 90 s, and comes back"
  long_sweep stop 3
  local worker
  worker=$(worker_of stop 1)
  check "stop: stopped" kill -STOP "$worker"
  (sleep 90; kill -CONT "$worker" 2>/dev/null) &
  whole stop 1000 4
}
t_limit() {
  echo "time limit: SIGUSR1, requeue, and on"
  experiment limit 160 2500
  submit limit --tasks 2 --time 1min >/dev/null
  whole limit 320 0
}

short="array print cancel requeue split refused"
long="worker manager node cut scancel drain preempt again controller stop limit"
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
