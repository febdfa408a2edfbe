import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// The laws of every part in the list: a new part is checked by being there.
@Suite struct LawTests {
  @Test(arguments: standardParts.indices)
  func `every part keeps the laws of a learner`(index: Int) {
    #expect(LearnerLaws.violations(of: serving(standardParts[index].init())) == [])
  }

  @Test(arguments: standardParts.indices)
  func `every part keeps the laws of its role`(index: Int) {
    #expect(roleViolations(standardParts[index].init()) == [])
  }

  @Test func `parts of different roles combine`() {
    let combinations: [[any StrategyPart]] = [
      [EWC(), Reservoir()], [EWC(), SynapticIntelligence(), GradientClip()], [Adapters(), Reservoir(), EWC()],
      [Heads(), SynapticIntelligence()], [LowRankAdapters(), GradientClip()], [Joint(), Heads()], [Scratch(), EWC()],
    ]
    for parts in combinations { #expect(LearnerLaws.violations(of: parts) == []) }
  }

  @Test(arguments: standardParts.indices)
  func `every part goes on from a checkpoint with the same bits`(index: Int) {
    #expect(CheckpointLaws.violations(of: serving(standardParts[index].init())) == [])
  }

  @Test(arguments: standardOptimizers.indices)
  func `every optimiser goes on from a checkpoint with the same bits`(index: Int) {
    #expect(CheckpointLaws.violations(of: [], optimizer: standardOptimizers[index].init()) == [])
  }

  /// Small stores, so that rows are displaced; stores for each class and task.
  @Test func `combinations and settings go on from a checkpoint with the same bits`() {
    var (reservoir, ring, balanced, herding) = (Reservoir(), Ring(), ClassBalanced(), Herding())
    (reservoir.limits.capacity, reservoir.insertion.insert) = (13, .everyEpoch)
    (ring.limits.capacity, ring.limits.per) = (5, .perClass)
    (balanced.limits.capacity, balanced.limits.per) = (11, .perTask)
    herding.limits.capacity = 17
    var (online, heads) = (EWC(), Heads())
    (online.mode, online.decay, online.fisher.fisherLabels) = (.online, 0.5, .sampled)
    (heads.old, heads.headStart) = (.frozen, .copy)
    let combinations: [[any StrategyPart]] = [
      [EWC(), reservoir, Adapters()], [online, SynapticIntelligence(), GradientClip(), ring], [heads, balanced],
      [LowRankAdapters(), herding, SynapticIntelligence()], [Joint(), Heads()], [Scratch(), online, reservoir],
      [BiasOnly(), EWC()], [Frozen(), SynapticIntelligence()],
    ]
    for parts in combinations {
      #expect(CheckpointLaws.violations(of: parts) == [])
      #expect(CheckpointLaws.violations(of: parts, optimizer: Momentum()) == [])
    }
  }

  @Test func `a part that keeps state beside its encoding is found`() {
    #expect(CheckpointLaws.violations(of: [ForgetfulPenalty()]).count >= 3)
  }

  /// With weight decay, so that no term of the rules is 0.
  private static var optimizers: [any Optimizer] {
    var (sgd, momentum, nesterov, adam) = (SGD(), Momentum(), Momentum(), Adam())
    (sgd.decay, momentum.decay, nesterov.decay, adam.decay, nesterov.nesterov) = (0.01, 0.01, 0.01, 0.01, true)
    var adamW = AdamW()
    (adamW.decay, adamW.schedule.schedule, adamW.schedule.warmup) = (0.5, .cosine, 3)
    return [SGD(), sgd, momentum, nesterov, Adam(), adam, adamW]
  }

  @Test(arguments: optimizers.indices)
  func `the fused pass gives the bits of the passes one by one`(index: Int) {
    var online = EWC()
    (online.mode, online.decay) = (.online, 0.5)
    let combinations: [[any StrategyPart]] = [
      [], [EWC()], [online], [SynapticIntelligence()], [EWC(), Reservoir()], [Heads(), SynapticIntelligence()],
      [Adapters(), EWC()], [LowRankAdapters(), SynapticIntelligence()], [BiasOnly(), EWC()], [LastLayer()],
      [EWC(), SynapticIntelligence()], [Scratch(), SynapticIntelligence()],
    ]
    for parts in combinations {
      #expect(FusionLaws.violations(of: parts, optimizer: LawTests.optimizers[index]) == [])
    }
  }

  @Test(arguments: standardParts.indices.filter { !(standardParts[$0] is any WholeLearner.Type) })
  func `every part gives the same bits fused and not`(index: Int) {
    #expect(FusionLaws.violations(of: serving(standardParts[index].init())) == [])
  }

  @Test func `names are taken once`() {
    let names = standardParts.map { $0.name } + standardOptimizers.map { $0.name }
    #expect(Set(names).count == names.count)
  }

  @Test func `plain gradient descent is its closed form`() {
    var sgd = SGD()
    (sgd.rate, sgd.decay) = (0.25, 0.5)
    // u = −¼ (g + ½ θ)
    #expect(OptimizerLaws.violations(of: sgd) { g, theta in -0.25 * (g[g.count - 1] + 0.5 * theta[g.count - 1]) } == [])
  }

  @Test(arguments: [false, true])
  func `momentum is its closed form`(nesterov: Bool) {
    var momentum = Momentum()
    (momentum.rate, momentum.momentum, momentum.decay, momentum.nesterov) = (0.25, 0.5, 0.125, nesterov)
    // v_t = Σ_s ½^(t−s) (g_s + ⅛ θ_s);  u = −¼ v, or looking ahead −¼ (g_t + ⅛ θ_t + ½ v).
    let form: OptimizerLaws.ClosedForm = { g, theta in
      let decayed = zip(g, theta).map { $0 + 0.125 * $1 }
      let v = decayed.reduce(0) { 0.5 * $0 + $1 }
      return -0.25 * (nesterov ? decayed[decayed.count - 1] + 0.5 * v : v)
    }
    #expect(OptimizerLaws.violations(of: momentum, closedForm: form) == [])
  }

  @Test func `adam is its closed form`() {
    var adam = Adam()
    (adam.rate, adam.beta1, adam.beta2, adam.epsilon, adam.decay) = (0.01, 0.75, 0.9375, 0.001, 0.125)
    // m = (1 − β₁) Σ β₁^(t−s) g_s, v likewise of squares; u = −rate · m / (1 − β₁ᵗ) / (√(v / (1 − β₂ᵗ)) + ε)
    let form: OptimizerLaws.ClosedForm = { g, theta in
      let decayed = zip(g, theta).map { $0 + 0.125 * $1 }
      let m = decayed.reduce(0) { 0.75 * $0 + 0.25 * $1 }
      let v = decayed.reduce(0) { 0.9375 * $0 + 0.0625 * $1 * $1 }
      let (power1, power2) = decayed.reduce((1.0, 1.0)) { power, _ in (power.0 * 0.75, power.1 * 0.9375) }
      return -0.01 * (m / (1 - power1)) / ((v / (1 - power2)).squareRoot() + 0.001)
    }
    #expect(OptimizerLaws.violations(of: adam, closedForm: form) == [])
  }

  @Test func `adamw is its closed form, and its decay is no part of the moments`() {
    var adam = AdamW()
    (adam.rate, adam.beta1, adam.beta2, adam.epsilon, adam.decay) = (0.25, 0.75, 0.9375, 0.001, 0.5)
    // As above with g alone; u = −¼ (m̂ / (√v̂ + ε) + ½ θ)
    let form: OptimizerLaws.ClosedForm = { g, theta in
      let m = g.reduce(0) { 0.75 * $0 + 0.25 * $1 }
      let v = g.reduce(0) { 0.9375 * $0 + 0.0625 * $1 * $1 }
      let (power1, power2) = g.reduce((1.0, 1.0)) { power, _ in (power.0 * 0.75, power.1 * 0.9375) }
      let step = m / (1 - power1) / ((v / (1 - power2)).squareRoot() + 0.001)
      return -0.25 * (step + 0.5 * theta[theta.count - 1])
    }
    #expect(OptimizerLaws.violations(of: adam, closedForm: form) == [])
    var coupled = Adam()
    (coupled.rate, coupled.beta1, coupled.beta2, coupled.epsilon, coupled.decay) = (0.25, 0.75, 0.9375, 0.001, 0.5)
    #expect(OptimizerLaws.violations(of: coupled, closedForm: form) != [])
  }

  @Test func `adamw without decay is adam, bit for bit`() throws {
    var adamW = AdamW()
    adamW.decay = 0
    let optimizers: [any Optimizer] = [Adam(), adamW]
    let networks = try optimizers.map { try trained($0, steps: 20) }
    #expect(networks[0].parameters == networks[1].parameters)
    #expect(try trained(AdamW(), steps: 20).parameters != networks[0].parameters)
  }

  /// A small network after some steps on rows of its own.
  private func trained(_ optimizer: any Optimizer, steps: Int) throws -> MLP {
    let info = ExperienceInfo(index: 0, name: "a", outputs: 0..<2, seenOutputs: 0..<2, rows: 2)
    var learner = try ComposedLearner(
      LearnerSetup(shape: TaskShape(inputs: 2, outputs: 2), hidden: [5], optimizer: optimizer, seed: Seed(4)), [])
    learner.begin(info)
    let batch = Rows(Matrix([[1, 2], [-1, 0.5]]), labels: [0, 1], experience: 0).batch
    for step in 0..<steps {
      _ = learner.learn(batch, StepContext(experience: info, epoch: 0, step: step, steps: steps))
    }
    return learner.model
  }

  @Test(arguments: standardOptimizers.indices)
  func `every optimiser resets, resumes and grows, with a schedule too`(index: Int) throws {
    let settings: [[String: ParameterValue]] = [
      [:], ["schedule": .string("cosine"), "warmup": .number("2")],
      ["schedule": .string("linear"), "scheduleOver": .string("run"), "floor": .number("0.5")],
    ]
    for settings in settings {
      let optimizer = try standardOptimizers[index].init(settings: settings)
      #expect(OptimizerLaws.violations(of: optimizer) == [])
      #expect(LearnerLaws.violations(of: [], optimizer: optimizer) == [])
      #expect(CheckpointLaws.violations(of: [], optimizer: optimizer) == [])
    }
  }

  @Test func `cross-entropy is the derivative of its value`() {
    #expect(OutputLossLaws.violations(of: CrossEntropy()) == [])
  }

  private func roleViolations(_ part: any StrategyPart) -> [String] {
    switch part {
    case let part as any Penalty: PenaltyLaws.violations(of: part)
    case let part as any OutputLoss: OutputLossLaws.violations(of: part)
    case let part as any GradientTransform: TransformLaws.violations(of: part)
    case let part as any Isolation: IsolationLaws.violations(of: part)
    case let part as any Memory: MemoryLaws.check(part)
    case let part as any Renewal: RenewalLaws.violations(of: part)
    case let part as any Predictor: PredictorLaws.violations(of: part)
    case let part as any WayChooser: WayChooserLaws.violations(of: part)
    case let part as any DriftDetector: DetectorLaws.violations(of: part)
    case let part as any Bound: BoundLaws.violations(of: part)
    case is any WholeLearner: []
    default: ["\(type(of: part).name) plays no role"]
    }
  }
}

/// A part with what it says it needs beside it.
func serving(_ part: any StrategyPart) -> [any StrategyPart] {
  let setup = LearnerSetup(shape: TaskShape(inputs: 2, outputs: 3), hidden: [3], seed: Seed(1))
  var reservoir = Reservoir()
  reservoir.limits.capacity = 13
  let companions: [[any StrategyPart]] = [[], [reservoir], [Heads()]]
  return companions.map { [part] + $0 }.first { setup.problem(with: $0) == nil } ?? [part]
}

/// The laws hold for every setting that changes what a part does, not only for its defaults.
@Suite struct SettingLawTests {
  @Test(arguments: EWC.Mode.allCases, Fisher.Labels.allCases)
  func `elastic weight consolidation keeps the laws in every mode`(mode: EWC.Mode, labels: Fisher.Labels) {
    for reduction in Fisher.Reduction.allCases {
      var ewc = EWC()
      (ewc.mode, ewc.decay, ewc.fisher.fisherLabels, ewc.fisher.fisherReduction) = (mode, 0.5, labels, reduction)
      ewc.fisher.fisherSamples = 30
      #expect(PenaltyLaws.violations(of: ewc) == [])
      #expect(LearnerLaws.violations(of: [ewc]) == [])
    }
  }

  @Test(arguments: [SynapticIntelligence.Clamp.accumulated, .increment])
  func `synaptic intelligence keeps the laws wherever it clamps`(clamp: SynapticIntelligence.Clamp) {
    var si = SynapticIntelligence()
    si.clamp = clamp
    #expect(PenaltyLaws.violations(of: si) == [])
  }

  @Test func `isolations keep the laws in every setting`() {
    var (heads, adapters, last, factors) = (Heads(), Adapters(), LastLayer(), LowRankAdapters())
    (heads.old, heads.headStart) = (.frozen, .copy)
    (adapters.head, adapters.rank) = (false, 5)
    last.headStart = .fresh
    (factors.rank, factors.alpha) = (1, 8)
    let settings: [any Isolation] = [heads, adapters, last, factors]
    for isolation in settings { #expect(IsolationLaws.violations(of: isolation) == []) }
  }
}

/// Pulls to 0 more strongly with each step, and does not encode how many there were.
private struct ForgetfulPenalty: Penalty {
  static let name = "forgetful"
  static let summary = "Breaks the law of checkpoints."
  static let source = "For tests."

  private var steps = 0
  private enum CodingKeys: CodingKey {}

  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    steps += 1
    return 0.001 * Float(steps)
  }

  mutating func observe(gradient: FloatBuffer, update: FloatBuffer) {}
  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) { if steps > 7 { _ = rng.next() } }
}
