import PalimpsestCore

/// A small stream of tasks that laws run through a part: uneven classes, classes of a single row, a task of two rows,
/// short batches, a second pass. The first column numbers the rows, so each can be told from all others. Tagged rows have
/// owners, times in their order, and answers, one output of which took no part.
public struct LawStream: Sendable {
  enum Event: Sendable {
    case begin(ExperienceInfo, MLP)
    case step(Batch, StepContext)
    case end(EndedExperience)
  }

  /// Rows of each label in each task.
  private static let rowsOfLabel = [[9, 14, 0], [30, 2, 1], [1, 1, 0], [5, 12, 19]]
  private static let batchSize = 7

  let seed: UInt64
  let columns = 5
  private let isTagged: Bool
  private(set) var events: [Event] = []
  private let model: MLP
  private var rng: Random
  private var numbered = 0

  public init(seed: UInt64, isTagged: Bool = false) {
    self.seed = seed
    self.isTagged = isTagged
    rng = Random(key: seed &+ 1)
    model = LearnerSetup(shape: TaskShape(inputs: columns, outputs: 3), hidden: [6, 4], seed: Seed(seed)).makeModel()
    for task in LawStream.rowsOfLabel.indices { addTask(task) }
  }

  /// One row that belongs to no task.
  var marker: Batch { Rows(Matrix([[-1, -1, -1, -1, -1]]), labels: [2], experience: 9).batch }

  /// What memories that look are lent: the network of all its tasks.
  var lender: Lender { Lender(model, using: Random(key: seed &+ 2)) }

  /// Where in the stream an event stands.
  func place(_ index: Int) -> String {
    switch events[index] {
    case .begin(let info, _): "at the start of task \(info.index)"
    case .step(_, let context): "task \(context.experience.index), epoch \(context.epoch), step \(context.step)"
    case .end(let ended): "at the end of task \(ended.info.index)"
    }
  }

  private mutating func addTask(_ task: Int) {
    let labels = shuffledLabels(task)
    let info = ExperienceInfo(
      index: task, name: "task \(task)", outputs: 0..<3, seenOutputs: 0..<3, rows: labels.count)
    events.append(.begin(info, model))
    let data = rows(labels, task)
    addPass(data, info, epoch: 0)
    addPass(rows(labels, task), info, epoch: 1)
    let ended = EndedExperience(
      info: info, data: data, network: Network(model), way: model.plainProgram, outputs: 0..<3)
    events.append(.end(ended))
  }

  private mutating func addPass(_ rows: Rows, _ info: ExperienceInfo, epoch: Int) {
    for first in stride(from: 0, to: rows.count, by: LawStream.batchSize) {
      var batch = Batch(columns: columns)
      batch.append(rows, range: first..<min(first + LawStream.batchSize, rows.count))
      for row in 0..<batch.count { batch.setWeight(Float(row + 1) / 4, ofRow: row) }
      if isTagged { batch.setAnswers(answers(batch.count)) }
      let step = (epoch * rows.count + first) / LawStream.batchSize
      events.append(.step(batch, StepContext(experience: info, epoch: epoch, step: step)))
    }
  }

  private mutating func shuffledLabels(_ task: Int) -> [Int32] {
    var labels = LawStream.rowsOfLabel[task].enumerated().flatMap { Array(repeating: Int32($0), count: $1) }
    rng.shuffle(&labels)
    return labels
  }

  private mutating func rows(_ labels: [Int32], _ task: Int) -> Rows {
    var inputs = Matrix(rows: labels.count, columns: columns)
    for row in labels.indices {
      inputs[row, 0] = Float(numbered)
      numbered += 1
      for c in 1..<columns { inputs[row, c] = Float(rng.normal()) }
    }
    guard isTagged else { return Rows(inputs, labels: labels, experience: task) }
    return Rows(
      inputs, .labels(labels), experience: task, owners: labels.indices.map { Int32($0 % 3) },
      times: labels.indices.map { Int64(numbered + $0) << 32 })
  }

  private mutating func answers(_ rows: Int) -> Matrix {
    Matrix((0..<rows).map { _ in [Float(rng.normal()), Float(rng.normal()), .nan] })
  }
}
