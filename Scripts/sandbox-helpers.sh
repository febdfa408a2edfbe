# What the sandboxes of engines are written in: Scripts/slurm-sandbox, Scripts/gridengine-sandbox.

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
fail() { say "$2"; exit "$1"; }
# within SECONDS COMMAND...: repeats the command until it succeeds
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || fail 75 "gave up on: $*"
    sleep 0.1
  done
}
