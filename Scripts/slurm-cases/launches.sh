# Launches beside each other and beside other processes, lost ones, and what changes under them.

t_two() {
  echo "two launches at once"
  experiment two 60 600
  submit two --tasks 3 --limit 70 >"$work/two.1" 2>&1 &
  local first=$!
  submit two --tasks 3 >"$work/two.2" 2>&1
  check "two: the second was taken" [ $? -eq 0 ]
  wait "$first"
  check "two: the first was taken" [ $? -eq 0 ]
  local runs
  runs=$(sed -n 's/^  "runs": \([0-9]*\),$/\1/p' "$(folder two)"/launch/*.json | awk '{ n += $1 } END { print n }')
  check "two: $runs runs in all were submitted" [ "$runs" -le 120 ]
  until_ok 300 over two
  if [ "$(done_runs two)" -lt 120 ]; then check "two: the rest" "$tool" resubmit "$(results two)"; fi
  whole two 120 0
}
t_beside() {
  echo "one process beside a launch"
  sweep beside 3
  "$tool" run "$work/beside.json" --quiet --output "$(results beside)" >/dev/null 2>"$work/beside.err"
  check "beside: refused with 75" [ $? -eq 75 ]
  check "beside: the launch is named" grep -q 'in hand of launch 1 (slurm [0-9]*)\. .*palimpsest cancel .* --launch 1' "$work/beside.err"
  "$tool" run "$work/beside.json" --launcher local --quiet --output "$(results beside)" >/dev/null 2>"$work/beside.err"
  check "beside: local workers have nothing to do" grep -q 'nothing to submit: .* in hand of job' "$work/beside.err"
  whole beside 120 0
}
t_lost() {
  echo "the controller dies before it has saved an array"
  experiment lost 60 600
  "$sandbox" keep
  submit lost --tasks 3 >/dev/null
  local number
  number=$(array lost)
  "$sandbox" crash
  check "lost: Slurm does not know it" [ -z "$(array lost)" ]
  sbatch --parsable --array=0-2 --output=/dev/null --wrap='sleep 20' >"$work/lost.number"
  check "lost: another has its number" [ "$(cat "$work/lost.number")" = "$number" ]
  "$tool" status "$(results lost)" >"$work/lost.status"
  check "lost: status tells" grep -q "slurm knows nothing of job $number: no task is left" "$work/lost.status"
  "$tool" cancel "$(results lost)" --launch 1 >/dev/null 2>&1
  check "lost: the other job goes on" [ -n "$(squeue -h -t PD,R,CF -j "$number" -o %F)" ]
  # Workers that had begun are killed by their nodes; what they held is free a minute later.
  until_ok 90 free_of_workers lost
  check "lost: resubmitted" "$tool" resubmit "$(results lost)"
  whole lost 120 0
}
free_of_workers() { "$tool" status "$(results "$1")" --json | grep -q '"blocks_in_hand": 0'; }
t_grown() {
  echo "the plan grows while tasks run"
  sweep grown 3
  experiment grown 80 600
  check "grown: submitted" submit grown --tasks 3
  check "grown: the new runs alone" grep -q '"runs": 40,' "$(folder grown)/launch/2.json"
  whole grown 160 0
}
t_replaced() {
  echo "the program is replaced under a queued array"
  experiment replaced 60 600
  local own=$tool
  cp "$own" "$work/program"
  tool=$work/program
  submit replaced --tasks 9 >/dev/null
  printf '#!/bin/sh\nexit 1\n' >"$work/new" && chmod +x "$work/new" && mv "$work/new" "$work/program"
  tool=$own
  whole replaced 120 0
}
t_many() {
  echo "200 tasks on 6 slots"
  experiment many 300 60
  submit many --tasks 200 --at-once 200 >/dev/null
  check "many: 200 tasks" grep -q '"tasks": 200,' "$(folder many)/launch/1.json"
  whole many 600 0
}
