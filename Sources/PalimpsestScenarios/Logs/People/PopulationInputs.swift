import PalimpsestCore

/// The inputs of a table's rows as a model that was trained on a population sees them: what fills gaps and what scales is learned on the population's
/// rows alone, all of them, and kept for everybody else.
///
/// An input that never varies in the population is 0 for everybody, but under ``TableScale/none``: nothing was learned of it. Under that too this holds
/// for the inputs of categories, so that a category which nobody of the population has is none of those known.
///
/// - Time: O(rows · inputs), and O(log rows) a cell of a column with gaps. Memory: the inputs.
package struct PopulationInputs {
  /// rows of the file × inputs; rows that are not taken are 0.
  package private(set) var values: FloatBuffer
  /// With what stands for gaps.
  package private(set) var columns: [InputColumn]
  /// One an input, or none.
  package private(set) var scales: [InputScaling]
  let width: Int

  /// - Parameters:
  ///   - population: rows of the table to learn from.
  ///   - others: rows to be filled and scaled like them.
  package init(_ table: LoggedTable, population: [Int32], others: [Int32], scale: TableScale) {
    columns = table.columns
    width = columns.reduce(0) { $0 + $1.width }
    values = FloatBuffer(count: table.rows * width)
    scales = []
    learnFills(table, population)
    fill(table, population)
    fill(table, others)
    learnScales(population, scale)
    guard !scales.isEmpty else { return }
    apply(population)
    apply(others)
  }

  /// What a column says stands for its gaps, else the median of the population's cells, else 0.
  private mutating func learnFills(_ table: LoggedTable, _ population: [Int32]) {
    for column in columns.indices {
      guard columns[column].missing > 0 else {
        columns[column].fill = nil
        continue
      }
      if columns[column].fill != nil { continue }
      var median = RunningMedian()
      if columns[column].isNumber {
        for row in population {
          let cell = table.cells[Int(row) * columns.count + column]
          if !cell.isNaN { median.add(cell) }
        }
      }
      columns[column].fill = median.value ?? 0
    }
  }

  private mutating func fill(_ table: LoggedTable, _ rows: [Int32]) {
    var inputs: [Float] = []
    for row in rows {
      inputs.removeAll(keepingCapacity: true)
      for column in columns.indices {
        columns[column].append(table.cells[Int(row) * columns.count + column], to: &inputs)
      }
      values.withMutableSpan { values in for i in inputs.indices { values[Int(row) * width + i] = inputs[i] } }
    }
  }

  private mutating func learnScales(_ population: [Int32], _ scale: TableScale) {
    var spreads = [Spread](repeating: Spread(), count: width)
    values.withSpan { values in
      for row in population {
        for input in spreads.indices { spreads[input].add(values[Int(row) * spreads.count + input]) }
      }
    }
    switch scale {
    case .online: scales = spreads.map(\.scaling)
    case .unit, .standard: scales = spreads.map { $0.whole(scale) }
    case .none:
      let isIdle = zip(spreads, columns.flatMap(\.areCategories)).map { !$0.varies && $1 }
      if isIdle.contains(true) { scales = isIdle.map { .column(shift: 0, divisor: $0 ? 0 : 1) } }
    }
  }

  private mutating func apply(_ rows: [Int32]) {
    values.withMutableSpan { values in
      for row in rows {
        for input in scales.indices {
          let place = Int(row) * scales.count + input
          values[place] = scales[input].apply(values[place])
        }
      }
    }
  }
}

extension InputColumn {
  /// Of each input, whether it stands for a category.
  fileprivate var areCategories: [Bool] {
    guard case .oneHot(let values) = kind else { return [Bool](repeating: false, count: width) }
    return values.map { _ in true } + (marksMissing ? [false] : [])
  }
}
