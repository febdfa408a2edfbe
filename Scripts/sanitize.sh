#!/bin/sh
# sh Scripts/sanitize.sh [kernels] [address] [thread]: the program under the sanitizers; without arguments all three.
#   kernels  every C kernel of every instruction set on drawn inputs under the undefined-behaviour sanitizer
#   address  the tests of readers and kernels under the address sanitizer; what C does that is undefined traps
#   thread   a sweep of four workers under the thread sanitizer
# Each has a build folder of its own, .build-address and .build-thread: the first time takes minutes.
set -eu
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
export SWIFT_BACKTRACE=enable=no
broken=

# stage NAME COMMAND...: one line for what a stage has done; where it fails, what it said last.
stage() {
  name=$1
  shift
  begin=$(date +%s)
  log=.build/sanitize-$name.log
  mkdir -p .build
  if "$@" >"$log" 2>&1 </dev/null; then
    printf '%-8s clean, %d s: %s\n' "$name" $(($(date +%s) - begin)) "$(tail -n 1 "$log")"
  else
    broken="$broken $name"
    printf '%-8s BROKEN, %d s; %s says:\n' "$name" $(($(date +%s) - begin)) "$log"
    { grep -E '(ERROR|WARNING|SUMMARY): |runtime error|Fatal error|error:|^✘' "$log" || tail -n 20 "$log"; } | head -n 40
  fi
}

# No address sanitizer here: the check ends every buffer where a forbidden page begins, to the byte.
kernels() {
  mkdir -p .build/sanitize
  flags="-O1 -g -fsanitize=undefined -fno-sanitize-recover=all -ISources/CKernels/include"
  for source in Sources/CKernels/*.c; do
    "${CC:-clang}" $flags -c "$source" -o ".build/sanitize/$(basename "$source" .c).o" || return
  done
  "${CC:-clang}" $flags .build/sanitize/*.o Scripts/kernel-bits.c -o .build/sanitize/kernels -lm || return
  .build/sanitize/kernels >.build/sanitize/kernels.txt || return
  awk '{ cases += $4 } END { print NR " kernels, " cases " cases" }' .build/sanitize/kernels.txt
}

# Undefined behaviour in C and in C headers that Swift takes in traps: Swift links no library for its messages.
address() {
  $swift build -c release --build-tests --scratch-path .build-address --sanitize address \
    -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined || return
  ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1 env -u PALIMPSEST_TIER \
    .build-address/release/palimpsestPackageTests.xctest --testing-library swift-testing \
    --filter 'PalimpsestDatasetsTests|PalimpsestCubeTests|HDF5Tests|PalimpsestCoreTests|PalimpsestSettingsTests|FuzzTests|JSON|Journal|Plan|Checkpoint|Record' \
    --skip 'StepAllocation'
}

# A debug build: it is made in a third of the time, and the workers meet as often.
thread() {
  $swift build --product palimpsest --scratch-path .build-thread --sanitize thread || return
  results=$(mktemp -d)
  TSAN_OPTIONS=halt_on_error=0:exitcode=66:suppressions=$PWD/Scripts/thread.suppressions \
    .build-thread/debug/palimpsest run Experiments/quickstart.json --jobs 4 --seeds 2 \
    --output "$results/thread.h5" && status=0 || status=$?
  rm -rf "$results"
  echo "a sweep with --jobs 4 ended with $status"
  return "$status"
}

for name in ${*:-kernels address thread}; do stage "$name" "$name"; done
[ -z "$broken" ] || { echo "broken:$broken"; exit 1; }
