import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// Memories, and what chooses ways and weights, that do what none may do: the laws say who did what, and go on.
struct BrokenPlaceTests {
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
