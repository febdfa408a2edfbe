// What `Scripts/counts.sh` runs under callgrind: InstructionCounts NET VARIANT STEPS takes so many steps of the whole trainer in
// a call of `measured`, the only part that is counted. An executable of its own, for valgrind does not survive an
// asynchronous main.

import Foundation
import PalimpsestBench

/// The call that callgrind looks for by name.
@inline(never)
func measured(_ trainer: inout BenchTrainer, _ steps: Int) { trainer.step(steps) }

let arguments = CommandLine.arguments
guard arguments.count == 4, let net = BenchNet.all.first(where: { $0.name == arguments[1] }),
  let variant = BenchVariant(rawValue: arguments[2]), let steps = Int(arguments[3]), steps > 0
else {
  print("usage: InstructionCounts NET VARIANT STEPS, as in bench --section steps")
  exit(64)
}
var trainer = try BenchTrainer(net, variant, BenchTrainer.tasks(net), warmUp: 2)
measured(&trainer, steps)
