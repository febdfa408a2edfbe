import PalimpsestCore

/// Classes that arrive one after the other and come back: class-incremental learning with repetition.
///
/// Each class arrives in a task drawn from P(k) ∝ (1 − `arrival`)^k, k from 0, and comes back in each later task with its own
/// probability. A task's rows are split evenly over the classes that it shows, what does not divide in random order; they are drawn
/// from the class's training rows without replacement within a task, anew in each. A class with fewer rows gives all it has. A task
/// that would be empty shows a class that was there before, drawn uniformly; the first one any class, which then arrives there.
///
/// - Tests: a task is judged on the test rows of the classes that it shows.
public struct RecurringClasses: Scenario {
  public static let drawsTestRows = false
  public static let name = "cir"
  public static let summary = "Classes of a data set that arrive one after the other and come back."
  public static let source = """
    Hemati et al. 2023 (class-incremental learning with repetition, its sampling-based generator). Their code drops empty \
    experiences; here they show a class that was there before, so that all seeds have as many tasks.
    """

  public var data = DatasetSettings()
  @Parameter("Tasks.", .within(1...10_000)) public var tasks: Int = 10
  @Parameter("Training rows of a task, at most.", .count) public var rowsPerTask: Int = 500
  @Parameter(
    "How early classes arrive: a task has 1 − arrival times the chance of the one before it; 0: all alike.",
    .within(0..<1))
  public var arrival: Double = 0.2
  @Parameter("Probability that a class comes back in a task.", .within(0...1)) public var recurrence: Double = 0.2
  @Parameter("The same for rare classes; null: there are none.", .within(0...1)) public var rareRecurrence: Double? =
    nil
  @Parameter("Share of the classes that are rare, drawn by the seed.", .within(0...1)) public var rareShare: Double =
    0.5

  public init() {}

  public var outline: StreamOutline { StreamOutline(tasks: tasks, trainingRows: rowsPerTask) }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    let settings = self
    let course = try ClassCourse(data, from: library) { rows, seed in
      let shown = ClassVisits(settings, classes: rows.training.count, seed).tasks
      return ClassTasks(
        training: shown.enumerated().map { task, classes in settings.rows(of: classes, task, rows, seed) },
        judged: shown)
    }
    let classes = course.rows.training.count
    guard rowsPerTask < classes else { return course }
    throw ScenarioError(
      parameter: "rowsPerTask",
      "\(rowsPerTask) rows do not show the \(classes) classes of \"\(data.dataset)\". Take at least \(classes).")
  }

  /// A task's rows in random order.
  private func rows(of classes: [Int], _ task: Int, _ rows: ClassRows, _ seed: Seed) -> [Int32] {
    var rng = seed.stream("task-rows", task)
    var order = classes
    rng.shuffle(&order)
    let counts = evenParts(rowsPerTask, into: classes.count)
    var places = zip(order, counts).flatMap { number, count in rng.sample(rows.training[number], atMost: count) }
    rng.shuffle(&places)
    return places
  }
}

/// Which classes each task shows.
struct ClassVisits: Equatable {
  /// Ascending, one list a task; none is empty.
  private(set) var tasks: [[Int]]

  init(_ settings: RecurringClasses, classes: Int, _ seed: Seed) {
    let rare = ClassVisits.rare(settings, classes, seed)
    var first = (0..<classes).map { ClassVisits.arrival(settings, $0, seed) }
    if !first.contains(0) {
      var rng = seed.stream("first-class")
      first[rng.index(below: classes)] = 0
    }
    let draws = seed.derived("class-returns")
    tasks = (0..<settings.tasks).map { task in
      (0..<classes).filter { number in
        let chance = rare.contains(number) ? settings.rareRecurrence ?? settings.recurrence : settings.recurrence
        return first[number] == task || first[number] < task && draws.uniform(task, number, 0) < chance
      }
    }
    for task in tasks.indices where tasks[task].isEmpty {
      var rng = seed.stream("empty-task", task)
      let known = (0..<classes).filter { first[$0] < task }
      tasks[task] = [known[rng.index(below: known.count)]]
    }
  }

  private static func rare(_ settings: RecurringClasses, _ classes: Int, _ seed: Seed) -> Set<Int> {
    guard settings.rareRecurrence != nil else { return [] }
    var order = Array(0..<classes)
    var rng = seed.stream("rare-classes")
    rng.shuffle(&order)
    return Set(order.prefix(Int((settings.rareShare * Double(classes)).rounded())))
  }

  /// The task in which a class arrives.
  private static func arrival(_ settings: RecurringClasses, _ number: Int, _ seed: Seed) -> Int {
    let weights = (0..<settings.tasks).map { Elementary.power(1 - settings.arrival, Double($0)) }
    var rest = seed.derived("class-arrivals").uniform(number, 0, 0) * weights.reduce(0, +)
    for (task, weight) in weights.enumerated() {
      rest -= weight
      if rest < 0 { return task }
    }
    return settings.tasks - 1
  }
}
