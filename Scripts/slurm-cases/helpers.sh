# What the cases of Scripts/slurm-trial.sh are written in.

submit() {
  local name=$1
  shift
  "$tool" run "$work/$name.json" --launcher slurm --memory 300M --task-cpus 1 --output "$(results "$name")" "$@"
}
# the array's number; the collect job's name ends in -collect
array() { squeue -h -t all -n "plmp-$1-${2:-1}" -o %F | sort -n | tail -1; }
queued() { squeue -h -t PD,R,CG,CF,S -o %j | grep -c "^plmp-$1-"; }
over() { [ "$(queued "$1")" = 0 ]; }
host_of() { squeue -h -r -j "$1" -t R -o '%K %N' | awk -v k="$2" '$1 == k { print substr($2, 2) }'; }
# the step's manager has the worker's srun client elsewhere; it is the worker's parent
manager_of() { ps -o ppid= -p "$(worker_of "$1" "$2")" | tr -d ' '; }

# whole NAME RUNS MOST-TWICE
whole() {
  check "$1: nothing is left in the queue" until_ok 300 over "$1"
  exact "$@"
  punctual "$1"
}
# Of each journal the longest time between two runs' beginnings, and of each log that between its worker's last run and its end: a
# slot that does nothing.
idle() {
  cat "$(folder "$1")"/journal/*.jsonl | sed -E 's/.*"started":([0-9.]+).*"worker":"([^"]*)".*/\2 \1/' | sort -k1,1 -k2,2n |
    awk '$1 == w && $2 - t > m { m = $2 - t } { w = $1; t = $2 } END { printf "%.0f\n", m }'
  local log process end last
  for log in "$(folder "$1")"/log/*/*_*.log; do
    end=$(sed -n '/ blocks; /s/ .*//p' "$log" | tail -1)
    process=$(sed -n 's/.*, process \([0-9]*\) on .*/\1/p' "$log" | tail -1)
    last=$(stat -c %Y "$(folder "$1")"/journal/*-"$process"-*.jsonl 2>/dev/null | sort -n | tail -1)
    if [ -n "$end" ] && [ -n "$last" ]; then echo $(($(date -d "$end" +%s) - last)); fi
  done
}
# No slot was idle for more than 70 s, and the last launch's collect job began 90 s after the last run at the latest.
punctual() {
  local most launch begun last
  most=$(idle "$1" | sort -n | tail -1)
  check "$1: a slot was idle for $most s at most" [ "$most" -le "${IDLE:-70}" ]
  launch=$(ls "$(folder "$1")/launch" | sed -n 's/\.json$//p' | sort -n | tail -1)
  begun=$(squeue -h -t all -n "plmp-$1-$launch-collect" -o %S | tail -1)
  last=$(stat -c %Y "$(folder "$1")"/journal/*.jsonl | sort -n | tail -1)
  if begun=$(date -d "$begun" +%s 2>/dev/null); then
    check "$1: the collect job began $((begun - last)) s after the last run" [ $((begun - last)) -le 90 ]
  else
    check "$1: the collect job began" false
  fi
}
# kill_with NAME RUN SIGNAL TIMES: the workers that have a run in hand
kill_with() {
  local process killed=' ' left=$4 look=0
  while [ "$left" -gt 0 ]; do
    look=$((look + 1))
    if [ $((look % 100)) = 0 ] && over "$1"; then return; fi
    process=$(in_hand "$1" "$2")
    if [ -n "$process" ] && [[ $killed != *" $process "* ]] && kill -s "$3" "$process" 2>/dev/null; then
      killed+="$process "
      left=$((left - 1))
    fi
    sleep 0.02
  done
}
