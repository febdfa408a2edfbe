import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// Parts of every role that do what none may do, and what a learner would trap on: the laws say who did what, and go on.
struct BrokenPartTests {
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

  @Test(arguments: [
    (BrokenMemory.Fault.tooMany, "a draw of 8 gives 9 rows"),
    (.narrow, "a draw makes a batch of 5 columns one of 2"),
    (.fewer, "a draw takes 8 rows out of the batch"),
    (.foreign, "a row comes back of task 99 of 1"),
    (.unknownLabel, "a row comes back with label 77 of 2"),
    (.negative, "it holds -1 rows"),
  ])
  func `a memory that gives what was never there is named`(fault: BrokenMemory.Fault, says: String) {
    let memory = BrokenMemory(fault)
    #expect(LearnerLaws.violations(of: [memory]).contains("binary, broken-memory: " + says))
    #expect(MemoryLaws.check(memory).first?.hasPrefix("broken-memory: ") == true)
  }

  @Test func `an isolation whose way does not fit is named`() {
    let said = "stray-way, binary: task 1: the way cannot be taken: step 0: a layer outside the 128 parameters"
    #expect(LearnerLaws.violations(of: [StrayWay()]).first == said)
    #expect(IsolationLaws.violations(of: StrayWay()).first == said)
  }

  @Test func `an isolation whose mask is of another network is named`() {
    let said = "short-mask, binary: task 1: the mask says of 9 parameters whether they are trained, and there are 128"
    #expect(LearnerLaws.violations(of: [ShortMask()]).first == said)
  }

  @Test func `an isolation that loses the way of an earlier task is named`() {
    let said = LearnerLaws.violations(of: [LostWay()])
    #expect(said.first?.hasPrefix("binary, lost-way: the way of task 1 cannot be taken: ") == true)
  }

  @Test func `a renewal that names parameters there are none of is named`() {
    let said = "it names parameters 90..<200 of 128"
    #expect(LearnerLaws.violations(of: [StrayRenewal()]).first == "binary, stray-renewal: " + said)
    #expect(
      RenewalLaws.violations(of: StrayRenewal()).first?.hasPrefix("stray-renewal: it names parameters 90..<200 of")
        == true)
  }

  @Test func `a predictor with more parameters than the network is named`() {
    let said = LearnerLaws.violations(of: [LongPredictor()])
    #expect(said.first == "binary, long-predictor: it predicts with 129 parameters of 128")
    #expect(PredictorLaws.violations(of: LongPredictor()).first?.hasPrefix("long-predictor: ") == true)
  }

  @Test(arguments: [(0, "7 choices for 8 rows"), (99, "it chose task 100 of 1")])
  func `a chooser of ways that there are not is named`(choice: Int, says: String) {
    var chooser = StrayChooser()
    chooser.choice = choice
    #expect(LearnerLaws.violations(of: [chooser]).contains("binary, stray-chooser: " + says))
    #expect(WayChooserLaws.violations(of: chooser).first?.hasPrefix("stray-chooser: ") == true)
  }

  @Test func `a bound with batches of no rows is named`() {
    #expect(
      LearnerLaws.violations(of: [EmptyBatches()]).first
        == "binary, empty-batches: task 1: batches of 0 times their rows")
  }

  @Test func `a detector that cannot be quiet is named`() {
    #expect(
      DetectorLaws.violations(of: Nervous()).first == "nervous: value 0 of a constant 0.0 raises an alarm")
  }

  @Test func `a whole learner with answers of another form is named`() {
    let said = LearnerLaws.violations(of: [Sideways()])
    #expect(said.first == "sideways, binary: predictions of 1 × 8 for 8 rows")
  }

  @Test func `a part that takes back work is named`() {
    #expect(
      LearnerLaws.violations(of: [Refund()]).first == "refund, binary: refund had -5 of what is never negative")
  }
}

// MARK: - Terms of the formula

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

// MARK: - Rows

/// Keeps the first row that it sees.
struct BrokenMemory: Memory {
  enum Fault: String, Codable, Sendable { case tooMany, narrow, fewer, foreign, unknownLabel, negative }

  static let name = "broken-memory"
  static let summary = "Gives what was never there."
  static let source = "For tests."
  private var fault = Fault.tooMany
  private var held = 0

  init() {}
  init(_ fault: Fault) { self.fault = fault }

  var count: Int { fault == .negative ? -1 : held }
  var replay: ReplayOptions { ReplayOptions() }

  mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) { held = 8 }

  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {
    guard held > 0 else { return }
    let columns = batch.columns
    switch fault {
    case .tooMany: batch.append(BrokenMemory.rows(n + 1, columns))
    case .narrow: batch = BrokenMemory.rows(3, 2)
    case .fewer: batch.removeAll()
    case .foreign: batch.append(BrokenMemory.rows(1, columns, experience: 99))
    case .unknownLabel: batch.append(BrokenMemory.rows(1, columns, label: 77))
    case .negative: break
    }
  }

  private static func rows(_ count: Int, _ columns: Int, label: Int32 = 0, experience: Int = 0) -> Batch {
    Rows(
      Matrix(rows: count, columns: columns), labels: [Int32](repeating: label, count: count), experience: experience
    ).batch
  }
}

// MARK: - Ways

private struct StrayWay: Isolation {
  static let name = "stray-way"
  static let summary = "Sends rows past the end of the parameters."
  static let source = "For tests."
  var isolatesPredictions: Bool { false }

  mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask { .all(model.parameters.count) }

  func program(for experience: Int?, in model: MLP) -> Program {
    let layer = DenseLayer(
      weight: model.parameters.count, bias: nil, inputs: model.shape.inputs, outputs: model.shape.outputs)
    return model.program(Route(layers: [layer], outputs: 0..<model.shape.outputs))
  }
}

private struct ShortMask: Isolation {
  static let name = "short-mask"
  static let summary = "Knows of nine parameters."
  static let source = "For tests."
  var isolatesPredictions: Bool { false }

  mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask { ParameterMask(owners: [UInt8](repeating: 0, count: 9)) { $0 == 0 } }

  func program(for experience: Int?, in model: MLP) -> Program { model.plainProgram }
}

private struct LostWay: Isolation {
  static let name = "lost-way"
  static let summary = "Knows the way of the latest task alone."
  static let source = "For tests."
  private var latest = 0
  var isolatesPredictions: Bool { false }

  mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask {
    latest = experience.index
    return .all(model.parameters.count)
  }

  func program(for experience: Int?, in model: MLP) -> Program {
    if experience ?? latest >= latest { return model.plainProgram }
    let layer = DenseLayer(weight: 1 << 20, bias: nil, inputs: model.shape.inputs, outputs: model.shape.outputs)
    return model.program(Route(layers: [layer], outputs: 0..<model.shape.outputs))
  }
}

private struct LongPredictor: Predictor {
  static let name = "long-predictor"
  static let summary = "Predicts with a parameter too many."
  static let source = "For tests."
  private(set) var parameters: FloatBuffer?

  mutating func observe(_ parameters: FloatBuffer, _ context: StepContext) {
    var longer = parameters
    longer.resize(to: parameters.count + 1)
    self.parameters = longer
  }
}

private struct StrayChooser: WayChooser {
  static let name = "stray-chooser"
  static let summary = "Chooses ways that are not there, or none for the last row."
  static let source = "For tests."
  @Parameter("The task of every row; 0 leaves the last row out.", .atLeast(0)) var choice: Int = 0

  func choose(for inputs: Matrix, among ways: [Program], _ model: MLP) -> [Int] {
    [Int](repeating: choice, count: choice == 0 ? inputs.rows - 1 : inputs.rows)
  }
}

private struct EmptyBatches: Bound {
  static let name = "empty-batches"
  static let summary = "Trains on batches of no rows."
  static let source = "For tests."

  func plan(for experience: Int) -> TrainingPlan { TrainingPlan(batchFactor: 0) }
}

private struct Nervous: DriftDetector {
  static let name = "nervous"
  static let summary = "Always alarmed."
  static let source = "For tests."

  mutating func observe(_ outcome: Outcome) -> DriftSignal { .alarm }
}

private struct Sideways: WholeLearner {
  static let name = "sideways"
  static let summary = "Answers column by column."
  static let source = "For tests."

  func makeLearner(_ setup: LearnerSetup) -> any Learner { SidewaysLearner(outputs: setup.shape.outputs) }
}

private struct SidewaysLearner: Learner, Codable {
  let outputs: Int
  var cost: LearnerCost { LearnerCost() }
  var isFinite: Bool { true }

  mutating func begin(_ experience: ExperienceInfo) {}
  mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    StepReport(loss: 0, penalty: 0, rows: batch.count)
  }
  mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {}
  func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix { Matrix(rows: outputs, columns: inputs.rows) }
  func predictableOutputs(knowing experience: Int?) -> Range<Int> { 0..<outputs }
}
