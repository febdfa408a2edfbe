#!/bin/sh
# Instructions that a training step takes on the AVX2 path, counted by callgrind: unlike seconds they are the same whatever
# else the machine does. They are compared with Benchmarks/instructions.tsv: 2 % more or less fails. --update writes that file anew.
set -eu
cd "$(dirname "$0")/.."
if [ "$(uname -m)" != x86_64 ]; then
  echo "not counted: this is no x86-64 machine"
  exit
fi
known=Benchmarks/instructions.tsv
work=.build/counts
rm -rf "$work"
mkdir -p "$work"
# Valgrind stumbles over debug information newer than itself.
objcopy --strip-debug .build/benchmarks/release/InstructionCounts "$work/program"

# count NET VARIANT STEPS
count() {
  PALIMPSEST_ISA=avx2 SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file="$work/out" \
    --toggle-collect='$s17InstructionCounts8measured*' "$work/program" "$@" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
  total=$(sed -n 's/^summary: //p' "$work/out")
  printf '%s\t%s\t%s\n' "$1" "$2" $((total / $3)) >>"$work/counts"
}

swift=$(${SWIFT:-swift} --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -1)
printf '# Instructions a step, AVX2 path, Swift %s\n' "$swift" >"$work/counts"
for variant in sgd momentum adam ewc si replay ewc+replay; do count tiny "$variant" 200; done
for variant in sgd ewc replay; do count small "$variant" 50; done
for variant in sgd si; do count medium "$variant" 2; done

if [ "${1:-}" = --update ]; then
  cp "$work/counts" "$known"
  cat "$known"
elif [ "$(head -1 "$known")" != "$(head -1 "$work/counts")" ]; then
  echo "not compared: $known is of another compiler"
  cat "$work/counts"
else
  awk -F'\t' '
    FNR == 1 { next }
    NR == FNR { known[$1, $2] = $3; wanted++; next }
    { change = 100 * ($3 / known[$1, $2] - 1)
      printf "%-8s%-12s%12d instructions a step, %+.2f %%\n", $1, $2, $3, change
      if (change > 2 || change < -2) bad++
      met++ }
    END { if (bad || met != wanted) { print "more than 2 % off: if that is meant, Scripts/counts.sh --update"; exit 1 } }
  ' "$known" "$work/counts"
fi
