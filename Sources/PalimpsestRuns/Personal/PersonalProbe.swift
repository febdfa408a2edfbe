import PalimpsestCore
import PalimpsestExperiments
import PalimpsestPersonal
import PalimpsestScenarios

/// What one run with single people takes, judged by some of its steps and of its people. Processor time is meant: a busy machine makes no
/// run longer here.
struct PersonalProbe {
  private var run: PersonalRun
  private let setup: Double
  private let populationSteps: Int

  /// - Throws: ``PalimpsestCore/CompositionError`` where the parts make no learner, ``PreparationError`` where it does not fit
  ///   in memory.
  init(
    _ personal: ResolvedPersonal, _ configuration: ResolvedConfiguration, data: any DriftStream, seed: Int
  ) throws {
    let start = ThreadClock.seconds
    let (stream, root) = try Run.tried(configuration, data: data, seed: seed)
    run = try PersonalRun(configuration, personal, stream, seed: root)
    populationSteps = configuration.training.feed.steps(rows: stream.experiences[0].rows)
    _ = run.advance()
    setup = ThreadClock.seconds - start
  }

  /// Seconds of the whole run, but for its data.
  /// - Parameter budget: seconds that steps on the population may take, and as many again for people, of whom one is tried at least.
  mutating func seconds(budget: Double) -> Double {
    let start = ThreadClock.seconds
    var steps = 0
    while ThreadClock.seconds - start < budget, steps < populationSteps, run.advance() { steps += 1 }
    let step = (ThreadClock.seconds - start) / Double(max(steps, 1))
    let people = run.people.people
    var tried = 0
    let middle = ThreadClock.seconds
    while tried < people, tried == 0 || ThreadClock.seconds - middle < budget {
      run.tryPerson(tried)
      tried += 1
    }
    let person = (ThreadClock.seconds - middle) / Double(max(tried, 1))
    return setup + step * Double(populationSteps) + person * Double(people)
  }
}
