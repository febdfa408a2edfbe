import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestScenarios

/// Probes a learner after each task: how far its probabilities hold, which answers have turned, whom it fails.
///
/// It looks at answers alone, draws nothing and changes nothing. Values to be predicted, and rows with any number of labels, have no such
/// answers.
/// - Memory: one answer a test row where flips are asked for.
/// - Cost: one prediction of all test rows a task, and a sort of each set for calibration.
struct TaskProbes {
  private let kinds: Set<EvaluationSettings.ProbeKind>
  private let sets: [EvaluationSet]
  private let shape: TaskShape
  private(set) var state: State

  /// What a checkpoint keeps.
  struct State: Codable {
    var record = ProbedRecord()
    /// Answers of the probe before, one list a task; empty where none could be given.
    var answers: [[Int32]] = []
  }

  init(_ kinds: [EvaluationSettings.ProbeKind], _ stream: any DriftStream) {
    shape = stream.shape
    self.kinds = shape.target.hasLabels ? Set(kinds) : []
    sets = self.kinds.isEmpty ? [] : stream.experiences.map { stream.evaluationSet(for: $0.index) }
    state = State()
    if self.kinds.contains(.calibration) { state.record.calibration = CalibrationRecord(tasks: sets.count) }
    if self.kinds.contains(.flips) { state.record.flips = FlipRecord(tasks: sets.count) }
  }

  var isEmpty: Bool { kinds.isEmpty }

  mutating func look(at learner: some Learner, after task: Int) {
    if isEmpty { return }
    let judged = sets.map { JudgedRows($0, learner, isBinary: shape.isBinary) }
    for (other, rows) in judged.enumerated() {
      guard let rows else { continue }
      takeCalibration(rows, after: task, of: other)
      takeFlips(rows, after: task, of: other)
    }
    if kinds.contains(.flips) { state.answers = judged.map { $0?.answers ?? [] } }
    guard kinds.contains(.slices), task == sets.count - 1 else { return }
    state.record.slices = SliceRecord(judged.compactMap { $0 })
  }

  private mutating func takeCalibration(_ rows: JudgedRows, after task: Int, of other: Int) {
    guard kinds.contains(.calibration), let calibration = Calibration(rows.probabilities, rows.outcomes) else { return }
    state.record.calibration?.take(calibration, trueError: rows.trueError, after: task, of: other)
  }

  private mutating func takeFlips(_ rows: JudgedRows, after task: Int, of other: Int) {
    guard kinds.contains(.flips), state.answers.indices.contains(other),
      let flips = AnswerFlips(before: state.answers[other], now: rows.answers, labels: rows.labels)
    else { return }
    state.record.flips?.take(flips, after: task, of: other)
  }

  /// - Throws: ``PalimpsestSettings/StateError`` where other probes looked before.
  mutating func restore(_ saved: State) throws(StateError) {
    let (own, read) = (state.record, saved.record)
    guard (own.calibration == nil) == (read.calibration == nil), (own.flips == nil) == (read.flips == nil) else {
      throw StateError("other probes looked at it before", at: "measured")
    }
    if let problem = read.problem(tasks: sets.count) { throw StateError(problem, at: "measured") }
    let fits = zip(saved.answers, sets).allSatisfy { $0.isEmpty || $0.count == $1.rows.count }
    guard fits, saved.answers.isEmpty || saved.answers.count == sets.count else {
      throw StateError("its answers are not those of \(sets.count) test sets", at: "measured")
    }
    state = saved
  }
}

extension SliceRecord {
  init(_ sets: [JudgedRows]) {
    self.init()
    for rows in sets {
      for row in rows.labels.indices {
        rows.add(row, to: &classes, at: Int(rows.labels[row]))
        if let owners = rows.owners { rows.add(row, to: &users, at: Int(owners[row])) }
      }
    }
  }
}
