import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios

/// What one run takes, judged by its first steps.
///
/// The stream, one evaluation, the first steps of the first two tasks and the end of the first are timed; the rest of the run
/// is the same things as often as its settings say. From the second task on memories replay and penalties are at work. Processor
/// time is meant: a busy machine makes no run longer here.
struct RunProbe {
  private let configuration: ResolvedConfiguration
  private let stream: any DriftStream
  private let seed: Seed
  private var learner: any Learner
  private var evaluator: Evaluator
  private let setup: Double

  /// - Throws: ``CompositionError`` where the parts make no learner, ``PreparationError`` where it does not fit in memory.
  init(_ configuration: ResolvedConfiguration, _ scenario: any PreparedScenario, seed: Int) throws {
    let start = ThreadClock.seconds
    self.configuration = configuration
    (stream, learner, self.seed) = try Run.ingredients(configuration, scenario, seed: seed)
    evaluator = Evaluator(stream)
    self.setup = ThreadClock.seconds - start
  }

  private var tasks: [ExperienceInfo] { stream.experiences }

  /// Seconds of the whole run.
  /// - Parameter budget: seconds that the steps may take.
  mutating func seconds(budget: Double) -> Double {
    let evaluation = evaluationSeconds(budget: budget / 4)
    var total = setup + evaluation * Double(tasks.count + 1)
    var rate = 0.0
    var end = 0.0
    for task in tasks {
      let work = Work(task, tasks, learner.plan(for: task.index), configuration.training.feed)
      guard work.steps > 0 else { continue }
      if task.index < 2 {
        rate = begin(task, budget: budget / 3)
        end = finish(task)
      }
      total += rate * Double(work.examples) + end + evaluation * Double(work.curvePoints(configuration.evaluation))
    }
    return total
  }

  /// Seconds of evaluating all tasks once.
  private mutating func evaluationSeconds(budget: Double) -> Double {
    let start = ThreadClock.seconds
    var measured = 0
    while measured < tasks.count && (measured == 0 || seconds(since: start) < budget) {
      _ = evaluator.evaluate(learner, task: measured)
      measured += 1
    }
    return seconds(since: start) / Double(max(measured, 1)) * Double(tasks.count)
  }

  /// The first steps of a task.
  /// - Returns: seconds an example.
  private mutating func begin(_ task: ExperienceInfo, budget: Double) -> Double {
    let plan = learner.plan(for: task.index)
    let sources = plan.rows == .all ? Array(0...task.index) : [task.index]
    let start = ThreadClock.seconds
    learner.begin(task)
    var feed = BatchFeed(
      sources.map { stream.trainingRows(for: $0) }, configuration.training.feed, batchFactor: plan.batchFactor,
      using: seed.stream("order", task.index))
    var examples = 0
    while seconds(since: start) < budget, feed.advance() {
      _ = learner.learn(feed.batch, StepContext(experience: task, epoch: feed.epoch, step: feed.step - 1))
      examples += feed.batch.count
    }
    return seconds(since: start) / Double(max(examples, 1))
  }

  private mutating func finish(_ task: ExperienceInfo) -> Double {
    let start = ThreadClock.seconds
    learner.finish(task, revisiting: stream.revisitableRows(for: task.index))
    return seconds(since: start)
  }

  private func seconds(since start: Double) -> Double { ThreadClock.seconds - start }
}

/// Steps and examples of one task.
private struct Work {
  let steps: Int
  let examples: Int

  init(_ task: ExperienceInfo, _ tasks: [ExperienceInfo], _ plan: TrainingPlan, _ feed: FeedSettings) {
    let rows = plan.rowCount(of: task, in: tasks)
    let batch = feed.batch * plan.batchFactor
    steps = feed.steps(rows: rows, batchFactor: plan.batchFactor)
    examples = feed.steps.map { $0 * min(batch, rows) } ?? feed.epochs * rows
  }

  func curvePoints(_ evaluation: EvaluationSettings) -> Int { evaluation.everySteps.map { steps / $0 } ?? 0 }
}
