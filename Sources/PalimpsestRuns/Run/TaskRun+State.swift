import PalimpsestCore
import PalimpsestMetrics

/// What a checkpoint keeps of a run through tasks, and what a fresh one takes from it.
extension TaskRun {
  private enum Field: String, CodingKey {
    case learner, phase, task, feed, record, times, probed, measured
  }

  /// Writes all that the run has become: learner, place in the stream, record so far. Rows, evaluation sets and the truth
  /// of the scenario come from configuration and seed again.
  /// - Throws: ``StateError`` where the strategy's learner cannot be saved.
  func saveState(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try learner.saveState(to: fields.superEncoder(forKey: .learner))
    try fields.encode(phase, forKey: .phase)
    try fields.encode(task, forKey: .task)
    try fields.encode(feed?.place, forKey: .feed)
    var record = record
    record.truth = nil
    try fields.encode(record, forKey: .record)
    if !probed.isEmpty { try fields.encode(probed.saved, forKey: .probed) }
    if !measured.isEmpty { try fields.encode(measured.state, forKey: .measured) }
    try fields.encode(times.kept(at: clock.now, evaluated: record.cost.timeEvaluate), forKey: .times)
  }

  /// Becomes, from a run freshly made with the same arguments, the one that was saved.
  /// - Throws: ``StateError``; the run is then not to be used.
  mutating func restoreState(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    try learner.restoreState(from: fields.superDecoder(forKey: .learner))
    phase = try fields.decode(Phase.self, forKey: .phase)
    task = try fields.decode(Int.self, forKey: .task)
    let place = try fields.decode(BatchFeed.Place?.self, forKey: .feed)
    try checkPlace(place)
    if let place {
      var feed = makeFeed(learner.plan(for: task))
      try feed.restore(place)
      self.feed = feed
    }
    let read = try fields.decode(TaskRecord.self, forKey: .record)
    try check(read)
    record = read
    record.truth = stream.truth
    try probed.restore(fields.decodeIfPresent(ProbeReadings.Saved.self, forKey: .probed) ?? ProbeReadings.Saved())
    if !measured.isEmpty { try measured.restore(fields.decode(TaskProbes.State.self, forKey: .measured)) }
    times = try fields.decode(RunTimes.self, forKey: .times)
    times.goOn(at: clock.now, evaluated: record.cost.timeEvaluate)
  }

  /// Task, phase, feed and learner tell the same story.
  private func checkPlace(_ place: BatchFeed.Place?) throws(StateError) {
    let isWithin = phase == .withinTask
    let tasks = experiences.indices
    guard phase != .over, tasks.contains(task), isWithin == (place != nil),
      !isWithin || learner.plan(for: task).rows != .none, phase != .beginning || task == 0
    else { throw StateError("\(phase.rawValue) of task \(task) is no place of a run of \(tasks.count) tasks") }
    guard let learner = learner as? ComposedLearner else { return }
    let begun = (0..<(task + (isWithin ? 1 : 0))).filter { learner.plan(for: $0).rows != .none }
    guard learner.experiences.map(\.index) == begun else {
      throw StateError("tasks \(learner.experiences.map(\.index)) have begun, not \(begun)", at: "learner")
    }
  }

  private func check(_ read: TaskRecord) throws(StateError) {
    if let problem = record.problem(of: read) { throw StateError(problem, at: "record") }
    guard read.cost.timeTask.count == task else {
      throw StateError("it has times of \(read.cost.timeTask.count) tasks, not \(task)", at: "record")
    }
  }
}
