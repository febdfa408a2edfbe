import PalimpsestCore

/// The laws of ``PalimpsestCore/Penalty``: its gradient is the derivative of its value; it is never negative; it adds
/// to the gradient and keeps what is there; asking twice gives the same; parameters made later don't disturb it.
public enum PenaltyLaws {
  /// Takes a penalty through two tasks of a small network that grows in between, and checks the laws at random points
  /// after each of them.
  ///
  /// - Returns: one sentence for each violation; empty where the laws hold.
  /// - Cost: a few milliseconds.
  public static func violations(of penalty: some Penalty) -> [String] {
    var life = PenaltyLife(penalty)
    var violations = life.check("before any task")
    for index in 0..<2 {
      life.live(index)
      violations += life.check("after task \(index + 1)")
    }
    life.grow("late")
    return violations + life.check("after new parameters")
  }
}

private struct PenaltyLife<P: Penalty> {
  var penalty: P
  var model: MLP
  var rng = Seed(21).stream("penalty laws")
  let world = LawWorld.shared

  init(_ penalty: P) {
    self.penalty = penalty
    model = world.setup(SGD()).makeModel()
  }

  mutating func grow(_ name: String) {
    _ = model.addLayer(name, inputs: 4, outputs: 2, isOutput: true, using: &rng)
  }

  /// Twenty steps along random gradients.
  mutating func live(_ index: Int) {
    if index > 0 { grow("head\(index)") }
    penalty.begin(world.tasks[index], model)
    for _ in 0..<20 {
      let gradient = FloatBuffer.normal(model.parameters.count, using: &rng)
      var update = FloatBuffer.normal(model.parameters.count, deviation: 0.01, using: &rng)
      update.add(gradient, times: -0.02)
      model.parameters.add(update)
      penalty.observe(gradient: gradient, update: update)
    }
    let ended = EndedExperience(
      info: world.tasks[index], data: world.rows[index], network: Network(model), way: model.plainProgram,
      outputs: 0..<world.shape.outputs)
    penalty.consolidate(ended, using: &rng)
  }

  mutating func check(_ moment: String) -> [String] {
    let what = "\(P.name) \(moment)"
    var violations = penalty.bytes < 0 ? ["\(what): \(penalty.bytes) bytes"] : []
    for _ in 0..<3 {
      var point = model.parameters
      point.add(.normal(point.count, deviation: 0.3, using: &rng))
      violations += check(at: point, what)
    }
    return violations
  }

  private mutating func check(at point: FloatBuffer, _ what: String) -> [String] {
    let (value, gradient) = ask(point)
    guard gradient.count == point.count else {
      return ["\(what): a gradient of \(point.count) elements became one of \(gradient.count)"]
    }
    var violations: [String] = []
    if !(value >= 0) { violations.append("\(what): the value is \(value); a penalty is never negative") }
    if ask(point) != (value, gradient) { violations.append("\(what): asking twice gives two answers") }
    let differences = (0..<point.count).map { i in
      centralDifference(step: 1 / 32) { h in
        var moved = point
        moved[i] += Float(h)
        return Double(ask(moved).0)
      }
    }
    violations += gradientViolations(what, gradient: gradient.array, differences: differences)
    return violations + keepsGradient(point, gradient, what)
  }

  private mutating func ask(_ point: FloatBuffer) -> (Float, FloatBuffer) {
    var gradient = FloatBuffer(count: point.count)
    let value = penalty.add(at: point, to: &gradient)
    return (value, gradient)
  }

  /// What stood in the gradient is still there.
  private mutating func keepsGradient(_ point: FloatBuffer, _ alone: FloatBuffer, _ what: String) -> [String] {
    var gradient = FloatBuffer(repeating: 1, count: point.count)
    _ = penalty.add(at: point, to: &gradient)
    guard gradient.count == alone.count else {
      return ["\(what): a gradient of \(alone.count) elements became one of \(gradient.count)"]
    }
    let wrong = gradient.array.indices.filter { i in
      abs(gradient[i] - 1 - alone[i]) > 1e-5 * max(1, abs(alone[i]))
    }
    return wrong.isEmpty ? [] : ["\(what): the gradient that was there is not kept at \(wrong.count) elements"]
  }
}
