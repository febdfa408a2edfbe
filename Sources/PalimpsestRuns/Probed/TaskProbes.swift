import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestScenarios

/// Probes a learner after each task: how far its probabilities hold, which answers have turned, whom it fails, what has become of its hidden
/// layers, how well it would learn something new.
///
/// It draws nothing of the run's and changes nothing. Values to be predicted, and rows with any number of labels, have no such
/// answers.
/// - Memory: one answer a test row where flips are asked for.
/// - Cost: a sort of each set for calibration; those of ``LayerProbe`` and ``FreshTask``. Test rows are predicted once, for evaluation.
struct TaskProbes {
  private let kinds: Set<EvaluationSettings.ProbeKind>
  private let sets: [EvaluationSet]
  private let shape: TaskShape
  private let layers: LayerProbe?
  private var fresh: FreshTask?
  private(set) var state: State

  /// What a checkpoint keeps.
  struct State: Codable {
    var record = ProbedRecord()
    /// Answers of the probe before, one list a task; empty where none could be given.
    var answers: [[Int32]] = []
    /// What each layer said of the probed rows, for similarity.
    var layers: [[Float]]? = nil
  }

  init(
    _ kinds: [EvaluationSettings.ProbeKind], _ stream: any DriftStream, _ setup: LearnerSetup, _ feed: FeedSettings
  ) {
    shape = stream.shape
    self.kinds = shape.target.hasLabels ? Set(kinds) : []
    sets = self.kinds.isEmpty ? [] : stream.experiences.map { stream.evaluationSet(for: $0.index) }
    let (units, similarity) = (self.kinds.contains(.units), self.kinds.contains(.similarity))
    layers = units || similarity ? LayerProbe(units: units, similarity: similarity, sets) : nil
    fresh = self.kinds.contains(.fresh) ? FreshTask(setup, stream, feed) : nil
    state = State()
    if layers != nil { state.record.layers = LayerRecord() }
    if similarity { state.layers = [] }
    if fresh != nil { state.record.fresh = FreshRecord() }
    if self.kinds.contains(.calibration) { state.record.calibration = CalibrationRecord(tasks: sets.count) }
    if self.kinds.contains(.flips) { state.record.flips = FlipRecord(tasks: sets.count) }
  }

  var isEmpty: Bool { kinds.isEmpty }

  /// What evaluation is to tell of each set's rows; nil of those that have no answers, and where no probe asks for them.
  func asked(of learner: some Learner) -> [JudgedRows?] {
    if kinds.isDisjoint(with: [.calibration, .flips, .slices]) { return sets.map { _ in nil } }
    let withProbabilities = kinds.contains(.calibration)
    return sets.map { JudgedRows($0, learner, isBinary: shape.isBinary, withProbabilities: withProbabilities) }
  }

  /// - Parameter judged: what ``asked(of:)`` gave, with all rows told.
  mutating func look(at learner: some Learner, after task: Int, _ judged: [JudgedRows?]) {
    if isEmpty { return }
    takeLayers(learner, after: task)
    takeFresh(learner)
    for (other, rows) in judged.enumerated() {
      guard let rows else { continue }
      takeCalibration(rows, after: task, of: other)
      takeFlips(rows, after: task, of: other)
    }
    if kinds.contains(.flips) { state.answers = judged.map { $0?.answers ?? [] } }
    guard kinds.contains(.slices), task == sets.count - 1 else { return }
    state.record.slices = SliceRecord(judged.compactMap { $0 })
  }

  private mutating func takeLayers(_ learner: some Learner, after task: Int) {
    guard let layers else { return }
    var before = state.layers ?? []
    state.record.layers?.tasks.append(layers.look(at: learner, after: task, before: &before))
    if state.layers != nil { state.layers = before }
  }

  private mutating func takeFresh(_ learner: some Learner) {
    guard let model = (learner as? ComposedLearner)?.model, state.record.fresh != nil else { return }
    if state.record.fresh?.loss.isEmpty ?? false {
      state.record.fresh?.lossBefore = fresh?.learn(from: nil).logLoss ?? .nan
    }
    guard let result = fresh?.learn(from: model) else { return }
    state.record.fresh?.loss.append(result.logLoss)
    state.record.fresh?.accuracy.append(result.accuracy)
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
    let isAlike =
      (own.calibration == nil) == (read.calibration == nil) && (own.flips == nil) == (read.flips == nil)
      && (own.layers == nil) == (read.layers == nil) && (own.fresh == nil) == (read.fresh == nil)
      && (state.layers == nil) == (saved.layers == nil)
    guard isAlike else {
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
