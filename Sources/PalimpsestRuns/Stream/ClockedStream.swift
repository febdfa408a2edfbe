import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestScenarios

/// A run through a stream with its clock, probes and record.
struct ClockedStream: RunKind {
  private var run: StreamRun
  private let stream: any DriftStream
  private let clock = ContinuousClock()
  private let hasDetector: Bool
  private var probed: ProbeReadings
  /// Nil where the learner is not judged on test rows.
  private var tests: ConceptTests?
  /// Seconds in the processes before this one, and when this one began.
  private var before = Seconds()
  private var start: ContinuousClock.Instant

  private struct Seconds: Codable {
    var total = 0.0
    var predicting = 0.0
    var learning = 0.0
  }

  /// - Parameter probes: those look that look once all is learned, or where the learner is judged on test rows; no task ends in a stream.
  /// - Throws: ``PalimpsestCore/CompositionError`` where the parts make no learner.
  init(
    _ settings: StreamSettings, _ configuration: ResolvedConfiguration, _ stream: any DriftStream, seed: Seed,
    probes: [Probe] = []
  ) throws {
    let learner = try LearnerSetup(configuration, stream.shape, seed: seed).makeLearner(configuration.strategy)
    let isTested = configuration.evaluation.everyRows != nil
    run = StreamRun(settings, stream, learner: learner, keepsTests: isTested, seed: seed)
    tests = ConceptTests(
      configuration.evaluation, stream, starts: run.rows.starts, tellsTasks: settings.boundaries == .given)
    if let problem = settings.problem(RowFacts(run.rows)) { throw CompositionError(problem) }
    self.stream = stream
    hasDetector = configuration.strategy.contains { $0 is any DriftDetector }
    probed = ProbeReadings(probes.filter { $0.moment != .afterTask })
    start = clock.now
  }

  var learner: any Learner { run.learner }
  var isAtMilestone: Bool { run.isOver }

  /// An alarm ends one at any row.
  var mostExperiences: Int { max(stream.experiences.count, run.position.of) }

  var position: RunPosition {
    let (row, _) = run.position
    let task = max(0, (run.starts.firstIndex { $0 > row } ?? run.starts.count) - 1)
    return RunPosition(
      task: run.isOver ? run.starts.count : task, of: run.starts.count, step: run.steps, examples: run.examples)
  }

  mutating func advance() -> Bool {
    let first = run.position.row
    if first == 0 { _ = tests?.look(at: run.learner, behind: 0..<0) }
    let goesOn = run.advance()
    if run.divergence == nil {
      if tests?.look(at: run.learner, behind: first..<run.position.row) == true { probe(.evaluation) }
      if !goesOn { probe(.end) }
    }
    return goesOn
  }

  private mutating func probe(_ moment: Probe.Moment) {
    guard probed.look(at: moment) else { return }
    let row = run.position.row
    let view = RunView(
      learner: run.learner, stream: stream, task: max(0, run.rows.task(of: row - 1)), examples: run.examples,
      steps: run.steps, shown: run.rows.labels(before: row))
    probed.take(moment, view)
  }

  private var mixtureBest: [Double]? {
    let mixtures = stream.experiences.compactMap { stream.mixture(for: $0.index) }
    guard mixtures.count == stream.experiences.count else { return nil }
    return mixtures.flatMap { mixture in (0..<mixture.rows).map { Double(mixture.row($0).max() ?? .nan) } }
  }

  /// Seconds up to now.
  private var spent: Seconds {
    Seconds(
      total: before.total + (clock.now - start) / .seconds(1),
      predicting: before.predicting + run.spent.predicting / .seconds(1),
      learning: before.learning + run.spent.learning / .seconds(1))
  }

  var finishedRecord: RunRecord {
    var ended = StreamRecord(
      status: run.divergence == nil ? .completed : .diverged, tasks: stream.experiences.map(\.name), starts: run.starts)
    ended.error = run.divergence ?? ""
    ended.declaredEvents = run.events
    if run.rows.areAsDeclared { ended.mixtureBest = mixtureBest }
    ended.windows = zip(run.windows.windows, run.windows.fadingAccuracy).map { StreamRecord.Window($0, fading: $1) }
    ended.rightEdges = run.windows.rightEdges
    ended.finalAccuracies = run.finalWindows?.windows.map(\.accuracy)
    ended.tests = tests?.record
    ended.changes = run.changes.map { StreamRecord.Change(recovery: $0.recovery, regret: $0.regret, rows: $0.rows) }
    ended.blipReactions = run.blipReactions
    ended.concepts = stream.taskConcepts
    (ended.alarms, ended.warnings, ended.boundaries) = (run.alarms, run.warnings, run.boundaries)
    (ended.hasDetector, ended.maxDelay, ended.truth) = (hasDetector, run.settings.maxDelay, stream.truth)
    let spent = spent
    (ended.cost.timeTotal, ended.cost.timeTrain, ended.cost.timeEvaluate) =
      (spent.total, spent.learning, spent.predicting + (tests?.record.cost.timeEvaluate ?? 0))
    (ended.cost.steps, ended.cost.examples, ended.cost.learner) = (run.steps, run.examples, run.learner.cost)
    var record = RunRecord(ended)
    probed.observe(in: &record)
    return record
  }
}

// MARK: - State

extension ClockedStream {
  private enum Field: String, CodingKey { case run, times, tests, probed }

  func saveState(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try run.saveState(to: fields.superEncoder(forKey: .run))
    try fields.encode(spent, forKey: .times)
    try fields.encodeIfPresent(tests?.record, forKey: .tests)
    if !probed.isEmpty { try fields.encode(probed.saved, forKey: .probed) }
  }

  mutating func restoreState(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    try run.restoreState(from: fields.superDecoder(forKey: .run))
    before = try fields.decode(Seconds.self, forKey: .times)
    try tests?.restore(fields.decodeIfPresent(TaskRecord.self, forKey: .tests))
    if !probed.isEmpty { try probed.restore(fields.decode(ProbeReadings.Saved.self, forKey: .probed)) }
    start = clock.now
  }
}

extension StreamRecord.Window {
  init(_ window: PrequentialWindows.Window, fading: Double) {
    self.init(
      rows: window.rows, accuracy: window.accuracy, logLoss: window.logLoss,
      expectedAccuracy: window.expectedAccuracy, regret: window.regret)
    (kappa, kappaM, kappaTemporal) = (window.kappa, window.kappaM, window.kappaTemporal)
    (balancedAccuracy, area, brier, fadingAccuracy) = (window.balancedAccuracy, window.area, window.brier, fading)
    calibrationError = window.calibrationError
    (majorityAccuracy, repeatLastAccuracy) = (window.majorityAccuracy, window.repeatLastAccuracy)
  }
}
