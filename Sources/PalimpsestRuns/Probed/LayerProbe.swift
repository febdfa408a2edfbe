import PalimpsestCore
import PalimpsestMetrics
import PalimpsestScenarios

/// Looks at what hidden units say of fixed rows: at most 1,000 of the test rows of the tasks learned so far, evenly taken.
///
/// A whole learner has no layers to show.
/// - Memory: for similarity what all units said of the rows.
/// - Cost: a pass of the rows a layer, twice where similarity is asked for; one forward and backward for the gradient of the units.
struct LayerProbe {
  static let rows = 1000

  let asksForUnits: Bool
  let asksForSimilarity: Bool
  /// Test rows of the tasks up to each, as batches by task.
  private let taken: [[Taken]]

  /// Rows of one task.
  private struct Taken {
    let inputs: Matrix
    let labels: [Int32]
    /// Outputs that may be answered.
    let candidates: Range<Int>
    let known: Int?

    init(_ set: EvaluationSet, _ places: [Int32]) {
      let rows = set.rows.selecting(places)
      (inputs, labels) = (rows.batch.inputs, rows.labels)
      (candidates, known) = (set.candidates, set.knownExperience)
    }
  }

  init(units: Bool, similarity: Bool, _ sets: [EvaluationSet]) {
    (asksForUnits, asksForSimilarity) = (units, similarity)
    taken = sets.indices.map { last in LayerProbe.take(Array(sets[...last])) }
  }

  private static func take(_ sets: [EvaluationSet]) -> [Taken] {
    let total = sets.reduce(0) { $0 + $1.rows.count }
    let count = min(rows, total)
    let places = (0..<count).map { $0 * total / count }
    var first = 0
    return sets.compactMap { set in
      let end = first + set.rows.count
      let own = places.filter { (first..<end).contains($0) }.map { Int32($0 - first) }
      first = end
      return own.isEmpty ? nil : Taken(set, own)
    }
  }

  /// A reading a layer; none of a whole learner.
  /// - Parameter before: what the layers said after the task before, of its rows; what they say now takes its place.
  func look(at learner: some Learner, after task: Int, before: inout [[Float]]) -> [LayerRecord.Reading] {
    guard let learner = learner as? ComposedLearner, let now = layers(learner, taken[task]) else { return [] }
    let same = asksForSimilarity && !before.isEmpty && task > 0 ? layers(learner, taken[task - 1]) : nil
    let norms = asksForUnits ? norms(learner, taken[task]) : []
    let readings = now.indices.map { layer in
      let likeness = same.map { similarity(before, $0, layer) } ?? .nan
      return LayerRecord.Reading(
        asksForUnits ? now[layer] : nil, weightNorm: layer < norms.count ? norms[layer].weights : .nan,
        gradientNorm: layer < norms.count ? norms[layer].gradient : .nan, similarity: likeness)
    }
    if asksForSimilarity { before = now.map(\.values) }
    return readings
  }

  /// Of each hidden layer on the way of the last of the tasks, with the gradient of the rows' mean −ln p(label); NaN where a label cannot be
  /// answered or a number is not finite.
  private func norms(_ learner: ComposedLearner, _ batches: [Taken]) -> [(weights: Double, gradient: Double)] {
    let known = batches.last?.known
    let weights = learner.hiddenWeightNorms(of: learner.model.parameters, knowing: known)
    var gradient = FloatBuffer(count: learner.model.parameters.count)
    let isWhole = batches.allSatisfy { rows in
      learner.addLogLossGradient(
        of: rows.inputs, labels: rows.labels, among: rows.candidates, knowing: rows.known, to: &gradient)
    }
    let count = Double(batches.reduce(0) { $0 + $1.labels.count })
    return zip(weights, learner.hiddenWeightNorms(of: gradient, knowing: known)).map { weight, sum in
      (weight, isWhole && sum.isFinite ? sum / count : .nan)
    }
  }

  /// NaN where the layer was another, or a number is not finite.
  private func similarity(_ before: [[Float]], _ now: [LayerActivity], _ layer: Int) -> Double {
    guard layer < before.count, layer < now.count, before[layer].count == now[layer].values.count,
      let earlier = LayerActivity(before[layer], units: now[layer].units)
    else { return .nan }
    return now[layer].similarity(to: earlier)
  }

  /// What each layer says of some rows, task after task; nil where tasks' ways have unlike layers, or a number is not finite.
  private func layers(_ learner: ComposedLearner, _ batches: [Taken]) -> [LayerActivity]? {
    let parts = batches.map { learner.activations($0.inputs, knowing: $0.known) }
    guard let first = parts.first, parts.allSatisfy({ $0.map(\.columns) == first.map(\.columns) }) else { return nil }
    let layers = first.indices.compactMap { layer in
      LayerActivity(parts.flatMap { $0[layer].values.array }, units: first[layer].columns)
    }
    return layers.count == first.count ? layers : nil
  }
}
