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
    if labels.areLate && !arrived.isEmpty {
      rows.fill(&batch, arrived, experience: state.experience)
      predictAgain(arrived)
    }
    rows.fillShown(&batch, arrived, labels, experience: state.experience)
    return batch.count > 0
  }

  private mutating func predictAgain(_ arrived: Range<Int>) {
    let judge = answerBatch()
    for (i, row) in arrived.enumerated() { state.finals.add(answered(judge, i, row: row)) }
  }
}
