import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestScenarios

/// A run through tasks: every task is learned in order, and all are evaluated before the first and after each.
struct TaskRun: RunKind {
  let configuration: ResolvedConfiguration
  let stream: any DriftStream
  let seed: Seed
  let experiences: [ExperienceInfo]
  /// Steps of all tasks; nil: more than can be counted.
  private let steps: Int?
  let clock = ContinuousClock()
  var learner: any Learner
  private var evaluator: Evaluator
  var phase = Phase.beginning
  var feed: BatchFeed?
  var task = 0
  /// The task at hand trains new weights.
  private var startsAfresh = false
  var record: TaskRecord
  var times = RunTimes()
  var probed: ProbeReadings
  /// What `evaluation.probes` asks for.
  var measured: TaskProbes

  /// What comes next.
  enum Phase: String, Codable {
    /// The untrained network is evaluated.
    case beginning
    /// A task begins, or the run is over.
    case betweenTasks
    /// A step of the task at hand, or its end.
    case withinTask
    case over
  }

  /// - Parameters:
  ///   - stream: the scenario's, or the part of it that the settings ask for.
  ///   - probes: what looks at the learner beside the evaluation.
  /// - Throws: ``PalimpsestCore/CompositionError`` where the parts make no learner.
  init(_ configuration: ResolvedConfiguration, _ stream: any DriftStream, seed: Seed, probes: [Probe]) throws {
    probed = ProbeReadings(probes)
    self.configuration = configuration
    self.seed = seed
    self.stream = stream
    experiences = stream.visits
    let setup = LearnerSetup(configuration, stream.shape, seed: self.seed)
    learner = try setup.makeLearner(configuration.strategy)
    steps = learner.steps(of: experiences, configuration.training.feed)
    evaluator = Evaluator(stream)
    measured = TaskProbes(configuration.evaluation.probes, stream, setup, configuration.training.feed)
    record = TaskRecord(status: .completed, tasks: experiences.map(\.name))
    record.cost.startCounting()
    record.truth = stream.truth
    if configuration.training.outputs != .all && experiences.contains(where: { $0.outputs != $0.seenOutputs }) {
      record.zeroShotUnmeasured = "outputs of tasks not yet learned are masked"
    }
  }

  /// Between two tasks, or at the end.
  var isAtMilestone: Bool { feed == nil && task > 0 }

  var mostExperiences: Int { experiences.count }

  /// Where the run stands.
  var position: RunPosition {
    RunPosition(task: task, of: record.tasks.count, step: feed?.step ?? 0, examples: record.cost.examples)
  }

  /// What was measured, with the cost up to now.
  var finishedRecord: RunRecord {
    var record = record
    record.cost.learner = learner.cost
    record.cost.timeTotal = times.total(at: clock.now)
    var observed = RunRecord(record)
    observed.observe(measured.state.record)
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

  // MARK: - Learning

  mutating func beginTask() {
    guard task < record.tasks.count else { return phase = .over }
    times.beginTask(at: clock.now, evaluated: record.cost.timeEvaluate)
    let experience = experiences[task]
    let plan = learner.plan(for: task)
    guard plan.rows != .none else { return closeTask() }
    learner.begin(experience)
    feed = makeFeed(plan)
    phase = .withinTask
  }

  mutating func makeFeed(_ plan: TrainingPlan) -> BatchFeed {
    startsAfresh = plan.restarts
    let tasks = plan.rows == .all ? Array(0...task) : [task]
    return BatchFeed(
      tasks.map { stream.trainingRows(for: $0) }, configuration.training.feed, batchFactor: plan.batchFactor,
      using: seed.stream("order", task))
  }

  /// - Returns: false where the task has no further steps.
  mutating func learnBatch() -> Bool {
    guard record.status == .completed else { return false }
    let run = startsAfresh ? nil : StepPlace(step: record.cost.steps, steps: steps)
    guard let step = TaskRun.learn(&learner, from: &feed, experiences[task], run) else { return false }
    record.cost.steps += 1
    record.cost.examples += step.rows
    if !step.report.isFinite { diverge("the loss is \(step.report.loss) in step \(step.number) of task \(task)") }
    if let every = configuration.evaluation.everySteps, step.number % every == 0 { addCurvePoint() }
    return true
  }

  /// A step that was taken.
  private struct Step {
    let report: StepReport
    /// Within the task, counted from 1.
    let number: Int
    /// Without those that came back.
    let rows: Int
  }

  /// Takes the next step. Learner and feed change where they lie: taken out of the run they would be moved there and back, and
  /// read from it the batch would be copied.
  /// - Parameter run: the step's place in the run; nil where a bound starts afresh with each task: it trains new weights there.
  private static func learn(
    _ learner: inout any Learner, from feed: inout BatchFeed?, _ experience: ExperienceInfo, _ run: StepPlace?
  ) -> Step? {
    feed?.withNext { batch, place, epoch in
      let context = StepContext(
        experience: experience, epoch: epoch, step: place.step, steps: place.steps, run: run ?? place)
      let report = learner.learn(batch, context)
      return Step(report: report, number: place.step + 1, rows: batch.count)
    }
  }

  private mutating func endTask() {
    finishTask()
    closeTask()
  }

  /// The learner hears that the task is over.
  mutating func finishTask() {
    learner.finish(experiences[task], revisiting: stream.revisitableRows(for: task).withoutTruth)
    feed = nil
  }

  private mutating func closeTask() {
    if record.status == .completed && !learner.isFinite { diverge("a weight is not finite after task \(task)") }
    let spent = times.endTask(at: clock.now, evaluated: record.cost.timeEvaluate)
    record.cost.timeTrain += spent
    record.cost.timeTask.append(spent)
    record.cost.endTask(multiplyAdds: learner.cost.multiplyAdds)
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
    record.takeBefore(evaluate(0..<record.tasks.count))
    phase = .betweenTasks
  }

  /// Probes look at the answers that evaluation asks for.
  private mutating func evaluateAfterTask() {
    let all = 0..<record.tasks.count
    if measured.isEmpty { return record.take(evaluate(all), after: task) }
    var judged = measured.asked(of: learner)
    record.take(evaluate(all) { judged[$0]?.add($1) }, after: task)
    measure(judged)
  }

  private mutating func addCurvePoint() {
    let asked = configuration.evaluation.curveTasks == .all ? record.tasks.count : task + 1
    record.addCurvePoint(evaluate(0..<asked), within: task, examples: record.cost.examples)
    probe(.evaluation)
  }

  /// Probes what the settings ask for; that is evaluation.
  private mutating func measure(_ judged: [JudgedRows?]) {
    let start = clock.now
    defer { record.cost.timeEvaluate += (clock.now - start) / .seconds(1) }
    measured.look(at: learner, after: task, judged)
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

  /// - Parameter watch: is given the task and logits of its rows.
  @discardableResult
  mutating func evaluate(_ tasks: Range<Int>, watch: ((Int, Matrix) -> Void)? = nil) -> [Evaluation] {
    let start = clock.now
    defer { record.cost.timeEvaluate += (clock.now - start) / .seconds(1) }
    for task in tasks { countEvaluation(of: task) }
    return tasks.map { task in
      evaluator.evaluate(learner, task: task, watch: watch.map { watch in { watch(task, $0) } })
    }
  }

  /// Of a learner whose passes are not known nothing is counted.
  private mutating func countEvaluation(of task: Int) {
    let (rows, known) = evaluator.asked(task)
    let row = (learner as? ComposedLearner)?.multiplyAdds(answering: known)
    record.cost.multiplyAddsEvaluation = record.cost.multiplyAddsEvaluation.flatMap { sum in row.map { sum + rows * $0 }
    }
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
