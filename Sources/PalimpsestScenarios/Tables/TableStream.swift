import PalimpsestCore

/// Tasks whose rows are places in tables that all runs share.
struct TableStream: DriftStream {
  let shape: TaskShape
  let experiences: [ExperienceInfo]
  let training: [Rows]
  let tests: [EvaluationSet]
  var inputs: InputDescription?

  func trainingRows(for experience: Int) -> Rows { training[experience] }
  func evaluationSet(for experience: Int) -> EvaluationSet { tests[experience] }
}

/// Tasks over the same classes that differ in their inputs: the rows of every task, and which pixels they show.
struct InputTasks: Sendable {
  let table: Table
  private let outputs: Range<Int>
  private let training: LabelledPlaces
  private let test: LabelledPlaces
  private let identity: TaskIdentity
  private let inputs: InputDescription

  /// - Parameters:
  ///   - table: the inputs of `dataset`, scaled.
  ///   - rowsPerTask: most training rows a task; nil: all.
  ///   - testRows: most test rows a task; nil: all.
  ///   - scales: how `table` came from the data set's values.
  init(
    _ dataset: Dataset, table: Table, scales: [InputScaling], rowsPerTask: Int?, testRows: Int?, identity: TaskIdentity
  ) {
    self.table = table
    self.identity = identity
    var inputs = InputDescription(
      columns: dataset.columns, outputs: dataset.classes, scales: scales, table: dataset.table)
    inputs.width = dataset.inputs.columns
    self.inputs = inputs
    outputs = 0..<dataset.classes.count
    training = LabelledPlaces(dataset, dataset.training, limit: rowsPerTask)
    test = LabelledPlaces(dataset, dataset.test, limit: testRows)
  }

  /// - Parameters:
  ///   - names: one a task.
  ///   - orders: one a task: the column order its rows are seen in (nil: as they are).
  func stream(seed: Seed, names: [String], orders: [[Int32]?]) -> TableStream {
    let rows = names.indices.map { task in
      training.rows(of: task, table, orders[task], seed.stream("training-rows", task))
    }
    let tests = names.indices.map { task in
      test.rows(of: task, table, orders[task], seed.stream("test-rows", task))
    }
    return TableStream(
      shape: TaskShape(inputs: rows[0].columns, outputs: outputs.count),
      experiences: names.indices.map { task in
        ExperienceInfo(
          index: task, name: names[task], outputs: outputs, seenOutputs: outputs, rows: rows[task].count)
      },
      training: rows,
      tests: names.indices.map { task in
        EvaluationSet(
          rows: tests[task], knownExperience: identity == .given ? task : nil, candidates: outputs)
      }, inputs: inputs)
  }
}

/// Rows of a data set with their labels, to be taken whole or sampled.
private struct LabelledPlaces: Sendable {
  let places: [Int32]
  let labels: [Int32]
  let limit: Int?

  init(_ dataset: Dataset, _ range: Range<Int>, limit: Int?) {
    places = range.map { Int32($0) }
    labels = Array(dataset.labels[range])
    self.limit = limit
  }

  /// All of them (shared, not copied), or a sample of the limit's size.
  func rows(of task: Int, _ table: Table, _ order: [Int32]?, _ rng: Random) -> Rows {
    let all = Rows(table: table, experience: task, places: places, labels: labels, columnOrder: order)
    guard let limit, limit < places.count else { return all }
    var rng = rng
    return all.selecting(rng.sample((0..<Int32(places.count)).map { $0 }, atMost: limit))
  }
}
