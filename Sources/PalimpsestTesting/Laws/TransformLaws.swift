import PalimpsestCore

/// The laws of ``PalimpsestCore/GradientTransform``: 0 stays 0; the same gradient, with the same lent rows, gives the same result, from
/// a copy and from what is read back of its state too; the length stays, and finite numbers stay finite. So it is before any task has
/// ended and behind one. A projection is one: a second time it changes nothing, and no gradient comes out longer than it went in.
public enum TransformLaws {
  /// Takes a transform through two tasks, with yes-or-no labels and with classes, without a memory and beside one that holds rows,
  /// and checks it in each of them on zeros and on random gradients, short and long.
  ///
  /// - Parameter projects: it is a projection, or shortens like one (a limit on the length): T(T(g)) = T(g) to 1e-5 of ‖g‖, and
  ///   ‖T(g)‖ ≤ ‖g‖. False leaves that law out.
  /// - Returns: one sentence for each violation; empty where the laws hold.
  public static func violations(of transform: some GradientTransform, projects: Bool = false) -> [String] {
    [LawWorld.binary, .shared].flatMap { world in
      [EveryRow(), EveryRow(world.rows[0].batch)].flatMap { memory in
        var life = TransformLife(transform, world, memory)
        return [0, 1].flatMap { life.live($0, projects: projects) }
      }
    }
  }
}

private struct TransformLife<T: GradientTransform> {
  private var transform: T
  private var model: MLP
  private let world: LawWorld
  private let memory: EveryRow
  private var rng = Seed(42).stream("transform lives")

  init(_ transform: T, _ world: LawWorld, _ memory: EveryRow) {
    (self.transform, self.world, self.memory) = (transform, world, memory)
    model = world.setup(SGD()).makeModel()
  }

  /// Checks the transform within a task, takes some steps with it, and ends the task.
  mutating func live(_ index: Int, projects: Bool) -> [String] {
    transform.begin(world.tasks[index], model)
    let context = StepContext(experience: world.tasks[index], epoch: 0, step: 0)
    let violations = check(context, projects)
    for _ in 0..<3 { take(context) }
    transform.consolidate(world.ended(world.tasks[index], model), using: &rng)
    return violations
  }

  /// One step along a random gradient.
  private mutating func take(_ context: StepContext) {
    var (gradient, lender) = (FloatBuffer.normal(model.parameters.count, using: &rng), lender)
    transform.transform(&gradient, &lender, context)
    if gradient.count == model.parameters.count { model.parameters.add(gradient, times: -0.01) }
  }

  private var lender: Lender { Lender(model, memory, using: Seed(42).stream("lender")) }

  private func check(_ context: StepContext, _ projects: Bool) -> [String] {
    let what = "\(T.name), \(world.name), task \(context.experience.index + 1)"
    let zero = FloatBuffer(count: model.parameters.count)
    var violations = transformed(zero, context) == zero ? [] : ["\(what): zero does not stay zero"]
    for deviation in [1e-3, 1, 1e3] {
      var rng = Seed(41).stream("transform laws")
      var gradient = FloatBuffer.normal(zero.count, deviation: deviation, using: &rng)
      violations += check(gradient, context, projects, what)
      gradient.scale(by: -1)
      violations += check(gradient, context, projects, what)
    }
    return violations
  }

  private func check(
    _ gradient: FloatBuffer, _ context: StepContext, _ projects: Bool, _ what: String
  ) -> [String] {
    let result = transformed(gradient, context)
    guard result.count == gradient.count, result.array.allSatisfy(\.isFinite) else {
      return ["\(what): \(gradient.count) finite numbers become \(result.count), or not finite"]
    }
    var violations: [String] = []
    if transformed(gradient, context) != result {
      violations.append("\(what): the same gradient gives two results")
    }
    do {
      if try transformed(gradient, context, by: transform.copiedState) != result {
        violations.append("\(what): read back from its state it gives another result")
      }
    } catch { violations.append("\(what): its state cannot be read: \(error)") }
    return violations + (projects ? projection(gradient, result, context, what) : [])
  }

  private func projection(
    _ gradient: FloatBuffer, _ result: FloatBuffer, _ context: StepContext, _ what: String
  ) -> [String] {
    let length = gradient.dot(gradient).squareRoot()
    var violations: [String] = []
    if result.dot(result).squareRoot() > length * (1 + 1e-6) {
      violations.append("\(what): a gradient comes out longer than it went in")
    }
    var twice = transformed(result, context)
    twice.add(result, times: -1)
    if twice.dot(twice).squareRoot() > 1e-5 * length {
      violations.append("\(what): a second time it changes what it has projected")
    }
    return violations
  }

  private func transformed(_ gradient: FloatBuffer, _ context: StepContext, by other: T? = nil) -> FloatBuffer {
    var (transform, gradient, lender) = (other ?? transform, gradient, lender)
    transform.transform(&gradient, &lender, context)
    return gradient
  }
}
