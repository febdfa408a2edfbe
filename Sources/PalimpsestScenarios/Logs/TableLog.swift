import PalimpsestCore

/// One's own table as a stream that drifts: its rows in order of time, cut into tasks.
///
/// Every row belongs to one task. Of each task the rows at even distances are tested on and never trained on; a run through a
/// stream predicts and learns all of them, in order. Seeds share rows and tasks: they differ in initial weights and the order of
/// training alone. Where an experiment goes on with single people (``PeopleScenario``), some of the table's are the population, the others each have a
/// life of their own rows, and each seed draws who is who.
public struct TableLog: PeopleScenario {
  public static let drawsTestRows = false
  public static let hasPeople = true
  public static let name = "table"
  public static let summary =
    "A table of one's own as it was logged: tasks by date, user, values of a column, or blocks; with personal a population and held-out people."
  public static let source =
    "Test-then-train over a log with figures of the past alone, as Gama et al., Machine Learning 90 (2013), evaluate."

  @Parameter("Name of the data set.") public var dataset: String = "elec2"
  @Parameter(
    "The column to be predicted; null: as dataset.json or the manifest says, else one called label, class or target.")
  public var label: String? = nil
  @Parameter("Label 1 is a number above that one; null: labels stand as they are.") public var above: Double? = nil
  @Parameter("The column that says whose each row is; null: as dataset.json or the manifest says, else nobody knows.")
  public var owner: String? = nil
  @Parameter(
    "The column of dates or seconds that rows are put in the order of; null: that of the tasks' dates, else the file's order."
  )
  public var time: String? = nil
  @Parameter("Columns that are no inputs.") public var drop: [String] = []
  @Parameter(
    "What columns are where looking does not tell, as dataset.json says it: {\"hour\": {\"kind\": \"cyclic\", \"period\": 24}}."
  )
  public var columns: ObjectText = ObjectText()
  @Parameter("Only every so many-th row is taken, from the first on.", .count) public var thin: Int = 1
  public var tasks = TaskCut()
  @Parameter("Share of each task's rows that are tested on, at even distances.", .between(0, 1)) public var test:
    Double = 0.2
  @Parameter(
    "How inputs are scaled: by what was seen before the row, by all rows to [0, 1] or to mean 0 and deviation 1, or not at all; with people by the population's rows alone."
  )
  public var scale: TableScale = .online
  @Parameter("Whether the task is told at test time.") public var identity: TaskIdentity = .hidden
  /// When tasks are in force, other than each for its own rows.
  public var composition = CompositionSettings()
  public var people = TablePeople()

  public init() {}

  public func check() throws(ScenarioError) {
    try tasks.check(owner: owner)
    try composition.checkAlone(identity)
    try people.check()
  }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    try check()
    let table = try library.table(named: dataset, request)
    return try PreparedTable(self, table, tasks.by == nil ? table.usualCut ?? tasks : tasks)
      .composed(composition, identity)
  }

  public func preparePeople(from library: any DatasetLibrary) throws -> any PreparedScenario {
    try check()
    guard composition.isPlain else {
      throw ScenarioError(
        parameter: composition.schedule.name == nil ? "transition" : "schedule",
        "it says when tasks are in force, and \"personal\" goes on with single people. Take one of them away")
    }
    return try PreparedPeople(self, try library.table(named: dataset, request))
  }

  private var request: TableRequest {
    var request = TableRequest()
    (request.label, request.above, request.owner, request.drop) = (label, above, owner, drop)
    (request.group, request.keepsGroup, request.usesUsualCut) = (tasks.named, tasks.keep, tasks.by == nil)
    (request.time, request.columns) = (time ?? tasks.dates, columns.text)
    return request
  }
}
