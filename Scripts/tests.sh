#!/bin/sh
# sh Scripts/tests.sh COMMAND...: runs the tests; where some fail, ends with these alone, for the whole output is long.
log=$(mktemp)
trap 'rm -f "$log" "$log.status"' EXIT
{
  "$@" 2>&1
  echo $? >"$log.status"
} | tee "$log"
status=$(cat "$log.status")
if [ "$status" -ne 0 ]; then
  printf '\n== what failed\n'
  grep -E '^(✘ (Test|Suite)|↳|error:|.*Fatal error:|.*Crash:)' "$log" | grep -v '^error: no tests' | tail -n 60
fi
exit "$status"
