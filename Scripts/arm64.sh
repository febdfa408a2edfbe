#!/bin/sh
# The kernels as arm64 code beside those of this x86-64 processor, bit by bit: Scripts/kernel-bits.c runs both, the arm64 ones
# under QEMU. All tables with fused multiply-add must agree, and the baseline must where a kernel multiplies or adds only.
set -eu
cd "$(dirname "$0")/.."
skip() { echo "not compared: $1"; exit; }
[ "$(uname -m)" = x86_64 ] || skip "this is no x86-64 machine"
work=.build/arm64
rm -rf "$work"
mkdir -p "$work"

# build NAME FLAG...
build() {
  name=$1
  shift
  "${CC:-clang}" -O2 "$@" -ISources/CKernels/include Sources/CKernels/*.c Scripts/kernel-bits.c -o "$work/$name" -lm
}

cross="--target=aarch64-linux-gnu -static"
echo 'int main(void) { return 0; }' >"$work/empty.c"
{ "${CC:-clang}" $cross "$work/empty.c" -o "$work/empty" && qemu-aarch64-static "$work/empty"; } >"$work/log" 2>&1 ||
  skip "that takes clang, gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user-static"

build arm64 $cross &
build native
wait $!
"$work/native" >"$work/bits"
qemu-aarch64-static "$work/arm64" >>"$work/bits"

awk '
  { table = $1; fused = $2; kernel = $3; hash = $5 }
  !fused { unfused[kernel] = hash; next }
  !(kernel in known) { known[kernel] = hash; first[kernel] = table; kernels++; cases += $4 }
  known[kernel] != hash { differ(kernel, table) }
  !(table in seen) { seen[table]; tables++; names = names (last && names ? ", " : "") last; last = table }
  function differ(kernel, table) { print kernel ": " table " and " first[kernel] " differ"; bad++ }
  END {
    plain = split("bias_gradient add scale square_rows gather_floats " \
                  "logistic score_logits score_softmax", list)
    for (i = 1; i <= plain; i++)
      if (unfused[list[i]] != known[list[i]]) differ(list[i], "baseline")
    if (bad) { print "case by case: .build/arm64/native KERNEL, qemu-aarch64-static .build/arm64/arm64 KERNEL"; exit 1 }
    if (tables < 2) { print "not compared: this processor has no fused multiply-add"; exit }
    printf "%d kernels, %d cases: %s and %s agree bit for bit; so does baseline in the %d that fuse none\n",
      kernels, cases, names, last, plain
  }
' "$work/bits"
