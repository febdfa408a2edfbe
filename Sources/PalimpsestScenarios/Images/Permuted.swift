import PalimpsestCore

/// The same data in every task, each task with its columns in an order of its own.
///
/// - Memory: one table for all tasks and runs; a task adds the order of its columns.
public struct Permuted: Scenario {
  public static let drawsTestRows = false
  public static let name = "permuted"
  public static let summary = "Every task is the whole data set with its pixels (or columns) in another order."
  public static let source = """
    Goodfellow et al. 2013; Kirkpatrick et al. 2017. Whether the first task is permuted and whether images are padded \
    first differs between papers: both are parameters.
    """

  public var data = DatasetSettings()
  @Parameter("Tasks.", .within(1...10_000)) public var tasks: Int = 10
  @Parameter("Whether the first task is permuted as well.") public var permuteFirst: Bool = false
  @Parameter(
    "Side of the square that images are padded to, in the middle, before they are permuted; 0: none.",
    .within(0...4096))
  public var pad: Int = 0
  @Parameter("Most training rows a task, drawn anew for every task; null takes all.", .count)
  public var rowsPerTask: Int? = nil
  @Parameter("Whether the task is told at test time.") public var identity: TaskIdentity = .hidden
  /// When tasks are in force, other than each for its own rows.
  public var composition = CompositionSettings()

  public init() {}

  public var outline: StreamOutline { StreamOutline(tasks: tasks, trainingRows: rowsPerTask) }

  public func check() throws(ScenarioError) { try composition.checkAlone(identity) }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    try check()
    let dataset = try library.dataset(named: data.dataset)
    try dataset.checkRows()
    try dataset.checkTraining()
    let rows = InputTasks(
      dataset, table: dataset.table(scaled: data.scale), scales: dataset.scalings(data.scale),
      rowsPerTask: rowsPerTask, testRows: data.testRows, identity: identity)
    let layout = try layout(of: dataset)
    let columns = layout?.count ?? rows.table.columns
    try checkOrders(tasks: tasks, columns: columns, parameter: "tasks")
    return try PreparedPermuted(rows: rows, layout: layout, tasks: tasks, permuteFirst: permuteFirst)
      .copied(composition, identity, columns: columns, bytes: rows.table.valueBytes)
  }

  /// The columns before any permutation: nil where there is no padding.
  private func layout(of dataset: Dataset) throws(ScenarioError) -> [Int32]? {
    if pad == 0 { return nil }
    guard let image = dataset.image, Pixels(dataset, .none) != nil else {
      throw ScenarioError(parameter: "pad", "\"\(dataset.name)\" holds no images of bytes to pad. Leave pad at 0")
    }
    guard pad >= max(image.height, image.width) else {
      throw ScenarioError(
        parameter: "pad",
        "images of \(image.height) × \(image.width) do not fit into \(pad) × \(pad). "
          + "Choose at least \(max(image.height, image.width)), or 0 for none")
    }
    return image.padded(to: pad)
  }
}

/// Numbers in the column orders of all tasks of a stream at most: 1 GB.
private let mostOrderNumbers = 250_000_000

/// - Throws: ``ScenarioError`` where the tasks' orders of columns would take more memory than a stream should.
func checkOrders(tasks: Int, columns: Int, parameter: String) throws(ScenarioError) {
  guard columns > mostOrderNumbers / max(tasks, 1) else { return }
  throw ScenarioError(
    parameter: parameter,
    "the orders of \(tasks) tasks × \(columns) columns are more than \(mostOrderNumbers) numbers. "
      + "Take at most \(max(mostOrderNumbers / columns, 1)) tasks, or fewer columns")
}

/// The data set of a ``Permuted``, read, checked and scaled: what all seeds share.
struct PreparedPermuted: ComposableScenario {
  let rows: InputTasks
  let layout: [Int32]?
  let tasks: Int
  let permuteFirst: Bool

  func makeStream(seed: Seed) -> any DriftStream {
    rows.stream(
      seed: seed, names: (0..<tasks).map { "permutation \($0 + 1)" }, orders: (0..<tasks).map { order(of: $0, seed) })
  }

  /// The task's columns; a permutation is a uniform draw among all of them.
  private func order(of task: Int, _ seed: Seed) -> [Int32]? {
    if task == 0 && !permuteFirst { return layout }
    var order = layout ?? (0..<Int32(rows.table.columns)).map { $0 }
    var rng = seed.stream("permutation", task)
    rng.shuffle(&order)
    return order
  }
}

extension ImageSize {
  /// The column order that puts the image into the middle of a square of that side, −1 around it. Where the margins
  /// cannot be equal the one below or to the right is one wider.
  func padded(to side: Int) -> [Int32] {
    let top = (side - height) / 2
    let left = (side - width) / 2
    return (0..<side * side).map { pixel in
      let y = pixel / side - top
      let x = pixel % side - left
      return (0..<height).contains(y) && (0..<width).contains(x) ? Int32(y * width + x) : -1
    }
  }
}
