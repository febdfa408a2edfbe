# What the trials of engines are written in: Scripts/slurm-trial.sh, Scripts/gridengine-trial.sh.
#
# They hand a sweep over by submit NAME OPTIONS...

tool=${TOOL:-$PWD/.build/release/palimpsest}
work=$(mktemp -d)
# Kept with the daemons' state: a folder with a space and a percent sign, as users have.
mkdir -p "$work/my 50% sweeps"
export PALIMPSEST_CACHE=$work/cache
fails=0

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
folder() { printf '%s/my 50%% sweeps/%s.palimpsest' "$work" "$1"; }
done_runs() { cat "$(folder "$1")"/journal/*.jsonl 2>/dev/null | wc -l; }
has_runs() { [ "$(done_runs "$1")" -ge "$2" ]; }
twice() { echo $(($(done_runs "$1") - $2)); }
# the process of a task's worker: not a program that waits for it
worker_of() {
  local process
  for process in $(pgrep -f -- "$work/.*/$1.palimpsest --launch [0-9]* --task $2 "); do
    case $(readlink "/proc/$process/exe") in "$(folder "$1")"/bin/*) echo "$process" && return ;; esac
  done
  return 1
}
same() { "$tool" compare "$(results "$1")" "$work/alone/$1.h5" --same-bits >"$work/$1.compare" 2>&1; }

# exact NAME RUNS MOST-TWICE: every run is there, with the bits of one process
exact() {
  check "$1: all $2 runs are there" "$tool" status "$(results "$1")" --json
  "$tool" collect "$(results "$1")" >/dev/null
  [ -e "$work/alone/$1.h5" ] || alone "$1"
  check "$1: the bits of one process" same "$1"
  local more
  more=$(twice "$1" "$2")
  check "$1: $more runs done twice, at most $3" [ "$more" -le "$3" ]
}

# sweep NAME TASKS [SEEDS DAYS]: 120 runs of a fraction of a second, submitted, and some of them done
sweep() {
  experiment "$1" "${3:-60}" "${4:-600}"
  submit "$1" --tasks "$2" >/dev/null
  until_ok 60 has_runs "$1" 8
}
# in_hand NAME RUN: the living process that has a run in hand; nothing where there is none
in_hand() {
  local process
  grep -l "^$2" "$(folder "$1")"/progress/*.hand 2>/dev/null | sed -E 's/.*-([0-9]+)-[0-9]+\.hand$/\1/' |
    while read -r process; do if kill -0 "$process" 2>/dev/null; then echo "$process"; fi; done | head -1
}
# run_of NAME PLACE: the id of a run that one process has done, by its line in the journal there
run_of() { cat "$work/alone/$1.palimpsest"/journal/*.jsonl | sed -n "$2s/.*\"run_id\":\"\([0-9a-f]*\)\".*/\1/p"; }
