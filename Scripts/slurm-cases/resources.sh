# What runs out or goes wrong on machines: disks, clocks, memory; and runs that end their worker.

t_disk() {
  echo "the disk of the results is full"
  experiment disk 60 600
  dd if=/dev/zero of="$work/small.disk" bs=1M count=200 status=none
  mkfs.ext4 -q "$work/small.disk" && mkdir -p "$work/small" && mount -o loop "$work/small.disk" "$work/small"
  rm -rf "$(folder disk)" && ln -s "$work/small/disk.palimpsest" "$(folder disk)"
  mkdir -p "$work/small/disk.palimpsest"
  submit disk --tasks 3 >/dev/null
  until_ok 60 has_runs disk 8
  dd if=/dev/zero of="$work/small/ballast" bs=4k 2>/dev/null
  local first
  first=$(array disk)
  check "disk: the workers end" until_ok 120 tasks_over "$first"
  local had
  had=$(done_runs disk)
  check "disk: some runs are missing ($had of 120 done)" [ "$had" -lt 120 ]
  rm "$work/small/ballast"
  until_ok 120 over disk
  check "disk: resubmitted" "$tool" resubmit "$(results disk)"
  whole disk 120 0
  cp -r "$(folder disk)/." "$work/disk.kept" && rm "$(folder disk)" && mv "$work/disk.kept" "$(folder disk)"
  umount "$work/small"
}
tasks_over() { [ -z "$(squeue -h -t PD,R,CG,CF,S -j "$1" -o %F 2>/dev/null)" ]; }
t_clock() {
  echo "a node's clock is 10 minutes slow, another's 10 fast"
  local library
  library=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1 2>/dev/null | head -1)
  if [ -z "$library" ]; then say "skipped: it wants Debian's faketime"; return; fi
  # Times of files are the server's, and seconds are as long as elsewhere.
  local node
  for node in "n1 -10m" "n2 +10m"; do
    printf 'export %s\n' "LD_PRELOAD=$library" NO_FAKE_STAT=1 FAKETIME_DONT_FAKE_MONOTONIC=1 "FAKETIME=${node#* }" \
      >"$SLURM_SANDBOX/prolog.${node% *}"
  done
  long_sweep clock 3
  check "clock: a worker is killed with its step" kill -9 "$(manager_of clock 1)" "$(worker_of clock 1)"
  # Ends of workers and beginnings of runs are told by their own clocks.
  IDLE=2000 whole clock 1000 0
  local skews
  skews=$(sed -n 's/.*, process .*/&/p' "$(folder clock)"/log/1/*.log | cut -c15-16 | sort -u | wc -l)
  check "clock: logs of $skews different times" [ "$skews" -gt 1 ]
  rm "$SLURM_SANDBOX"/prolog.*
}
t_memory() {
  echo "a run whose workers are killed for memory"
  experiment memory 10 10000
  alone memory
  local run
  run=$(run_of memory 15)
  submit memory --tasks 2 >/dev/null
  kill_with memory "$run" KILL 100
  check "memory: nothing is left in the queue" until_ok 300 over memory
  check "memory: all runs but that one are there ($(done_runs memory) of 20)" [ "$(done_runs memory)" = 19 ]
  "$tool" status "$(results memory)" >"$work/memory.status"
  check "memory: status tells" grep -q 'was set aside: every worker that took it died over it' "$work/memory.status"
  check "memory: the run is named" grep -qx "$run" "$(folder memory)"/launch/1.done/*.poison
  check "memory: resubmitted, with memory enough" "$tool" resubmit "$(results memory)"
  whole memory 20 0
}
t_trap() {
  echo "a run that ends its worker by a fault"
  experiment trap 10 10000
  alone trap
  local run
  run=$(run_of trap 15)
  # A signal that was sent ends no process that Swift makes a report of.
  export SWIFT_BACKTRACE=enable=no
  submit trap --tasks 2 >/dev/null
  kill_with trap "$run" SEGV 2
  check "trap: nothing is left in the queue" until_ok 300 over trap
  check "trap: all runs are there ($(done_runs trap) of 20)" [ "$(done_runs trap)" = 20 ]
  check "trap: that one has failed" grep -q "\"run_id\":\"$run\".*its process died twice while it ran" "$(folder trap)"/journal/*.jsonl
  check "trap: it is tried again where that is asked for" submit trap --retry-failed --tasks 2
  whole trap 20 1
  unset SWIFT_BACKTRACE
}
