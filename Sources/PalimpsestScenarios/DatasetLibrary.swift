import PalimpsestCore

/// Named tables that scenarios over real data ask for. No scenario opens a file.
public protocol DatasetLibrary: Sendable {
  /// - Throws: ``DatasetError``.
  func dataset(named name: String) throws -> Dataset
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

  public init(
    name: String, inputs: Table, labels: [Int32], classes: [String], training: Range<Int>, test: Range<Int>,
    image: ImageSize? = nil, columns: [String] = [], digest: String = "", table: TableColumns? = nil,
    times: [TimeColumn] = [], targetValues: DatasetValues? = nil
  ) {
    let targets = targetValues?.matrix.rows ?? labels.count
    precondition(targets == inputs.rows, "targets of \(targets) rows for \(inputs.rows) rows")
    precondition(
      targetValues.map { $0.matrix.columns == classes.count && labels.isEmpty } ?? true, "a name a column of values")
    self.targetValues = targetValues
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
  public let description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

/// A library without any data, for scenarios that need none.
public struct EmptyLibrary: DatasetLibrary {
  public init() {}

  public func dataset(named name: String) throws -> Dataset {
    throw DatasetError(.missing, "data set \"\(name)\": there is no library of data sets here")
  }
}
