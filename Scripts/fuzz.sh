#!/bin/sh
# sh Scripts/fuzz.sh SECONDS [TARGET...]: tries to break the readers with inputs that libFuzzer draws, guided by what they
# reach, under the address sanitizer. The targets share the time. Ends with 1 where one was broken and names the input.
# Draws follow FUZZ_SEED (1); inputs that reach something new are kept in .build-fuzz/corpus and begin the next time.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-600}
[ $# -eq 0 ] || shift
targets=${*:-json journal plan idx gzip csv checkpoint model}
work=.build-fuzz
fuzzer=$work/release/PalimpsestFuzz
export PALIMPSEST_FUZZ=1
# A trap ends the program at once: libFuzzer tells the input, and no backtrace is waited for.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1

"${SWIFT:-swift}" build -c release --scratch-path "$work" --product PalimpsestFuzz --sanitize fuzzer \
  -Xswiftc -sanitize=address,fuzzer -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined >"$work.log" 2>&1 || {
  if grep -q 'libclang_rt.fuzzer\|unsupported option' "$work.log"; then
    echo "not fuzzed: this toolchain has no libFuzzer"
    exit
  fi
  grep error "$work.log" || tail -n 20 "$work.log"
  exit 1
}

count=$(echo "$targets" | wc -w)
each=$(((seconds + count - 1) / count))
broken=
for target in $targets; do
  mkdir -p "$work/corpus/$target" "$work/findings"
  log=$work/$target.log
  begin=$(date +%s)
  status=0
  FUZZ_TARGET=$target FUZZ_SEEDS=$work/corpus/$target "$fuzzer" "$work/corpus/$target" "Fuzz/Corpus/$target" \
    -max_total_time="$each" -timeout=5 -rss_limit_mb=2048 -max_len=16384 -seed="${FUZZ_SEED:-1}" -use_value_profile=1 \
    -dict=Fuzz/words.txt -artifact_prefix="$work/findings/$target-" -print_final_stats=1 >"$log" 2>&1 </dev/null || status=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
  printf '%-10s %9s inputs, %6s edges, %4d s' "$target" "${runs:-?}" "${edges:-?}" $(($(date +%s) - begin))
  if [ "$status" -eq 0 ]; then
    echo
    continue
  fi
  broken="$broken $target"
  printf ': BROKEN\n'
  grep -E 'Fatal error|SUMMARY|Test unit written' "$log" | cut -c 1-300
done
[ -z "$broken" ] || {
  echo "broken:$broken. CONTRIBUTING.md says how to try an input again"
  exit 1
}
