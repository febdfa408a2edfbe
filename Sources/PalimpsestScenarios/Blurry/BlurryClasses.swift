import PalimpsestCore

/// Blurry boundaries: some classes belong to one task alone; of the others a share of the rows strays into other tasks.
///
/// Classes in an order drawn by the seed are dealt to tasks, disjoint and blurry ones each as evenly as possible. Of each blurry class
/// `blur` % of the training rows, drawn at random, go to other tasks, each to one drawn uniformly. A task's rows come in random order. No
/// row is lost and none comes twice.
///
/// - Tests: a task is judged on the test rows of the classes that were dealt to it.
public struct BlurryClasses: Scenario {
  public static let drawsTestRows = false
  public static let name = "i-blurry"
  public static let summary =
    "Classes of a data set with blurry boundaries: some in one task alone, of others rows stray."
  public static let source = """
    Koh et al. 2022 (i-Blurry-N-M: disjoint N, blur M). Rows that stray are drawn at random, and what does not divide is \
    dealt out too; their code takes the first of a class and drops the rest.
    """

  public var data = DatasetSettings()
  @Parameter("Tasks; each needs a class.", .within(2...10_000)) public var tasks: Int = 5
  @Parameter("N: percentage of the classes that one task alone has.", .within(0...100)) public var disjoint: Double = 50
  @Parameter("M: percentage of a blurry class's rows that stray into other tasks.", .within(0...100)) public var blur:
    Double = 10

  public init() {}

  public var outline: StreamOutline { StreamOutline(tasks: tasks) }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    let settings = self
    let course = try ClassCourse(data, from: library) { rows, seed in
      let deal = ClassDeal(even: rows.training.count, settings.tasks, disjoint: settings.disjoint, seed)
      return deal.tasks(rows, seed, blur: settings.blur) { strays, rng in
        strays.map { stray in (stray.place, rng.other(than: stray.home, of: settings.tasks)) }
      }
    }
    try course.checkClassCount(atLeast: tasks, parameter: "tasks")
    return course
  }
}

/// Blurry boundaries at random: as many disjoint and blurry classes a task, and as many stray rows, as random cuts give it.
///
/// Classes in an order drawn by the seed are parted into disjoint and blurry ones; both are dealt to tasks by sorted random cuts, drawn
/// again until every task has a class. Of each blurry class `blur` % of the training rows, drawn at random, are put together, shuffled,
/// and dealt to tasks by sorted random cuts as well (one may come back to its own). A task's rows come in random order. No row is lost
/// and none comes twice.
public struct RandomlyBlurryClasses: Scenario {
  public static let drawsTestRows = false
  public static let name = "si-blurry"
  public static let summary =
    "Classes of a data set with blurry boundaries, as many classes and stray rows a task as chance gives."
  public static let source = """
    Moon et al. 2023 (Si-Blurry). Rows that stray are drawn at random and none is dropped; cuts are drawn again until every \
    task has a class.
    """

  public var data = DatasetSettings()
  @Parameter("Tasks; each needs a class.", .within(2...100)) public var tasks: Int = 5
  @Parameter("N: percentage of the classes that one task alone has.", .within(0...100)) public var disjoint: Double = 50
  @Parameter("M: percentage of a blurry class's rows that stray.", .within(0...100)) public var blur: Double = 10

  public init() {}

  public var outline: StreamOutline { StreamOutline(tasks: tasks) }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    let settings = self
    let course = try ClassCourse(data, from: library) { rows, seed in
      let deal = ClassDeal(cut: rows.training.count, settings.tasks, disjoint: settings.disjoint, seed)
      return deal.tasks(rows, seed, blur: settings.blur) { strays, rng in
        let tasks = rng.cut(strays.count, into: settings.tasks).enumerated().flatMap { task, count in
          [Int](repeating: task, count: count)
        }
        var places = strays.map(\.place)
        rng.shuffle(&places)
        return Array(zip(places, tasks))
      }
    }
    try course.checkClassCount(atLeast: tasks, parameter: "tasks")
    return course
  }
}

/// Which classes each task has as its own.
struct ClassDeal: Equatable {
  private(set) var disjoint: [[Int]]
  private(set) var blurry: [[Int]]

  /// A row that leaves its class's task.
  struct Stray {
    let place: Int32
    let home: Int
  }

  /// As evenly as possible; tasks that have one disjoint class less than others are the first to have a blurry one more.
  init(even classes: Int, _ tasks: Int, disjoint percentage: Double, _ seed: Seed) {
    let (order, alone) = ClassDeal.order(classes, percentage, seed)
    self.init(
      order, alone, counts: evenParts(alone, into: tasks), evenParts(classes - alone, into: tasks).reversed())
  }

  /// By sorted random cuts, drawn again until every task has a class; after 10,000 vain draws the even deal.
  init(cut classes: Int, _ tasks: Int, disjoint percentage: Double, _ seed: Seed) {
    let (order, alone) = ClassDeal.order(classes, percentage, seed)
    var rng = seed.stream("class-cuts")
    for _ in 0..<10_000 {
      let counts = (rng.cut(alone, into: tasks), rng.cut(classes - alone, into: tasks))
      if zip(counts.0, counts.1).allSatisfy({ $0 + $1 > 0 }) {
        self.init(order, alone, counts: counts.0, counts.1)
        return
      }
    }
    self.init(even: classes, tasks, disjoint: percentage, seed)
  }

  private init(_ order: [Int], _ alone: Int, counts: [Int], _ blurryCounts: [Int]) {
    disjoint = dealt(order[..<alone], counts)
    blurry = dealt(order[alone...], blurryCounts)
  }

  /// - Returns: classes in random order, of which so many of the first are disjoint.
  private static func order(_ classes: Int, _ percentage: Double, _ seed: Seed) -> (order: [Int], disjoint: Int) {
    var order = Array(0..<classes)
    var rng = seed.stream("class-order")
    rng.shuffle(&order)
    return (order, Int((percentage / 100 * Double(classes)).rounded()))
  }

  /// The tasks' rows.
  /// - Parameter scatter: says where stray rows go.
  func tasks(
    _ rows: ClassRows, _ seed: Seed, blur: Double,
    scatter: (_ strays: [Stray], _ rng: inout Random) -> [(place: Int32, task: Int)]
  ) -> ClassTasks {
    var training = disjoint.map { classes in classes.flatMap { rows.training[$0] } }
    var strays: [Stray] = []
    for (home, classes) in blurry.enumerated() {
      for number in classes {
        var places = rows.training[number]
        var rng = seed.stream("stray-rows", number)
        rng.shuffle(&places)
        // A class stays in its own task with one row at least: the task is judged on it.
        let leaving = min(places.count - 1, Int((blur / 100 * Double(places.count)).rounded()))
        strays += places[..<leaving].map { Stray(place: $0, home: home) }
        training[home] += places[leaving...]
      }
    }
    var rng = seed.stream("stray-tasks")
    for (place, task) in scatter(strays, &rng) { training[task].append(place) }
    for task in training.indices {
      var order = seed.stream("row-order", task)
      training[task].sort()
      order.shuffle(&training[task])
    }
    return ClassTasks(training: training, judged: zip(disjoint, blurry).map { ($0 + $1).sorted() })
  }
}

/// Values in order, so many a part.
private func dealt(_ values: ArraySlice<Int>, _ counts: [Int]) -> [[Int]] {
  var rest = values
  return counts.map { count in
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}

extension Random {
  /// Uniform among the others.
  fileprivate mutating func other(than own: Int, of count: Int) -> Int {
    let drawn = index(below: count - 1)
    return drawn < own ? drawn : drawn + 1
  }
}
