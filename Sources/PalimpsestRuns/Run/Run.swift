import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestScenarios

/// What happens to a learner in a run, in which order, and what is observed of it.
///
/// A pure function of settings, rows and learner. It goes on step by step and can be saved after any of them.
protocol RunKind {
  var learner: any Learner { get }
  /// Where the run stands.
  var position: RunPosition { get }
  /// It has just come to something worth telling.
  var isAtMilestone: Bool { get }
  /// No row that a learner stores is of a later experience.
  var mostExperiences: Int { get }
  /// What was measured, with the cost up to now.
  var finishedRecord: RunRecord { get }

  /// Does what comes next.
  /// - Returns: false once the run is over.
  mutating func advance() -> Bool
  /// Writes all that the run has become. What comes from settings and seed is left out.
  /// - Throws: ``PalimpsestSettings/StateError`` where the strategy's learner cannot be saved.
  func saveState(to encoder: any Encoder) throws
  /// Becomes, from a run freshly made with the same arguments, the one that was saved.
  /// - Throws: ``PalimpsestSettings/StateError``; the run is then not to be used.
  mutating func restoreState(from decoder: any Decoder) throws
}

/// One run: a pure function of configuration, prepared scenario and seed. No file, lock, clock (but for the times it reports)
/// or shared state: the same arguments give the same bits on any number of workers, in one go or in many
/// (`saveState(to:)`).
public struct Run {
  let configuration: ResolvedConfiguration
  package let stream: any DriftStream
  let seed: Seed
  /// What the scenario made of the seed, of which the stream may be a part.
  private let data: any DriftStream
  private var kind: any RunKind

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
    self.configuration = configuration
    self.seed = Seed(UInt64(seed))
    self.data = data
    stream = Run.part(of: data, configuration, self.seed)
    if let personal = configuration.personal {
      kind = try PersonalRun(configuration, personal, stream, seed: self.seed)
    } else if let settings = configuration.stream {
      kind = try ClockedStream(settings, configuration, stream, seed: self.seed, probes: probes)
    } else {
      kind = try TaskRun(configuration, stream, seed: self.seed, probes: probes)
    }
  }

  /// What a scenario makes of a seed, whatever learns from it.
  public static func data(of scenario: any PreparedScenario, seed: Int) -> any DriftStream {
    scenario.makeStream(seed: dataSeed(seed))
  }

  /// What the rows of a seed are drawn with.
  static func dataSeed(_ seed: Int) -> Seed { Seed(UInt64(seed)).derived("scenario") }

  /// The scenario's stream, or the part of it that the settings ask for.
  static func part(
    of whole: any DriftStream, _ configuration: ResolvedConfiguration, _ seed: Seed
  ) -> any DriftStream {
    let (tasks, heldOut) = (configuration.training.tasks, configuration.evaluation.heldOut)
    if tasks == nil && heldOut == nil { return whole }
    return StreamView(whole, tasks: tasks, heldOut: heldOut, seed: seed.derived("held out"))
  }

  /// Goes to the end.
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
    if kind.isAtMilestone || pulse.isDue() { progress(position) }
    return goesOn
  }

  /// Where the run stands.
  public var position: RunPosition { kind.position }

  /// What was measured, with the cost up to now.
  public var finishedRecord: RunRecord {
    var record = kind.finishedRecord
    if makesRows { record.observe(dataDigest: ContentDigest(data).value) }
    return record
  }

  /// Rows of a data set are known by the digests of its files.
  private var makesRows: Bool { !configuration.scenario.parameters.contains { $0.name == "dataset" } }

  package var learner: any Learner { kind.learner }

  var mostExperiences: Int { kind.mostExperiences }

  /// Does what comes next; a run can be saved after it.
  /// - Returns: false once the run is over.
  package mutating func advance() -> Bool { kind.advance() }

  /// What the learner answers now.
  package func predict(_ inputs: Matrix, knowing task: Int?) -> Matrix { kind.learner.predict(inputs, knowing: task) }

  package func saveState(to encoder: any Encoder) throws { try kind.saveState(to: encoder) }

  package mutating func restoreState(from decoder: any Decoder) throws { try kind.restoreState(from: decoder) }
}

extension Run {
  /// What a probe tries: the part of a seed's stream that the settings ask for.
  /// - Throws: ``PreparationError`` where the network does not fit in memory.
  static func tried(_ configuration: ResolvedConfiguration, data: any DriftStream, seed: Int) throws(PreparationError)
    -> (stream: any DriftStream, seed: Seed)
  {
    let root = Seed(UInt64(seed))
    let stream = part(of: data, configuration, root)
    try NetworkSize(configuration, stream.shape, stream.experiences).check()
    return (stream, root)
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
