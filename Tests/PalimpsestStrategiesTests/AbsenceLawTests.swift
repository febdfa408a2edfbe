import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// A method with strength 0 is a learner without it, bit for bit.
@Suite struct AbsenceLawTests {
  /// Each with what turns it off.
  private static let off: [(part: any StrategyPart.Type, settings: [String: ParameterValue])] = [
    (EWC.self, ["strength": .number("0")]),
    (EWC.self, ["strength": .number("0"), "mode": .string("online")]),
    (SynapticIntelligence.self, ["strength": .number("0")]),
    (MemoryAwareSynapses.self, ["strength": .number("0")]),
    (Distillation.self, ["alpha": .number("0")]),
    (Distillation.self, ["alpha": .number("0"), "weight": .string("tasks"), "form": .string("padded")]),
    (GradientClip.self, ["norm": .number("1e30")]),
    (ShrinkPerturb.self, ["keep": .number("1"), "sigma": .number("0")]),
    (ShrinkPerturb.self, ["keep": .number("1"), "sigma": .number("0"), "when": .string("step")]),
    (WeightAverage.self, [:]), (Gate.self, [:]), (PageHinkley.self, [:]), (ADWIN.self, [:]),
    (KSWIN.self, [:]), (AlarmEvery.self, [:]),
  ]

  @Test(arguments: off.indices)
  func `a part at strength 0 is its absence, bit for bit`(index: Int) throws {
    let (type, settings) = AbsenceLawTests.off[index]
    let part = try type.init(settings: settings)
    for optimizer in [SGD(), Adam()] as [any Optimizer] {
      #expect(AbsenceLaws.violations(of: part, beside: beside(part), optimizer: optimizer) == [])
    }
  }

  /// A gate that chooses ways needs ways to choose from.
  private func beside(_ part: any StrategyPart) -> [any StrategyPart] { Array(serving(part).dropFirst()) }

  @Test func `so it is beside other parts`() {
    var (ewc, distillation, memory) = (EWC(), Distillation(), Reservoir())
    (ewc.strength, distillation.alpha, memory.limits.capacity) = (0, 0, 13)
    #expect(AbsenceLaws.violations(of: ewc, beside: [SynapticIntelligence(), memory]) == [])
    #expect(AbsenceLaws.violations(of: distillation, beside: [memory, EWC(), Heads()]) == [])
  }

  /// Without distance and without second draw nothing comes back: the memory beside it is as good as none.
  @Test func `stored logits without either term are fine-tuning`() {
    var (dark, memory) = (DarkReplay(), Reservoir())
    (dark.alpha, dark.beta, memory.limits.capacity) = (0, 0, 13)
    #expect(AbsenceLaws.violations(of: dark, beside: [memory], comparedWith: []) == [])
    dark.beta = 0.75
    memory.replay.weighing = .added
    memory.replay.beta = 0.75
    #expect(AbsenceLaws.violations(of: dark, beside: [memory]) == [])
  }

  /// But for the heads that tasks with classes of their own get beside any isolation.
  @Test func `gates that are all open are none`() {
    var gating = ContextGating()
    gating.gated = 0
    #expect(AbsenceLaws.violations(of: gating).allSatisfy { $0.hasPrefix("xdg, split: ") })
    #expect(AbsenceLaws.violations(of: ContextGating()).contains { $0.hasPrefix("xdg, binary: ") })
  }

  @Test func `momentum 0 is plain descent, bit for bit`() throws {
    var (momentum, plain) = (Momentum(), SGD())
    (momentum.momentum, momentum.rate, plain.rate) = (0, 0.05, 0.05)
    #expect(AbsenceLaws.violations(of: Idle(), optimizer: plain) == [])
    let networks = try [momentum as any Optimizer, plain].map { optimizer in
      let setup = LearnerSetup(
        shape: TaskShape(inputs: 5, outputs: 3), hidden: [7], optimizer: optimizer, seed: Seed(3))
      var learner = try ComposedLearner(setup, [])
      let info = ExperienceInfo(index: 0, name: "a", outputs: 0..<3, seenOutputs: 0..<3, rows: 20)
      learner.begin(info)
      let batch = PenaltyWorld.rows(20, inputs: 5, labels: 0..<3).batch
      for step in 0..<10 { _ = learner.learn(batch, StepContext(experience: info, epoch: 0, step: step)) }
      return learner.model.parameters
    }
    #expect(networks[0] == networks[1])
  }

  /// Every part that has a strength does something at its default: otherwise its law says nothing.
  @Test func `at their defaults the same parts are there`() {
    let parts: [any StrategyPart] = [
      EWC(), SynapticIntelligence(), MemoryAwareSynapses(), Distillation(), GradientClip(), ShrinkPerturb(),
    ]
    for part in parts { #expect(AbsenceLaws.violations(of: part) != [], "\(type(of: part).name)") }
  }

  /// Of a public toolkit: a strength that is declared and read under another name.
  @Test func `a strength that is declared and never read is found`() {
    var part = Unread()
    part.strength = 0
    let said = AbsenceLaws.violations(of: part)
    #expect(said.first == "unread, binary: at strength 0 it is not its absence: parameter 0 is another behind task 1")
  }

  @Test func `a part that is off and still draws from the memory's numbers is found`() {
    var memory = Reservoir()
    memory.limits.capacity = 5
    #expect(AbsenceLaws.violations(of: Idle()) == [])
    #expect(AbsenceLaws.violations(of: Greedy(), beside: [memory]) != [])
  }
}

private struct Unread: Penalty {
  static let name = "unread"
  static let summary = "Pulls to 0 with a strength of its own."
  static let source = "For tests."
  @Parameter("Strength of the pull.", .atLeast(0)) var strength: Float = 1

  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    gradient.add(parameters, times: 0.1)
    return Float(0.05 * parameters.dot(parameters))
  }
}

private struct Idle: GradientTransform {
  static let name = "idle"
  static let summary = "Does nothing."
  static let source = "For tests."

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {}
}

private struct Greedy: GradientTransform {
  static let name = "greedy"
  static let summary = "Draws rows and leaves them, from the numbers that the memory draws from."
  static let source = "For tests."

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {
    _ = lender.draw(1)
  }
}
