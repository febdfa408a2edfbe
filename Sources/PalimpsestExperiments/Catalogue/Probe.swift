import PalimpsestCore
import PalimpsestMetrics
import PalimpsestScenarios

/// Looks at a run and observes a measure of its own.
///
///     let weightNorm = Probe(Measure("weight_norm", "Norm of all weights", definition: "√Σ θ²")) { run in
///       Reading(run.network.map { norm($0.parameters) } ?? .nan)
///     }
///     await PalimpsestTool.main(catalog: .standard.observing(weightNorm))
///
/// When it looks the measure says: one whose first axis is ``PalimpsestMetrics/MeasureAxis/afterTask`` after each task (not in a stream), one
/// whose first axis is ``PalimpsestMetrics/MeasureAxis/evaluation`` at each evaluation within a task, any other once all
/// tasks are learned. What it reads at each such moment is along the axes that are left.
///
/// A probe sees values and cannot touch what is trained: a run has the same bits with and without it. It must be a pure
/// function of what it is shown. Its time counts as evaluation. Runs that are done already are not done again for it.
public struct Probe: Sendable {
  public let measure: Measure
  /// The scenarios at whose runs alone it looks; none: all.
  private let scenarios: [any Scenario.Type]
  private let look: @Sendable (RunView) -> Reading

  /// - Parameters:
  ///   - scenario: at whose runs alone it looks; nil: at all.
  ///   - look: gives a reading along the measure's axes, without the one that says when. It has the same shape at each moment of a run.
  public init(
    _ measure: Measure, of scenario: (any Scenario.Type)? = nil, look: @escaping @Sendable (RunView) -> Reading
  ) {
    self.init(measure, ofAny: scenario.map { [$0] } ?? [], look: look)
  }

  /// - Parameter scenarios: at whose runs alone it looks; none: at all.
  init(
    _ measure: Measure, ofAny scenarios: [any Scenario.Type], look: @escaping @Sendable (RunView) -> Reading
  ) {
    (self.measure, self.scenarios, self.look) = (measure, scenarios, look)
  }

  /// When it looks.
  public enum Moment: Sendable, Equatable {
    case afterTask, evaluation, end
  }

  public var moment: Moment {
    switch measure.axes.first?.name {
    case MeasureAxis.afterTask.name: .afterTask
    case MeasureAxis.evaluation.name: .evaluation
    default: .end
    }
  }

  /// Whether it looks at runs of a scenario.
  package func looks(at scenario: any Scenario) -> Bool {
    scenarios.isEmpty || scenarios.contains { $0 == type(of: scenario) }
  }

  /// - Precondition: the reading is along the measure's axes.
  package func reading(_ run: RunView) -> Reading {
    let reading = look(run)
    let rank = measure.axes.count - (moment == .end ? 0 : 1)
    precondition(
      reading.shape.count == rank, "\(measure.name): a reading of shape \(reading.shape) is not along \(rank) axes")
    return reading
  }
}

/// What a probe reads at one moment: numbers, row by row. NaN is what cannot be known.
public struct Reading: Sendable, Equatable, Codable {
  /// Lengths of the axes; none for one number.
  public let shape: [Int]
  public let values: [Double]

  public init(_ number: Double) { self.init(shape: [], [number]) }

  public init(_ list: [Double]) { self.init(shape: [list.count], list) }

  /// - Precondition: as many values as the shape has places.
  public init(shape: [Int], _ values: [Double]) {
    precondition(shape.reduce(1, *) == values.count, "\(values.count) values have not the shape \(shape)")
    self.shape = shape
    self.values = values
  }
}

/// What a run shows to those who look at it.
public struct RunView: Sendable {
  /// As it is now: what it answers, what it has cost.
  public let learner: any Learner
  /// The task learned last, or being learned.
  public let task: Int
  /// Training rows fed so far, each pass counted.
  public let examples: Int
  /// Steps so far.
  public let steps: Int
  private let stream: any DriftStream
  private let shown: Set<Int32>?

  /// - Parameter shown: labels of the rows so far; nil: all that the task at hand and those before have.
  package init(
    learner: any Learner, stream: any DriftStream, task: Int, examples: Int, steps: Int, shown: Set<Int32>? = nil
  ) {
    self.shown = shown
    self.learner = learner
    self.stream = stream
    self.task = task
    self.examples = examples
    self.steps = steps
  }

  /// The network, where the learner is a composition of parts; a whole learner has none to show.
  public var network: MLP? { (learner as? ComposedLearner)?.model }

  /// All tasks of the run.
  public var tasks: [ExperienceInfo] { stream.experiences }

  /// Labels that were shown so far: in a stream those of its rows so far; else, as the rows of a task come in any order, all of the task
  /// at hand and those before.
  public var seenLabels: Set<Int32> {
    if let shown { return shown }
    return Set((0..<tasks.count).prefix(task + 1).flatMap { stream.trainingRows(for: $0).labels })
  }

  /// The rows that a task is judged on.
  public func evaluationSet(for task: Int) -> EvaluationSet { stream.evaluationSet(for: task) }
}
