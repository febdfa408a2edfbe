import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// Parts that give back other lengths than they were given: the laws say so, and nothing traps.
struct ShapeLawTests {
  @Test func `a penalty that cuts the gradient short is named by every law`() {
    let said = LearnerLaws.violations(of: [ShortPenalty()])
    #expect(
      said.first?.hasPrefix("short-penalty, binary: ") == true && said.first?.contains(" get a gradient of ") == true)
    #expect(CheckpointLaws.violations(of: [ShortPenalty()]) == said)
    #expect(FusionLaws.violations(of: [ShortPenalty()]) == said)
    #expect(PenaltyLaws.violations(of: ShortPenalty()).first?.hasPrefix("short-penalty before any task: ") == true)
  }

  @Test func `an optimiser that knows no later parameters is named`() {
    #expect(OptimizerLaws.violations(of: FixedOptimizer()) == ["fixed-optimizer: 50 updates for 70 parameters"])
    #expect(LearnerLaws.violations(of: [], optimizer: FixedOptimizer()).count == 3)
  }

  @Test func `a loss that makes another gradient is named`() {
    #expect(
      OutputLossLaws.violations(of: TallLoss()).first
        == "tall-loss, 1 columns, outputs 0..<1, rows 0..<6: a gradient of 6 × 1 became one of 7 × 1")
    #expect(
      LearnerLaws.violations(of: [TallLoss()]).first == "tall-loss, binary: a gradient of 3 × 1 becomes one of 4 × 1")
  }

  @Test func `an isolation whose mask lies outside the network is named`() {
    let said = IsolationLaws.violations(of: WideMask(), under: [SGD()])
    #expect(said.first?.contains("task 1: the mask's ranges are out of order or outside the vector") == true)
    #expect(LearnerLaws.violations(of: [WideMask()]).first?.hasPrefix("wide-mask, binary: task 1: the mask's") == true)
  }

  @Test(arguments: standardParts.indices)
  func `every part gives back the lengths it was given`(index: Int) {
    #expect(ShapeLaws.violations(of: [standardParts[index].init()]) == [])
  }
}

private struct ShortPenalty: Penalty {
  static let name = "short-penalty"
  static let summary = "Cuts the gradient short."
  static let source = "For tests."

  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    gradient.resize(to: gradient.count - 1)
    return 0
  }
}

private struct FixedOptimizer: Optimizer {
  static let name = "fixed-optimizer"
  static let summary = "Knows the parameters of its first step."
  static let source = "For tests."

  private var count: Int?

  mutating func update(_ gradient: inout FloatBuffer, at parameters: FloatBuffer, _ context: StepContext) {
    let known = count ?? gradient.count
    count = known
    gradient.resize(to: known)
  }

  mutating func reset() { count = nil }
}

private struct TallLoss: OutputLoss {
  static let name = "tall-loss"
  static let summary = "Adds a row to the gradient."
  static let source = "For tests."

  mutating func add(_ logits: Matrix, _ target: LossRows, to gradient: inout Matrix) -> Double {
    gradient = Matrix(rows: gradient.rows + 1, columns: gradient.columns)
    return 0
  }
}

private struct WideMask: Isolation {
  static let name = "wide-mask"
  static let summary = "Trains what is not there."
  static let source = "For tests."

  var isolatesPredictions: Bool { false }

  mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask { ParameterMask([0..<(model.parameters.count + 9)]) }

  func program(for experience: Int?, in model: MLP) -> Program { model.plainProgram }
}
