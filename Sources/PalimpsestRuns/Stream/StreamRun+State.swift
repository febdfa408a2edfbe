import PalimpsestCore

/// A stream run as a checkpoint keeps it: the learner, the place in the stream, and what was recorded so far. Rows come from
/// settings and seed again.
extension StreamRun {
  private enum Field: String, CodingKey { case learner, state }

  /// - Throws: ``PalimpsestSettings/StateError`` where the strategy's learner cannot be saved.
  public func saveState(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try learner.saveState(to: fields.superEncoder(forKey: .learner))
    try fields.encode(state, forKey: .state)
  }

  /// Becomes, from a run freshly made with the same arguments, the one that was saved.
  /// - Throws: ``PalimpsestSettings/StateError``; the run is then not to be used.
  public mutating func restoreState(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    try learner.restoreState(from: fields.superDecoder(forKey: .learner))
    let read = try fields.decode(State.self, forKey: .state)
    if let problem = problem(read) { throw StateError(problem, at: "state") }
    let begun = read.hasBegun ? (0...read.experience).filter(isLearned) : []
    if let composed = learner as? ComposedLearner, composed.experiences.map(\.index) != begun {
      throw StateError("experiences \(composed.experiences.map(\.index)) have begun, not \(begun)", at: "learner")
    }
    state = read
    info = infoAtHand
    plan = learner.plan(for: state.experience)
  }

  /// Rows that were predicted a second time when so many labels were due.
  private func finalRows(of arrived: Int) -> Int {
    labels.areLate ? (0..<arrived).count { rows.shown(labels, $0) != nil } : 0
  }

  /// What contradicts itself or the stream.
  private func problem(_ read: State) -> String? {
    let rows = position.of
    let places = read.alarms + read.warnings + read.boundaries
    guard (0...rows).contains(read.next), (0...read.next).contains(read.start), read.hasBegun == (read.next > 0),
      places.allSatisfy({ (0..<max(1, read.next)).contains($0) })
    else { return "row \(read.next) is no place in a stream of \(rows)" }
    guard (0...Int.max / 2).contains(read.steps), (0...read.steps).contains(read.stepsWithin),
      (0...Int.max / 2).contains(read.examples)
    else {
      return "\(read.stepsWithin) of \(read.steps) steps"
    }
    let experiences = settings.boundaries == .given ? taskCount : read.boundaries.count + 1
    guard (0..<experiences).contains(read.experience) else { return "experience \(read.experience) of \(experiences)" }
    guard (0...read.next).contains(read.arrived), (0...read.arrived).contains(read.startArrived),
      read.pending.count == read.next - read.arrived, !labels.areAtOnce || read.pending.isEmpty
    else { return "labels of \(read.arrived) rows before row \(read.next), \(read.pending.count) to come" }
    return read.rules.problem ?? read.changes.problem(rows: read.next, changeRule)
      ?? read.blips.problem(rows: read.next, blipRule) ?? read.windows.problem(
        rows: read.next, length: settings.window)
      ?? read.finals.problem(rows: finalRows(of: read.arrived), length: settings.window)
  }
}
