import PalimpsestCore
import PalimpsestStrategies
import Testing

/// The Fisher diagonal against its closed forms for a linear softmax: F_{W_jk} = E[x_j² s_k], F_{c_k} = E[s_k], where
/// s_k is the mean square of ∂ log p(y)/∂z_k = [y = k] − p_k: p_k (1 − p_k) over the model's labels, ([y = k] − p_k)²
/// for one label y.
@Suite struct FisherTests {
  private let model = PenaltyWorld.linear(inputs: 3, outputs: 4)
  private let rows = PenaltyWorld.rows(70, inputs: 3, labels: 0..<4)

  @Test func `exact labels give p(1 - p) x²`() {
    expectClose(measured(.exact), mean { x, p, _ in p.map { $0 * (1 - $0) } })
  }

  @Test func `empirical labels take the row's own`() {
    expectClose(measured(.empirical), mean { x, p, y in squares(p, y) })
  }

  @Test func `predicted labels take the most probable`() {
    expectClose(measured(.predicted), mean { x, p, _ in squares(p, p.firstIndex(of: p.max() ?? 0) ?? 0) })
  }

  @Test func `sampled labels are the model's`() {
    // One row 20,000 times: s_k = Σ_y share_y ([y = k] − p_k)², whose mean is p_k (1 − p_k). One draw's square lies
    // between 0 and 1, so the standard error is below 0.5 / √20,000 = 0.0035; five of them are 0.018.
    let x: [Float] = [1, 1, 1]
    let many = Rows(
      Matrix([[Float]](repeating: x, count: 20_000)), labels: [Int32](repeating: 0, count: 20_000), experience: 0)
    let f = measured(.sampled, rows: many)
    let p = PenaltyWorld.probabilities(model, model.layers[0], x, 0..<4)
    for k in 0..<4 {
      #expect(abs(f[model.layers[0].weight + k] - p[k] * (1 - p[k])) < 0.018)
      #expect(abs(f[model.layers[0].weight + k] - p[k] * (1 - p[k])) > 0, "drawn, not the expectation itself")
    }
  }

  @Test(arguments: [1, 32])
  func `the batched rule squares the mean gradient of each batch`(size: Int) {
    // 70 rows in batches of 32: 32, 32 and 6; each batch counts once, the short one too.
    for labels in [Fisher.Labels.empirical, .predicted] {
      let f = measured(labels, reduction: .batch, batch: size)
      expectClose(f, batched(size, labels))
    }
  }

  @Test(arguments: [1, 32])
  func `the batched rule with exact labels is the expected square`(size: Int) {
    // E[(1/B Σ g)²] = 1/B² Σ_rows E[g²], as labels are independent and E[g] = 0.
    let parts = stride(from: 0, to: 70, by: size).map { first -> [Double] in
      let block = Array(first..<min(first + size, 70))
      return mean(of: block) { x, p, _ in p.map { $0 * (1 - $0) } }.map { $0 / Double(block.count) }
    }
    expectClose(measured(.exact, reduction: .batch, batch: size), average(parts))
  }

  @Test func `batches of one row are samples`() {
    for labels in [Fisher.Labels.exact, .empirical, .predicted] {
      expectClose(measured(labels, reduction: .batch, batch: 1), measured(labels))
    }
  }

  @Test func `a sum is the mean times the rows`() {
    for labels in [Fisher.Labels.exact, .empirical, .predicted] {
      expectClose(measured(labels, reduction: .sum).map { $0 / 70 }, measured(labels))
    }
  }

  /// Published code measures the last block alone.
  @Test func `every row counts, whichever block it is in`() {
    let many = PenaltyWorld.rows(2 * Network.block + 90, inputs: 3, labels: 0..<4)
    let (first, last) = (Int32(many.count / 3), Int32(many.count))
    let parts = [Array(0..<first), Array(first..<last)].map {
      measured(.exact, reduction: .sum, rows: many.selecting($0))
    }
    expectClose(
      measured(.exact, rows: many), zip(parts[0], parts[1]).map { ($0 + $1) / Double(many.count) })
  }

  @Test func `outputs that took no part have none`() {
    let f = measured(.exact, outputs: 1..<3)
    expectClose(f, mean(outputs: 1..<3) { x, p, _ in p.map { $0 * (1 - $0) } })
    for j in 0..<3 {
      #expect(f[model.layers[0].weight + j * 4] == 0 && f[model.layers[0].weight + j * 4 + 3] == 0)
    }
  }

  @Test func `one logit stands for labels 0 and 1`() {
    let model = PenaltyWorld.linear(inputs: 2, outputs: 1)
    let rows = PenaltyWorld.rows(33, inputs: 2, labels: 0..<2)
    let layer = model.layers[0]
    var rng = Seed(1).stream("fisher")
    for labels in [Fisher.Labels.exact, .empirical, .predicted] {
      var fisher = Fisher()
      fisher.fisherLabels = labels
      let f = fisher.diagonal(PenaltyWorld.ended(model, rows), using: &rng) ?? []
      var (w, c) = ([0.0, 0.0], 0.0)
      for (i, x) in (0..<33).map({ ($0, rows.batch.inputs.row($0)) }) {
        let p = PenaltyWorld.probabilities(model, layer, x, 0..<1)[0]
        let residual = labels == .empirical ? Double(rows.labels[i]) - p : (p > 0.5 ? 1 : 0) - p
        let s = labels == .exact ? p * (1 - p) : residual * residual
        for j in 0..<2 { w[j] += Double(x[j]) * Double(x[j]) * s / 33 }
        c += s / 33
      }
      #expect(abs(f[layer.weight] - w[0]) < 1e-6 && abs(f[layer.weight + 1] - w[1]) < 1e-6)
      #expect(abs(f[layer.bias ?? 0] - c) < 1e-6)
    }
  }

  @Test func `labels count from a head's first output`() {
    var model = model
    var rng = Seed(2).stream("head")
    let head = model.addLayer("head1", inputs: 3, outputs: 2, isOutput: true, using: &rng)
    let data = PenaltyWorld.rows(20, inputs: 3, labels: 2..<4)
    var fisher = Fisher()
    fisher.fisherLabels = .empirical
    let route = Route(layers: [head], outputs: 2..<4)
    let f = fisher.diagonal(PenaltyWorld.ended(model, data, route: route, outputs: 0..<2), using: &rng) ?? []
    let inputs = data.batch.inputs
    for j in 0..<3 {
      let expected = (0..<20).reduce(0.0) { sum, row in
        let x = inputs.row(row)
        let p = PenaltyWorld.probabilities(model, head, x, 0..<2)
        return sum + Double(x[j]) * Double(x[j]) * squares(p, Int(data.labels[row]) - 2)[0] / 20
      }
      #expect(abs(f[head.weight + 2 * j] - expected) < 1e-6)
    }
    #expect(f[..<head.weight].allSatisfy { $0 == 0 }, "layers off the route have no importance")
  }

  @Test func `samples draws that many rows`() {
    var fisher = Fisher()
    fisher.fisherSamples = 1
    var rng = Seed(4).stream("samples")
    let f = fisher.diagonal(PenaltyWorld.ended(model, rows), using: &rng) ?? []
    let single = (0..<70).map { row in mean(of: [row]) { x, p, _ in p.map { $0 * (1 - $0) } } }
    #expect(single.contains { zip(f, $0).allSatisfy { abs($0 - $1) < 1e-6 } })
    fisher.fisherSamples = 70
    expectClose(fisher.diagonal(PenaltyWorld.ended(model, rows), using: &rng) ?? [], measured(.exact))
  }

  @Test func `no rows give no importance`() {
    var rng = Seed(4).stream("samples")
    #expect(Fisher().diagonal(PenaltyWorld.ended(model, rows.selecting([])), using: &rng) == nil)
  }

  // MARK: - The closed forms

  private func measured(
    _ labels: Fisher.Labels, reduction: Fisher.Reduction = .sample, batch: Int = 32, outputs: Range<Int> = 0..<4,
    rows other: Rows? = nil
  ) -> [Double] {
    var fisher = Fisher()
    (fisher.fisherLabels, fisher.fisherReduction, fisher.fisherBatch) = (labels, reduction, batch)
    var rng = Seed(1).stream("fisher")
    return fisher.diagonal(PenaltyWorld.ended(model, other ?? rows, outputs: outputs), using: &rng) ?? []
  }

  private func squares(_ p: [Double], _ y: Int) -> [Double] {
    p.indices.map { (($0 == y ? 1 : 0) - p[$0]) * (($0 == y ? 1 : 0) - p[$0]) }
  }

  /// The mean over rows of x_j² s_k, at the parameters' places.
  private func mean(
    of places: [Int]? = nil, outputs: Range<Int> = 0..<4, _ s: ([Float], [Double], Int) -> [Double]
  ) -> [Double] {
    let layer = model.layers[0]
    let places = places ?? Array(0..<70)
    let inputs = rows.batch.inputs
    var f = [Double](repeating: 0, count: model.parameters.count)
    for row in places {
      let x = inputs.row(row)
      let values = s(x, PenaltyWorld.probabilities(model, layer, x, outputs), Int(rows.labels[row]))
      for k in 0..<4 {
        for j in 0..<3 { f[layer.weight + j * 4 + k] += Double(x[j] * x[j]) * values[k] / Double(places.count) }
        f[(layer.bias ?? 0) + k] += values[k] / Double(places.count)
      }
    }
    return f
  }

  /// The mean over batches of (1/B Σ x_j ([y = k] − p_k))².
  private func batched(_ size: Int, _ labels: Fisher.Labels) -> [Double] {
    let layer = model.layers[0]
    let inputs = rows.batch.inputs
    return average(
      stride(from: 0, to: 70, by: size).map { first in
        var g = [Double](repeating: 0, count: model.parameters.count)
        let block = first..<min(first + size, 70)
        for row in block {
          let x = inputs.row(row)
          let p = PenaltyWorld.probabilities(model, layer, x, 0..<4)
          let y = labels == .empirical ? Int(rows.labels[row]) : p.firstIndex(of: p.max() ?? 0) ?? 0
          for k in 0..<4 {
            let r = ((k == y ? 1 : 0) - p[k]) / Double(block.count)
            for j in 0..<3 { g[layer.weight + j * 4 + k] += Double(x[j]) * r }
            g[(layer.bias ?? 0) + k] += r
          }
        }
        return g.map { $0 * $0 }
      })
  }

  private func average(_ vectors: [[Double]]) -> [Double] {
    vectors[0].indices.map { i in vectors.reduce(0) { $0 + $1[i] } / Double(vectors.count) }
  }

  private func expectClose(_ f: [Double], _ expected: [Double], _ location: SourceLocation = #_sourceLocation) {
    #expect(f.count == expected.count, sourceLocation: location)
    let worst = zip(f, expected).reduce(0) { max($0, abs($1.0 - $1.1)) }
    #expect(worst < 1e-6, sourceLocation: location)
    #expect(f.contains { $0 > 1e-3 }, "something is measured", sourceLocation: location)
  }
}
