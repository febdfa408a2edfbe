import PalimpsestScenarios

/// How a known table is read as a log, row by row in order of time: what its manifest entry says.
public struct KnownLog: Codable, Sendable, Equatable {
  /// How its rows are cut into tasks, where an experiment does not say it; the names are those of `TaskCut`.
  public struct Tasks: Codable, Sendable, Equatable {
    public var by: String
    public var columns: [String]?
    public var every: String?
    public var count: Int?
    public var size: Int?
    public var mergeUnder: Int?
    public var keep: Bool?
  }

  public var label: String?
  /// Label 1 is a number above that one.
  public var above: Double?
  public var owner: String?
  public var time: String?
  public var drop: [String]?
  /// Columns that come back to where they began, and after how much.
  public var cyclic: [String: Float]?
  /// Each row begins with its number, which the header does not name.
  public var rowNumbers: Bool?
  /// In order of time, where there are several.
  public var files: [String]?
  /// How rows are made of a file of events, or of signals.
  public var events: EventRule?
  public var windows: WindowRule?
  public var tasks: Tasks

  var derivation: TableDerivation? { events.map { .events($0) } ?? windows.map { .windows($0) } }

  /// The cut as a scenario takes it.
  var cut: TaskCut {
    var cut = TaskCut()
    cut.by = TaskCut.By(rawValue: tasks.by)
    cut.columns = tasks.columns ?? []
    cut.every = tasks.every.flatMap(TaskCut.Every.init(rawValue:)) ?? .value
    cut.count = tasks.count ?? cut.count
    cut.size = tasks.size ?? cut.size
    cut.mergeUnder = tasks.mergeUnder ?? cut.mergeUnder
    cut.keep = tasks.keep ?? cut.keep
    return cut
  }
}
