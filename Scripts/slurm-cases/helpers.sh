# What the cases of Scripts/slurm-trial.sh are written in.

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
# in_hand NAME RUN: the living process that has a run in hand; nothing where there is none
in_hand() {
  local process
  grep -l "^$2" "$(folder "$1")"/progress/*.hand 2>/dev/null | sed -E 's/.*-([0-9]+)-[0-9]+\.hand$/\1/' |
    while read -r process; do if kill -0 "$process" 2>/dev/null; then echo "$process"; fi; done | head -1
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
# run_of NAME PLACE: the id of a run that one process has done, by its line in the journal there
run_of() { cat "$work/alone/$1.palimpsest"/journal/*.jsonl | sed -n "$2s/.*\"run_id\":\"\([0-9a-f]*\)\".*/\1/p"; }
same() { "$tool" compare "$(results "$1")" "$work/alone/$1.h5" --same-bits >"$work/$1.compare" 2>&1; }
