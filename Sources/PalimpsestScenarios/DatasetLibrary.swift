import PalimpsestCore

/// Named tables that scenarios over real data ask for. No scenario opens a file.
public protocol DatasetLibrary: Sendable {
  /// - Throws: ``DatasetError``.
  func dataset(named name: String) throws -> Dataset
  /// A table as it was logged, read as a scenario asks.
  /// - Throws: ``DatasetError``.
  func table(named name: String, _ request: TableRequest) throws -> LoggedTable
}

/// Rows with what is to be predicted of them as they stand in files, in file order.
public struct Dataset: Sendable {
  public let name: String
  /// All rows, training rows and test rows.
  public let inputs: Table
  /// One a row, counted from 0: places in `classes`; none where rows have values.
  public let labels: [Int32]
  /// What the labels are called, in order of their numbers; of values what each column of them is called.
  public let classes: [String]
  /// Values to be predicted instead of labels; nil: rows have labels.
  public let targetValues: DatasetValues?
  /// What the columns are called; empty where they have no names.
  public let columns: [String]
  /// Rows to train on.
  public let training: Range<Int>
  /// Rows to test on.
  public let test: Range<Int>
  /// Height and width where a row is an image, row by row.
  public let image: ImageSize?
  /// SHA-256 of what the files hold unpacked, in hex, joined by commas; of these and of what is said of the columns where
  /// a table's cells are read as more than numbers.
  public let digest: String
  /// How the columns of a table became inputs; nil where each is a number as it stands in the file.
  public let table: TableColumns?
  /// When each row was, by the table's columns of dates.
  public let times: [TimeColumn]
  /// Whose each row is; nil: nobody knows.
  public let owners: RowOwners?
  /// When each row arose, in whole seconds from the earliest one; rows to train on stand in that order, and so do rows to test on.
  /// Nil: nobody knows.
  public let arrivals: [Int64]?

  public init(
    name: String, inputs: Table, labels: [Int32], classes: [String], training: Range<Int>, test: Range<Int>,
    image: ImageSize? = nil, columns: [String] = [], digest: String = "", table: TableColumns? = nil,
    times: [TimeColumn] = [], owners: RowOwners? = nil, arrivals: [Int64]? = nil, targetValues: DatasetValues? = nil
  ) {
    let targets = targetValues?.matrix.rows ?? labels.count
    precondition(targets == inputs.rows, "targets of \(targets) rows for \(inputs.rows) rows")
    precondition(
      targetValues.map { $0.matrix.columns == classes.count && labels.isEmpty } ?? true, "a name a column of values")
    self.targetValues = targetValues
    precondition(owners.map { $0.places.count == inputs.rows } ?? true, "an owner for every row or none")
    precondition(arrivals.map { $0.count == inputs.rows } ?? true, "a time for every row or none")
    precondition(training.upperBound <= inputs.rows && test.upperBound <= inputs.rows)
    self.name = name
    self.inputs = inputs
    self.labels = labels
    self.classes = classes
    self.columns = columns
    self.training = training
    self.test = test
    self.image = image
    self.digest = digest
    self.table = table
    self.times = times
    self.owners = owners
    self.arrivals = arrivals
  }
}

/// What is to be predicted of rows that have no label: one number a row and output, NaN where it is not known.
public struct DatasetValues: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// Any numbers.
    case numbers
    /// 0 or 1: any number of labels a row.
    case labels
  }

  /// rows × outputs.
  public let matrix: Matrix
  public let kind: Kind

  public init(_ matrix: Matrix, _ kind: Kind) {
    self.matrix = matrix
    self.kind = kind
  }

  public var target: TaskTarget { kind == .numbers ? .values(matrix.columns) : .multiLabel(matrix.columns) }
}

/// Whose the rows of a data set are.
public struct RowOwners: Sendable, Equatable {
  /// One a row: places in `names`.
  public let places: [Int32]
  /// What the owners are called, in order of their first row in the files.
  public let names: [String]

  public init(places: [Int32], names: [String]) {
    precondition(places.allSatisfy { $0 >= 0 && Int($0) < names.count }, "an owner outside \(names.count)")
    self.places = places
    self.names = names
  }
}

/// Whose rows are and when they arose, as far as a data set knows: what goes with them into ``PalimpsestCore/Rows``.
struct RowOrigins: Sendable {
  private let owners: [Int32]?
  private let arrivals: [Int64]?

  init(_ dataset: Dataset) {
    owners = dataset.owners?.places
    arrivals = dataset.arrivals
  }

  /// - Parameter places: row numbers in the data set.
  func owners(at places: [Int32]) -> [Int32]? { owners.map { all in places.map { all[Int($0)] } } }
  func times(at places: [Int32]) -> [Int64]? { arrivals.map { all in places.map { all[Int($0)] } } }
}

/// Height and width of an image in pixels.
public struct ImageSize: Sendable, Equatable {
  public let height: Int
  public let width: Int

  public init(height: Int, width: Int) {
    self.height = height
    self.width = width
  }
}

/// Data that are missing or broken: where, what is wrong, what would be right.
public struct DatasetError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable {
    /// The file or the data set is not there.
    case missing
    /// The file is there and is not what it should be.
    case broken
  }

  public let kind: Kind
  /// The scenario's parameter that is to blame; nil: the data are, or what is said beside them.
  public let parameter: String?
  /// What is wrong, without the parameter.
  public let problem: String

  public init(_ kind: Kind, _ description: String) { self.init(kind, parameter: nil, description) }

  /// - Parameter parameter: such as `tasks.column`.
  public init(_ kind: Kind, parameter: String?, _ problem: String) {
    self.kind = kind
    self.parameter = parameter
    self.problem = problem
  }

  public var description: String { parameter.map { "\($0): \(problem)" } ?? problem }
}

/// A library without any data, for scenarios that need none.
public struct EmptyLibrary: DatasetLibrary {
  public init() {}

  public func dataset(named name: String) throws -> Dataset {
    throw DatasetError(.missing, "data set \"\(name)\": there is no library of data sets here")
  }
}
