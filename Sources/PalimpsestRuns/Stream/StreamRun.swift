import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios

/// A learner's way through a stream: a block of rows is predicted, what the predictions were worth is recorded and shown to the
/// strategy's drift detector, then the block is learned. A pure function of settings, rows and learner; it can be saved after
/// any block (`saveState(to:)`) and goes on with the same bits.
///
/// Of an alarm in a block (`boundaries: detected`) and of a boundary that is given the learner is told before it learns the
/// block: what ended are the rows before. With boundaries that are given no block holds rows of two tasks.
public struct StreamRun {
  let settings: StreamSettings
  let rows: StreamRows
  private let tasks: [ExperienceInfo]
  private let shape: TaskShape
  /// What is known of a task's rows while they are predicted, where boundaries are given.
  private let known: [KnownTask]
  public internal(set) var learner: any Learner
  var state: State
  private var batch: Batch
  /// Seconds in this process.
  private(set) var seconds = (predicting: 0.0, learning: 0.0)
  private let clock = ContinuousClock()

  /// What becomes of a stream.
  struct State: Codable {
    /// The first row that was not predicted yet.
    var next = 0
    /// Steps taken, and rows fed to them.
    var steps = 0
    var examples = 0
    /// Steps taken since the experience began.
    var stepsWithin = 0
    /// The experience at hand: its number, the task's where boundaries are given, and its first row.
    var experience = 0
    var start = 0
    var hasBegun = false
    var windows: PrequentialWindows
    /// Rows at which the detector raised an alarm, or warned.
    var alarms: [Int] = []
    var warnings: [Int] = []
    /// First rows of the experiences that the learner was told of, but for the first.
    var boundaries: [Int] = []
    /// Why the stream ended early.
    var divergence: String?
  }

  private struct KnownTask {
    let index: Int?
    let candidates: Range<Int>
  }

  /// - Parameters:
  ///   - learner: as new.
  ///   - seed: of the run; orders the rows where that is asked for.
  public init(_ settings: StreamSettings, _ stream: any DriftStream, learner: any Learner, seed: Seed) {
    self.settings = settings
    self.learner = learner
    rows = StreamRows(stream, settings.order, seed: seed)
    tasks = stream.experiences
    shape = stream.shape
    known =
      settings.boundaries == .given
      ? stream.experiences.map { task in
        let set = stream.evaluationSet(for: task.index)
        return KnownTask(index: set.knownExperience, candidates: set.candidates)
      } : []
    state = State(windows: PrequentialWindows(length: settings.window))
    batch = Batch(columns: rows.columns)
  }

  /// - Throws: ``PreparationError`` where a configuration asks for a stream of rows that no answer can be judged by.
  static func check(_ configuration: PlannedConfiguration, _ shape: TaskShape) throws(PreparationError) {
    if configuration.places.stream == nil || shape.target.hasLabels { return }
    throw PreparationError(
      kind: .settings,
      "scenarios.\(configuration.scenarioLabel): a stream judges answers by their labels, and these rows have none")
  }

  public var windows: PrequentialWindows { state.windows }
  public var alarms: [Int] { state.alarms }
  public var warnings: [Int] { state.warnings }
  public var boundaries: [Int] { state.boundaries }
  public var divergence: String? { state.divergence }
  /// Taken so far.
  public var steps: Int { state.steps }
  /// Rows fed to steps so far, each pass counted.
  public var examples: Int { state.examples }
  /// Rows predicted so far, and of all.
  public var position: (row: Int, of: Int) { (state.next, rows.count) }
  /// The number of each task's first row.
  public var starts: [Int] { rows.starts.dropLast() }
  var taskCount: Int { tasks.count }
  public var isOver: Bool { state.next == rows.count || state.divergence != nil }

  /// Predicts, records and learns the next block.
  /// - Returns: false once the stream is over.
  public mutating func advance() -> Bool {
    guard !isOver else { return false }
    if !state.hasBegun { begin(at: 0) }
    let block = state.next..<end(ofBlockAt: state.next)
    if isBoundary(block.lowerBound) { tellBoundary(at: block.lowerBound) }
    rows.fill(&batch, block, experience: state.experience)
    let start = clock.now
    let isAlarmed = predict(block)
    let predicted = clock.now
    if isAlarmed && settings.boundaries == .detected {
      tellBoundary(at: block.lowerBound)
      batch.setExperience(state.experience)
    }
    learn(block)
    state.next = block.upperBound
    if isOver { close() }
    seconds.predicting += (predicted - start) / .seconds(1)
    seconds.learning += (clock.now - predicted) / .seconds(1)
    return !isOver
  }

  // MARK: - Predicting

  /// - Returns: whether the detector raised an alarm that asks for an end.
  private mutating func predict(_ block: Range<Int>) -> Bool {
    let task = known.isEmpty ? nil : known[state.experience]
    let logits = learner.predict(batch.inputs, knowing: task?.index)
    let predictable = learner.predictableOutputs(knowing: task?.index)
    let judge = RowJudge(
      isBinary: shape.isBinary, answers: (task?.candidates ?? 0..<shape.outputs).clamped(to: predictable))
    var alarmed = false
    for (i, row) in block.enumerated() {
      let label = Int(batch.labels[i])
      let answer = judge.answer(logits, i)
      let outcome = Outcome(row: row, error: answer == label ? 0 : 1, loss: judge.loss(logits, i, label: label))
      state.windows.add(outcome, worth: rows.worth(of: answer, to: row))
      switch learner.observe(outcome) {
      case .none: break
      case .warning: state.warnings.append(row)
      case .alarm:
        state.alarms.append(row)
        alarmed = alarmed || learner.asksForEnd
      }
    }
    return alarmed
  }

  // MARK: - Learning

  private mutating func learn(_ block: Range<Int>) {
    for pass in 0..<settings.stepsPerBlock where state.divergence == nil {
      let report = learner.learn(batch, context(pass))
      state.steps += 1
      state.examples += batch.count
      state.stepsWithin += 1
      if !report.isFinite {
        state.divergence = "the loss is \(report.loss) in the step behind row \(block.upperBound - 1)"
      }
    }
  }

  /// A row is new in the first step of its block alone.
  private func context(_ pass: Int) -> StepContext {
    StepContext(
      experience: info, epoch: pass, step: state.stepsWithin, steps: stepsOfExperience,
      run: StepPlace(step: state.steps, steps: stepsOfRun))
  }

  /// Nil where nobody knows when the experience ends.
  private var stepsOfExperience: Int? {
    switch settings.boundaries {
    case .none: steps(of: rows.count)
    case .given: steps(of: tasks[state.experience].rows)
    case .every: steps(of: min(settings.every, rows.count - state.start))
    case .detected: nil
    }
  }

  /// No block goes on behind a boundary that is known beforehand.
  private var stepsOfRun: Int? {
    switch settings.boundaries {
    case .none, .detected: return steps(of: rows.count)
    case .given:
      let each = tasks.map { steps(of: $0.rows) }
      return each.contains(nil) ? nil : each.reduce(0) { $0 + ($1 ?? 0) }
    case .every:
      let (whole, rest) = rows.count.quotientAndRemainder(dividingBy: settings.every)
      guard let each = steps(of: settings.every), let last = steps(of: rest) else { return nil }
      let (all, overflow) = each.multipliedReportingOverflow(by: whole)
      return overflow ? nil : all + last
    }
  }

  private func steps(of count: Int) -> Int? {
    let blocks = (count + settings.block - 1) / settings.block
    let (steps, overflow) = blocks.multipliedReportingOverflow(by: settings.stepsPerBlock)
    return overflow ? nil : steps
  }
}

// MARK: - Boundaries

extension StreamRun {
  /// What the learner knows of the experience at hand: the task where boundaries are given, else nothing but where it began.
  private var info: ExperienceInfo {
    if settings.boundaries == .given { return tasks[state.experience] }
    let rest = rows.count - state.start
    return ExperienceInfo(
      index: state.experience, name: "rows from \(state.start)", outputs: 0..<shape.outputs,
      seenOutputs: 0..<shape.outputs,
      rows: settings.boundaries == .every ? min(settings.every, rest) : rest)
  }

  /// Blocks end where a boundary is due.
  private func end(ofBlockAt first: Int) -> Int {
    let due =
      switch settings.boundaries {
      case .none, .detected: rows.count
      case .given: rows.starts[rows.task(of: first) + 1]
      case .every: (first / settings.every + 1) * settings.every
      }
    return min(first + settings.block, due, rows.count)
  }

  /// Whether an experience begins with a row, by the settings alone.
  private func isBoundary(_ row: Int) -> Bool {
    guard row > 0 else { return false }
    switch settings.boundaries {
    case .none, .detected: return false
    case .given: return rows.starts.contains(row)
    case .every: return row % settings.every == 0
    }
  }

  /// The experience at hand has ended before a row; the next one begins with it. None ends before it has begun.
  private mutating func tellBoundary(at row: Int) {
    guard row > state.start else { return }
    finish(before: row)
    state.boundaries.append(row)
    state.experience = settings.boundaries == .given ? rows.task(of: row) : state.experience + 1
    begin(at: row)
  }

  private mutating func begin(at row: Int) {
    (state.start, state.stepsWithin, state.hasBegun) = (row, 0, true)
    learner.begin(info)
  }

  private mutating func finish(before row: Int) {
    learner.finish(info, revisiting: rows.revisitable(state.start..<row, experience: state.experience))
  }

  /// The stream is over: a task that the learner was told of ends with it.
  private mutating func close() {
    if settings.boundaries == .given && state.divergence == nil { finish(before: rows.count) }
    if state.divergence == nil && !learner.isFinite {
      state.divergence = "a weight is not finite behind row \(state.next - 1)"
    }
  }
}
