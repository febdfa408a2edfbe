import PalimpsestCore
import PalimpsestExperiments

/// What becomes of labels when they arrive.
extension StreamRun {
  /// Shows the detector, and the rules beside the learner, what has arrived.
  /// - Parameter last: the last row that was predicted.
  /// - Returns: whether the detector raised an alarm that asks for an end.
  mutating func observe(_ arrived: Range<Int>, behind last: Int) -> Bool {
    var alarmed = false
    for (i, row) in arrived.enumerated() where !state.pending[i].error.isNaN {
      state.rules.learn(labels.areAtOnce ? Int(batch.labels[i]) : rows.shown(labels, row) ?? 0)
      let outcome = Outcome(row: row, error: state.pending[i].error, loss: state.pending[i].loss)
      switch learner.observe(outcome) {
      case .none: break
      case .warning: state.warnings.append(labels.areAtOnce ? row : last)
      case .alarm:
        state.alarms.append(labels.areAtOnce ? row : last)
        alarmed = alarmed || learner.asksForEnd
      }
    }
    state.pending.removeFirst(arrived.count)
    return alarmed
  }

  /// The batch becomes the rows whose labels have arrived, with these; where labels come late they are predicted once more.
  /// - Returns: whether there are any.
  mutating func fillArrived(_ arrived: Range<Int>) -> Bool {
    if labels.areLate {
      var first = arrived.lowerBound
      while first < arrived.upperBound {
        let task = rows.task(of: first)
        let end = min(arrived.upperBound, rows.starts[task + 1])
        predictAgain(first..<end, ofTask: task)
        first = end
      }
    }
    rows.fillShown(&batch, arrived, labels, experience: settings.boundaries == .given ? nil : state.experience)
    return batch.count > 0
  }

  /// Rows whose label never arrives are left out.
  private mutating func predictAgain(_ arrived: Range<Int>, ofTask task: Int) {
    let experience = settings.boundaries == .given ? task : state.experience
    rows.fill(&batch, arrived, experience: experience)
    let judge = answerBatch(of: experience)
    for (i, row) in arrived.enumerated() where rows.shown(labels, row) != nil {
      state.finals.add(answered(judge, i, row: row))
    }
  }

  /// Rows of an experience whose labels have arrived, as far as they may be looked at again when it is over: where tasks are told, its own.
  var arrivedOfExperience: Range<Int> {
    let arrived = state.startArrived..<state.arrived
    guard settings.boundaries == .given else { return arrived }
    return arrived.clamped(to: rows.starts[state.experience]..<rows.starts[state.experience + 1])
  }
}
