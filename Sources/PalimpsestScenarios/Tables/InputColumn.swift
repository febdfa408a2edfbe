import PalimpsestCore

/// A column of a table, and the inputs that its cells become.
public struct InputColumn: Sendable, Codable, Equatable {
  public enum Kind: Sendable, Codable, Equatable {
    /// The number that stands there.
    case number
    /// An input a value: 1 where the cell has that value, else 0.
    case oneHot([String])
    /// The value's place among these, counted from 0.
    case ordinal([String])
    /// Days since 1970 began.
    case date(DateForm)
    /// Sine and cosine of a number that comes back to where it began, such as an hour of 24.
    case cyclic(period: Float)
  }

  public let name: String
  public let kind: Kind
  /// What stands for a missing cell (in a one-hot column its inputs are 0 whatever this is); nil: no cell is missing.
  public var fill: Float?
  /// Whether a further input is 1 where the cell is missing.
  public var marksMissing: Bool
  /// Rows whose cell is missing.
  public var missing: Int

  public init(name: String, kind: Kind, fill: Float? = nil, marksMissing: Bool = false, missing: Int = 0) {
    self.name = name
    self.kind = kind
    self.fill = fill
    self.marksMissing = marksMissing
    self.missing = missing
  }

  /// What the inputs are called: `age`, `job=nurse`, `age missing`.
  public var inputs: [String] {
    var names = [name]
    if case .oneHot(let values) = kind { names = values.map { "\(name)=\($0)" } }
    if case .cyclic = kind { names = ["\(name) sine", "\(name) cosine"] }
    return marksMissing ? names + ["\(name) missing"] : names
  }

  /// How many inputs it becomes.
  public var width: Int {
    let own =
      switch kind {
      case .oneHot(let values): values.count
      case .cyclic: 2
      case .number, .ordinal, .date: 1
      }
    return own + (marksMissing ? 1 : 0)
  }

  /// Appends the inputs of a cell: of a number, of the place of its value among those of the column, of days.
  /// - Parameter value: not a number where the cell is missing.
  public func append(_ value: Float, to inputs: inout [Float]) {
    let filled = value.isNaN ? fill ?? 0 : value
    switch kind {
    case .oneHot(let values): for place in values.indices { inputs.append(value == Float(place) ? 1 : 0) }
    case .cyclic(let period):
      let (sine, cosine) = Elementary.sineAndCosine(2 * .pi * Double(filled) / Double(period))
      inputs += [Float(sine), Float(cosine)]
    case .number, .ordinal, .date: inputs.append(filled)
    }
    if marksMissing { inputs.append(value.isNaN ? 1 : 0) }
  }
}

/// The columns of a table of which some are more than a number as it stands there.
public struct TableColumns: Sendable, Codable, Equatable {
  public var columns: [InputColumn]
  /// What a cell holds that is missing.
  public var missing: [String]

  public init(columns: [InputColumn], missing: [String]) {
    self.columns = columns
    self.missing = missing
  }

  /// What the inputs are called, in order.
  public var inputs: [String] { columns.flatMap(\.inputs) }
}

/// The order of day, month and year in a date.
public enum DateForm: String, Sendable, Codable, CaseIterable {
  /// `2011-07-30`, `2011/07/30`, `20110730`, and the German `30.07.2011`.
  case year = "year-month-day"
  /// `30/07/2011`
  case day = "day-month-year"
  /// `7/30/11`
  case month = "month-day-year"

  /// All of them, for messages.
  package static var listed: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
  }
}

/// A column of dates: when each row was.
public struct TimeColumn: Sendable, Equatable {
  public let name: String
  /// One a row: seconds since 1970 began, in the table's own clock; not a number where the cell is missing.
  public let seconds: [Double]

  public init(name: String, seconds: [Double]) {
    self.name = name
    self.seconds = seconds
  }
}
