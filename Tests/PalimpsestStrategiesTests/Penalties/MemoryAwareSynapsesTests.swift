import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

@Suite struct MemoryAwareSynapsesTests {
  /// z = W x with W rows (1, −1), (½, 2); rows (1, 2), (−1, 1).
  private func model() -> MLP {
    var model = PenaltyWorld.linear(inputs: 2, outputs: 2)
    let layer = model.layers[0]
    for (i, w) in [Float(1), 0.5, -1, 2].enumerated() { model.parameters[layer.weight + i] = w }
    for i in layer.biasRange ?? 0..<0 { model.parameters[i] = 0 }
    return model
  }

  private let rows = Rows(Matrix([[1, 2], [-1, 1]]), labels: [0, 1], experience: 0)

  private func learned(_ part: MemoryAwareSynapses = MemoryAwareSynapses(), outputs: Range<Int>? = nil)
    -> MemoryAwareSynapses
  {
    var (part, rng) = (part, Seed(1).stream("mas"))
    part.consolidate(PenaltyWorld.ended(model(), rows, outputs: outputs), using: &rng)
    return part
  }

  private func importance(_ part: MemoryAwareSynapses) -> [Float] {
    let layer = model().layers[0]
    return [0, 2, 1, 3].map { part.importance[layer.weight + $0] }
  }

  @Test func `importance by hand: absolute gradients of each row, averaged`() {
    // |2 (W x) xᵀ|: (1, 2) gives z = (−1, 4.5): (2, 4), (9, 18); (−1, 1) gives z = (−2, 1.5): (4, 4), (3, 3). Means (3, 4), (6, 10.5).
    // The gradient of the batch's mean would be (1, 4), (3, 10.5).
    #expect(importance(learned()) == [3, 4, 6, 10.5])
  }

  @Test func `outputs that take no part are not looked at`() {
    #expect(importance(learned(outputs: 1..<2)) == [0, 0, 6, 10.5])
  }

  @Test func `the penalty has no ½, and pulls to the last task's end`() {
    // λ = 2, one weight off by ½: 2 · 3 · ¼ = 1.5, slope 2 · 2 · 3 · ½ = 6.
    var part = MemoryAwareSynapses()
    part.strength = 2
    part = learned(part)
    let place = model().layers[0].weight
    var (theta, gradient) = (model().parameters, FloatBuffer(count: model().parameters.count))
    theta[place] += 0.5
    #expect(part.add(at: theta, to: &gradient) == 1.5 && gradient[place] == 6)
  }

  @Test func `importance is summed over tasks, or averaged`() {
    var rng = Seed(1).stream("mas")
    for (merge, factor) in [(MemoryAwareSynapses.Merge.sum, Float(2)), (.average, 1)] {
      var part = MemoryAwareSynapses()
      (part.merge, part.alpha) = (merge, 0.25)
      for _ in 0..<2 { part.consolidate(PenaltyWorld.ended(model(), rows), using: &rng) }
      #expect(importance(part) == [3, 4, 6, 10.5].map { $0 * factor })
    }
  }

  @Test func `a task without rows to revisit leaves it as it is`() {
    var (part, rng) = (learned(), Seed(1).stream("mas"))
    let before = part.importance
    part.consolidate(PenaltyWorld.ended(model(), rows.selecting([])), using: &rng)
    #expect(part.importance == before)
  }

  @Test func `its passes are charged`() {
    let ended = PenaltyWorld.ended(model(), rows)
    var (part, rng) = (MemoryAwareSynapses(), Seed(1).stream("mas"))
    part.consolidate(ended, using: &rng)
    // Two rows: forward and the product with the inputs, 4 multiply-adds each; nothing below to pass down to.
    #expect(ended.chargedWork.multiplyAdds == 2 * (4 + 4))
  }
}
