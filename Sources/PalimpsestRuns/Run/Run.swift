import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestScenarios

/// One run: a pure function of configuration, prepared scenario and seed. No file, lock, clock (but for the times it reports)
/// or shared state: the same arguments give the same bits on any number of workers, in one go or in many
/// (`saveState(to:)`).
public struct Run {
  let configuration: ResolvedConfiguration
  package let stream: any DriftStream
  let seed: Seed
  private let experiences: [ExperienceInfo]
  /// Steps of all tasks; nil: more than can be counted.
  private let steps: Int?
  private let clock = ContinuousClock()
  var learner: any Learner
  private var evaluator: Evaluator
  private var phase = Phase.beginning
  private var feed: BatchFeed?
  private var task = 0
  /// The task at hand trains new weights.
  private var startsAfresh = false
  private var record: TaskRecord
  private var times = RunTimes()
  private var probed: ProbeReadings

  /// What comes next.
  private enum Phase: String, Codable {
    /// The untrained network is evaluated.
    case beginning
    /// A task begins, or the run is over.
    case betweenTasks
    /// A step of the task at hand, or its end.
    case withinTask
    case over
  }

  /// - Throws: ``PalimpsestCore/CompositionError`` where the parts make no learner.
  public init(_ configuration: ResolvedConfiguration, _ scenario: any PreparedScenario, seed: Int) throws {
    try self.init(configuration, data: Run.data(of: scenario, seed: seed), seed: seed)
  }

  /// - Parameters:
  ///   - data: those of the scenario and the seed (``data(of:seed:)``). Runs of both can share them.
  ///   - probes: what looks at the learner beside the evaluation.
  /// - Throws: ``PalimpsestCore/CompositionError`` where the parts make no learner.
  public init(
    _ configuration: ResolvedConfiguration, data: any DriftStream, seed: Int, probes: [Probe] = []
  ) throws {
    probed = ProbeReadings(probes)
    self.configuration = configuration
    self.seed = Seed(UInt64(seed))
    stream = Run.part(of: data, configuration, self.seed)
    experiences = stream.experiences
    learner = try LearnerSetup(configuration, stream.shape, seed: self.seed).makeLearner(configuration.strategy)
    steps = learner.steps(of: experiences, configuration.training.feed)
    evaluator = Evaluator(stream)
    record = TaskRecord(status: .completed, tasks: experiences.map(\.name))
    record.truth = stream.truth
    if configuration.training.outputs != .all && experiences.contains(where: { $0.outputs != $0.seenOutputs }) {
      record.zeroShotUnmeasured = "outputs of tasks not yet learned are masked"
    }
  }

  /// What a scenario makes of a seed, whatever learns from it.
  public static func data(of scenario: any PreparedScenario, seed: Int) -> any DriftStream {
    scenario.makeStream(seed: Seed(UInt64(seed)).derived("scenario"))
  }

  /// The scenario's stream, or the part of it that the settings ask for.
  static func part(
    of whole: any DriftStream, _ configuration: ResolvedConfiguration, _ seed: Seed
  ) -> any DriftStream {
    let (tasks, heldOut) = (configuration.training.tasks, configuration.evaluation.heldOut)
    if tasks == nil && heldOut == nil { return whole }
    return StreamView(whole, tasks: tasks, heldOut: heldOut, seed: seed.derived("held out"))
  }

  /// Learns every task in order and evaluates all tasks before the first and after each.
  /// - Parameter progress: called after each task, and a few times a second within long ones.
  public mutating func execute(progress: (RunPosition) -> Void = { _ in }) -> RunRecord {
    var pulse = Pulse(every: .milliseconds(250))
    while step(&pulse, progress) {}
    return finishedRecord
  }

  /// Does what comes next and tells where the run stands, where that is due.
  /// - Returns: false once the run is over.
  mutating func step(_ pulse: inout Pulse, _ progress: (RunPosition) -> Void) -> Bool {
    let goesOn = advance()
    if feed == nil && task > 0 || pulse.isDue() { progress(position) }
    return goesOn
  }

  /// Where the run stands.
  public var position: RunPosition {
    RunPosition(task: task, of: record.tasks.count, step: feed?.step ?? 0, examples: record.cost.examples)
  }

  /// What was measured, with the cost up to now.
  public var finishedRecord: RunRecord {
    var record = record
    record.cost.learner = learner.cost
    record.cost.timeTotal = times.total(at: clock.now)
    var observed = RunRecord(record)
    probed.observe(in: &observed)
    return observed
  }

  /// Does what comes next: the evaluation before all tasks, one step, or what stands between two tasks. A run can be saved
  /// after any of them.
  /// - Returns: false once the run is over.
  mutating func advance() -> Bool {
    switch phase {
    case .beginning: evaluateBefore()
    case .betweenTasks: beginTask()
    case .withinTask: if !learnBatch() { endTask() }
    case .over: break
    }
    return phase != .over
  }

  /// What the learner answers now.
  package func predict(_ inputs: Matrix, knowing task: Int?) -> Matrix { learner.predict(inputs, knowing: task) }

  // MARK: - Learning

  private mutating func beginTask() {
    guard task < record.tasks.count else { return phase = .over }
    times.beginTask(at: clock.now, evaluated: record.cost.timeEvaluate)
    let experience = experiences[task]
    let plan = learner.plan(for: task)
    guard plan.rows != .none else { return closeTask() }
    learner.begin(experience)
    feed = makeFeed(plan)
    phase = .withinTask
  }

  private mutating func makeFeed(_ plan: TrainingPlan) -> BatchFeed {
    startsAfresh = plan.restarts
    let tasks = plan.rows == .all ? Array(0...task) : [task]
    return BatchFeed(
      tasks.map { stream.trainingRows(for: $0) }, configuration.training.feed, batchFactor: plan.batchFactor,
      using: seed.stream("order", task))
  }

  /// - Returns: false where the task has no further steps.
  private mutating func learnBatch() -> Bool {
    guard record.status == .completed, var feed = self.feed.take() else { return false }
    let goesOn = feed.advance()
    if goesOn { learn(from: feed) }
    self.feed = consume feed  // It had left its place: passed on from there its batch would be copied.
    return goesOn
  }

  private mutating func learn(from feed: borrowing BatchFeed) {
    let step = feed.step
    let report = learner.learn(feed.batch, context(of: feed))
    record.cost.steps += 1
    record.cost.examples += feed.batch.count
    if !report.isFinite { diverge("the loss is \(report.loss) in step \(step) of task \(task)") }
    if let every = configuration.evaluation.everySteps, step % every == 0 { addCurvePoint() }
  }

  /// Where the feed's step stands; a bound that starts afresh with each task trains new weights there.
  private func context(of feed: borrowing BatchFeed) -> StepContext {
    let inTask = StepPlace(step: feed.step - 1, steps: feed.steps)
    return StepContext(
      experience: experiences[task], epoch: feed.epoch, step: inTask.step, steps: inTask.steps,
      run: startsAfresh ? inTask : StepPlace(step: record.cost.steps, steps: steps))
  }

  private mutating func endTask() {
    learner.finish(experiences[task], revisiting: stream.revisitableRows(for: task))
    feed = nil
    closeTask()
  }

  private mutating func closeTask() {
    if record.status == .completed && !learner.isFinite { diverge("a weight is not finite after task \(task)") }
    let spent = times.endTask(at: clock.now, evaluated: record.cost.timeEvaluate)
    record.cost.timeTrain += spent
    record.cost.timeTask.append(spent)
    guard record.status == .completed else { return phase = .over }
    evaluateAfterTask()
    probe(.afterTask)
    if task + 1 == record.tasks.count { probe(.end) }
    task += 1
    phase = task < record.tasks.count ? .betweenTasks : .over
  }

  private mutating func diverge(_ reason: String) {
    record.status = .diverged
    record.error = reason
  }

  // MARK: - Evaluating

  private mutating func evaluateBefore() {
    let results = evaluate(0..<record.tasks.count)
    record.accuracyBefore = results.map(\.accuracy)
    record.expectedAccuracyBefore = expected(results)
    phase = .betweenTasks
  }

  private mutating func evaluateAfterTask() {
    let results = evaluate(0..<record.tasks.count)
    for (j, result) in results.enumerated() {
      record.accuracy[task, j] = result.accuracy
      record.logLoss[task, j] = result.logLoss
    }
    guard let expected = expected(results) else { return }
    if record.expectedAccuracy == nil { record.expectedAccuracy = AccuracyMatrix(tasks: record.tasks.count) }
    for (j, value) in expected.enumerated() { record.expectedAccuracy?[task, j] = value }
  }

  private mutating func addCurvePoint() {
    let asked = configuration.evaluation.curveTasks == .all ? record.tasks.count : task + 1
    var results = evaluate(0..<asked)
    results += (asked..<record.tasks.count).map { _ in Evaluation() }
    record.curve.append(
      CurvePoint(
        task: task, examples: record.cost.examples, accuracy: results.map(\.accuracy),
        expectedAccuracy: expected(results)))
    probe(.evaluation)
  }

  /// Lets those look who look at such moments; that is evaluation.
  private mutating func probe(_ moment: Probe.Moment) {
    guard probed.look(at: moment) else { return }
    let start = clock.now
    defer { record.cost.timeEvaluate += (clock.now - start) / .seconds(1) }
    let view = RunView(
      learner: learner, stream: stream, task: task, examples: record.cost.examples, steps: record.cost.steps)
    probed.take(moment, view)
  }

  private mutating func evaluate(_ tasks: Range<Int>) -> [Evaluation] {
    let start = clock.now
    defer { record.cost.timeEvaluate += (clock.now - start) / .seconds(1) }
    return tasks.map { evaluator.evaluate(learner, task: $0) }
  }

  /// Noise-free accuracies, where any set knows p*.
  private func expected(_ results: [Evaluation]) -> [Double]? {
    results.contains { $0.expectedAccuracy != nil } ? results.map { $0.expectedAccuracy ?? .nan } : nil
  }
}

// MARK: - State

extension Run {
  private enum Field: String, CodingKey {
    case learner, phase, task, feed, record, times, probed
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
    let n = record.tasks.count
    let matrices = [read.accuracy, read.logLoss] + (read.expectedAccuracy.map { [$0] } ?? [])
    let lists = [read.accuracyBefore] + (read.expectedAccuracyBefore.map { [$0] } ?? [])
    let curves = read.curve.map(\.accuracy) + read.curve.compactMap(\.expectedAccuracy)
    let most = Int.max / 2
    guard read.tasks == record.tasks, (lists + curves).allSatisfy({ $0.count == n }),
      matrices.allSatisfy({ $0.rows.map(\.count) == Array(repeating: n, count: n) }),
      read.curve.allSatisfy({ record.tasks.indices.contains($0.task) }), read.cost.timeTask.count == task,
      (0...most).contains(read.cost.steps), (0...most).contains(read.cost.examples)
    else { throw StateError("it is not one of a run of \(n) tasks", at: "record") }
  }
}

extension Learner {
  /// Steps that the tasks will take in all; nil: more than can be counted.
  fileprivate func steps(of experiences: [ExperienceInfo], _ feed: FeedSettings) -> Int? {
    var sum = 0
    for task in experiences {
      let plan = plan(for: task.index)
      let steps = feed.steps(rows: plan.rowCount(of: task, in: experiences), batchFactor: plan.batchFactor)
      let (next, overflow) = sum.addingReportingOverflow(steps)
      if overflow { return nil }
      sum = next
    }
    return sum
  }
}

extension TrainingPlan {
  /// Rows that it trains on in a task.
  func rowCount(of task: ExperienceInfo, in tasks: [ExperienceInfo]) -> Int {
    switch rows {
    case .none: 0
    case .current: task.rows
    case .all: tasks[...task.index].reduce(0) { $0 + $1.rows }
    }
  }
}

extension LearnerSetup {
  /// The setup of a run's learner.
  init(_ configuration: ResolvedConfiguration, _ shape: TaskShape, seed: Seed) {
    self.init(
      shape: shape, hidden: configuration.model.hidden, activation: configuration.model.activation,
      initializer: configuration.model.initializer, optimizer: configuration.optimizer,
      resetsOptimizer: configuration.training.resetOptimizer, outputRule: configuration.training.outputs,
      seed: seed.derived("learner"))
  }
}
