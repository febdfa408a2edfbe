/// The parts of a composed learner, each in the place of its role: found once, when the learner is made.
struct Roles: Sendable {
  /// Beside the loss that belongs to the target, or in its place.
  private var losses: [any OutputLoss] = []
  private var penalties: [any Penalty] = []
  private var transforms: [any GradientTransform] = []
  private var renewals: [any Renewal] = []
  var memory: (any Memory)?
  var isolation: (any Isolation)?
  private var predictor: (any Predictor)?
  private(set) var chooser: (any WayChooser)?
  private(set) var bound: (any Bound)?
  private var plainOptimizer: (any Optimizer)?
  private(set) var detector: (any DriftDetector)?

  // Parts that the fused step may take over are held as what they are: a cast would copy them with all their vectors.
  private var fusedOptimizer: (any Optimizer & FusedPart)?
  /// The only penalty there is.
  private var fusedPenalty: (any Penalty & FusedPart)?

  /// A penalty wants the path: the data gradient is kept apart where nothing is fused.
  private(set) var observesPath = false
  /// Between gradient and update there is nothing but what the fused step knows.
  let canFuse: Bool
  /// What losses want to see.
  let views: LossViews
  /// No loss stands in the base loss's place.
  private let addsBase: Bool

  // Whether a place is taken, asked in every step: a look at the place would copy what stands there.
  let remembers: Bool
  let predicts: Bool
  /// The memory looks at the network when it inserts or draws.
  let memoryLooks: Bool
  let observesActivity: Bool
  private let hasFusedPenalty: Bool

  init(_ parts: [any StrategyPart], _ optimizer: any Optimizer) throws {
    views = parts.reduce([]) { $0.union(($1 as? any OutputLoss)?.views ?? []) }
    addsBase = !parts.contains { ($0 as? any OutputLoss).map { type(of: $0).replacesBase } ?? false }
    fusedOptimizer = optimizer as? any Optimizer & FusedPart
    if fusedOptimizer == nil { plainOptimizer = optimizer }
    canFuse =
      fusedOptimizer != nil && !parts.contains { $0 is any GradientTransform }
      && parts.count { $0 is any Penalty } == parts.count { $0 is any Penalty & FusedPart }
      && parts.count { $0 is any Penalty } <= 1
    remembers = parts.contains { $0 is any Memory }
    predicts = parts.contains { $0 is any Predictor }
    memoryLooks = parts.contains { ($0 as? any Memory).map { type(of: $0).looks } ?? false }
    observesActivity = parts.contains { ($0 as? any Renewal)?.observesActivity ?? false }
    hasFusedPenalty = canFuse && parts.contains { $0 is any Penalty }
    for part in parts { try add(part) }
    observesPath = allPenalties.contains { ($0 as? any FusedPart)?.observesPath ?? true }
  }

  private mutating func add(_ part: any StrategyPart) throws {
    switch part {
    case let part as any Memory: try Roles.fill(&memory, part, "memories", "rows are replayed from one")
    case let part as any Isolation: try Roles.fill(&isolation, part, "isolations", "a row takes one route")
    case let part as any Bound: try Roles.fill(&bound, part, "bounds", "a bound says what is trained on")
    case let part as any Predictor: try Roles.fill(&predictor, part, "predictors", "one set of parameters predicts")
    case let part as any WayChooser: try Roles.fill(&chooser, part, "choosers of ways", "a row takes one way")
    case let part as any Renewal: renewals.append(part)
    case let part as any Penalty & FusedPart where canFuse: fusedPenalty = part
    case let part as any DriftDetector:
      try Roles.fill(&detector, part, "drift detectors", "an alarm is raised once")
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
    parts += renewals.map { $0 as any StrategyPart }
    let single: [(any StrategyPart)?] = [memory, isolation, predictor, chooser, bound, detector]
    return parts + single.compactMap { $0 }
  }

  /// What parts keep but rows: importances, anchors, teachers, averages.
  func bytesBesideRows(in layout: ParameterLayout) -> Int {
    parts.reduce(0) { $0 + ($1 is any Memory ? 0 : $1.bytes(in: layout)) }
  }

  var allPenalties: [any Penalty] { penalties + (fusedPenalty.map { [$0] } ?? []) }

  /// Puts others in the places of the parts; the optimiser stays.
  mutating func restore(_ parts: [any StrategyPart]) throws { self = try Roles(parts, optimizer) }

  /// Puts another in the place of the optimiser; the parts stay.
  mutating func take(_ optimizer: any Optimizer) {
    guard let roles = try? Roles(parts, optimizer) else { preconditionFailure("parts that were fine before") }
    self = roles
  }

  // MARK: - A task

  mutating func begin(_ experience: ExperienceInfo, _ model: MLP) {
    for i in losses.indices { losses[i].begin(experience, model) }
    for i in penalties.indices { penalties[i].begin(experience, model) }
    fusedPenalty?.begin(experience, model)
    for i in transforms.indices { transforms[i].begin(experience, model) }
    for i in renewals.indices { renewals[i].begin(experience, model) }
    memory?.begin(experience, model)
    isolation?.begin(experience, model)
    predictor?.begin(experience, model)
    chooser?.begin(experience, model)
    bound?.begin(experience, model)
    detector?.begin(experience, model)
  }

  /// - Parameter ledger: takes what each part charges.
  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random, _ ledger: inout Ledger) {
    var place = 0
    /// A part has done its work; nil: there is none in that place.
    func settle(_ part: Void?) {
      guard case .some = part else { return }
      ledger.charge(ended.takeCharges(), to: place)
      place += 1
    }
    for i in losses.indices { settle(losses[i].consolidate(ended, using: &rng)) }
    for i in penalties.indices { settle(penalties[i].consolidate(ended, using: &rng)) }
    settle(fusedPenalty?.consolidate(ended, using: &rng))
    for i in transforms.indices { settle(transforms[i].consolidate(ended, using: &rng)) }
    for i in renewals.indices { settle(renewals[i].consolidate(ended, using: &rng)) }
    settle(memory?.consolidate(ended, using: &rng))
    settle(isolation?.consolidate(ended, using: &rng))
    settle(predictor?.consolidate(ended, using: &rng))
    settle(chooser?.consolidate(ended, using: &rng))
    settle(bound?.consolidate(ended, using: &rng))
    settle(detector?.consolidate(ended, using: &rng))
  }

  /// Where in ``parts`` the transforms stand.
  private var placeOfTransforms: Int { losses.count + penalties.count + (hasFusedPenalty ? 1 : 0) }

  /// Where in ``parts`` the memory stands.
  var placeOfMemory: Int { placeOfTransforms + transforms.count + renewals.count }

  mutating func observe(_ outcome: Outcome) -> DriftSignal { detector?.observe(outcome) ?? .none }

  mutating func clearMemory(like fresh: Roles) { memory = fresh.memory }

  /// What belongs to weights that are gone.
  mutating func forgetWeights(like fresh: Roles) {
    predictor = fresh.predictor
    resetOptimizer()
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
    let pulls = hasFusedPenalty
    _ = fusedOptimizer?.lend(to: step, context) { step in
      guard pulls else { return body(step) }
      penalty = fusedPenalty?.lend(to: step, context, body) ?? 0
      return penalty
    }
    return Float(penalty)
  }

  // MARK: - The terms

  /// Leaves the derivative of all losses in `derivative`, whatever that held.
  /// - Parameters:
  ///   - rows: stay as they are; borrowed they would be copied.
  ///   - taught: what the teachers of each loss say of the rows.
  /// - Returns: their value.
  mutating func differentiateLosses(
    _ logits: Matrix, _ rows: inout LossRows, _ taught: [[Matrix]], to derivative: inout Matrix
  ) -> Double {
    var sum = 0.0
    if addsBase { sum = BaseLoss.differentiate(logits, rows, to: &derivative) } else { derivative.clear(rows.rows) }
    if !losses.isEmpty { sum += addLosses(logits, rows, taught, to: &derivative) }
    return sum
  }

  private mutating func addLosses(
    _ logits: Matrix, _ rows: LossRows, _ taught: [[Matrix]], to derivative: inout Matrix
  ) -> Double {
    var (own, sum) = (rows, 0.0)
    for i in losses.indices {
      own.teachers = taught[i]
      sum += losses[i].add(logits, own, to: &derivative)
    }
    return sum
  }

  /// There are losses that look at more than labels and weights.
  var looksBehindLogits: Bool { !losses.isEmpty }
  /// A part looks at the network or at the memory's rows.
  var borrows: Bool { !transforms.isEmpty || memoryLooks }
  /// The memory's rows serve a transform and are not replayed.
  var takesMemory: Bool { transforms.contains { type(of: $0).takesMemory } }

  var lossCount: Int { losses.count }

  func teachers(ofLoss index: Int) -> [Teacher] { losses[index].teachers }

  /// What a loss says of draws and shares.
  var shares: ReplayShares? { losses.lazy.compactMap(\.shares).first }

  mutating func addPenalties(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    var sum: Float = 0
    for i in penalties.indices { sum += penalties[i].add(at: parameters, to: &gradient) }
    if let value = fusedPenalty?.add(at: parameters, to: &gradient) { sum += value }
    return sum
  }

  mutating func transform(
    _ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext, _ ledger: inout Ledger
  ) {
    for i in transforms.indices {
      let before = lender.work
      transforms[i].transform(&gradient, &lender, context)
      ledger.chargePasses(lender.work - before, to: placeOfTransforms + i)
    }
  }

  // MARK: - Behind the update

  var renews: Bool { !renewals.isEmpty }

  /// Gives parameters other values, and has the optimiser forget what it kept of them.
  mutating func renew(
    _ model: inout MLP, within mask: ParameterMask, _ moment: RenewalMoment, using rng: inout Random
  ) {
    for i in renewals.indices {
      let ranges = renewals[i].renew(&model, within: mask, moment, using: &rng)
      guard !ranges.isEmpty && renewals[i].forgets else { continue }
      fusedOptimizer?.forget(ranges)
      plainOptimizer?.forget(ranges)
    }
  }

  /// What to predict with; nil: the network as it is.
  var predictingParameters: FloatBuffer? { predictor?.parameters }

  mutating func predictorObserves(_ parameters: FloatBuffer, _ context: StepContext) {
    predictor?.observe(parameters, context)
  }

  mutating func observe(gradient: FloatBuffer, update: FloatBuffer) {
    for i in penalties.indices { penalties[i].observe(gradient: gradient, update: update) }
    fusedPenalty?.observe(gradient: gradient, update: update)
  }
}
