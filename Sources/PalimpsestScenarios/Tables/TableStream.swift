import PalimpsestCore

/// Tasks whose rows are places in tables that all runs share.
struct TableStream: DriftStream {
  let shape: TaskShape
  let experiences: [ExperienceInfo]
  let training: [Rows]
  let tests: [EvaluationSet]
  var inputs: InputDescription?
  /// What a run through a stream shows of each task; nil: the rows to train on.
  var streamed: [Rows]?
  /// Tasks of one name are visits of one concept, whatever number stands behind it.
  var taskConcepts: [Int] { experiences.map { own in experiences.firstIndex { $0.name == own.name } ?? own.index } }

  func streamedRows(for experience: Int) -> Rows { streamed?[experience] ?? training[experience] }
  func trainingRows(for experience: Int) -> Rows { training[experience] }
  func evaluationSet(for experience: Int) -> EvaluationSet { tests[experience] }
}

/// Tasks over the same classes, or with the same values to predict, that differ in their inputs: the rows of every task, and which pixels they show.
struct InputTasks: Sendable {
  let table: Table
  private let target: TaskTarget
  private let training: TargetPlaces
  private let test: TargetPlaces
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
    target = dataset.targetValues?.target ?? TaskShape(inputs: 1, outputs: dataset.classes.count).target
    training = TargetPlaces(dataset, dataset.training, limit: rowsPerTask)
    test = TargetPlaces(dataset, dataset.test, limit: testRows)
  }

  /// - Parameters:
  ///   - names: one a task.
  ///   - orders: one a task: the column order its rows are seen in (nil: as they are).
  func stream(seed: Seed, names: [String], orders: [[Int32]?]) -> TableStream {
    let outputs = 0..<target.outputs
    let rows = names.indices.map { task in
      training.rows(of: task, table, orders[task], seed.stream("training-rows", task))
    }
    let tests = names.indices.map { task in
      test.rows(of: task, table, orders[task], seed.stream("test-rows", task))
    }
    return TableStream(
      shape: TaskShape(inputs: rows[0].columns, target: target),
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

/// Rows of a data set with what is to be predicted of them, to be taken whole or sampled.
private struct TargetPlaces: Sendable {
  let places: [Int32]
  let targets: Targets
  private let owners: [Int32]?
  private let times: [Int64]?
  let limit: Int?

  init(_ dataset: Dataset, _ range: Range<Int>, limit: Int?) {
    places = range.map { Int32($0) }
    if let values = dataset.targetValues?.matrix {
      var own = Matrix(rows: 0, columns: values.columns)
      own.become(range, of: values, columnsFrom: 0)
      targets = .values(own)
    } else {
      targets = .labels(Array(dataset.labels[range]))
    }
    let origins = RowOrigins(dataset)
    (owners, times) = (origins.owners(at: places), origins.times(at: places))
    self.limit = limit
  }

  /// All of them (shared, not copied), or a sample of the limit's size.
  func rows(of task: Int, _ table: Table, _ order: [Int32]?, _ rng: Random) -> Rows {
    let all = Rows(
      table: table, experience: task, places: places, targets: targets, columnOrder: order, owners: owners, times: times
    )
    guard let limit, limit < places.count else { return all }
    var rng = rng
    return all.selecting(rng.sample((0..<Int32(places.count)).map { $0 }, atMost: limit))
  }
}
