/// The parts of a composed learner, each in the place of its role: found once, when the learner is made.
struct Roles: Sendable {
  /// What every learner has, by what the outputs stand for.
  private let target: TaskTarget
  /// Beside it.
  private(set) var losses: [any OutputLoss] = []
  private(set) var penalties: [any Penalty] = []
  private(set) var transforms: [any GradientTransform] = []
  var memory: (any Memory)?
  var isolation: (any Isolation)?
  private(set) var bound: (any Bound)?
  /// A penalty wants the path: the data gradient is kept apart.
  private(set) var observesPath = false
  /// There is nothing between gradient and update but one quadratic pull, or not even that.
  private(set) var isQuadratic = false

  init(_ parts: [any StrategyPart], _ target: TaskTarget) throws {
    self.target = target
    for part in parts { try add(part) }
    observesPath = penalties.contains { type(of: $0).observesPath }
    isQuadratic =
      transforms.isEmpty && penalties.count <= 1 && penalties.allSatisfy { type(of: $0) is any QuadraticPenalty.Type }
  }

  private mutating func add(_ part: any StrategyPart) throws {
    switch part {
    case let part as any Memory: try Roles.fill(&memory, part, "memories", "rows are replayed from one")
    case let part as any Isolation: try Roles.fill(&isolation, part, "isolations", "a row takes one route")
    case let part as any Bound: try Roles.fill(&bound, part, "bounds", "a bound says what is trained on")
    case let part as any Penalty: penalties.append(part)
    case let part as any OutputLoss: losses.append(part)
    case let part as any GradientTransform: transforms.append(part)
    default:
      throw CompositionError("\"\(type(of: part).name)\" plays no role in a strategy")
    }
  }

  private static func fill<T>(_ place: inout T?, _ part: T, _ kind: String, _ why: String) throws {
    if let taken = place as? any StrategyPart, let new = part as? any StrategyPart {
      throw CompositionError(
        "two \(kind), \"\(type(of: taken).name)\" and \"\(type(of: new).name)\": \(why); keep one of them")
    }
    place = part
  }

  /// The parts given, role by role, as they are now.
  var parts: [any StrategyPart] {
    var parts: [any StrategyPart] = []
    parts += losses.map { $0 as any StrategyPart }
    parts += penalties.map { $0 as any StrategyPart }
    parts += transforms.map { $0 as any StrategyPart }
    let single: [(any StrategyPart)?] = [memory, isolation, bound]
    return parts + single.compactMap { $0 }
  }

  mutating func begin(_ experience: ExperienceInfo, _ model: MLP) {
    for i in losses.indices { losses[i].begin(experience, model) }
    for i in penalties.indices { penalties[i].begin(experience, model) }
    for i in transforms.indices { transforms[i].begin(experience, model) }
    memory?.begin(experience, model)
    isolation?.begin(experience, model)
  }

  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {
    for i in losses.indices { losses[i].consolidate(ended, using: &rng) }
    for i in penalties.indices { penalties[i].consolidate(ended, using: &rng) }
    for i in transforms.indices { transforms[i].consolidate(ended, using: &rng) }
    memory?.consolidate(ended, using: &rng)
    isolation?.consolidate(ended, using: &rng)
  }

  /// Leaves the derivative of all losses in `derivative`, whatever that held.
  /// - Returns: their value.
  mutating func differentiateLosses(_ logits: Matrix, _ target: LossTarget, to derivative: inout Matrix) -> Double {
    var sum = differentiateBase(logits, target, to: &derivative)
    for i in losses.indices { sum += losses[i].add(logits, target, to: &derivative) }
    return sum
  }

  private func differentiateBase(_ logits: Matrix, _ rows: LossTarget, to derivative: inout Matrix) -> Double {
    switch target {
    case .binary, .classes: return CrossEntropy.differentiate(logits, rows, to: &derivative)
    case .multiLabel:
      derivative.clear()
      var loss = MultiLabelCrossEntropy()
      return loss.add(logits, rows, to: &derivative)
    case .values:
      derivative.clear()
      var loss = SquaredError()
      return loss.add(logits, rows, to: &derivative)
    }
  }

  mutating func addPenalties(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    var sum: Float = 0
    for i in penalties.indices { sum += penalties[i].add(at: parameters, to: &gradient) }
    return sum
  }

  /// What the one quadratic penalty pulls to now.
  var pull: QuadraticPull? { isQuadratic ? penalties.first?.pull : nil }

  /// Lends the path that the one quadratic penalty keeps, if it keeps one.
  /// - Returns: the path, to be held until the update has run: its address has been taken.
  mutating func lendPath(to update: inout FusedUpdate) -> FloatBuffer? {
    guard observesPath else { return nil }
    return penalties[0].withPath { path in
      update.keep(&path)
      return path
    }
  }

  mutating func transform(_ gradient: inout FloatBuffer, _ context: StepContext) {
    for i in transforms.indices { transforms[i].transform(&gradient, context) }
  }

  mutating func observe(gradient: FloatBuffer, update: FloatBuffer) {
    for i in penalties.indices { penalties[i].observe(gradient: gradient, update: update) }
  }
}
