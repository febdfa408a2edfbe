import PalimpsestCore

/// The same images in every task, each task turned by an angle of its own: the angles of a list, or as many as are wanted
/// drawn from a range, other ones for every seed.
///
/// - Memory: with `nearest` one table for all tasks; with `bilinear` one a task that is not turned by a multiple of
///   360°, made when it is first asked for and shared by all runs; where angles are drawn, by those of a seed.
public struct Rotated: Scenario {
  public static let drawsTestRows = false
  public static let name = "rotated"
  public static let summary = "Every task is the whole data set of images, turned by the task's angle."
  public static let source = """
    Lopez-Paz & Ranzato 2017; 0°, 80° and 160° as in De Lange et al. 2023 and van de Ven's example of the stability \
    gap. Angles turn counter-clockwise about the image's middle and pixels from outside are 0, as Pillow's \
    Image.rotate and torchvision's rotate on such images do: "nearest" takes Pillow's 16.16 fixed-point places, bit \
    for bit; "bilinear" takes its weights and rounds to the nearest byte, where Pillow cuts off: 1 of 255 at most.
    """

  /// Where a turned pixel's value comes from.
  public enum Interpolation: String, ParameterChoice {
    /// The one pixel the place falls into.
    case nearest
    /// The four pixels around the place, weighed by nearness.
    case bilinear
  }

  public var data = DatasetSettings()
  @Parameter("Degrees counter-clockwise, one a task.", Bounds.within(-3600...3600).count(atLeast: 1))
  public var angles: [Double] = [0, 80, 160]
  @Parameter(
    "Tasks whose angles are drawn, anew for every seed; null takes the angles of the list.",
    .within(1...10_000))
  public var drawnTasks: Int? = nil
  @Parameter("Least angle that is drawn, in degrees.", .within(-3600...3600)) public var leastAngle: Double = 0
  @Parameter("Largest angle that is drawn, in degrees.", .within(-3600...3600)) public var largestAngle: Double = 180
  @Parameter("Whether the first task of drawn angles is turned as well.") public var rotateFirst: Bool = true
  @Parameter("Whether a turned pixel is the nearest one's or a weighed mean of four.")
  public var interpolation: Interpolation = .nearest
  @Parameter("Most training rows a task, drawn anew for every task; null takes all.", .count)
  public var rowsPerTask: Int? = nil
  @Parameter("Whether the task is told at test time.") public var identity: TaskIdentity = .hidden
  /// When tasks are in force, other than each for its own rows.
  public var composition = CompositionSettings()

  public init() {}

  public var outline: StreamOutline { StreamOutline(tasks: drawnTasks ?? angles.count, trainingRows: rowsPerTask) }

  public func check() throws(ScenarioError) {
    if drawnTasks != nil && leastAngle > largestAngle {
      throw ScenarioError(
        parameter: "leastAngle",
        "\(degrees(leastAngle)) is more than largestAngle, \(degrees(largestAngle)). Exchange them")
    }
    try composition.checkAlone(identity)
  }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    try check()
    let dataset = try library.dataset(named: data.dataset)
    try dataset.checkRows()
    try dataset.checkTraining()
    guard let image = dataset.image, let pixels = Pixels(dataset, data.scale) else {
      throw ScenarioError(parameter: "dataset", "\"\(dataset.name)\" holds no images of bytes to turn")
    }
    let rows = InputTasks(
      dataset, table: pixels.table, scales: dataset.scalings(data.scale), rowsPerTask: rowsPerTask,
      testRows: data.testRows, identity: identity)
    try checkOrders(
      tasks: drawnTasks ?? angles.count, columns: dataset.inputs.columns,
      parameter: drawnTasks == nil ? "angles" : "drawnTasks")
    return try prepared(rows, image, pixels)
      .copied(composition, identity, columns: dataset.inputs.columns, bytes: rows.table.valueBytes)
  }

  private func prepared(_ rows: InputTasks, _ image: ImageSize, _ pixels: Pixels) -> PreparedRotated {
    let interpolated = interpolation == .bilinear ? pixels : nil
    guard let drawnTasks else {
      let turns = TaskTurns(angles, image, interpolated, names: angles.map(degrees))
      return PreparedRotated(rows: rows) { _ in turns }
    }
    let names = (0..<drawnTasks).map { "rotation \($0 + 1)" }
    return PreparedRotated(rows: rows) { seed in
      TaskTurns(drawnAngles(drawnTasks, seed), image, interpolated, names: names)
    }
  }

  /// Uniform in the range, one stream a task: a task's angle does not depend on how many there are.
  private func drawnAngles(_ tasks: Int, _ seed: Seed) -> [Double] {
    (0..<tasks).map { task in
      if task == 0 && !rotateFirst { return 0 }
      var rng = seed.stream("rotation", task)
      return leastAngle + (largestAngle - leastAngle) * rng.uniform()
    }
  }
}

/// `80°`, `22.5°`.
private func degrees(_ angle: Double) -> String { (Int(exactly: angle).map { "\($0)" } ?? "\(angle)") + "°" }

/// The images of a ``Rotated``, read, checked and scaled: what all seeds share.
struct PreparedRotated: ComposableScenario {
  let rows: InputTasks
  let turns: @Sendable (Seed) -> TaskTurns

  func makeStream(seed: Seed) -> any DriftStream {
    let turns = turns(seed)
    guard let tables = turns.tables else {
      return rows.stream(seed: seed, names: turns.names, orders: turns.orders)
    }
    var upright = rows.stream(seed: seed, names: turns.names, orders: turns.names.map { _ in nil })
    upright.inputs?.turns = turns.description
    return TurnedStream(upright: upright, tables: tables)
  }
}

/// How the images of each task are turned.
struct TaskTurns: Sendable {
  let names: [String]
  /// The order of columns where pixels are only moved; nil for upright images, and where they are interpolated.
  let orders: [[Int32]?]
  /// Nil where pixels are only moved.
  let tables: TurnedTables?
  let description: ImageTurns

  /// - Parameter pixels: what turned pixels are interpolated from; nil: they are only moved.
  init(_ angles: [Double], _ image: ImageSize, _ pixels: Pixels?, names: [String]) {
    self.names = names
    let rotations = angles.map { Rotation(degrees: $0, size: image) }
    orders = rotations.map { pixels != nil || $0.isUpright ? nil : $0.nearest }
    tables = pixels.map { TurnedTables($0, rotations) }
    description = ImageTurns(image, degrees: angles)
  }
}

/// A stream of upright images, shown turned.
private struct TurnedStream: DriftStream {
  let upright: TableStream
  let tables: TurnedTables

  var shape: TaskShape { upright.shape }
  var experiences: [ExperienceInfo] { upright.experiences }
  var inputs: InputDescription? { upright.inputs }

  func trainingRows(for experience: Int) -> Rows {
    upright.trainingRows(for: experience).showing(tables.table(of: experience))
  }

  func evaluationSet(for experience: Int) -> EvaluationSet {
    let set = upright.evaluationSet(for: experience)
    return EvaluationSet(
      rows: set.rows.showing(tables.table(of: experience)), knownExperience: set.knownExperience,
      candidates: set.candidates)
  }
}

extension Rows {
  /// The same places of another table of the same shape.
  fileprivate func showing(_ other: Table) -> Rows {
    Rows(
      table: other, experience: experience, places: places, targets: targets, owners: owners, times: times)
  }
}
