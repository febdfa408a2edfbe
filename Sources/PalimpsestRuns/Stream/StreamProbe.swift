import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios

/// What one run through a stream takes, judged by its first blocks. Processor time is meant: a busy machine makes no run
/// longer here.
struct StreamProbe {
  private var run: StreamRun
  private var tests: ConceptTests?
  private let every: Int?
  private let setup: Double

  /// - Throws: ``PalimpsestCore/CompositionError`` where the parts make no learner, ``PreparationError`` where it does not fit
  ///   in memory.
  init(
    _ settings: StreamSettings, _ configuration: ResolvedConfiguration, data: any DriftStream, seed: Int
  ) throws {
    let start = ThreadClock.seconds
    let (stream, root) = try Run.tried(configuration, data: data, seed: seed)
    let learner = try LearnerSetup(configuration, stream.shape, seed: root).makeLearner(configuration.strategy)
    every = configuration.evaluation.everyRows
    run = StreamRun(settings, stream, learner: learner, keepsTests: every != nil, seed: root)
    tests = ConceptTests(configuration.evaluation, stream, starts: run.rows.starts, tellsTasks: false)
    setup = ThreadClock.seconds - start
  }

  /// Seconds of the whole run, but for its data.
  /// - Parameter budget: seconds that the blocks may take.
  mutating func seconds(budget: Double) -> Double {
    let start = ThreadClock.seconds
    while ThreadClock.seconds - start < budget, run.advance() {}
    let (row, all) = run.position
    return setup + (ThreadClock.seconds - start) / Double(max(row, 1)) * Double(all) + evaluationSeconds(rows: all)
  }

  /// Seconds of judging the learner on all tasks as often as it will be.
  private mutating func evaluationSeconds(rows: Int) -> Double {
    guard let every else { return 0 }
    let start = ThreadClock.seconds
    _ = tests?.look(at: run.learner, behind: 0..<0)
    return (ThreadClock.seconds - start) * Double(rows / every + run.taskCount + 1)
  }
}
