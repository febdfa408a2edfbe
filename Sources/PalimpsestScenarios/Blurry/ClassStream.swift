import PalimpsestCore

/// Which rows of a data set each task trains on, and which classes it is judged on: what a class stream draws for a seed.
struct ClassTasks: Equatable {
  /// Places in the data set's table in the order in which they come, one list a task; none is empty.
  var training: [[Int32]]
  /// Classes whose test rows a task is judged on, ascending; none is empty.
  var judged: [[Int]]
}

/// A data set whose classes come and go: read, checked and scaled, as all seeds share it.
struct ClassCourse: PreparedScenario {
  private let data: DatasetSettings
  private let table: Table
  private let labels: [Int32]
  private let classes: [String]
  private let inputs: InputDescription
  private let origins: RowOrigins
  /// Places by class.
  let rows: ClassRows
  private let draw: @Sendable (ClassRows, Seed) -> ClassTasks

  /// - Parameter draw: the tasks of a seed.
  /// - Throws: ``ScenarioError`` where a class has too few rows, ``DatasetError`` for missing or broken data.
  init(
    _ data: DatasetSettings, from library: any DatasetLibrary,
    draw: @escaping @Sendable (ClassRows, Seed) -> ClassTasks
  ) throws {
    let dataset = try library.dataset(named: data.dataset)
    try dataset.checkClasses()
    try dataset.checkRows()
    rows = ClassRows(dataset)
    try dataset.checkTraining(rows, of: Array(dataset.classes.indices))
    try dataset.checkTest(rows, of: Array(dataset.classes.indices))
    self.data = data
    (labels, classes) = (dataset.labels, dataset.classes)
    table = dataset.table(scaled: data.scale)
    origins = RowOrigins(dataset)
    inputs = InputDescription(
      columns: dataset.columns, outputs: dataset.classes, scales: dataset.scalings(data.scale), table: dataset.table)
    self.draw = draw
  }

  /// - Throws: ``ScenarioError`` where there are fewer classes than a scenario needs.
  func checkClassCount(atLeast least: Int, parameter: String) throws(ScenarioError) {
    guard classes.count < least else { return }
    throw ScenarioError(
      parameter: parameter,
      "\(least) tasks need \(least) classes, and \"\(data.dataset)\" has \(classes.count). Take at most \(classes.count)."
    )
  }

  /// Outputs are numbered by the first task that shows a class, so those seen so far are the first ones.
  func makeStream(seed: Seed) -> any DriftStream {
    let tasks = draw(rows, seed)
    let outputs = OutputOrder(tasks, labels, classes: classes.count)
    let training = tasks.training.indices.map { rows(tasks.training[$0], task: $0, outputs) }
    let tests = tasks.judged.indices.map { test(tasks.judged[$0], task: $0, seed, outputs) }
    var description = inputs
    description.outputs = outputs.classes.map { classes[$0] }
    return TableStream(
      shape: TaskShape(inputs: table.columns, outputs: classes.count),
      experiences: training.indices.map { task in
        ExperienceInfo(
          index: task, name: tasks.judged[task].map { classes[$0] }.joined(separator: ", "),
          outputs: outputs.used[task],
          seenOutputs: 0..<outputs.seen[task], rows: training[task].count)
      },
      training: training,
      tests: tests.map { EvaluationSet(rows: $0, knownExperience: nil, candidates: 0..<classes.count) },
      inputs: description)
  }

  private func rows(_ places: [Int32], task: Int, _ outputs: OutputOrder) -> Rows {
    Rows(
      table: table, experience: task, places: places,
      labels: places.map { Int32(outputs.output[Int(labels[Int($0)])]) }, owners: origins.owners(at: places),
      times: origins.times(at: places))
  }

  private func test(_ judged: [Int], task: Int, _ seed: Seed, _ outputs: OutputOrder) -> Rows {
    let all = judged.flatMap { rows.test[$0] }.sorted()
    var rng = seed.stream("test-rows", task)
    return rows(rng.sample(all, atMost: data.testRows), task: task, outputs)
  }
}

/// Which output stands for which class.
private struct OutputOrder {
  /// By class.
  let output: [Int]
  /// By output.
  let classes: [Int]
  /// From the least to the largest output of each task.
  let used: [Range<Int>]
  /// Outputs of a task and all before it.
  let seen: [Int]

  init(_ tasks: ClassTasks, _ labels: [Int32], classes count: Int) {
    var order: [Int] = []
    var (output, used, seen) = ([Int](repeating: -1, count: count), [Range<Int>](), [Int]())
    for places in tasks.training {
      let present = Set(places.map { Int(labels[Int($0)]) }).sorted()
      for number in present where output[number] < 0 {
        output[number] = order.count
        order.append(number)
      }
      let outputs = present.map { output[$0] }
      used.append((outputs.min() ?? 0)..<(outputs.max() ?? 0) + 1)
      seen.append(order.count)
    }
    for number in 0..<count where output[number] < 0 {
      output[number] = order.count
      order.append(number)
    }
    (self.output, classes, self.used, self.seen) = (output, order, used, seen)
  }
}

extension Random {
  /// `total` in `parts` parts by sorted random cuts: each cut is uniform in 0...total.
  mutating func cut(_ total: Int, into parts: Int) -> [Int] {
    let cuts = (1..<parts).map { _ in index(below: total + 1) }.sorted()
    return zip([0] + cuts, cuts + [total]).map { $1 - $0 }
  }
}

/// `total` in `parts` parts that differ by at most one, the larger ones first.
func evenParts(_ total: Int, into parts: Int) -> [Int] {
  (0..<parts).map { total / parts + ($0 < total % parts ? 1 : 0) }
}
