import PalimpsestCore
import PalimpsestExperiments
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures

/// A stream of tasks whose rows say where they stand: column 0 is the row's number through all tasks, column 1 is 1 or −1.
/// The label follows the sign in tasks 0, 2, 4 … and its opposite in the others.
struct TurningStream: DriftStream {
  let shape = TaskShape(inputs: 2, outputs: 1)
  let experiences: [ExperienceInfo]
  private let tasks: [Rows]
  /// Tasks whose rows may not be looked at again.
  var hidden: Set<Int> = []

  /// - Parameters:
  ///   - flipped: rows from here on, counted through all tasks, have the other label.
  ///   - truth: whether p* is told: .9 for the label that the sign means.
  init(rows counts: [Int] = [30, 20, 25], flippedFrom flipped: Int = .max, truth: Bool = false) {
    experiences = counts.indices.map {
      ExperienceInfo(index: $0, name: "task \($0)", outputs: 0..<1, seenOutputs: 0..<1, rows: counts[$0])
    }
    tasks = counts.indices.map { task in
      let first = counts[..<task].reduce(0, +)
      let numbers = first..<(first + counts[task])
      let signs = numbers.map { (UInt64($0) &* 0x9E37_79B9_7F4A_7C15) >> 63 }
      let meant = signs.map { task % 2 == 0 ? Int32($0) : 1 - Int32($0) }
      return Rows(
        Matrix(zip(numbers, signs).map { [Float($0), $1 == 1 ? 1 : -1] }),
        labels: zip(numbers, meant).map { $0 >= flipped ? 1 - $1 : $1 }, experience: task,
        truth: truth ? meant.map { $0 == 1 ? 0.9 : 0.1 } : nil)
    }
  }

  func trainingRows(for experience: Int) -> Rows { tasks[experience] }
  func revisitableRows(for experience: Int) -> Rows {
    hidden.contains(experience) ? tasks[experience].selecting([0]) : tasks[experience]
  }
  func evaluationSet(for experience: Int) -> EvaluationSet {
    EvaluationSet(rows: tasks[experience], knownExperience: nil, candidates: 0..<1)
  }
}

/// Two tasks of 200 rows, each with two outputs of its own; the label is told by the sign of column 1, and the task of a judged row is told.
struct TwoHeadsStream: DriftStream {
  let shape = TaskShape(inputs: 2, outputs: 4)
  let experiences = (0..<2).map {
    ExperienceInfo(index: $0, name: "task \($0)", outputs: 2 * $0..<2 * $0 + 2, seenOutputs: 0..<2 * $0 + 2, rows: 200)
  }

  func trainingRows(for experience: Int) -> Rows {
    let signs = (0..<200).map { (UInt64($0 + 7) &* 0x9E37_79B9_7F4A_7C15) >> 63 }
    return Rows(
      Matrix(signs.map { [1, $0 == 1 ? 1 : -1] }), labels: signs.map { Int32($0) + 2 * Int32(experience) },
      experience: experience)
  }

  func evaluationSet(for experience: Int) -> EvaluationSet {
    EvaluationSet(
      rows: trainingRows(for: experience), knownExperience: experience, candidates: experiences[experience].outputs)
  }
}

/// What a learner was told, in order.
enum StreamEvent: Equatable, Codable {
  case begin(Int, rows: Int)
  case predict([Int])
  case observe(row: Int, error: Double)
  case learn([Int], experience: Int, epoch: Int, step: Int, steps: Int?, runStep: Int?, runSteps: Int?)
  case finish(Int, revisiting: [Int])
}

/// Writes down what it is told; it answers with the sign that the latest learned row's label had, and is alarmed where it is
/// told to be.
struct Diarist: Learner, Codable {
  var alarmed: [Int] = []
  var warned: [Int] = []
  private(set) var diary: [StreamEvent] = []
  /// Label of the latest row times its sign.
  private var sense: Float = 1

  init(alarmed: [Int] = [], warned: [Int] = []) { (self.alarmed, self.warned) = (alarmed, warned) }

  mutating func begin(_ experience: ExperienceInfo) { diary.append(.begin(experience.index, rows: experience.rows)) }

  mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    diary.append(
      .learn(
        batch.inputs.numbers, experience: Int(batch.experiences[0]), epoch: context.epoch, step: context.step,
        steps: context.steps, runStep: context.run?.step, runSteps: context.run?.steps))
    let last = batch.count - 1
    sense = batch.inputs[last, 1] * (batch.labels[last] == 1 ? 1 : -1)
    return StepReport(loss: 0, penalty: 0, rows: batch.count)
  }

  mutating func observe(_ outcome: Outcome) -> DriftSignal {
    diary.append(.observe(row: outcome.row, error: outcome.error))
    return alarmed.contains(outcome.row) ? .alarm : warned.contains(outcome.row) ? .warning : .none
  }

  mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {
    diary.append(.finish(experience.index, revisiting: data.batch.inputs.numbers))
  }

  func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
    Matrix((0..<inputs.rows).map { [inputs[$0, 1] * sense] })
  }

  func predictableOutputs(knowing experience: Int?) -> Range<Int> { 0..<1 }
  var cost: LearnerCost { LearnerCost() }
  var isFinite: Bool { true }
}

extension Matrix {
  fileprivate var numbers: [Int] { (0..<rows).map { Int(self[$0, 0]) } }
}

extension StreamSettings {
  init(
    block: Int = 1, steps: Int = 1, _ boundaries: Boundaries = .none, every: Int = 1000, window: Int = 10,
    order: Order = .given
  ) {
    self.init()
    (self.block, stepsPerBlock, self.boundaries, self.every, self.window) = (block, steps, boundaries, every, window)
    self.order = order
  }
}

extension StreamRun {
  /// Goes to the end.
  mutating func finish() { while advance() {} }

  /// The bytes of its state.
  func bytes() throws -> [UInt8] { try StateEncoder.bytes { try saveState(to: $0) } }
}

/// Runs through a stream of five phases of 80 rows, as an experiment file asks for them.
enum PlannedStream {
  static let strategies = """
    "naive": [], "si": [{ "name": "si" }, { "name": "page-hinkley", "least": 5, "threshold": 2 }],
    "replay": [{ "name": "reservoir", "capacity": 30 }, { "name": "page-hinkley", "least": 5, "threshold": 2 }],
    "ncm": [{ "name": "ncm", "decay": 0.05 }]
    """

  static func plan(
    _ strategies: String = PlannedStream.strategies,
    stream: String = #""block": 3, "window": 50, "order": "shuffled", "boundaries": "detected""#,
    catalog: Catalog = .standard, _ entries: String = #""seeds": 2"#
  ) throws -> Plan {
    try Plan(
      Fixture.small(
        strategies: strategies, training: #""optimizer": { "name": "adam", "rate": 0.01 }"#,
        #""stream": { \#(stream) }"#, entries, catalog: catalog))
  }

  static func run(_ plan: Plan, _ configuration: Int = 0, probes: [Probe] = []) throws -> Run {
    let resolved = plan.configurations[configuration].resolved
    let data = Run.data(of: try resolved.scenario.prepare(from: EmptyLibrary()), seed: 1)
    return try Run(resolved, data: data, seed: 1, probes: probes)
  }
}

/// A learner that answers all rows alike, and looks at nothing but labels.
protocol LabelLearner: Learner {
  /// Of label 1.
  var logit: Float { get }
  mutating func learn(_ labels: [Int32])
}

extension LabelLearner {
  mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    learn(batch.labels)
    return StepReport(loss: 0, penalty: 0, rows: batch.count)
  }
  func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
    Matrix([[Float]](repeating: [logit], count: inputs.rows))
  }
  func predictableOutputs(knowing experience: Int?) -> Range<Int> { 0..<1 }
  var cost: LearnerCost { LearnerCost() }
  var isFinite: Bool { true }
}

/// Answers the label that most rows had so far, 0 on a tie.
struct MostFrequent: LabelLearner {
  private var lead: Float = 0

  var logit: Float { lead }
  mutating func learn(_ labels: [Int32]) {
    for label in labels { lead += label == 1 ? 1 : -1 }
  }
}
