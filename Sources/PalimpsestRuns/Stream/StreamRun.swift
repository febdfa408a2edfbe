import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios

/// A learner's way through a stream: a block of rows is predicted, what the predictions were worth is recorded and shown to the
/// strategy's drift detector, then the block is learned. A pure function of settings, rows and learner; it can be saved after
/// any block (`saveState(to:)`) and goes on with the same bits.
///
/// A label that comes late is learned from, and shown to the detector, when it has arrived (`labels`): then the row is also
/// predicted a second time.
///
/// Of an alarm in a block (`boundaries: detected`) and of a boundary that is given the learner is told before it learns the
/// block: what ended are the rows before. With boundaries that are given no block holds rows of two tasks.
public struct StreamRun {
  let settings: StreamSettings
  let rows: StreamRows
  let labels: StreamLabels
  /// What happens to the world, by the numbers of the rows.
  let events: [DriftEvent]
  let changeRule: ChangeWatch.Rule
  let blipRule: BlipWatch.Rule
  let tasks: [ExperienceInfo]
  let shape: TaskShape
  /// What is known of a task's rows while they are predicted, where boundaries are given.
  private let known: [KnownTask]
  public internal(set) var learner: any Learner
  var state: State
  var batch: Batch
  /// What the learner knows of the experience at hand.
  var info: ExperienceInfo
  /// What is trained on in the experience at hand.
  var plan = TrainingPlan()
  /// A step's rows where they are more than the block's.
  private var joined: Batch
  private let seed: Seed
  /// Room for its answers.
  private var logits = Matrix(rows: 0, columns: 0)
  /// In this process.
  private(set) var spent = (predicting: Duration.zero, learning: Duration.zero)
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
    /// What the second predictions were worth, where labels come late.
    var finals: PrequentialWindows
    var rules = LabelRules()
    var changes = ChangeWatch()
    var blips = BlipWatch()
    /// The first row whose label has not arrived, and the first of them when the experience began.
    var arrived = 0
    var startArrived = 0
    /// What the predictions of the rows from there on will be worth to the learner, by the labels that will arrive.
    var pending: [Pending] = []
    /// Rows at which the detector raised an alarm, or warned.
    var alarms: [Int] = []
    var warnings: [Int] = []
    /// First rows of the experiences that the learner was told of, but for the first.
    var boundaries: [Int] = []
    /// Why the stream ended early.
    var divergence: String?
  }

  /// NaN where the label never arrives.
  struct Pending: Codable {
    let error: Double
    let loss: Double
  }

  struct KnownTask {
    let index: Int?
    let candidates: Range<Int>
  }

  /// - Parameters:
  ///   - learner: as new.
  ///   - keepsTests: the rows that tasks are judged on are no part of the stream: the learner will be judged on them.
  ///   - seed: of the run; orders the rows where that is asked for.
  public init(
    _ settings: StreamSettings, _ stream: any DriftStream, learner: any Learner, keepsTests: Bool = false, seed: Seed
  ) {
    self.settings = settings
    self.learner = learner
    self.seed = seed
    rows = StreamRows(
      stream, settings.order, keepsTests: keepsTests, needsOrigins: settings.needsFacts, seed: seed)
    labels = StreamLabels(settings.labels, rows, seed: seed)
    let starts = rows.starts
    events = rows.events(of: stream)
    let times = settings.recovery.unit == .days ? rows.times : nil
    changeRule = ChangeWatch.Rule(events, rows: rows.count, settings.recovery, times: times)
    blipRule = BlipWatch.Rule(events, rows: rows.count, settings.recovery, times: times)
    tasks = zip(stream.visits, starts.indices).map { $0.with(rows: starts[$1 + 1] - starts[$1]) }
    shape = stream.shape
    known =
      settings.boundaries == .given
      ? stream.experiences.map { task in
        let set = stream.evaluationSet(for: task.index)
        return KnownTask(index: set.knownExperience, candidates: set.candidates)
      } : []
    let windows = PrequentialWindows(length: settings.window)
    state = State(windows: windows, finals: windows)
    batch = Batch(columns: rows.columns)
    joined = Batch(columns: rows.columns)
    info = tasks[0]
    info = infoAtHand
  }

  public var windows: PrequentialWindows { state.windows }
  /// Nil where labels come at once: a second prediction would be the first.
  public var finalWindows: PrequentialWindows? { labels.areLate ? state.finals : nil }
  /// Of the tasks but the first, as far as they have begun.
  package var changes: [ChangeWatch.Change] { state.changes.closed(changeRule) }
  /// One a blip: what its neighbours' regret grew by.
  var blipReactions: [Double] { state.blips.reactions(blipRule) }
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
    predict(block)
    let arrived = state.arrived..<labels.arrived(from: state.arrived, before: block.upperBound)
    let isAlarmed = observe(arrived, behind: block.upperBound - 1)
    let predicted = clock.now
    if isAlarmed && settings.boundaries == .detected {
      tellBoundary(at: block.lowerBound)
      batch.setExperience(state.experience)
    }
    let hasRows = labels.areAtOnce || fillArrived(arrived)
    if hasRows && learns { learn(behind: block.upperBound - 1, arrived) }
    state.next = block.upperBound
    state.arrived = arrived.upperBound
    if isOver { close() }
    spent.predicting += predicted - start
    spent.learning += clock.now - predicted
    return !isOver
  }

  // MARK: - Predicting

  /// Who judges the answers to rows of an experience.
  private func judge(of experience: Int) -> (RowJudge, KnownTask?) {
    let task = known.isEmpty ? nil : known[experience]
    let predictable = learner.predictableOutputs(knowing: task?.index)
    let answers = (task?.candidates ?? 0..<shape.outputs).clamped(to: predictable)
    return (RowJudge(isBinary: shape.isBinary, answers: answers), task)
  }

  private mutating func predict(_ block: Range<Int>) {
    let judge = answerBatch(of: state.experience)
    for (i, row) in block.enumerated() {
      let answered = answered(judge, i, row: row)
      state.windows.add(answered)
      let isRight = answered.outcome.error == 0
      state.changes.add(row, isRight: isRight, worth: answered.worth, changeRule)
      state.blips.add(row, isRight: isRight, worth: answered.worth, blipRule)
      state.pending.append(pending(answered, judge, i, row: row))
    }
  }

  /// Has the rows of the batch answered, as ones of an experience.
  mutating func answerBatch(of experience: Int) -> RowJudge {
    let (judge, task) = judge(of: experience)
    learner.answer(batch.inputs, knowing: task?.index, into: &logits)
    return judge
  }

  /// What the answer to row i of the batch is worth.
  func answered(_ judge: RowJudge, _ i: Int, row: Int) -> PrequentialWindows.Answered {
    let (answer, label) = (judge.answer(logits, i), Int(batch.labels[i]))
    return PrequentialWindows.Answered(
      answer: answer, label: label,
      outcome: Outcome(row: row, error: answer == label ? 0 : 1, loss: judge.loss(logits, i, label: label)),
      score: judge.score(logits, i, answer: answer), isBinary: judge.isBinary, worth: rows.worth(of: answer, to: row),
      majority: state.rules.majority, last: state.rules.last)
  }

  private func pending(
    _ answered: PrequentialWindows.Answered, _ judge: RowJudge, _ i: Int, row: Int
  ) -> Pending {
    if labels.areAtOnce { return Pending(error: answered.outcome.error, loss: answered.outcome.loss) }
    guard let label = rows.shown(labels, row) else { return Pending(error: .nan, loss: .nan) }
    return Pending(error: answered.answer == label ? 0 : 1, loss: judge.loss(logits, i, label: label))
  }

  // MARK: - Learning

  private mutating func learn(behind last: Int, _ arrived: Range<Int>) {
    for pass in 0..<settings.stepsPerBlock where state.divergence == nil {
      let (report, fed) = step(pass, arrived)
      state.steps += 1
      state.examples += fed
      state.stepsWithin += 1
      if !report.isFinite {
        state.divergence = "the loss is \(report.loss) in the step behind row \(last)"
      }
    }
  }

  /// - Returns: what came of a step, and how many rows it was fed.
  private mutating func step(_ pass: Int, _ arrived: Range<Int>) -> (StepReport, fed: Int) {
    guard plan.rows == .all else { return (learner.learn(batch, context(pass)), batch.count) }
    joinEarlier(than: arrived)
    return (learner.learn(joined, context(pass)), joined.count)
  }

  /// A bound that keeps all rows trains on earlier ones beside the new, drawn anew in each step.
  private mutating func joinEarlier(than arrived: Range<Int>) {
    var rng = seed.stream("earlier rows", state.steps)
    joined.removeAll()
    joined.append(batch)
    let count = (plan.draw ?? arrived.count) * plan.batchFactor
    rows.appendDrawn(count, before: arrived.lowerBound, to: &joined, labels, using: &rng)
    if settings.boundaries != .given { joined.setExperience(state.experience) }
  }

  /// A row is new in the first step of its block alone.
  private func context(_ pass: Int) -> StepContext {
    StepContext(
      experience: info, epoch: pass, step: state.stepsWithin, steps: stepsOfExperience,
      run: StepPlace(step: state.steps, steps: stepsOfRun))
  }

  /// Nil where nobody knows when the experience ends, or which labels arrive.
  private var stepsOfExperience: Int? {
    guard labels.areAtOnce else { return nil }
    return switch settings.boundaries {
    case .none: steps(of: rows.count)
    case .given: steps(of: tasks[state.experience].rows)
    case .every: steps(of: min(settings.every, rows.count - state.start))
    case .detected: nil
    }
  }

  /// No block goes on behind a boundary that is known beforehand.
  private var stepsOfRun: Int? {
    guard labels.areAtOnce else { return nil }
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
    if settings.blockOf == .times { return nil }
    let blocks = (count + settings.block - 1) / settings.block
    let (steps, overflow) = blocks.multipliedReportingOverflow(by: settings.stepsPerBlock)
    return overflow ? nil : steps
  }
}
