import PalimpsestCore

/// Nearest class mean: a row is of the class whose mean is nearest.
///
/// The means are those of all rows so far, each counted once by its weight (later passes over a task are passed over), so no
/// order of rows or tasks changes them: nothing is forgotten, and nothing but means is learned. With `decay` above 0 the
/// newest row of a class has at least that share of its mean: old rows fade, and the means follow a drift.
///
/// - Memory: 8 bytes a class and column. Time: O(columns) a row learned, O(classes · columns) a row predicted.
public struct NearestMean: WholeLearner {
  public static let name = "ncm"
  public static let summary = "Nearest class mean, of inputs or of what an untrained network makes of them."
  public static let source =
    "Mensink et al. 2013; decay as in exponential smoothing. Logits are -|x - mean|²/2 (Gaussians of unit width) or the cosine."

  /// What is near.
  public enum Distance: String, ParameterChoice {
    case euclid, cosine
  }

  /// Where means are taken.
  public enum Space: String, ParameterChoice {
    case input
    /// What enters the last layer of the network as the seed makes it: it is never trained.
    case features
  }

  @Parameter("Whether the nearest mean has the least distance or the largest cosine.")
  public var distance: Distance = .euclid
  @Parameter("Whether means are those of the inputs or of what enters the last layer of the untrained network.")
  public var space: Space = .input
  @Parameter("Least share of a class's newest row in its mean; above 0 old rows fade.", .within(0...1))
  public var decay: Double = 0

  public init() {}

  public func makeLearner(_ setup: LearnerSetup) -> any Learner { NearestMeanLearner(self, setup) }

  public func problem(in setup: LearnerSetup, beside parts: [any StrategyPart]) -> String? {
    setup.shape.target.hasLabels ? nil : "it takes the means of classes, and rows have values here; leave it out."
  }
}

/// The learner of ``NearestMean``.
package struct NearestMeanLearner: Learner {
  private let part: NearestMean
  private let shape: TaskShape
  /// All outputs can be predicted from the start.
  private let predictsAll: Bool
  /// Of untrained features; nil: the inputs are taken as they are.
  private let network: MLP?
  private var state: State

  /// What a checkpoint holds.
  private struct State: Codable, CheckedState {
    var means: ClassMeans
    /// Outputs of the tasks begun.
    var seenOutputs = 0
    /// The number of the task's first pass; nil before its first step.
    var firstEpoch: Int?
    var multiplyAdds = 0

    func problem(within limits: StateLimits) -> String? {
      if multiplyAdds < 0 { return "\(multiplyAdds) multiply-adds" }
      return (0...(limits.outputs ?? seenOutputs)).contains(seenOutputs) ? nil : "\(seenOutputs) outputs seen"
    }
  }

  init(_ part: NearestMean, _ setup: LearnerSetup) {
    precondition(setup.shape.target.hasLabels, "class means of rows that have values and no labels")
    self.part = part
    shape = setup.shape
    predictsAll = setup.outputRule == .all
    network = part.space == .input ? nil : setup.makeModel()
    let columns = network?.penultimateWidth ?? shape.inputs
    state = State(means: ClassMeans(classes: shape.target.answers, columns: columns))
  }

  /// The mean of a class; zeros where it has no rows yet.
  package func mean(of label: Int) -> [Double] { state.means.mean(of: label) }

  package mutating func begin(_ experience: ExperienceInfo) {
    state.seenOutputs = max(state.seenOutputs, experience.seenOutputs.upperBound)
    state.firstEpoch = nil
  }

  package mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    let report = StepReport(loss: 0, penalty: 0, rows: batch.count)
    let first = state.firstEpoch ?? context.epoch
    state.firstEpoch = first
    guard context.epoch == first else { return report }
    let rows = features(batch.inputs)
    for (row, tag) in batch.tags.enumerated() {
      state.means.add(
        rows, row: row, label: Int(tag.label), weight: Double(tag.weight), leastShare: part.decay)
    }
    state.multiplyAdds += batch.count * (state.means.columns + (network?.plainProgram.multiplyAdds ?? 0))
    return report
  }

  package func predictableOutputs(knowing experience: Int?) -> Range<Int> {
    0..<(predictsAll || state.seenOutputs == 0 ? shape.outputs : state.seenOutputs)
  }

  /// A class without rows is 20 below the least near of the others: it is never the answer.
  package func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
    let predictable = predictableOutputs(knowing: experience)
    let rows = features(inputs)
    var logits = Matrix(rows: inputs.rows, columns: shape.outputs)
    for row in 0..<inputs.rows {
      let scores = state.means.scores(of: rows.doubles(ofRow: row), part.distance)
      if shape.isBinary {
        logits[row, 0] = Float(scores[1] - scores[0])
        continue
      }
      // From the largest score on: in 32 bits nothing of the order among near ones is lost.
      let largest = scores[predictable].max() ?? 0
      for output in scores.indices {
        logits[row, output] = predictable.contains(output) ? Float(scores[output] - largest) : -.infinity
      }
    }
    return logits
  }

  private func features(_ inputs: Matrix) -> Matrix {
    guard let network else { return inputs }
    var room = Network(network)
    return room.features(inputs, network.plainProgram)
  }

  package var isFinite: Bool { state.means.isFinite }

  package var cost: LearnerCost {
    var cost = LearnerCost()
    let network = 4 * (network?.parameterCount ?? 0)
    cost.bytesModel = state.means.bytes + network
    cost.multiplyAdds = state.multiplyAdds
    cost.parts = [
      PartCost("network", bytes: network),
      PartCost(NearestMean.name, multiplyAdds: state.multiplyAdds, bytes: state.means.bytes),
    ]
    return cost
  }

  package func saveState(to encoder: any Encoder) throws { try state.encode(to: encoder) }

  package mutating func restoreState(from decoder: any Decoder) throws {
    let read = try State(from: decoder)
    if let problem = read.problem(within: decoder.userInfo.stateLimits) { throw StateError(problem) }
    guard read.means.hasShape(of: state.means) else { throw StateError("the means are not those of the settings") }
    state = read
  }
}

/// Running means of the rows of each class, in double.
struct ClassMeans: Sendable, Codable {
  let columns: Int
  /// Weight of each class's rows so far.
  private var weights: [Double]
  /// Class after class.
  private var values: [Double]

  /// The distance in score from the least near class to one without rows.
  private static let unseen = 20.0

  init(classes: Int, columns: Int) {
    self.columns = columns
    weights = Array(repeating: 0, count: classes)
    values = Array(repeating: 0, count: classes * columns)
  }

  var bytes: Int { 8 * (weights.count + values.count) }
  var isFinite: Bool { values.allSatisfy(\.isFinite) }

  func mean(of label: Int) -> [Double] { Array(values[(label * columns)..<((label + 1) * columns)]) }

  func hasShape(of other: ClassMeans) -> Bool {
    columns == other.columns && weights.count == other.weights.count && values.count == other.values.count
      && weights.allSatisfy { $0 >= 0 && $0.isFinite }
  }

  /// μ ← μ + a(x − μ), a = max(w/Σw, leastShare): the weighted mean where the least share is 0.
  mutating func add(_ rows: Matrix, row: Int, label: Int, weight: Double, leastShare: Double) {
    guard weight > 0 else { return }
    weights[label] += weight
    let share = max(weight / weights[label], leastShare)
    rows.values.withSpan { x in
      for i in 0..<columns {
        let place = label * columns + i
        values[place] += share * (Double(x[row * columns + i]) - values[place])
      }
    }
  }

  /// How near a row is to each mean; zeros as long as there are none.
  func scores(of x: [Double], _ distance: NearestMean.Distance) -> [Double] {
    let near = weights.indices.map { label -> Double? in
      guard weights[label] > 0 else { return nil }
      return distance == .euclid ? euclid(x, label) : cosine(x, label)
    }
    guard let least = near.compactMap(\.self).min() else { return near.map { _ in 0 } }
    return near.map { $0 ?? least - ClassMeans.unseen }
  }

  /// −½‖x − μ‖²
  private func euclid(_ x: [Double], _ label: Int) -> Double {
    let first = label * columns
    return x.indices.reduce(0.0) { $0 + (x[$1] - values[first + $1]) * (x[$1] - values[first + $1]) } / -2
  }

  /// x·μ / (‖x‖ ‖μ‖); 0 where either has no length.
  private func cosine(_ x: [Double], _ label: Int) -> Double {
    let first = label * columns
    var (product, own, others) = (0.0, 0.0, 0.0)
    for i in x.indices {
      product += x[i] * values[first + i]
      own += x[i] * x[i]
      others += values[first + i] * values[first + i]
    }
    return own * others > 0 ? product / (own * others).squareRoot() : 0
  }
}

extension Matrix {
  /// A row in double.
  fileprivate func doubles(ofRow row: Int) -> [Double] {
    values.withSpan { span in (0..<columns).map { Double(span[row * columns + $0]) } }
  }
}
