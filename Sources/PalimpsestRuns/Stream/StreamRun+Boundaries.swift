import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios

/// Where experiences of a stream begin and end.
extension StreamRun {
  /// The task where boundaries are given, else nothing but where it began.
  var infoAtHand: ExperienceInfo {
    if settings.boundaries == .given { return tasks[state.experience] }
    let rest = rows.count - state.start
    return ExperienceInfo(
      index: state.experience, name: "rows from \(state.start)", outputs: 0..<shape.outputs,
      seenOutputs: 0..<shape.outputs,
      rows: settings.boundaries == .every ? min(settings.every, rest) : rest)
  }

  /// Blocks end where a boundary is due.
  func end(ofBlockAt first: Int) -> Int {
    let due =
      switch settings.boundaries {
      case .none, .detected: rows.count
      case .given: rows.starts[rows.task(of: first) + 1]
      case .every: (first / settings.every + 1) * settings.every
      }
    let end = settings.blockOf == .rows ? first + settings.block : rows.end(ofTimes: settings.block, from: first)
    return min(end, due, rows.count)
  }

  /// Whether an experience begins with a row, by the settings alone.
  func isBoundary(_ row: Int) -> Bool {
    guard row > 0 else { return false }
    switch settings.boundaries {
    case .none, .detected: return false
    case .given: return rows.starts[rows.task(of: row)] == row
    case .every: return row % settings.every == 0
    }
  }

  /// The experience at hand has ended before a row; the next one begins with it. None ends before it has begun.
  mutating func tellBoundary(at row: Int) {
    guard row > state.start else { return }
    finish()
    state.boundaries.append(row)
    state.experience = settings.boundaries == .given ? rows.task(of: row) : state.experience + 1
    begin(at: row)
  }

  mutating func begin(at row: Int) {
    (state.start, state.startArrived, state.stepsWithin, state.hasBegun) = (row, state.arrived, 0, true)
    info = infoAtHand
    plan = learner.plan(for: state.experience)
    if learns { learner.begin(info) }
  }

  /// False where a bound leaves the experience at hand out.
  var learns: Bool { plan.rows != .none }

  /// The same of any experience.
  func isLearned(_ experience: Int) -> Bool { learner.plan(for: experience).rows != .none }

  /// What may be looked at again are the rows whose labels arrived while the experience lasted.
  private mutating func finish() {
    guard learns else { return }
    learner.finish(info, revisiting: rows.revisitable(arrivedOfExperience, experience: state.experience, labels))
  }

  /// The stream is over: a task that the learner was told of ends with it.
  mutating func close() {
    if settings.boundaries == .given && state.divergence == nil { finish() }
    if state.divergence == nil && !learner.isFinite {
      state.divergence = "a weight is not finite behind row \(state.next - 1)"
    }
  }
}
