/// What `evaluation.probes` asks for with units, similarity and fresh.
let layerMeasures: [Measure] = [
  .dormantUnits, .deadUnits, .effectiveRank, .stableRank, .weightNorm, .gradientNorm, .similarity,
  .freshLoss, .freshAccuracy, .freshLossBefore, .plasticityLoss,
]

extension MeasureAxis {
  /// Hidden layers, from the inputs on.
  public static let layer = MeasureAxis("layer", "Hidden layer, from the inputs on")
}

private let h = "; H: what the layer's units say of at most 1,000 test rows of tasks 0 to i, evenly taken"

extension Measure {
  static let dormantUnits = layer(
    .dormantUnits, "Share of units that say next to nothing",
    "share of units with mean |h| <= .025 times the layer's mean of it" + h, .lower)
  static let deadUnits = layer(
    .deadUnits, "Share of units that are never above 0", "share of units with no h > 0" + h, .lower)
  static let effectiveRank = layer(
    .effectiveRank, "Effective rank of a layer's features",
    "exp of -sum s ln s, s the singular values of H over their sum; not centred" + h, .higher)
  static let stableRank = layer(
    .stableRank, "Stable rank of a layer's features", "|H|^2 / (largest singular value of H)^2" + h, .higher)
  static let weightNorm = layer(
    .weightNorm, "Norm of a layer's weights", "root of the sum of squares of its weights, biases left out", .neither)
  static let gradientNorm = layer(
    .gradientNorm, "Norm of the loss's gradient in a layer's weights",
    "root of the sum of squares of dL/dW, biases left out, L the mean of -ln p(label) over at most 1,000 test rows of tasks 0 to i, evenly taken",
    .neither)
  static let similarity = layer(
    .similarity, "Similarity of a layer to itself a task before (linear CKA)",
    "|Y'X|^2 / (|X'X| |Y'Y|), columns centred, Y after task i-1 and X after task i on at most 1,000 test rows of tasks 0 to i-1; "
      + "NaN for i = 0", .neither)

  private static func layer(
    _ name: ObservationName, _ longName: String, _ definition: String, _ direction: Metric.Direction
  ) -> Measure {
    Measure(name, longName, definition: definition, direction: direction, along: [.afterTask, .layer])
  }
}

private let fresh =
  "200 steps of the run's optimiser on task 0's inputs with labels of a fixed random network, the same in all runs; judged on its test rows"

extension Measure {
  static let freshLoss = Measure(
    .freshLoss, "Log-loss on a fresh task that was learned from the weights at hand",
    definition: "mean of -ln p(label) after " + fresh, direction: .lower, along: [.afterTask])
  static let freshAccuracy = Measure(
    .freshAccuracy, "Accuracy on a fresh task that was learned from the weights at hand",
    definition: "share of right answers after " + fresh, direction: .higher, along: [.afterTask])
  static let freshLossBefore = Measure(
    .freshLossBefore, "Log-loss on a fresh task that was learned from initial weights",
    definition: "fresh_loss before the first task", direction: .neither)
  static let plasticityLoss = Measure(
    .plasticityLoss, "What a fresh task's loss has grown by",
    definition:
      "fresh_loss after the last task - fresh_loss_before; above 0: new things are learned worse than at the start",
    direction: .lower)
}

extension ObservationName {
  static let dormantUnits: Self = "dormant_units"
  static let deadUnits: Self = "dead_units"
  static let effectiveRank: Self = "effective_rank"
  static let stableRank: Self = "stable_rank"
  static let weightNorm: Self = "weight_norm"
  static let gradientNorm: Self = "gradient_norm"
  static let similarity: Self = "similarity"
  static let freshLoss: Self = "fresh_loss"
  static let freshAccuracy: Self = "fresh_accuracy"
  static let freshLossBefore: Self = "fresh_loss_before"
  static let plasticityLoss: Self = "plasticity_loss"
}
