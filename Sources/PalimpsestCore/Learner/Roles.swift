/// The parts of a composed learner, each in the place of its role: found once, when the learner is made.
struct Roles: Sendable {
  /// What every learner's rows are judged by.
  private let target: TaskTarget
  /// Beside the loss that belongs to the target.
  private var losses: [any OutputLoss] = []
  private var penalties: [any Penalty] = []
  private var transforms: [any GradientTransform] = []
  var memory: (any Memory)?
  var isolation: (any Isolation)?
  private(set) var bound: (any Bound)?
  private var plainOptimizer: (any Optimizer)?

  // Parts that the fused step may take over are held as what they are: a cast would copy them with all their vectors.
  private var fusedOptimizer: (any Optimizer & FusedPart)?
  /// The only penalty there is.
  private var fusedPenalty: (any Penalty & FusedPart)?

  /// A penalty wants the path: the data gradient is kept apart where nothing is fused.
  private(set) var observesPath = false
  /// Between gradient and update there is nothing but what the fused step knows.
  let canFuse: Bool

  init(_ parts: [any StrategyPart], _ optimizer: any Optimizer, _ target: TaskTarget) throws {
    self.target = target
    fusedOptimizer = optimizer as? any Optimizer & FusedPart
    if fusedOptimizer == nil { plainOptimizer = optimizer }
    canFuse =
      fusedOptimizer != nil && !parts.contains { $0 is any GradientTransform }
      && parts.count { $0 is any Penalty } == parts.count { $0 is any Penalty & FusedPart }
      && parts.count { $0 is any Penalty } <= 1
    for part in parts { try add(part) }
    observesPath = allPenalties.contains { ($0 as? any FusedPart)?.observesPath ?? true }
  }

  private mutating func add(_ part: any StrategyPart) throws {
    switch part {
    case let part as any Memory: try Roles.fill(&memory, part, "memories", "rows are replayed from one")
    case let part as any Isolation: try Roles.fill(&isolation, part, "isolations", "a row takes one route")
    case let part as any Bound: try Roles.fill(&bound, part, "bounds", "a bound says what is trained on")
    case let part as any Penalty & FusedPart where canFuse: fusedPenalty = part
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
    parts += allPenalties.map { $0 as any StrategyPart }
    parts += transforms.map { $0 as any StrategyPart }
    let single: [(any StrategyPart)?] = [memory, isolation, bound]
    return parts + single.compactMap { $0 }
  }

  var allPenalties: [any Penalty] { penalties + (fusedPenalty.map { [$0] } ?? []) }

  /// Puts others in the places of the parts; the optimiser stays.
  mutating func restore(_ parts: [any StrategyPart]) throws { self = try Roles(parts, optimizer, target) }

  // MARK: - A task

  mutating func begin(_ experience: ExperienceInfo, _ model: MLP) {
    for i in losses.indices { losses[i].begin(experience, model) }
    for i in penalties.indices { penalties[i].begin(experience, model) }
    fusedPenalty?.begin(experience, model)
    for i in transforms.indices { transforms[i].begin(experience, model) }
    memory?.begin(experience, model)
    isolation?.begin(experience, model)
  }

  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {
    for i in losses.indices { losses[i].consolidate(ended, using: &rng) }
    for i in penalties.indices { penalties[i].consolidate(ended, using: &rng) }
    fusedPenalty?.consolidate(ended, using: &rng)
    for i in transforms.indices { transforms[i].consolidate(ended, using: &rng) }
    memory?.consolidate(ended, using: &rng)
    isolation?.consolidate(ended, using: &rng)
  }

  // MARK: - The optimiser

  var optimizer: any Optimizer {
    get {
      guard let optimizer = fusedOptimizer ?? plainOptimizer else { preconditionFailure("there is no optimizer") }
      return optimizer
    }
    set {
      fusedOptimizer = newValue as? any Optimizer & FusedPart
      plainOptimizer = fusedOptimizer == nil ? newValue : nil
    }
  }

  mutating func resetOptimizer() {
    fusedOptimizer?.reset()
    plainOptimizer?.reset()
  }

  mutating func update(_ gradient: inout FloatBuffer, at parameters: FloatBuffer, _ context: StepContext) {
    fusedOptimizer?.update(&gradient, at: parameters, context)
    plainOptimizer?.update(&gradient, at: parameters, context)
  }

  /// Lends the vectors of optimiser and penalty to a step.
  /// - Parameter body: takes the step.
  /// - Returns: the penalty before the step.
  mutating func lend(to step: FusedStep, _ context: StepContext, _ body: (FusedStep) -> Double) -> Float {
    var penalty = 0.0
    _ = fusedOptimizer?.lend(to: step, context) { step in
      guard fusedPenalty != nil else { return body(step) }
      penalty = fusedPenalty?.lend(to: step, context, body) ?? 0
      return penalty
    }
    return Float(penalty)
  }

  // MARK: - The terms

  /// Leaves the derivative of all losses in `derivative`, whatever that held.
  /// - Returns: their value.
  mutating func differentiateLosses(_ logits: Matrix, _ rows: LossTarget, to derivative: inout Matrix) -> Double {
    var sum = differentiateBase(logits, rows, to: &derivative)
    for i in losses.indices { sum += losses[i].add(logits, rows, to: &derivative) }
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
    if let value = fusedPenalty?.add(at: parameters, to: &gradient) { sum += value }
    return sum
  }

  mutating func transform(_ gradient: inout FloatBuffer, _ context: StepContext) {
    for i in transforms.indices { transforms[i].transform(&gradient, context) }
  }

  mutating func observe(gradient: FloatBuffer, update: FloatBuffer) {
    for i in penalties.indices { penalties[i].observe(gradient: gradient, update: update) }
    fusedPenalty?.observe(gradient: gradient, update: update)
  }
}
