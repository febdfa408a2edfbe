import PalimpsestCore
import PalimpsestMetrics
import PalimpsestScenarios

/// One run: a pure function of configuration, prepared scenario and seed. No file, lock, clock (but for the times it reports)
/// or shared state: the same arguments give the same bits on any number of workers.
public struct Run {
  private let configuration: ResolvedConfiguration
  private let stream: any DriftStream
  private let seed: Seed
  private let clock = ContinuousClock()
  private var learner: any Learner
  private var evaluator: Evaluator
  private var record: RunRecord
  private var diverged: String?

  /// - Throws: ``CompositionError`` where the parts make no learner.
  public init(_ configuration: ResolvedConfiguration, _ scenario: any PreparedScenario, seed: Int) throws {
    self.configuration = configuration
    self.seed = Seed(UInt64(seed))
    stream = scenario.makeStream(seed: self.seed.derived("scenario"))
    let setup = LearnerSetup(
      shape: stream.shape, hidden: configuration.model.hidden, activation: configuration.model.activation,
      initializer: configuration.model.initializer, optimizer: configuration.optimizer,
      resetsOptimizer: configuration.training.resetOptimizer, outputRule: configuration.training.outputs,
      seed: self.seed.derived("learner"))
    learner = try setup.makeLearner(configuration.strategy)
    evaluator = Evaluator(stream)
    record = RunRecord(status: .completed, tasks: stream.experiences.map(\.name))
    record.truth = stream.truth
    if configuration.training.outputs != .all && stream.experiences.contains(where: { $0.outputs != $0.seenOutputs }) {
      record.zeroShotUnmeasured = "outputs of tasks not yet learned are masked"
    }
  }

  /// Learns every task in order and evaluates all tasks before the first and after each.
  /// - Parameter progress: called with the number of tasks done.
  public mutating func execute(progress: (Int) -> Void = { _ in }) -> RunRecord {
    let start = clock.now
    evaluateBefore()
    for experience in stream.experiences {
      learn(experience)
      if let diverged { return finished(.diverged, diverged, start) }
      evaluate(after: experience.index)
      progress(experience.index + 1)
    }
    return finished(.completed, "", start)
  }

  private mutating func finished(_ status: RunRecord.Status, _ error: String, _ start: ContinuousClock.Instant)
    -> RunRecord
  {
    record.status = status
    record.error = error
    record.cost.learner = learner.cost
    record.cost.timeTotal = seconds(since: start)
    return record
  }

  private func seconds(since start: ContinuousClock.Instant) -> Double { (clock.now - start) / .seconds(1) }

  // MARK: - Learning

  private mutating func learn(_ experience: ExperienceInfo) {
    let start = clock.now
    let spentBefore = record.cost.timeEvaluate
    let plan = learner.plan(for: experience.index)
    if plan.rows != .none {
      learner.begin(experience)
      feed(experience, plan)
      learner.finish(experience, revisiting: stream.revisitableRows(for: experience.index))
    }
    if diverged == nil && !learner.isFinite { diverged = "a weight is not finite after task \(experience.index)" }
    let spent = seconds(since: start) - (record.cost.timeEvaluate - spentBefore)
    record.cost.timeTrain += spent
    record.cost.timeTask.append(spent)
  }

  private mutating func feed(_ experience: ExperienceInfo, _ plan: TrainingPlan) {
    let tasks = plan.rows == .all ? Array(0...experience.index) : [experience.index]
    var feed = BatchFeed(
      tasks.map { stream.trainingRows(for: $0) }, configuration.training.feed, batchFactor: plan.batchFactor,
      using: seed.stream("order", experience.index))
    while diverged == nil && feed.advance() {
      let context = StepContext(experience: experience, epoch: feed.epoch, step: feed.step - 1)
      let report = learner.learn(feed.batch, context)
      record.cost.steps += 1
      record.cost.examples += feed.batch.count
      if !report.isFinite { diverged = "the loss is \(report.loss) in step \(feed.step) of task \(experience.index)" }
      if let every = configuration.evaluation.everySteps, feed.step % every == 0 { addCurvePoint(experience) }
    }
  }

  // MARK: - Evaluating

  private mutating func evaluateBefore() {
    let results = evaluate(0..<record.tasks.count)
    record.accuracyBefore = results.map(\.accuracy)
    record.expectedAccuracyBefore = expected(results)
  }

  private mutating func evaluate(after task: Int) {
    let results = evaluate(0..<record.tasks.count)
    for (j, result) in results.enumerated() {
      record.accuracy[task, j] = result.accuracy
      record.logLoss[task, j] = result.logLoss
    }
    guard let expected = expected(results) else { return }
    if record.expectedAccuracy == nil { record.expectedAccuracy = AccuracyMatrix(tasks: record.tasks.count) }
    for (j, value) in expected.enumerated() { record.expectedAccuracy?[task, j] = value }
  }

  private mutating func addCurvePoint(_ experience: ExperienceInfo) {
    let asked = configuration.evaluation.curveTasks == .all ? record.tasks.count : experience.index + 1
    var results = evaluate(0..<asked)
    results += (asked..<record.tasks.count).map { _ in Evaluation() }
    record.curve.append(
      CurvePoint(
        task: experience.index, examples: record.cost.examples, accuracy: results.map(\.accuracy),
        expectedAccuracy: expected(results)))
  }

  private mutating func evaluate(_ tasks: Range<Int>) -> [Evaluation] {
    let start = clock.now
    defer { record.cost.timeEvaluate += seconds(since: start) }
    return tasks.map { evaluator.evaluate(learner, task: $0) }
  }

  /// Noise-free accuracies, where any set knows p*.
  private func expected(_ results: [Evaluation]) -> [Double]? {
    results.contains { $0.expectedAccuracy != nil } ? results.map { $0.expectedAccuracy ?? .nan } : nil
  }
}
