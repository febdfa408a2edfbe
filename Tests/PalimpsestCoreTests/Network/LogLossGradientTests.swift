import PalimpsestCore
import Testing

/// The gradient that probes look at, by hand.
@Suite struct LogLossGradientTests {
  /// z = 2·max(0, 3x − 1) − 1 at x = 1 and −1: z = 3 and −1, the second with a silent unit. ∂Σℓ/∂w of the hidden weight is
  /// (σ(3) − 0)·2·1, as the second row says nothing of it; of the last one (σ(3) − 0)·2.
  @Test func `one hidden unit`() throws {
    var learner = try ComposedLearner(
      LearnerSetup(shape: TaskShape(inputs: 1, outputs: 1), hidden: [1], seed: Seed(1)), [])
    var parameters = learner.model.parameters
    for (layer, numbers) in zip(learner.model.layers, [(3, -1), (2, -1)] as [(Float, Float)]) {
      parameters[layer.weightRange.lowerBound] = numbers.0
      if let bias = layer.biasRange { parameters[bias.lowerBound] = numbers.1 }
    }
    learner.start(from: parameters)
    var gradient = FloatBuffer(count: parameters.count)
    let isAdded = learner.addLogLossGradient(
      of: Matrix([[1], [-1]]), labels: [0, 1], among: 0..<1, knowing: nil, to: &gradient)
    let slope = 2 * Elementary.logistic(3)
    #expect(isAdded && learner.model.parameters == parameters)
    for norm in learner.hiddenWeightNorms(of: gradient, knowing: nil) { #expect(abs(norm - slope) < 1e-6) }
    #expect(abs(Double(gradient[learner.model.layers[1].weightRange.lowerBound]) - slope) < 1e-6)
  }

  /// Of logits 0 among outputs 1 and 2 of four: p = ½ each, so ∂ℓ/∂b of label 2 is (½, −½), and nothing for 0 and 3.
  @Test func `what may not be answered has no part`() throws {
    var learner = try ComposedLearner(
      LearnerSetup(shape: TaskShape(inputs: 1, outputs: 4), hidden: [], seed: Seed(1)), [])
    learner.start(from: FloatBuffer(count: learner.model.parameters.count))
    var gradient = FloatBuffer(count: learner.model.parameters.count)
    let inputs = Matrix([[0]])
    #expect(!learner.addLogLossGradient(of: inputs, labels: [3], among: 1..<3, knowing: nil, to: &gradient))
    #expect(gradient.array.allSatisfy { $0 == 0 })
    #expect(learner.addLogLossGradient(of: inputs, labels: [2], among: 1..<3, knowing: nil, to: &gradient))
    let bias = try #require(learner.model.layers[0].biasRange)
    #expect(bias.map { gradient[$0] } == [0, 0.5, -0.5, 0])
  }
}
