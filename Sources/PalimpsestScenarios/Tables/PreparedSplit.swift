import PalimpsestCore

/// The classes of a data set, read, checked and scaled: what all seeds of a ``Split`` share.
struct PreparedSplit: ComposableScenario {
  let split: Split
  let table: Table
  /// What the classes are called.
  let names: [String]
  /// What the columns are called, and how they came from the data set's values.
  let columns: [String]
  let scales: [InputScaling]
  /// How the columns of a table became those values.
  let source: TableColumns?
  let rows: ClassRows
  let origins: RowOrigins
  /// The classes to choose from, in order.
  let classes: [Int]
  let tasks: Int

  func makeStream(seed: Seed) -> any DriftStream {
    let order = classOrder(seed)
    let groups = (0..<tasks).map { Array(order[$0 * split.classesPerTask..<($0 + 1) * split.classesPerTask]) }
    let training = groups.indices.map { trainingRows(of: groups[$0], task: $0, seed) }
    let tests = groups.indices.map { testRows(of: groups[$0], task: $0, seed) }
    return TableStream(
      shape: TaskShape(inputs: table.columns, outputs: outputs.count),
      experiences: groups.indices.map { task in
        ExperienceInfo(
          index: task, name: groups[task].map { names[$0] }.joined(separator: ", "), outputs: outputs(of: task),
          seenOutputs: 0..<outputs(of: task).upperBound, rows: training[task].count)
      },
      training: training,
      tests: tests.indices.map { task in
        EvaluationSet(
          rows: tests[task], knownExperience: split.isTold ? task : nil,
          candidates: split.setting == .taskIncremental ? outputs(of: task) : outputs)
      },
      inputs: InputDescription(columns: columns, outputs: outputNames(order), scales: scales, table: source))
  }

  /// In the domain-incremental setting an output stands for several classes and has no name.
  private func outputNames(_ order: [Int]) -> [String] {
    split.setting == .domainIncremental ? [] : outputs.map { names[order[$0]] }
  }

  private func classOrder(_ seed: Seed) -> [Int] {
    var order = classes
    var rng = seed.stream("class-order")
    if split.classOrder == .shuffled { rng.shuffle(&order) }
    return order
  }

  /// All outputs.
  private var outputs: Range<Int> {
    0..<(split.setting == .domainIncremental ? split.classesPerTask : split.classesPerTask * tasks)
  }

  private func outputs(of task: Int) -> Range<Int> {
    if split.setting == .domainIncremental { return outputs }
    return task * split.classesPerTask..<(task + 1) * split.classesPerTask
  }

  private func trainingRows(of group: [Int], task: Int, _ seed: Seed) -> Rows {
    labelled(group, task) { number in
      var rng = seed.stream("training-rows", number)
      return rng.sample(rows.training[number], atMost: split.rowsPerClass)
    }
  }

  private func testRows(of group: [Int], task: Int, _ seed: Seed) -> Rows {
    let all = labelled(group, task) { rows.test[$0] }
    guard let limit = split.data.testRows, limit < all.count else { return all }
    var rng = seed.stream("test-rows", task)
    return all.selecting(rng.sample((0..<Int32(all.count)).map { $0 }, atMost: limit))
  }

  /// The rows of a group of classes in file order; the class at place i is the task's output i.
  private func labelled(_ group: [Int], _ task: Int, _ places: (Int) -> [Int32]) -> Rows {
    let first = outputs(of: task).lowerBound
    let pairs = group.indices.flatMap { i in places(group[i]).map { (place: $0, label: Int32(first + i)) } }
    let ordered = pairs.sorted { $0.place < $1.place }
    let taken = ordered.map(\.place)
    return Rows(
      table: table, experience: task, places: taken, labels: ordered.map(\.label), owners: origins.owners(at: taken),
      times: origins.times(at: taken))
  }
}
