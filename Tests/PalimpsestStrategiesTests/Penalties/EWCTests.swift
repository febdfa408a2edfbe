import PalimpsestCore
import PalimpsestStrategies
import Testing

@Suite struct EWCTests {
  /// One input, one logit: parameter 0 is the weight, the bias stands at 16.
  private func model(_ w: Float, _ b: Float) -> MLP {
    var model = PenaltyWorld.linear(inputs: 1, outputs: 1)
    (model.parameters[model.layers[0].weight], model.parameters[model.layers[0].bias ?? 0]) = (w, b)
    return model
  }

  private func row(_ x: Float) -> Rows { Rows(Matrix([[x]]), labels: [1], experience: 0) }

  /// Two tasks of one row each, on the decision boundary, where p (1 − p) = ¼:
  /// task 1 at (w, b) = (0, 0) with x = 2: F = (4·¼, ¼) = (1, ¼);
  /// task 2 at (w, b) = (1, −1) with x = 1: F = (1·¼, ¼) = (¼, ¼).
  private func twoTasks(_ configure: (inout EWC) -> Void) -> EWC {
    var ewc = EWC()
    ewc.strength = 2
    configure(&ewc)
    var rng = Seed(1).stream("consolidation")
    ewc.consolidate(PenaltyWorld.ended(model(0, 0), row(2)), using: &rng)
    ewc.consolidate(PenaltyWorld.ended(model(1, -1), row(1)), using: &rng)
    return ewc
  }

  private func ask(_ ewc: EWC, _ w: Float, _ b: Float) -> (value: Float, w: Float, b: Float) {
    let model = model(w, b)
    var gradient = FloatBuffer(count: model.parameters.count)
    let value = ewc.add(at: model.parameters, to: &gradient)
    return (value, gradient[model.layers[0].weight], gradient[model.layers[0].bias ?? 0])
  }

  @Test func `separate anchors by hand`() {
    // At (3, 1), λ = 2: value = 1·3² + ¼·1² + ¼·2² + ¼·2² = 9 + ¼ + 1 + 1 = 11.25;
    // ∂w = 2 (1·3 + ¼·2) = 7, ∂b = 2 (¼·1 + ¼·2) = 1.5. The running sums agree: S₀w − S₁ = 1.25·3 − 0.25 = 3.5.
    let asked = ask(twoTasks { _ in }, 3, 1)
    #expect(abs(asked.value - 11.25) < 1e-5 && abs(asked.w - 7) < 1e-5 && abs(asked.b - 1.5) < 1e-5)
  }

  @Test func `one anchor by hand`() {
    // γ = ½: F̃ = (½·1 + ¼, ½·¼ + ¼) = (¾, ⅜), anchor (1, −1). At (3, 1), λ = 2: value = ¾·2² + ⅜·2² = 4.5;
    // ∂w = 2·¾·2 = 3, ∂b = 2·⅜·2 = 1.5.
    let online = twoTasks { ($0.mode, $0.decay) = (.online, 0.5) }
    let asked = ask(online, 3, 1)
    #expect(asked == (4.5, 3, 1.5))
    #expect(ask(online, 1, -1) == (0, 0, 0))
  }

  @Test func `the running sums equal the explicit sum of 20 tasks in constant memory`() {
    // Weights near 100 that differ by hundredths: in floats S₀θ² − 2S₁θ + S₂ would cancel to noise.
    var (ewc, rng) = (EWC(), Seed(9).stream("anchors"))
    ewc.strength = 2
    var anchors: [(f: [Double], theta: [Float])] = []
    var bytes: Set<Int> = []
    for _ in 0..<20 {
      let at = model(100 + Float(rng.normal() * 0.01), -100 + Float(rng.normal() * 0.01))
      let ended = PenaltyWorld.ended(at, row(1 + Float(rng.uniform())))
      ewc.consolidate(ended, using: &rng)
      anchors.append((Fisher().diagonal(ended, using: &rng) ?? [], at.parameters.array))
      bytes.insert(ewc.bytes)
    }
    #expect(bytes.count == 1 && bytes.contains(2 * 4 * model(0, 0).parameters.count))
    let theta = model(100.02, -100.01).parameters
    var gradient = FloatBuffer(count: theta.count)
    let value = Double(ewc.add(at: theta, to: &gradient))
    let (expected, slope) = explicit(anchors, theta)
    #expect(abs(value - expected) < 1e-3 * expected)
    for i in slope.indices { #expect(abs(Double(gradient[i]) - slope[i]) <= 1e-3 * abs(slope[i]), "\(i)") }
  }

  /// Σ_k F_k (θ − θ*_k)² and its gradient for λ = 2, in double.
  private func explicit(
    _ anchors: [(f: [Double], theta: [Float])], _ theta: FloatBuffer
  ) -> (Double, [Double]) {
    var (value, slope) = (0.0, [Double](repeating: 0, count: theta.count))
    for anchor in anchors {
      for i in slope.indices {
        let distance = Double(theta[i]) - Double(anchor.theta[i])
        value += anchor.f[i] * distance * distance
        slope[i] += 2 * anchor.f[i] * distance
      }
    }
    return (value, slope)
  }

  @Test func `the value is never negative, at and between the anchors`() {
    let ewc = twoTasks { _ in }
    for step in 0...100 {
      #expect(ask(ewc, Float(step) / 100, -Float(step) / 100).value > 0)
    }
  }

  @Test func `the anchor is a copy of the weights, not the weights`() {
    var (ewc, rng, model) = (EWC(), Seed(1).stream("consolidation"), model(0, 0))
    ewc.consolidate(PenaltyWorld.ended(model, row(2)), using: &rng)
    var gradient = FloatBuffer(count: model.parameters.count)
    #expect(ewc.add(at: model.parameters, to: &gradient) == 0)
    model.parameters[0] += 1
    // (100/2) · 1 · 1² = 50
    #expect(ewc.add(at: model.parameters, to: &gradient) == 50)
  }

  @Test func `weights made after an anchor are not pulled`() {
    var (ewc, rng, model) = (EWC(), Seed(1).stream("consolidation"), model(0, 0))
    ewc.consolidate(PenaltyWorld.ended(model, row(2)), using: &rng)
    let old = model.parameters.count
    let head = model.addLayer("head1", inputs: 1, outputs: 1, isOutput: true, using: &rng)
    for i in 0..<model.parameters.count { model.parameters[i] = 3 }
    var gradient = FloatBuffer(count: model.parameters.count)
    // Old slice: λ F (θ − 0) = 100·1·3 and 100·¼·3; value 50·(9 + 9/4) = 562.5.
    #expect(ewc.add(at: model.parameters, to: &gradient) == 562.5)
    #expect(gradient[0] == 300 && gradient[16] == 75)
    #expect(gradient.array[old...].allSatisfy { $0 == 0 })
    // The new head's own task: its importance joins the old slice's, which stays.
    let ended = PenaltyWorld.ended(model, row(0), route: Route(layers: [head], outputs: 0..<1))
    ewc.consolidate(ended, using: &rng)
    #expect(ewc.importance.count == model.parameters.count && ewc.importance[0] == 1 && ewc.importance[16] == 0.25)
    let own = Fisher().diagonal(ended, using: &rng) ?? []
    #expect(own.indices.suffix(from: old).allSatisfy { ewc.importance[$0] == Float(own[$0]) })
    #expect(ewc.importance[head.bias ?? 0] > 0)
  }

  @Test func `a task without rows to revisit adds nothing`() {
    var (ewc, rng) = (twoTasks { _ in }, Seed(1).stream("consolidation"))
    let before = ask(ewc, 3, 1)
    ewc.consolidate(PenaltyWorld.ended(model(7, 7), row(1).selecting([])), using: &rng)
    #expect(ask(ewc, 3, 1) == before)
  }
}
