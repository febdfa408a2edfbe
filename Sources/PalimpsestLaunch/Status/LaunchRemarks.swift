import PalimpsestJSON
import PalimpsestRuns

/// Where the folder and the engine do not agree, as sentences that say what to do.
extension LaunchStatus {
  public var remarks: [String] {
    if record.isCancelled { return poisoned }
    let unasked = doneBlocks < record.blocks ? unanswered.map { ["the engine cannot be asked: \($0)"] } ?? [] : []
    let about: [[String]] = [unasked, silent, idle, held, poisoned, left]
    return about.flatMap { $0 }
  }

  /// Tasks that run for the engine while their block is not heard of.
  private var silent: [String] {
    tasks.filter { $0.phase == .running }.compactMap { task in
      let own = leases.filter { $0.task == task.task && !$0.isDone }
      guard let quietest = own.map(\.age).min(), quietest >= record.patience, quietest.isFinite else { return nil }
      return
        "task \(task.task) is \(task.word) for \(record.engine) but silent for \(duration(quietest)): its step is gone; "
        + "\"\(stop(task))\" ends it"
    }
  }

  /// Tasks that run for the engine and hold nothing, though every block is finished.
  private var idle: [String] {
    guard doneBlocks >= record.blocks else { return [] }
    let running = tasks.filter { $0.phase == .running }
    if running.isEmpty { return [] }
    let names = running.prefix(5).map(\.job).joined(separator: " ") + (running.count > 5 ? " …" : "")
    return [
      "all blocks are done, and \(counted(running.count)) \(running.count == 1 ? "is" : "are") still RUNNING for "
        + "\(record.engine): \"scancel \(names)\" ends \(running.count == 1 ? "it" : "them")"
    ]
  }

  /// Tasks that wait for somebody, not for a place.
  private var held: [String] {
    let reasons = [
      "Held", "held", "Never", "BadConstraints", "PartitionDown", "PartitionNodeLimit", "PartitionTimeLimit",
    ]
    return tasks.filter { task in task.phase == .waiting && reasons.contains { task.reason.contains($0) } }.map {
      "task \($0.task) (\($0.job)) waits and does not begin by itself: \($0.reason)"
    }
  }

  private var poisoned: [String] {
    leases.filter(\.isPoisoned).map {
      "block \($0.block) was set aside: every worker that took it died over it, the last on \($0.host) as task \($0.task); "
        + "\"palimpsest logs\" shows what it said"
    }
  }

  /// What nobody will do any more.
  private var left: [String] {
    let open = record.blocks - doneBlocks - live.count
    guard isOver, open > 0 else { return [] }
    let isLost = tasks.isEmpty && record.engine == "slurm" && !record.jobs.isEmpty
    return [
      (isLost ? "slurm knows nothing of job \(record.jobs.joined(separator: ", ")): " : "")
        + "no task is left, and \(open) of \(record.blocks) blocks are not done; \"palimpsest resubmit\" submits what is missing"
    ]
  }

  private func stop(_ task: TaskState) -> String { "scancel \(task.job)" }

  private func counted(_ count: Int) -> String { count == 1 ? "1 task" : "\(count) tasks" }
}

// MARK: - As it is shown

extension LaunchStatus {
  /// `launch 3 (slurm 35): 12 of 40 blocks done, 4 in hand; tasks: 4 running, 60 waiting`.
  public var line: String {
    let name = ([record.engine] + record.jobs).joined(separator: " ")
    var text = "launch \(record.number) (\(name)): \(doneBlocks) of \(record.blocks) blocks done, \(live.count) in hand"
    let counts = TaskState.Phase.allCases.filter { count($0) > 0 }.map { "\(count($0)) \($0.rawValue)" }
    if !counts.isEmpty { text += "; tasks: " + counts.joined(separator: ", ") }
    return text + (record.isCancelled ? "; cancelled" : "")
  }

  /// For programs: the names are stable.
  public var json: JSONValue {
    let counts = TaskState.Phase.allCases.map { ($0.rawValue, JSONValue(count($0))) }
    return [
      "launch": JSONValue(record.number), "engine": JSONValue(record.engine),
      "jobs": JSONValue(record.jobs.map { JSONValue($0) }), "runs": JSONValue(record.runs),
      "blocks": JSONValue(record.blocks), "blocks_done": JSONValue(doneBlocks), "blocks_in_hand": JSONValue(live.count),
      "tasks": JSONValue(JSONObject(counts)), "over": JSONValue(isOver), "cancelled": JSONValue(record.isCancelled),
      "unanswered": unanswered.map { JSONValue($0) } ?? .null,
      "remarks": JSONValue(remarks.map { JSONValue($0) }),
    ]
  }
}
