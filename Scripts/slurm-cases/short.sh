# The short cases: each takes some seconds.

t_array() {
  echo "array of 6 tasks, 400 runs"
  experiment array 200 20
  check "array: submitted" submit array --tasks 6
  "$tool" status "$(results array)" | sed -n '/^launch/p' | sed 's/^/        /'
  whole array 400 0
  check "array: the collect job made the cube" test -s "$(folder array)/log/1/collect.log"
  check "array: status without Slurm's programs" env PATH=/nonexistent "$tool" status "$(results array)"
}
t_print() {
  echo "the printed script is what is submitted"
  experiment print 4 20
  "$tool" run "$work/print.json" --launcher slurm --memory 300M --output "$(results print)" --print-script >"$work/printed"
  check "print: nothing was written" test ! -e "$(folder print)"
  submit print >/dev/null
  until_ok 30 over print
  scontrol write batch_script "$(array print)" "$work/batch" >/dev/null
  check "print: Slurm has it" test -s "$work/batch"
  check "print: equal" diff <(sed -n "/<<'END'/,/^# END/p" "$work/printed" | sed '/END/d' | sed '/^$/,$d' | sed -n "1,$(wc -l <"$work/batch")p") "$work/batch"
}
t_cancel() {
  echo "a task is cancelled, and what is missing is submitted again"
  experiment cancel 40 400
  submit cancel --tasks 2 >/dev/null
  until_ok 30 has_runs cancel 4
  "$tool" cancel "$(results cancel)" >/dev/null
  check "cancel: both tasks ended" until_ok 60 over cancel
  local had
  had=$(done_runs cancel)
  check "cancel: some runs are missing ($had of 80 done)" [ "$had" -lt 80 ]
  check "cancel: resubmitted" "$tool" resubmit "$(results cancel)"
  check "cancel: the second launch has $((80 - had)) runs" grep -q "\"runs\": $((80 - had))," "$(folder cancel)/launch/2.json"
  whole cancel 80 0
}
t_requeue() {
  echo "a task is requeued"
  experiment requeue 40 400
  submit requeue --tasks 2 >/dev/null
  until_ok 30 has_runs requeue 4
  scontrol requeue "$(array requeue)_0"
  whole requeue 80 0
}
t_split() {
  echo "more tasks than an array may have"
  experiment split 12 20
  submit split --tasks 6 | tee "$work/split.out" | sed -n 1p
  check "split: two arrays" grep -q 'job [0-9]*, job [0-9]*: 6 tasks' "$work/split.out"
  whole split 24 0
}
t_refused() {
  echo "what Slurm refuses is said in its words"
  experiment refused 4 20
  submit refused --partition nowhere >/dev/null 2>"$work/refused.err"
  check "refused: ends with 69" [ $? -eq 69 ]
  check "refused: quoted" grep -q 'sbatch: error: .*invalid partition specified: nowhere' "$work/refused.err"
  check "refused: submitted again without it" submit refused
  whole refused 8 0
}

