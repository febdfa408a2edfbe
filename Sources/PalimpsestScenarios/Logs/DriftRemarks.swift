import PalimpsestCore

/// Says of a table's tasks where there is nothing to be forgotten.
///
/// Shares of labels and means of inputs are compared between tasks by their χ² under the hypothesis that rows stand in random order:
/// Σ_t n_t (m_t − m)² / s², about χ² with one degree of freedom less than there are tasks (Wilson & Hilferty 1931 for its
/// tail). Means alone are looked at: drift of another form is not seen, so this is a remark and no error.
struct DriftRemarks {
  /// Deviations from what chance gives that count as drift: one column in 30,000 has that by chance.
  private static let limit = 4.0

  let tasks: [Rows]
  let classes: Int

  var texts: [String] {
    if tasks.count == 1 {
      return ["all rows make one task: nothing can be forgotten. Cut them otherwise with \"tasks\""]
    }
    if labelsDiffer || inputsDiffer { return [] }
    return [
      "between the \(tasks.count) tasks neither the shares of labels nor the means of inputs differ by more than chance: "
        + "nothing seems to drift, and forgetting will be near 0. Are rows in order of time, and tasks cut by what changes?"
    ]
  }

  private var labelsDiffer: Bool {
    (0..<classes).contains { label in
      differ(tasks.map { rows in Sums(rows.labels.map { $0 == Int32(label) ? 1 : 0 }) })
    }
  }

  private var inputsDiffer: Bool {
    guard let table = tasks.first?.table, let values = table.rawFloats else { return false }
    return values.withSpan { values in
      (0..<table.columns).contains { column in
        differ(tasks.map { rows in Sums(rows.places.map { Double(values[Int($0) * table.columns + column]) }) })
      }
    }
  }

  private func differ(_ parts: [Sums]) -> Bool {
    let all = parts.reduce(Sums([])) { $0 + $1 }
    guard all.variance > 0 else { return false }
    let chi = parts.reduce(0.0) { $0 + $1.count * ($1.mean - all.mean) * ($1.mean - all.mean) } / all.variance
    let (degrees, spread) = (Double(parts.count - 1), 2 / (9 * Double(parts.count - 1)))
    let root = Elementary.power(chi / degrees, 1.0 / 3)
    return (root - (1 - spread)) / spread.squareRoot() > DriftRemarks.limit
  }
}

private struct Sums {
  var count = 0.0
  var sum = 0.0
  var squares = 0.0

  init(_ values: [Double]) {
    count = Double(values.count)
    for value in values {
      sum += value
      squares += value * value
    }
  }

  var mean: Double { sum / count }
  var variance: Double { max(0, squares / count - mean * mean) }

  static func + (a: Sums, b: Sums) -> Sums {
    var both = a
    both.count += b.count
    both.sum += b.sum
    both.squares += b.squares
    return both
  }
}
