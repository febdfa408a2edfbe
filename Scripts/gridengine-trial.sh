#!/usr/bin/env bash
# Sweeps by the script of --launcher script:gridengine on a real Grid Engine on this machine (Scripts/gridengine-sandbox), against the same sweep by
# one process.
#
#   bash Scripts/gridengine-trial.sh                       all cases: some minutes
#   CASES="killed limit" bash Scripts/gridengine-trial.sh  these alone
#
# Every case ends with each run exactly once in the cube and the bits of one process. Ends with 0 and a word where Grid Engine or root is not to be had,
# with 1 where a case fails.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. Scripts/trial-helpers.sh
sandbox=$PWD/Scripts/gridengine-sandbox
export GRIDENGINE_SANDBOX=$work/gridengine

# The script goes to the engine as a user would hand it over.
submit() {
  local name=$1
  shift
  "$tool" run "$work/$name.json" --launcher script:gridengine --memory 300M --output "$(results "$name")" "$@" \
    >"$work/$name.sh" 2>"$work/$name.said" && hand_over "$name"
}
hand_over() { qsub -terse -v PALIMPSEST_CACHE="$PALIMPSEST_CACHE" "$work/$1.sh" >"$work/$1.job"; }
job() { sed 's/\..*//' "$work/$1.job"; }
over() {
  local known
  known=$(qstat) && ! awk '{ print $1 }' <<<"$known" | grep -qx "$(job "$1")"
}
log() { printf '%s/log/%s/%s.log' "$(folder "$1")" "${3:-1}" "$2"; }
# starts NAME TASK: how often the engine has begun a task
starts() { grep -c '^Grid Engine: ' "$(log "$1" "$2")"; }
# whole NAME RUNS
whole() {
  check "$1: nothing is left in the queue" until_ok 300 over "$1"
  exact "$1" "$2" 0
}

t_array() {
  echo "6 tasks, 400 runs"
  experiment array 200 20
  check "array: submitted" submit array --tasks 6
  check "array: for the 240 minutes that were asked for" grep -q 'h_rt=14400' <(qstat -j "$(job array)")
  whole array 400
  check "array: tasks are counted from 0" [ "$(cd "$(folder array)/log/1" && echo *)" = "0.log 1.log 2.log 3.log 4.log 5.log" ]
  check "array: each was begun once" [ "$(cat "$(folder array)"/log/1/*.log | grep -c '^Grid Engine: job')" = 6 ]
}
t_killed() {
  echo "kill -9 of a worker: its script goes on"
  sweep killed 3
  check "killed: killed" kill -9 "$(worker_of killed 1)"
  check "killed: begun anew in its task" until_ok 30 worker_of killed 1
  whole killed 120
  check "killed: by two processes of one task" [ "$(grep -c ', task 1, process ' "$(log killed 1)") $(starts killed 1)" = "2 1" ]
}
t_deleted() {
  echo "qdel of a task: others do its runs"
  sweep deleted 3
  check "deleted: taken" qdel "$(job deleted)" -t 2
  whole deleted 120
  check "deleted: its worker was told" grep -q 'SIGUSR2: no other run begins' "$(log deleted 1)"
  check "deleted: and not begun again" [ "$(starts deleted 1)" = 1 ]
}
t_missing() {
  echo "qdel of all tasks, cancel, and resubmit submits what is missing"
  sweep missing 2
  qdel "$(job missing)" >/dev/null
  check "missing: they ended" until_ok 60 over missing
  local had
  had=$(done_runs missing)
  check "missing: some runs are missing ($had of 120 done)" [ "$had" -lt 120 ]
  # Nobody can ask Grid Engine whether the first launch's tasks are still to come.
  "$tool" cancel "$(results missing)" >/dev/null 2>&1
  "$tool" resubmit "$(results missing)" >"$work/missing.sh" 2>"$work/missing.said"
  check "missing: the second launch has $((120 - had)) runs" grep -q "\"runs\": $((120 - had))," "$(folder missing)/launch/2.json"
  check "missing: submitted" hand_over missing
  whole missing 120
}
t_anew() {
  echo "qdel of all tasks, and the same script once more"
  sweep anew 2
  qdel "$(job anew)" >/dev/null
  check "anew: they ended" until_ok 60 over anew
  check "anew: some runs are missing ($(done_runs anew) of 120 done)" [ "$(done_runs anew)" -lt 120 ]
  check "anew: submitted" hand_over anew
  whole anew 120
}
# comes_back NAME OPTION: qmod takes a task away, which ends and is begun again
comes_back() {
  sweep "$1" 3
  qmod "$2" "$(job "$1").2" >/dev/null
  whole "$1" 120
  check "$1: it was begun twice" [ "$(starts "$1" 1)" = 2 ]
}
t_rescheduled() {
  echo "qmod -rj of a task: it comes back"
  comes_back rescheduled -rj
}
t_suspended() {
  echo "qmod -sj of a task: it ends, and comes back"
  comes_back suspended -sj
}
# Told after 45 s of its minute, here in its second life: what a task was begun again for makes no difference. The sweep takes one task longer than that.
t_limit() {
  echo "time limit: SIGUSR1, an exit with 99, and on"
  experiment limit 300 2500
  submit limit --tasks 1 --time 1min
  until_ok 60 has_runs limit 1
  qmod -rj "$(job limit)" >/dev/null
  whole limit 600
  local told
  told=$(grep -c 'SIGUSR1: the time is almost over' "$(log limit 0)")
  check "limit: it was told, and begun again ($told times)" [ $((told > 0)) = 1 -a "$(starts limit 0)" = $((told + 2)) ]
}
t_node() {
  echo "the node crashes and is there again"
  sweep node 3
  "$sandbox" crash-node
  check "node: no worker lives" [ -z "$(pgrep -f -- "$work/.*/node.palimpsest --launch")" ]
  "$sandbox" start-node
  whole node 120
  check "node: its tasks were begun again" [ "$(starts node 0) $(starts node 1) $(starts node 2)" = "2 2 2" ]
}
t_master() {
  echo "the master crashes and begins again"
  sweep master 3
  "$sandbox" crash
  whole master 120
}
t_many() {
  echo "60 tasks on 6 slots"
  experiment many 300 60
  submit many --tasks 60
  whole many 600
}

finish() {
  "$sandbox" stop
  if [ "$fails" -eq 0 ]; then rm -rf "$work"; else echo "Grid Engine: kept for a look: $work"; fi
}

"$sandbox" start 6
begun=$?
if [ "$begun" = 69 ]; then
  rm -rf "$work"
  echo "Grid Engine: skipped"
  exit 0
fi
trap finish EXIT
[ "$begun" = 0 ] || { fails=1; exit 1; }
eval "$("$sandbox" env)"
all=$SECONDS
for name in ${CASES:-array killed deleted missing anew rescheduled suspended limit node master many}; do
  begin=$SECONDS
  "t_$name"
  say "($((SECONDS - begin)) s)"
done
echo "Grid Engine: $((SECONDS - all)) s, $fails failed"
exit $((fails > 0))
