import PalimpsestCore

/// The laws of ``PalimpsestCore/GradientTransform``: 0 stays 0; the same gradient, with the same lent rows, gives the same result; the
/// length stays.
public enum TransformLaws {
  /// Checks a transform on zeros and on random gradients, short and long, without a memory and beside one that holds rows.
  ///
  /// - Returns: one sentence for each violation; empty where the laws hold.
  public static func violations<T: GradientTransform>(of transform: T) -> [String] {
    [EveryRow(), EveryRow(LawWorld.binary.rows[0].batch)].flatMap { violations(of: transform, beside: $0) }
  }

  private static func violations<T: GradientTransform>(of transform: T, beside memory: EveryRow) -> [String] {
    let task = LawWorld.binary.tasks[1]
    let model = LawWorld.binary.setup(SGD()).makeModel()
    var begun = transform
    begun.begin(task, model)
    let context = StepContext(experience: task, epoch: 0, step: 0)
    let zero = FloatBuffer(count: model.parameters.count)
    let lender = Lender(model, memory, using: Seed(42).stream("lender"))
    var violations: [String] = []
    if transformed(begun, zero, lender, context) != zero { violations.append("\(T.name): zero does not stay zero") }
    for deviation in [1e-3, 1, 1e3] {
      var rng = Seed(41).stream("transform laws")
      let gradient = FloatBuffer.normal(zero.count, deviation: deviation, using: &rng)
      let result = transformed(begun, gradient, lender, context)
      if result != transformed(begun, gradient, lender, context) {
        violations.append("\(T.name): the same gradient gives two results")
      }
      if result.count != gradient.count || !result.array.allSatisfy(\.isFinite) {
        violations.append("\(T.name): \(gradient.count) finite numbers become \(result.count), or not finite")
      }
    }
    return violations
  }

  private static func transformed(
    _ transform: some GradientTransform, _ gradient: FloatBuffer, _ lender: Lender, _ context: StepContext
  ) -> FloatBuffer {
    var (transform, gradient, lender) = (transform, gradient, lender)
    transform.transform(&gradient, &lender, context)
    return gradient
  }
}
