import PalimpsestCore

/// The classes of a data set, a few at a time.
///
/// The classes in order make groups of `classesPerTask`; group k is task k. A class that stands at place p of the order
/// is output p; in the domain-incremental setting it is output p mod `classesPerTask`.
public struct Split: Scenario {
  public static let drawsTestRows = false
  public static let name = "split"
  public static let summary = "The classes of a data set in groups, one group a task."
  public static let source = """
    Zenke et al. 2017 (split MNIST); the three settings as in van de Ven & Tolias 2019. In the task-incremental \
    setting the answer is one of the task's own classes and the task is told; a network with one head masked at test \
    time and a network with a head a task both fit it.
    """

  /// What the tasks share, and what is told at test time.
  public enum Setting: String, ParameterChoice {
    /// Own outputs a task; the task is told and only its outputs may be answered.
    case taskIncremental = "task"
    /// The same outputs in every task: places within the group.
    case domainIncremental = "domain"
    /// Own outputs a task; any output may be answered.
    case classIncremental = "class"
  }

  /// Where the order of classes comes from.
  public enum ClassOrder: String, ParameterChoice {
    /// By number, or as `classes` lists them.
    case file
    /// Every seed its own order.
    case shuffled
  }

  public var data = DatasetSettings()
  @Parameter("Task-, domain- or class-incremental: what tasks share and what is told at test time.")
  public var setting: Setting = .classIncremental
  @Parameter("Classes a task.", .count) public var classesPerTask: Int = 2
  @Parameter("Tasks; null takes all classes.", .count) public var tasks: Int? = nil
  @Parameter("Order of the classes: as in the file, or shuffled by the run's seed.")
  public var classOrder: ClassOrder = .file
  @Parameter("Numbers of the classes to take, in this order, counted from 0; null takes all.", .atLeast(0))
  public var classes: [Int]? = nil
  @Parameter("Most training rows of a class, drawn at random; null takes all.", .count)
  public var rowsPerClass: Int? = nil
  @Parameter("Whether the task is told at test time; null: given for task-incremental, hidden else.")
  public var identity: TaskIdentity? = nil
  /// When tasks are in force, other than each for its own rows.
  public var composition = CompositionSettings()

  public init() {}

  public var outline: StreamOutline {
    StreamOutline(
      tasks: tasks ?? classes.map { $0.count / classesPerTask }, trainingRows: rowsPerClass.map { $0 * classesPerTask })
  }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    try check()
    let dataset = try library.dataset(named: data.dataset)
    try dataset.checkClasses()
    try dataset.checkRows()
    let chosen = try chosenClasses(of: dataset)
    let tasks = try taskCount(of: chosen.count, in: dataset)
    try checkSetting(tasks)
    let rows = ClassRows(dataset)
    let used = classOrder == .file ? Array(chosen[..<(tasks * classesPerTask)]) : chosen
    try dataset.checkTraining(rows, of: used)
    try dataset.checkTest(rows, of: used)
    let prepared = PreparedSplit(
      split: self, table: dataset.table(scaled: data.scale), names: dataset.classes, columns: dataset.columns,
      scales: dataset.scalings(data.scale), source: dataset.table, rows: rows, origins: RowOrigins(dataset),
      classes: chosen, tasks: tasks)
    return try prepared.composed(composition, isTold ? .given : .hidden)
  }
}

extension Split {
  private func chosenClasses(of dataset: Dataset) throws(ScenarioError) -> [Int] {
    guard let classes else { return Array(dataset.classes.indices) }
    if let wrong = classes.first(where: { $0 >= dataset.classes.count }) {
      throw ScenarioError(
        parameter: "classes",
        "\(wrong) is not a class of \"\(dataset.name)\"; "
          + "its classes are numbered from 0 to \(dataset.classes.count - 1)"
      )
    }
    return classes
  }

  public func check() throws(ScenarioError) {
    if let classes, let twice = classes.indices.first(where: { classes[..<$0].contains(classes[$0]) }) {
      throw ScenarioError(parameter: "classes", "class \(classes[twice]) is listed twice")
    }
    try checkSetting(tasks ?? 2)
    if !composition.isPlain && setting == .taskIncremental {
      throw ScenarioError(
        parameter: "setting",
        "with a schedule or transition the rows of a task are of several groups of classes, and \"task\" allows the "
          + "outputs of one alone. Take \"domain\" or \"class\"")
    }
    try composition.checkAlone(isTold ? .given : .hidden)
  }

  private func taskCount(of count: Int, in dataset: Dataset) throws(ScenarioError) -> Int {
    let possible = count / classesPerTask
    if let tasks {
      if tasks <= possible { return tasks }
      throw ScenarioError(
        parameter: "tasks",
        "\(tasks) tasks of \(classesPerTask) \(classesPerTask == 1 ? "class" : "classes") are too many: "
          + "there are \(count) classes, enough for \(possible)")
    }
    if possible > 0 && count % classesPerTask == 0 { return possible }
    throw ScenarioError(
      parameter: "classesPerTask",
      "\(count) classes do not divide into tasks of \(classesPerTask). Choose a divisor of \(count), or set \"tasks\"")
  }

  private func checkSetting(_ tasks: Int) throws(ScenarioError) {
    if classesPerTask == 1 && (setting != .classIncremental || tasks == 1) {
      throw ScenarioError(
        parameter: "classesPerTask", "with 1 class to choose from there is nothing to learn. At least 2 are needed")
    }
    switch (setting, identity) {
    case (.taskIncremental, .hidden?):
      throw ScenarioError(
        parameter: "identity", "in the task-incremental setting the task is told. Choose setting \"class\" to hide it")
    case (.classIncremental, .given?):
      throw ScenarioError(
        parameter: "identity", "in the class-incremental setting the task is hidden. Choose setting \"task\" to tell it"
      )
    default: return
    }
  }

  /// Whether the task is told at test time.
  var isTold: Bool { identity.map { $0 == .given } ?? (setting == .taskIncremental) }
}
