import PalimpsestCore

/// What a scenario asks of a table. What it leaves open `dataset.json` says, or what is known of the set.
public struct TableRequest: Sendable, Equatable {
  /// The column to be predicted.
  public var label: String?
  /// Label 1 is a number above that one.
  public var above: Double?
  /// The column that says whose each row is.
  public var owner: String?
  /// The column that says when each row arose: rows are put in its order.
  public var time: String?
  /// Columns that say which rows belong together.
  public var group: [String] = []
  /// Whether the columns of `group` are inputs as well.
  public var keepsGroup = false
  /// Whether the group's columns are those by which the set's tasks are usually cut, where anything is known of it.
  public var usesUsualCut = false
  /// Columns that are no inputs.
  public var drop: [String] = []
  /// What columns are, as `columns` of a `dataset.json` says it: a JSON object.
  public var columns = "{}"

  public init() {}
}

/// A table as it was logged: rows in the order of time, cells as they were found, gaps and all.
public struct LoggedTable: Sendable {
  public let name: String
  /// Of the inputs; what stands for missing cells where somebody says it.
  public let columns: [InputColumn]
  /// A number a row and column, row by row: the number that stands there, the place of a category, days; NaN where the cell is
  /// missing.
  public let cells: [Float]
  /// Texts that mean that a cell is missing.
  public let missing: [String]
  /// One a row: places in `classes`.
  public let labels: [Int32]
  public let classes: [String]
  /// Whose each row is; nil: nobody knows.
  public let owners: RowOwners?
  /// Seconds from the earliest row; nil: nobody knows, and rows stand as in the file.
  public let arrivals: [Int64]?
  /// What the group's columns hold: places in texts, those of several columns joined by ", "; nil: none was asked for.
  public let groups: RowOwners?
  /// Of the files and of how their columns were read.
  public let digest: String
  /// How tasks are cut where nobody says it; nil: nothing is known.
  public let usualCut: TaskCut?
  /// What is to be said of columns that are read otherwise than somebody may think.
  public let remarks: [String]

  public init(
    name: String, columns: [InputColumn], cells: [Float], missing: [String] = [], labels: [Int32], classes: [String],
    owners: RowOwners? = nil, arrivals: [Int64]? = nil, groups: RowOwners? = nil, digest: String = "",
    usualCut: TaskCut? = nil, remarks: [String] = []
  ) {
    precondition(cells.count == labels.count * columns.count, "a cell a row and column")
    self.name = name
    self.columns = columns
    self.cells = cells
    self.missing = missing
    self.labels = labels
    self.classes = classes
    self.owners = owners
    self.arrivals = arrivals
    self.groups = groups
    self.digest = digest
    self.usualCut = usualCut
    self.remarks = remarks
  }

  public var rows: Int { labels.count }
}

extension DatasetLibrary {
  /// A table as it was logged.
  /// - Throws: ``DatasetError``. A library that has none says so.
  public func table(named name: String, _ request: TableRequest) throws -> LoggedTable {
    throw DatasetError(.missing, "data set \"\(name)\": this library has no tables to be read row by row")
  }
}
