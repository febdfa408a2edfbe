import PalimpsestCore

/// The table of a ``TableLog``, read, cut, filled and scaled: what all seeds share.
struct PreparedTable: ComposableScenario {
  private let stream: TableStream
  private let classes: Int
  private let columnRemarks: [String]

  /// - Throws: ``ScenarioError`` where there is nothing to learn, or a task is too short to be tested.
  init(_ settings: TableLog, _ table: LoggedTable, _ cut: TaskCut) throws(ScenarioError) {
    try table.checkLabels()
    classes = table.classes.count
    columnRemarks = table.remarks
    let tasks = try PreparedTable.tasks(settings, table, cut)
    let inputs = OnlineInputs(table, order: tasks.flatMap(\.rows), scale: settings.scale)
    let parts = TaskParts(table, Table(inputs.values, columns: inputs.width))
    let shape = TaskShape(inputs: inputs.width, outputs: classes == 2 ? 1 : classes)
    let outputs = 0..<shape.outputs
    let splits = tasks.map { split($0.rows, settings.test) }
    let judged = PreparedTable.judged(splits.map(\.test), tasks, cut)
    var description = InputDescription(
      columns: inputs.columns.flatMap(\.inputs), outputs: table.classes, scales: inputs.scales,
      table: TableColumns(columns: inputs.columns, missing: table.missing))
    description.width = inputs.width
    stream = TableStream(
      shape: shape,
      experiences: tasks.indices.map { task in
        ExperienceInfo(
          index: task, name: tasks[task].name, outputs: outputs, seenOutputs: outputs, rows: splits[task].training.count
        )
      },
      training: tasks.indices.map { parts.rows(splits[$0].training, task: $0) },
      tests: tasks.indices.map { task in
        EvaluationSet(
          rows: parts.rows(judged[task], task: task), knownExperience: settings.identity == .given ? task : nil,
          candidates: outputs)
      },
      inputs: description, streamed: tasks.indices.map { parts.rows(tasks[$0].rows, task: $0) })
  }

  /// The test rows of each task: where tasks are visits of concepts, those of all visits, in their order.
  private static func judged(_ tests: [[Int32]], _ tasks: [CutTask], _ cut: TaskCut) -> [[Int32]] {
    guard cut.by == .concept else { return tests }
    var visits: [String: [Int32]] = [:]
    for (task, rows) in zip(tasks, tests) { visits[task.name, default: []] += rows }
    return tasks.map { visits[$0.name] ?? [] }
  }

  var remarks: [String] {
    let tasks = stream.experiences.map { stream.streamedRows(for: $0.index) }
    return columnRemarks + DriftRemarks(tasks: tasks, classes: classes).texts
  }

  func makeStream(seed: Seed) -> any DriftStream { stream }

  private static func tasks(_ settings: TableLog, _ table: LoggedTable, _ cut: TaskCut) throws(ScenarioError)
    -> [CutTask]
  {
    let tasks = try TaskCutter(cut: cut, table: table, thin: settings.thin).tasks()
    if tasks.reduce(0, { $0 + $1.rows.count }) < 2 {
      throw ScenarioError(
        "\"\(table.name)\" has 1 row to be taken; 2 are needed, one to train on and one to test on")
    }
    if let short = tasks.first(where: { $0.rows.count < 2 }) {
      throw ScenarioError(
        parameter: "tasks",
        "task \"\(short.name)\" has 1 row; 2 are needed, one to train on and one to test on. "
          + "Set \"mergeUnder\" to 2 or more, so that short tasks are joined with the one before")
    }
    return tasks
  }
}

private func split(_ rows: [Int32], _ share: Double) -> (training: [Int32], test: [Int32]) {
  let parts = share.parts(of: rows.count)
  return (parts.training.map { rows[$0] }, parts.test.map { rows[$0] })
}

extension Double {
  /// Rows at even distances are for testing, this share of them: of 2 or more at least one on either side. A single one is for training.
  func parts(of rows: Int) -> (training: [Int], test: [Int]) {
    let count = min(max(1, Int((Double(rows) * self).rounded())), rows - 1)
    let test = Set((0..<count).map { ($0 * 2 + 1) * rows / (2 * count) })
    return ((0..<rows).filter { !test.contains($0) }, (0..<rows).filter { test.contains($0) })
  }
}

/// Makes rows of a table with their labels, owners and times.
private struct TaskParts {
  private let table: Table
  private let log: LoggedTable

  init(_ log: LoggedTable, _ table: Table) {
    self.log = log
    self.table = table
  }

  func rows(_ places: [Int32], task: Int) -> Rows {
    Rows(
      table: table, experience: task, places: places, labels: places.map { log.labels[Int($0)] },
      owners: log.owners.map { owners in places.map { owners.places[Int($0)] } },
      times: log.arrivals.map { arrivals in places.map { arrivals[Int($0)] } })
  }
}
