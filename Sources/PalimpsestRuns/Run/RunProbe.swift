import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios

/// What one run takes, judged by its first steps.
///
/// One evaluation, the first steps of the first two tasks and the end of the first are timed, all of them by the run
/// itself; the rest of it is the same things as often as its settings say. From the second task on memories replay and penalties
/// are at work. Processor time is meant: a busy machine makes no run longer here.
struct RunProbe {
  private let configuration: ResolvedConfiguration
  private var run: TaskRun
  private let setup: Double

  /// - Throws: ``PalimpsestCore/CompositionError`` where the parts make no learner, ``PreparationError`` where it does not fit in memory.
  init(_ configuration: ResolvedConfiguration, data: any DriftStream, seed: Int) throws {
    let start = ThreadClock.seconds
    self.configuration = configuration
    let (stream, root) = try Run.tried(configuration, data: data, seed: seed)
    var stepping = configuration
    stepping.evaluation.everySteps = nil  // Steps are timed without the evaluations between them.
    run = try TaskRun(stepping, stream, seed: root, probes: [])
    setup = ThreadClock.seconds - start
  }

  private var tasks: [ExperienceInfo] { run.experiences }

  /// Seconds of the whole run, but for its data.
  /// - Parameter budget: seconds that the steps may take.
  mutating func seconds(budget: Double) -> Double {
    let evaluation = evaluationSeconds(budget: budget / 4)
    var total = setup + evaluation * Double(tasks.count + 1)
    var rate = 0.0
    var end = 0.0
    for task in tasks {
      let work = Work(task, tasks, run.learner.plan(for: task.index), configuration.training.feed)
      guard work.steps > 0 else { continue }
      if task.index < 2 {
        rate = begin(task.index, budget: budget / 3)
        end = finish()
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
      run.evaluate(measured..<(measured + 1))
      measured += 1
    }
    return seconds(since: start) / Double(max(measured, 1)) * Double(tasks.count)
  }

  /// The first steps of a task.
  /// - Returns: seconds an example.
  private mutating func begin(_ task: Int, budget: Double) -> Double {
    let start = ThreadClock.seconds
    let before = run.record.cost.examples
    run.task = task
    run.beginTask()
    while seconds(since: start) < budget, run.learnBatch() {}
    return seconds(since: start) / Double(max(run.record.cost.examples - before, 1))
  }

  /// The end of the task at hand.
  private mutating func finish() -> Double {
    let start = ThreadClock.seconds
    run.finishTask()
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
