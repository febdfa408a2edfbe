import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// Terms of the formula that do what none may do, and what a learner would trap on: the laws say who did what, and go on.
struct BrokenTermTests {
  @Test func `a penalty that cuts the gradient once it has an anchor is named`() {
    let said = LearnerLaws.violations(of: [LatePenalty()])
    #expect(said.first == "binary, late-penalty: 128 parameters get a gradient of 127 elements")
    #expect(said.count == 3 && CheckpointLaws.violations(of: [LatePenalty()]) == said)
    #expect(
      PenaltyLaws.violations(of: LatePenalty()).first?.hasPrefix("late-penalty after task 1: a gradient of ") == true)
  }

  @Test func `a transform that loses an element in its second task is named`() {
    let said = LearnerLaws.violations(of: [LateTransform()])
    #expect(said.first == "binary, late-transform: 128 parameters get a gradient of 127 elements")
  }

  @Test func `an optimiser that loses an update in a later step is named`() {
    #expect(OptimizerLaws.violations(of: LateOptimizer()) == ["late-optimizer: 49 updates for 50 parameters in step 4"])
    let said = LearnerLaws.violations(of: [], optimizer: LateOptimizer())
    #expect(said.first == "late-optimizer, binary: 192 parameters get an update of 191 elements")
  }

  @Test func `a loss that turns the derivative round in its second task is named`() {
    let said = LearnerLaws.violations(of: [LateLoss()])
    #expect(said.first?.hasPrefix("binary, late-loss: a gradient of 8 × 1 becomes one of 1 × 8") == true)
  }

  @Test func `a loss whose teacher has another network's way is named`() {
    let said = LearnerLaws.violations(of: [StrayTeacher()])
    #expect(said.first == "binary, stray-teacher: its teacher's way cannot be taken: 9 inputs, the network has 5")
  }

  @Test func `a renewal that names parameters there are none of is named`() {
    let said = "it names parameters 90..<200 of 128"
    #expect(LearnerLaws.violations(of: [StrayRenewal()]).first == "binary, stray-renewal: " + said)
    #expect(
      RenewalLaws.violations(of: StrayRenewal()).first?.hasPrefix("stray-renewal: it names parameters 90..<200 of")
        == true)
  }

  @Test func `a part that takes back work is named`() {
    #expect(
      LearnerLaws.violations(of: [Refund()]).first == "refund, binary: refund had -5 of what is never negative")
  }
}

private struct LatePenalty: Penalty {
  static let name = "late-penalty"
  static let summary = "Cuts the gradient short behind the first task."
  static let source = "For tests."
  private var isLate = false

  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) { isLate = true }

  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    if isLate { gradient.resize(to: gradient.count - 1) }
    return 0
  }
}

private struct LateTransform: GradientTransform {
  static let name = "late-transform"
  static let summary = "Cuts the gradient short behind the first task."
  static let source = "For tests."
  private var isLate = false

  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) { isLate = true }

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {
    if isLate { gradient.resize(to: gradient.count - 1) }
  }
}

private struct LateOptimizer: Optimizer {
  static let name = "late-optimizer"
  static let summary = "Loses an update in its fourth step."
  static let source = "For tests."
  private var steps = 0

  mutating func update(_ gradient: inout FloatBuffer, at parameters: FloatBuffer, _ context: StepContext) {
    steps += 1
    gradient.scale(by: -0.01)
    if steps >= 4 { gradient.resize(to: gradient.count - 1) }
  }

  mutating func reset() { steps = 0 }
}

private struct LateLoss: OutputLoss {
  static let name = "late-loss"
  static let summary = "Turns the derivative round behind the first task."
  static let source = "For tests."
  private var isLate = false

  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) { isLate = true }

  mutating func add(_ logits: Matrix, _ rows: LossRows, to gradient: inout Matrix) -> Double {
    if isLate { gradient = Matrix(rows: gradient.columns, columns: gradient.rows) }
    return 0
  }
}

private struct StrayTeacher: OutputLoss {
  static let name = "stray-teacher"
  static let summary = "Asks a teacher of other inputs."
  static let source = "For tests."

  var teachers: [Teacher] {
    var rng = Seed(1).stream("teacher")
    let model = MLP(shape: TaskShape(inputs: 9, outputs: 1), hidden: [3], using: &rng)
    return [Teacher(parameters: model.parameters, way: model.plainProgram)]
  }

  mutating func add(_ logits: Matrix, _ rows: LossRows, to gradient: inout Matrix) -> Double { 0 }
}

private struct StrayRenewal: Renewal {
  static let name = "stray-renewal"
  static let summary = "Names parameters that are not there."
  static let source = "For tests."

  mutating func renew(
    _ model: inout MLP, within mask: ParameterMask, _ moment: RenewalMoment, using rng: inout Random
  ) -> [Range<Int>] { [90..<200] }
}

private struct Refund: Penalty {
  static let name = "refund"
  static let summary = "Charges less than nothing."
  static let source = "For tests."

  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) { ended.charge(Work(multiplyAdds: -5)) }
  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float { 0 }
}
