import Foundation
import PalimpsestExperiments
import PalimpsestJSON

/// One thread of a worker: takes blocks and does their runs.
struct BlockWork {
  struct Place {
    let shift: Shift
    let plan: Plan
    let todo: LaunchTodo
    let output: ResultsFolder
    let stop: WorkerStop
    let thread: Int
    var leases: BlockLeases
    let note: @Sendable (String) -> Void
    var execution: RunExecution
  }

  private var my: Place

  init(_ place: Place) { my = place }

  private var mayGoOn: Bool { !my.stop.isAsked && !my.shift.hasFailed }

  /// Until nothing is left to take, or somebody asks for the end.
  mutating func run() {
    do {
      while mayGoOn {
        let (plan, todo, note) = (my.plan, my.todo, my.note)
        switch try my.leases.next(poisoned: { BlockWork.poison(plan, todo, $0, $1, note) }) {
        case .block(let held): try work(held)
        case .later: Thread.sleep(forTimeInterval: .random(in: 0.5...1))
        case .nothing:
          if my.leases.isAllDone { my.shift.countLaunch() }
          return
        }
      }
    } catch {
      my.shift.fail(error)
    }
  }

  private mutating func work(_ held: HeldBlock) throws {
    my.shift.hold(held, my.leases, thread: my.thread)
    defer { my.shift.drop(thread: my.thread) }
    do {
      if try doRuns(held) {
        try my.shift.sync()
        my.shift.writeSum()
        // From here on its lease may be gone, which is no loss.
        my.shift.drop(thread: my.thread)
        try my.leases.finish(held)
        my.shift.countBlock()
      } else if !my.shift.isLost(thread: my.thread) {
        try my.leases.release(held)
      }
    } catch {
      try? my.leases.release(held)
      throw error
    }
  }

  /// - Returns: false where runs are left: somebody asked for the end, or the block is another's.
  private mutating func doRuns(_ held: HeldBlock) throws -> Bool {
    let runs = try undone(held)
    if runs.isEmpty { return true }
    let casualties = Casualties(
      files: held.journals.map { RunsInHand.file(my.output, ofJournal: $0) }, runs: Set(runs.map(\.id)))
    let scenarios = try my.shift.scenarios(for: Set(runs.map(\.configuration)))
    let (inHand, thread) = (try my.shift.inHand(), my.thread)
    return try inHand.watching(worker: thread) {
      for run in casualties.last(runs) {
        guard mayGoOn, !my.shift.isLost(thread: thread) else { return false }
        inHand.take(run.id, worker: thread)
        guard try doRun(run, scenarios, casualties) else { return false }
      }
      return true
    }
  }

  /// - Returns: false where it was saved and left.
  private mutating func doRun(_ run: PlannedRun, _ scenarios: PreparedScenarios, _ casualties: Casualties) throws
    -> Bool
  {
    let (stop, note) = (my.stop, my.note)
    let ended = my.execution.execute(
      run, scenarios, stop: { stop.savesRun }, check: { try casualties.check(run.id, note) })
    guard let ended else { return false }
    try my.execution.write(ended, to: try my.shift.journal())
    casualties.settle(run.id)
    my.shift.count(ended.entry.record.status)
    return true
  }

  /// The block's runs that no earlier holder has done. What these may have fallen silent over comes last.
  private func undone(_ held: HeldBlock) throws -> [PlannedRun] {
    let runs = my.todo.places(ofBlock: held.block).map { my.plan.runs[$0] }
    guard my.todo.isRight(runs.map(\.id), ofBlock: held.block) else {
      throw Problems([
        Problem(
          file: "block \(held.block)", place: nil,
          message:
            "this program knows its runs by other ids than the one that submitted them. Start the workers with the "
            + "launch's own program (\"program\" in its record), or submit again")
      ])
    }
    let undone = runs.filter { !held.done.contains($0.id) }
    let suspects = min(held.silences, undone.count)
    return Array(undone[suspects...] + undone[..<suspects])
  }

  /// Says what is set aside, and returns what the marker holds: the ids of the runs, one a line.
  private static func poison(
    _ plan: Plan, _ todo: LaunchTodo, _ block: Int, _ done: Set<String>, _ note: (String) -> Void
  ) -> [UInt8] {
    let ids = todo.places(ofBlock: block).map { plan.runs[$0].id }.filter { !done.contains($0) }
    note(
      "block \(block): set aside, for \(Lease.mostSilences) workers in a row fell silent over it with no run finished: "
        + (ids.count == 1 ? "run \(ids[0])" : "one of \(ids.count) runs, \(ids.prefix(3).joined(separator: ", "))…")
        + " may end its process (out of memory?)")
    return Array(ids.map { $0 + "\n" }.joined().utf8)
  }
}
