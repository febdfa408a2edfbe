import PalimpsestCore
import Testing

/// The gradient of whole networks, as a learner's step computes it, against central differences of a forward pass
/// written again in double, straight from the formulae.
@Suite struct GradientTests {
  @Test(arguments: [[], [7], [16, 8], [5, 9, 4]], [Activation.relu, .tanh])
  func `a multilayer perceptron's gradient is the derivative of its loss`(hidden: [Int], activation: Activation) throws
  {
    for outputs in [1, 3, 10] { try check(hidden, activation, outputs: outputs, woven: nil) }
  }

  @Test(arguments: [Modules.heads, .bottlenecks, .lowRank, .everything], [Activation.relu, .tanh])
  func `so is the gradient through heads, adapters and low-rank factors`(modules: Modules, activation: Activation)
    throws
  {
    for outputs in [1, 6] { try check([8, 5], activation, outputs: outputs, woven: Woven(modules)) }
  }

  @Test func `frozen layers change no gradient of the others`() throws {
    for trained in Woven.Trained.allCases {
      var woven = Woven(.everything)
      woven.trained = trained
      try check([8, 5], .tanh, outputs: 6, woven: woven)
    }
  }

  private func check(_ hidden: [Int], _ activation: Activation, outputs: Int, woven: Woven?) throws {
    let setup = LearnerSetup(
      shape: TaskShape(inputs: 4, outputs: outputs), hidden: hidden, activation: activation, initializer: .uniform,
      seed: Seed(UInt64(outputs)))
    var learner = try ComposedLearner(setup, [Spy()] + (woven.map { [$0] } ?? []))
    let info = ExperienceInfo(index: 0, name: "task", outputs: 0..<outputs, seenOutputs: 0..<outputs, rows: 9)
    learner.begin(info)
    let (before, batch) = (learner.model, batch(outputs))
    let report = learner.learn(batch, StepContext(experience: info, epoch: 0, step: 0))
    let spy = try #require(learner.parts.compactMap { $0 as? Spy }.first)
    let isolation = learner.parts.compactMap { $0 as? Woven }.first
    let reference = Reference(
      model: before, route: isolation?.route(in: before) ?? before.plainRoute, batch: batch)
    #expect(abs(report.loss - reference.loss(before.parameters.array.map(Double.init))) < 1e-5)
    compare(spy.gradient, reference, before, mask: isolation?.mask ?? .all(before.parameters.count))
  }

  private func batch(_ outputs: Int) -> Batch {
    var rng = Seed(8).stream("rows")
    let inputs = Matrix((0..<9).map { _ in (0..<4).map { _ in Float(rng.normal()) } })
    let labels = (0..<9).map { _ in Int32(rng.index(below: max(2, outputs))) }
    return Rows(inputs, labels: labels, experience: 0).batch
  }

  private func compare(_ gradient: FloatBuffer, _ reference: Reference, _ model: MLP, mask: ParameterMask) {
    let theta = model.parameters.array.map(Double.init)
    let differences = theta.indices.map { i -> Double in
      guard mask.contains(i..<(i + 1)) else { return 0 }
      var (up, down) = (theta, theta)
      up[i] += 1e-5
      down[i] -= 1e-5
      return (reference.loss(up) - reference.loss(down)) / 2e-5
    }
    let scale = differences.reduce(0) { max($0, abs($1)) }
    let worst = theta.indices.max {
      abs(Double(gradient[$0]) - differences[$0]) < abs(Double(gradient[$1]) - differences[$1])
    }
    #expect(scale > 1e-3)
    if let worst {
      #expect(abs(Double(gradient[worst]) - differences[worst]) < 1e-4 * scale, "parameter \(worst) of \(theta.count)")
    }
  }
}

/// Keeps the data gradient of the last step.
private struct Spy: Penalty {
  static let name = "spy"
  static let summary = "Keeps the data gradient."
  static let source = "For this test."
  var gradient = FloatBuffer(count: 0)

  func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float { 0 }
  mutating func observe(gradient: FloatBuffer, update: FloatBuffer) { self.gradient = gradient }
}

/// Which modules a row passes besides the layers.
enum Modules: String, Codable, CaseIterable { case heads, bottlenecks, lowRank, everything }

/// A route with random modules, none of them 0, all or some of it trained.
private struct Woven: Isolation {
  enum Trained: String, Codable, CaseIterable { case all, modules, head, biases, firstLayer }

  static let name = "woven"
  static let summary = "A route with random modules."
  static let source = "For this test."
  var modules = Modules.everything
  var trained = Trained.all
  private(set) var mask = ParameterMask([])
  private var woven: Route?

  init() {}
  init(_ modules: Modules) { self.modules = modules }

  var isolatesPredictions: Bool { false }

  mutating func prepare(_ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random) -> ParameterMask {
    var route = model.plainRoute
    if modules == .heads || modules == .everything { addHead(&model, &route, &rng) }
    if modules == .bottlenecks || modules == .everything { addBottlenecks(&model, &route, &rng) }
    if modules == .lowRank || modules == .everything { addFactors(&model, &route, &rng) }
    woven = route
    mask = ParameterMask(ranges(route, model).sorted { $0.lowerBound < $1.lowerBound })
    return mask
  }

  func program(for experience: Int?, in model: MLP) -> Program { model.program(route(in: model)) }

  func route(in model: MLP) -> Route { woven ?? model.plainRoute }

  private func addHead(_ model: inout MLP, _ route: inout Route, _ rng: inout Random) {
    let outputs = model.shape.outputs
    route.layers[route.layers.count - 1] = model.addLayer(
      "head", inputs: model.penultimateWidth, outputs: outputs, isOutput: true, using: &rng)
  }

  private func addBottlenecks(_ model: inout MLP, _ route: inout Route, _ rng: inout Random) {
    for (index, width) in model.hidden.enumerated() {
      // The first has biases, the second none.
      let down =
        index == 0
        ? model.addLayer("down", inputs: width, outputs: 3, isOutput: false, using: &rng)
        : model.addMatrix("down", inputs: width, outputs: 3, deviation: 0.5, using: &rng)
      route.bottlenecks[index] = Bottleneck(
        down: down, up: model.addMatrix("up", inputs: 3, outputs: width, deviation: 0.5, using: &rng))
    }
  }

  private func addFactors(_ model: inout MLP, _ route: inout Route, _ rng: inout Random) {
    for (index, layer) in route.layers.enumerated() {
      route.lowRank[index] = LowRank(
        a: model.addMatrix("a", inputs: layer.inputs, outputs: 2, deviation: 0.5, using: &rng),
        b: model.addMatrix("b", inputs: 2, outputs: layer.outputs, deviation: 0.5, using: &rng), scale: 1.5)
    }
  }

  private func ranges(_ route: Route, _ model: MLP) -> [Range<Int>] {
    switch trained {
    case .all: [0..<model.parameters.count]
    case .modules:
      route.bottlenecks.values.flatMap { $0.down.ranges + $0.up.ranges }
        + route.lowRank.values.flatMap { $0.a.ranges + $0.b.ranges }
    case .head: route.layers.last?.ranges ?? []
    case .biases: route.layers.compactMap(\.biasRange)
    case .firstLayer: route.layers[0].ranges
    }
  }
}

/// The mean cross-entropy of a route's logits, in double.
private struct Reference {
  let model: MLP
  let route: Route
  let batch: Batch

  func loss(_ theta: [Double]) -> Double {
    (0..<batch.count).reduce(0) { $0 + loss(row: $1, theta) } / Double(batch.count)
  }

  private func loss(row: Int, _ theta: [Double]) -> Double {
    let z = logits(batch.inputs.row(row).map(Double.init), theta)
    let label = Int(batch.labels[row])
    // One logit: ln(1 + eᶻ) − y z. More: ln Σ eᶻ − z_y.
    if z.count == 1 { return Elementary.log(1 + Elementary.exp(z[0])) - Double(label) * z[0] }
    return Elementary.log(z.reduce(0) { $0 + Elementary.exp($1) }) - z[label]
  }

  private func logits(_ x: [Double], _ theta: [Double]) -> [Double] {
    var h = x
    for (index, layer) in route.layers.enumerated() {
      var z = affine(h, layer, theta)
      if let factors = route.lowRank[index] {
        let product = affine(affine(h, factors.a, theta), factors.b, theta)
        z = zip(z, product).map { $0 + Double(factors.scale) * $1 }
      }
      if index == route.layers.count - 1 { return z }
      h = z.map(activated)
      if let bottleneck = route.bottlenecks[index] {
        let inner = affine(h, bottleneck.down, theta).map(activated)
        h = zip(h, affine(inner, bottleneck.up, theta)).map { $0 + $1 }
      }
    }
    return h
  }

  private func affine(_ x: [Double], _ layer: DenseLayer, _ theta: [Double]) -> [Double] {
    (0..<layer.outputs).map { output -> Double in
      var z = layer.bias.map { theta[$0 + output] } ?? 0
      for (input, value) in x.enumerated() { z += value * theta[layer.weight + input * layer.outputs + output] }
      return z
    }
  }

  private func activated(_ z: Double) -> Double {
    switch model.activation {
    case .relu: return max(0, z)
    case .tanh:
      let e = Elementary.exp(2 * z)
      return (e - 1) / (e + 1)
    }
  }
}
