import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestStrategies

/// What the network of a run takes, judged before any of it is made.
///
/// Counted are the network's layers by the layout that they would have (``PalimpsestCore/ParameterLayout``), what the strategy's
/// isolation says that each task adds, and one block of activations; what penalties and memories hold comes on top of it. Sums over
/// tasks are in floating point: none is too large.
package struct NetworkSize: Sendable {
  /// Of one parameter: the weights with room for their growth, the gradient, and an optimizer with two moments.
  private static let parameterBytes = 20.0
  /// Rows that are predicted at a time.
  private static let block = 256

  /// Weights and biases.
  package let parameters: Double
  private let hidden: [Int]
  /// The strategy's label.
  private let strategy: String
  /// In bytes, with what to do about it.
  private let shares: [(bytes: Double, advice: String)]

  package init(_ configuration: ResolvedConfiguration, _ shape: TaskShape, _ experiences: [ExperienceInfo]) {
    let hidden = configuration.model.hidden
    self.hidden = hidden
    strategy = configuration.strategyLabel
    let tasks = experiences.prefix(configuration.training.tasks ?? .max)
    let layout = MLP.layout(shape, hidden: hidden)
    let layers = Double(layout.parameterCount)
    let isolation = configuration.strategy.lazy.compactMap { $0 as? any Isolation }.first
    let added = tasks.reduce(0) { $0 + (isolation?.parametersAdded(by: $1, beside: layout) ?? 0) }
    let batch = configuration.stream?.block ?? configuration.training.feed.batch
    let rows = max(NetworkSize.block, min(batch, tasks.map(\.rows).max() ?? 0))
    let widths = [shape.inputs] + hidden + [shape.outputs]
    let activations = widths.reduce(0) { $0 + Double($1) }
    parameters = layers + added
    let name = isolation.map { type(of: $0).name } ?? ""
    shares = [
      (NetworkSize.parameterBytes * layers, "narrower layers"),
      (NetworkSize.parameterBytes * added, "smaller modules of \"\(name)\", or fewer tasks"),
      (8 * Double(rows) * activations, "smaller batches or narrower layers"),
    ]
  }

  /// What a network takes at least, before the data are known: one input, one output, nothing of any task.
  init(least configuration: ResolvedConfiguration) {
    self.init(configuration, TaskShape(inputs: 1, outputs: 1), [])
  }

  package var bytes: Double { shares.reduce(0) { $0 + $1.bytes } }

  /// Why this network cannot be; nil where it can.
  /// - Parameter memory: the machine's, in bytes.
  package func problem(memory: Double = Double(ProcessInfo.processInfo.physicalMemory)) -> String? {
    guard bytes > memory, let largest = shares.max(by: { $0.bytes < $1.bytes }) else { return nil }
    return "model.hidden: \(widths) makes a network of \(NetworkSize.rounded(parameters)) parameters for strategy "
      + "\"\(strategy)\", which takes about \(NetworkSize.gibibytes(bytes)) to train; this machine has "
      + "\(NetworkSize.gibibytes(memory)). Take \(largest.advice)."
  }

  /// The same of what is known to be needed at least.
  func leastProblem(memory: Double) -> String? {
    guard bytes > memory else { return nil }
    return "\(widths) makes a network of at least \(NetworkSize.rounded(parameters)) parameters, which takes "
      + "\(NetworkSize.gibibytes(bytes)) or more to train; this machine has \(NetworkSize.gibibytes(memory)) and refuses to "
      + "run it. Take narrower layers, or a larger machine."
  }

  private var widths: String { hidden.count <= 8 ? "\(hidden)" : "\(hidden.count) layers" }

  /// - Throws: ``PreparationError`` where the machine's memory cannot hold the network.
  func check() throws(PreparationError) {
    if let problem = problem() { throw PreparationError(kind: .settings, problem) }
  }

  /// In full where that is short.
  private static func rounded(_ x: Double) -> String { x < 1e15 ? String(Int(x)) : String(x) }

  private static func gibibytes(_ bytes: Double) -> String { rounded((bytes / 0x1p30).rounded()) + " GiB" }
}

/// Checks the networks of the configurations of a plan, equal ones once.
struct NetworkCheck {
  /// What a network's size depends on.
  private struct Case: Hashable {
    let scenario: Int32
    let model: Int32
    let training: Int32
    let stream: Int32?
    /// None where no part adds to the network.
    let parts: [Int32]
  }

  /// Labels of the strategies with an isolation.
  private let isolating: Set<String>
  private var checked: Set<Case> = []

  init(_ plan: Plan) {
    let types = plan.experiment.catalog.parts
    isolating = Set(
      plan.experiment.strategies.filter { $0.value.contains { types[$0.name] is any Isolation.Type } }.keys)
  }

  /// - Throws: ``PreparationError`` where the machine's memory cannot hold the network.
  mutating func check(
    _ configuration: PlannedConfiguration, _ shape: TaskShape, _ experiences: [ExperienceInfo]
  ) throws(PreparationError) {
    let places = configuration.places
    let parts = isolating.contains(configuration.strategyLabel) ? places.parts : []
    let new = Case(
      scenario: places.scenario, model: places.model, training: places.training, stream: places.stream, parts: parts)
    guard checked.insert(new).inserted else { return }
    try NetworkSize(configuration.resolved, shape, experiences).check()
  }
}
