import PalimpsestCore

/// What a scenario knows of its rows beyond their numbers: what columns and outputs are called, and how the values of a
/// user's file become those that a learner sees.
public struct InputDescription: Sendable, Codable, Equatable {
  /// Names in order; empty where they have none.
  public var columns: [String]
  /// Names of the outputs, in order; empty where they have none.
  public var outputs: [String]
  /// One a column, or one for all; none: values stay as they are.
  public var scales: [InputScaling]
  /// Values that a row of a file has; nil: as many as there are names, or as a learner sees.
  public var width: Int?
  /// Angles of the tasks whose images are blended anew; nil: pixels are at most moved, by an order of columns.
  public var turns: ImageTurns?

  /// How the columns of a table become the values; nil: they are numbers as they stand in the file.
  public var table: TableColumns?

  public init(
    columns: [String] = [], outputs: [String] = [], scales: [InputScaling] = [], table: TableColumns? = nil
  ) {
    self.table = table
    self.columns = columns
    self.outputs = outputs
    self.scales = scales
  }

  /// What does not go together with so many columns and with what the outputs stand for; nil: nothing.
  public func problem(columns count: Int, target: TaskTarget) -> String? {
    if !columns.isEmpty && columns.count != count { return "\(columns.count) names for \(count) columns" }
    if let width, width != count { return "rows of \(width) values for \(count) columns" }
    if !outputs.isEmpty && outputs.count != target.answers {
      return "\(outputs.count) names for \(target.answers) outputs"
    }
    if ![0, 1, count].contains(scales.count) { return "\(scales.count) scales for \(count) columns" }
    if let table, table.inputs != columns { return "a table whose columns do not become the inputs" }
    return turns?.problem(columns: count)
  }

  /// True where values are pixels as the data set has them, whole numbers from 0 on.
  public var takesPixels: Bool {
    if scales.count == 1, case .pixel = scales[0] { true } else { false }
  }

  /// The rows as a learner sees them.
  public func scaled(_ values: Matrix) -> Matrix {
    guard !scales.isEmpty else { return values }
    var result = values
    for row in 0..<values.rows {
      for column in 0..<values.columns {
        result[row, column] = scales[scales.count == 1 ? 0 : column].apply(values[row, column])
      }
    }
    return result
  }
}

/// How one column's values are scaled, by the same arithmetic as in training.
public enum InputScaling: Sendable, Codable, Equatable {
  /// (x − shift) / divisor, and 0 where the divisor is 0.
  case column(shift: Float, divisor: Float)
  /// The same, at most so far from 0.
  case clipped(shift: Float, divisor: Float, limit: Float)
  /// offset + factor · x, rounded once.
  case pixel(factor: Float, offset: Float)

  public func apply(_ x: Float) -> Float {
    switch self {
    case .column(let shift, let divisor): divisor > 0 ? (x - shift) / divisor : 0
    case .clipped(let shift, let divisor, let limit):
      divisor > 0 ? min(max((x - shift) / divisor, -limit), limit) : 0
    case .pixel(let factor, let offset): offset.addingProduct(factor, x)
    }
  }
}
