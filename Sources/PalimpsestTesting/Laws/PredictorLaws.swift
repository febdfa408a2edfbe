import PalimpsestCore

/// The laws of ``PalimpsestCore/Predictor``: its parameters are as long as the network's or shorter; before the first step they are the
/// network's; they lie where the network has been; the same steps give the same bits.
public enum PredictorLaws {
  /// Takes a predictor along forty steps of a network that grows in between.
  ///
  /// - Returns: one sentence for each violation; empty where the laws hold.
  public static func violations<P: Predictor>(of predictor: P) -> [String] {
    let (once, violations) = walk(predictor)
    return violations + (walk(predictor).0 == once ? [] : ["\(P.name): the same steps give two results"])
  }

  private static func walk<P: Predictor>(_ fresh: P) -> (FloatBuffer?, [String]) {
    var (predictor, rng) = (fresh, Seed(62).stream("predictor laws"))
    var model = LawWorld.shared.setup(SGD()).makeModel()
    predictor.begin(LawWorld.shared.tasks[0], model)
    if let start = predictor.parameters, !agree(start, model.parameters) {
      return (nil, ["\(P.name): before the first step its parameters are not the network's"])
    }
    var (least, most) = (model.parameters, model.parameters)
    for step in 0..<40 {
      if step == 20 { _ = model.addLayer("late", inputs: 4, outputs: 2, isOutput: true, using: &rng) }
      model.parameters.add(.normal(model.parameters.count, deviation: 0.1, using: &rng))
      least.extend(to: model.parameters) { min($0, $1) }
      most.extend(to: model.parameters) { max($0, $1) }
      predictor.observe(
        model.parameters, StepContext(experience: LawWorld.shared.tasks[0], epoch: 0, step: step))
      guard let parameters = predictor.parameters else { continue }
      guard parameters.count <= model.parameters.count else {
        return (nil, ["\(P.name): \(parameters.count) parameters of \(model.parameters.count)"])
      }
      let outside = (0..<parameters.count).first { i in
        parameters[i] < least[i] - 1e-4 || parameters[i] > most[i] + 1e-4 || !parameters[i].isFinite
      }
      if let outside { return (nil, ["\(P.name): parameter \(outside) lies where the network has never been"]) }
    }
    return (predictor.parameters, [])
  }

  private static func agree(_ a: FloatBuffer, _ b: FloatBuffer) -> Bool {
    a.count <= b.count && (0..<a.count).allSatisfy { a[$0].bitPattern == b[$0].bitPattern }
  }
}

extension FloatBuffer {
  /// Takes in another vector, which may be longer.
  fileprivate mutating func extend(to other: FloatBuffer, _ f: (Float, Float) -> Float) {
    let known = count
    resize(to: other.count)
    for i in 0..<other.count { self[i] = i < known ? f(self[i], other[i]) : other[i] }
  }
}
