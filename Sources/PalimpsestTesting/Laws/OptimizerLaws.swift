import PalimpsestCore

/// The laws of ``PalimpsestCore/Optimizer``: a step equals its closed form; after `reset()` it is as new; its
/// encoding holds all its state; parameters added later don't disturb the others.
public enum OptimizerLaws {
  /// The update at step t of the run (from 0, in task t / 3) for one parameter, from its gradients and its values up to that step, in double.
  public typealias ClosedForm = (_ gradients: [Double], _ parameters: [Double]) -> Double

  /// Takes an optimiser through two tasks of three steps each on random gradients.
  ///
  /// - Parameters:
  ///   - optimizer: as new.
  ///   - closedForm: what each update must equal to within 1e-5 of the largest one; nil leaves that law out.
  /// - Returns: one sentence for each violation; empty where the laws hold.
  public static func violations<O: Optimizer>(of optimizer: O, closedForm: ClosedForm? = nil) -> [String] {
    if let violation = lengthViolation(optimizer) { return [violation] }
    var used = optimizer
    let walk = walk(&used)
    if let violation = walk.violation(O.name) { return [violation] }
    var violations = closedForm.map { differences(O.name, walk, $0) } ?? []
    used.reset()
    if self.walk(&used).updates != walk.updates { violations.append("\(O.name): reset() does not make it as new") }
    violations += checkpoint(optimizer, walk) + growth(optimizer, walk)
    return violations
  }

  /// What the other laws take for granted: an update for each parameter, and for those added later.
  private static func lengthViolation<O: Optimizer>(_ optimizer: O) -> String? {
    var optimizer = optimizer
    for count in [50, 50, 70] {
      var update = FloatBuffer(count: count)
      optimizer.update(&update, at: FloatBuffer(count: count), context(0))
      if update.count != count { return "\(O.name): \(update.count) updates for \(count) parameters" }
    }
    return nil
  }

  /// The place of a step: two tasks of three steps.
  private static func context(_ step: Int) -> StepContext {
    let task = ExperienceInfo(index: step / 3, name: "task \(step / 3)", outputs: 0..<1, seenOutputs: 0..<1, rows: 3)
    return StepContext(
      experience: task, epoch: 0, step: step % 3, steps: 3, run: StepPlace(step: step, steps: 6))
  }

  private struct Walk {
    var gradients: [FloatBuffer] = []
    var parameters: [FloatBuffer] = []
    var updates: [FloatBuffer] = []

    /// An update that is none for each parameter; the walk ends there.
    func violation(_ name: String) -> String? {
      zip(updates, parameters).first { $0.count != $1.count }.map {
        "\(name): \($0.count) updates for \($1.count) parameters in step \(updates.count)"
      }
    }
  }

  /// - Parameter extra: parameters added after two steps.
  private static func walk(_ optimizer: inout some Optimizer, extra: Int = 0) -> Walk {
    var (walk, rng) = (Walk(), Seed(51).stream("optimizer laws"))
    var tail = Seed(51).stream("added parameters")
    var theta = FloatBuffer.normal(50, using: &rng)
    for step in 0..<6 {
      var gradient = FloatBuffer.normal(50, using: &rng)
      if step >= 2 {
        theta.resize(to: 50 + extra)
        gradient = FloatBuffer(gradient.array + FloatBuffer.normal(extra, using: &tail).array)
      }
      walk.gradients.append(gradient)
      walk.parameters.append(theta)
      optimizer.update(&gradient, at: theta, context(step))
      walk.updates.append(gradient)
      if gradient.count != theta.count { break }
      theta.add(gradient)
    }
    return walk
  }

  private static func differences(_ name: String, _ walk: Walk, _ closedForm: ClosedForm) -> [String] {
    walk.updates.indices.flatMap { step -> [String] in
      let expected = (0..<50).map { i in
        closedForm(
          walk.gradients[...step].map { Double($0[i]) }, walk.parameters[...step].map { Double($0[i]) })
      }
      let scale = expected.reduce(0) { max($0, abs($1)) }
      return expected.indices.filter { abs(Double(walk.updates[step][$0]) - expected[$0]) > 1e-5 * scale }.prefix(2)
        .map { "\(name), step \(step + 1): update \($0) is \(walk.updates[step][$0]), should be \(expected[$0])" }
    }
  }

  private static func checkpoint<O: Optimizer>(_ optimizer: O, _ walk: Walk) -> [String] {
    var restored = optimizer
    do {
      for step in walk.gradients.indices {
        restored = try restored.copiedState
        var update = walk.gradients[step]
        restored.update(&update, at: walk.parameters[step], context(step))
        if update != walk.updates[step] { return ["\(O.name): its encoding does not hold all its state"] }
      }
    } catch { return ["\(O.name): its encoding cannot be read: \(error)"] }
    return []
  }

  private static func growth<O: Optimizer>(_ optimizer: O, _ walk: Walk) -> [String] {
    var growing = optimizer
    let grown = self.walk(&growing, extra: 20)
    if let violation = grown.violation(O.name) { return [violation] }
    let same = zip(grown.updates, walk.updates).allSatisfy { Array($0.array[..<50]) == $1.array }
    return same ? [] : ["\(O.name): parameters added later change the steps of the others"]
  }
}

extension Part {
  /// What is read back from the bytes of its state.
  var copiedState: Self {
    get throws { try StateDecoder.value(Self.self, from: StateEncoder.bytes(of: self)) }
  }
}
