import PalimpsestMetrics

extension Report {
  /// A table a scenario: mean ± half-width of the 95 % interval (Student's t) over seeds.
  public var text: String {
    var blocks = scenarios.map { scenario in
      heading(scenario) + "\n" + table(rows.filter { $0.scenario == scenario })
    }
    let notes = self.notes
    if !notes.isEmpty { blocks.append(notes.joined(separator: "\n")) }
    return blocks.joined(separator: "\n\n")
  }

  /// Labels in plan order.
  private var scenarios: [String] {
    rows.reduce(into: []) { labels, row in if !labels.contains(row.scenario) { labels.append(row.scenario) } }
  }

  private func heading(_ scenario: String) -> String {
    let kinds = Set(rows.filter { $0.scenario == scenario && $0.completed > 0 }.map(\.kind))
    let accuracy =
      kinds == [.expected] ? "noise-free accuracy" : kinds == [.sampled] ? "accuracy on sampled labels" : "accuracy"
    return "\(scenario): \(accuracy), mean ± half-width of the 95 % interval over seeds (Student's t)"
  }

  private func table(_ rows: [Row]) -> String {
    let settings = settingNames(of: rows)
    let header = ["strategy"] + settings + metrics.map(\.shortName) + ["n"]
    let lines = rows.map { row in
      [row.strategy] + settings.map { row.text(of: $0) } + row.cells.map(\.text) + [row.count]
    }
    return aligned([header] + lines, leftColumns: 1)
  }

  /// Columns of settings in a table: those that differ in any of its rows.
  private func settingNames(of rows: [Row]) -> [String] {
    rows.flatMap(\.settings).reduce(into: []) { names, setting in
      if !names.contains(setting.name) { names.append(setting.name) }
    }
  }

  /// What a reader must know beside the numbers.
  private var notes: [String] {
    var notes: [String] = []
    for row in rows where row.failed + row.diverged > 0 {
      let parts = [(row.diverged, "diverged"), (row.failed, "failed")].filter { $0.0 > 0 }
      let counts = parts.map { "\($0.0) of \(row.planned) runs \($0.1)" }.joined(separator: ", ")
      notes.append("\(row.scenario), \(row.label): \(counts); they are not in the means.")
    }
    if missing > 0 { notes.append("\(missing) of \(planned) runs have not ended yet.") }
    return notes
  }
}

extension Report.Row {
  /// The strategy's label with the settings that tell it from its neighbours.
  public var label: String {
    settings.isEmpty
      ? strategy : strategy + " (" + settings.map { "\($0.name) = \($0.value.plainText)" }.joined(separator: ", ") + ")"
  }

  fileprivate func text(of setting: String) -> String {
    settings.first { $0.name == setting }?.value.plainText ?? ""
  }

  fileprivate var count: String { completed == planned ? String(completed) : "\(completed)/\(planned)" }
}

extension Report.Cell {
  /// `0.586 ± 0.019`; a single run has no interval, an undefined metric is a dash.
  fileprivate var text: String {
    guard let interval else { return "–" }
    guard let half = interval.halfWidth else { return threeDecimals(interval.mean) }
    return "\(threeDecimals(interval.mean)) ± \(threeDecimals(half))"
  }
}

extension Metric {
  /// A heading short enough for a table: `average accuracy`, `NR`.
  fileprivate var shortName: String {
    name == Metric.normalisedRetention.name ? "NR" : name.split(separator: "_").joined(separator: " ")
  }
}

extension JSONValue {
  /// A value in a table: a text without its quotes.
  public var plainText: String { string ?? compactText }
}

/// Three decimals, rounded to the nearest; no "-0.000".
func threeDecimals(_ x: Double) -> String {
  let thousandths = (abs(x) * 1000).rounded()
  guard thousandths < 1e15 else { return String(x) }
  let whole = Int(thousandths)
  let fraction = String(whole % 1000)
  let sign = x < 0 && whole > 0 ? "-" : ""
  return "\(sign)\(whole / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
}

/// Columns as wide as their widest cell and two spaces apart; the first ones flush left, the others flush right.
public func aligned(_ rows: [[String]], leftColumns: Int) -> String {
  guard let first = rows.first else { return "" }
  let widths = first.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  let lines = rows.map { row in
    row.indices.map { column in
      let space = String(repeating: " ", count: widths[column] - row[column].count)
      return column < leftColumns ? row[column] + space : space + row[column]
    }.joined(separator: "  ")
  }
  return lines.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
}
