import PalimpsestCore

/// The laws of ``PalimpsestCore/GradientTransform``: 0 stays 0; the same gradient gives the same result; the length
/// stays.
public enum TransformLaws {
  /// Checks a transform on zeros and on random gradients, short and long.
  ///
  /// - Returns: one sentence for each violation; empty where the laws hold.
  public static func violations<T: GradientTransform>(of transform: T) -> [String] {
    let task = LawWorld.binary.tasks[0]
    let model = LawWorld.binary.setup(SGD()).makeModel()
    var begun = transform
    begun.begin(task, model)
    let context = StepContext(experience: task, epoch: 0, step: 0)
    let zero = FloatBuffer(count: model.parameters.count)
    var violations: [String] = []
    if transformed(begun, zero, context) != zero { violations.append("\(T.name): zero does not stay zero") }
    for deviation in [1e-3, 1, 1e3] {
      var rng = Seed(41).stream("transform laws")
      let gradient = FloatBuffer.normal(zero.count, deviation: deviation, using: &rng)
      let result = transformed(begun, gradient, context)
      if result != transformed(begun, gradient, context) {
        violations.append("\(T.name): the same gradient gives two results")
      }
      if result.count != gradient.count || !result.array.allSatisfy(\.isFinite) {
        violations.append("\(T.name): \(gradient.count) finite numbers become \(result.count), or not finite")
      }
    }
    return violations
  }

  private static func transformed(
    _ transform: some GradientTransform, _ gradient: FloatBuffer, _ context: StepContext
  ) -> FloatBuffer {
    var (transform, gradient) = (transform, gradient)
    transform.transform(&gradient, context)
    return gradient
  }
}
