# Workers, steps, nodes and the controller are killed, cut off, stopped, drained, preempted.

# Where a step is gone its block has an heir a minute later: these sweeps take longer than that.
long_sweep() { sweep "$1" "$2" 500 2000; }
t_worker() {
  echo "kill -9 of a worker: its task goes on"
  sweep worker 3
  check "worker: killed" kill -9 "$(worker_of worker 1)"
  check "worker: begun anew in its task" until_ok 30 worker_of worker 1
  whole worker 120 0
  check "worker: by two processes" [ "$(grep -c ', task 1, process ' "$(folder worker)/log/1/$(array worker)_1.log")" = 2 ]
}
t_manager() {
  echo "kill -9 of a step's slurmstepd"
  long_sweep manager 3
  check "manager: killed" kill -9 "$(manager_of manager 1)" "$(worker_of manager 1)"
  whole manager 1000 0
}
t_node() {
  echo "a node crashes"
  sweep node 3
  local lost
  lost=$(host_of "$(array node)" 1)
  "$sandbox" kill-node "$lost"
  whole node 120 0
  "$sandbox" start-node "$lost"
}
t_cut() {
  echo "a node is cut off, its worker goes on"
  sweep cut 3
  local lost
  lost=$(host_of "$(array cut)" 1)
  "$sandbox" cut-node "$lost"
  whole cut 120 20
  "$sandbox" start-node "$lost"
}
t_scancel() {
  echo "scancel of one task"
  sweep scancel 3
  scancel "$(array scancel)_1"
  whole scancel 120 0
}
t_drain() {
  echo "a node is drained"
  sweep drain 3
  local node
  node=n$(host_of "$(array drain)" 1)
  scontrol update nodename="$node" state=drain reason=trial
  whole drain 120 0
  scontrol update nodename="$node" state=resume
}
t_preempt() {
  echo "preemption by a partition of higher priority"
  sweep preempt 6
  sbatch --parsable -p urgent --exclusive --job-name=urgent --output=/dev/null --wrap='sleep 5' >/dev/null
  whole preempt 120 0
}
t_again() { echo "scontrol requeue"; sweep again 3; scontrol requeue "$(array again)_1"; whole again 120 0; }
t_controller() { echo "the controller is restarted"; sweep controller 3; "$sandbox" restart; whole controller 120 0; }
t_stop() {
  echo "a worker is stopped for 90 s, and comes back"
  long_sweep stop 3
  local worker
  worker=$(worker_of stop 1)
  check "stop: stopped" kill -STOP "$worker"
  (sleep 90; kill -CONT "$worker" 2>/dev/null) &
  IDLE=100 whole stop 1000 4
}
t_limit() {
  echo "time limit: SIGUSR1, requeue, and on"
  experiment limit 160 2500
  submit limit --tasks 2 --time 1min >/dev/null
  whole limit 320 0
}

