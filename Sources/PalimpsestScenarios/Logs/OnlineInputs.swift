import PalimpsestCore

/// How the values of a row become what a learner sees. Figures of all rows know the future.
public enum TableScale: String, ParameterChoice {
  /// (x − mean) / deviation over the rows before, at most ±5; 0 where there is no deviation yet.
  case online
  /// To [0, 1] by the least and largest value of all rows.
  case unit
  /// Mean 0 and deviation 1 over all rows.
  case standard
  /// As in the file.
  case none
}

/// The inputs of a table's rows, made in the order in which they come: a gap is filled by the median of the cells before it, or by what its column says, and
/// an input is scaled by mean and deviation of the rows before it, so that nothing of the future is known.
///
/// - Time: O(rows · inputs), and O(log rows) a cell of a column with gaps. Memory: the inputs.
package struct OnlineInputs {
  /// Largest distance from 0 of an input that is scaled online.
  static let limit: Float = 5

  /// rows of the file × inputs; rows that are not taken are 0.
  package private(set) var values: FloatBuffer
  /// With what stands for gaps at the end.
  package private(set) var columns: [InputColumn]
  /// How a row behind the last one is scaled.
  private(set) var scales: [InputScaling]
  let width: Int

  /// - Parameter order: rows of the table that are taken, in the order in which they come.
  package init(_ table: LoggedTable, order: [Int32], scale: TableScale) {
    columns = table.columns
    width = columns.reduce(0) { $0 + $1.width }
    values = FloatBuffer(count: table.rows * width)
    scales = []
    fill(table, order)
    switch scale {
    case .online: scaleOnline(order)
    case .unit, .standard: scaleWhole(order, scale)
    case .none: break
    }
  }

  // MARK: - Gaps

  private mutating func fill(_ table: LoggedTable, _ order: [Int32]) {
    let said = columns.map(\.fill)
    var medians = columns.map { $0.missing > 0 && $0.isNumber ? RunningMedian() : nil }
    var row: [Float] = []
    for place in order {
      row.removeAll(keepingCapacity: true)
      let first = Int(place) * columns.count
      for column in columns.indices {
        let cell = table.cells[first + column]
        if cell.isNaN {
          columns[column].fill = said[column] ?? medians[column]?.value ?? 0
        } else {
          medians[column]?.add(cell)
        }
        columns[column].append(cell, to: &row)
      }
      values.withMutableSpan { values in for i in row.indices { values[Int(place) * width + i] = row[i] } }
    }
    for column in columns.indices {
      columns[column].fill = columns[column].missing > 0 ? said[column] ?? medians[column]?.value ?? 0 : nil
    }
  }

  // MARK: - Scales

  private mutating func scaleOnline(_ order: [Int32]) {
    var spreads = [Spread](repeating: Spread(), count: width)
    values.withMutableSpan { values in
      for place in order {
        for column in spreads.indices {
          let at = Int(place) * spreads.count + column
          let raw = values[at]
          values[at] = spreads[column].scaling.apply(raw)
          spreads[column].add(raw)
        }
      }
    }
    scales = spreads.map(\.scaling)
  }

  private mutating func scaleWhole(_ order: [Int32], _ scale: TableScale) {
    var spreads = [Spread](repeating: Spread(), count: width)
    values.withMutableSpan { values in
      for place in order {
        for column in spreads.indices { spreads[column].add(values[Int(place) * spreads.count + column]) }
      }
      scales = spreads.map { $0.whole(scale) }
      for place in order {
        for column in scales.indices {
          let at = Int(place) * scales.count + column
          values[at] = scales[column].apply(values[at])
        }
      }
    }
  }
}

/// Mean, deviation, least and largest of the values so far (Welford 1962).
struct Spread {
  private var count = 0.0
  private var mean = 0.0
  private var squares = 0.0
  private var least = Float.infinity
  private var largest = -Float.infinity

  mutating func add(_ value: Float) {
    count += 1
    let distance = Double(value) - mean
    mean += distance / count
    squares += distance * (Double(value) - mean)
    least = min(least, value)
    largest = max(largest, value)
  }

  private var deviation: Float { count > 0 ? Float((squares / count).squareRoot()) : 0 }

  /// Whether there are two values that differ.
  var varies: Bool { largest > least }

  /// Of the value behind these.
  var scaling: InputScaling {
    .clipped(shift: Float(mean), divisor: varies ? deviation : 0, limit: OnlineInputs.limit)
  }

  func whole(_ scale: TableScale) -> InputScaling {
    scale == .unit
      ? .column(shift: least, divisor: largest - least)
      : .column(shift: Float(mean), divisor: varies ? deviation : 0)
  }
}

extension InputColumn {
  /// Whether a gap is filled by a median: the inputs of a category are 0 there.
  var isNumber: Bool {
    if case .oneHot = kind { false } else { true }
  }
}
